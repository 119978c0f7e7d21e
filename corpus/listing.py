"""The papers of a collection as a table: filtered, sorted and counted by SQLite, a page at a time."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

from corpus.catalogue import Catalogue
from corpus.layout import Layout
from corpus.papers import Paper, storable
from corpus.stored import State

PAGE = 50
"""Papers on a page."""
_CHOICES = 300
# The last word of a name is what it is sorted by.
_FAMILY = "replace({0}, rtrim({0}, replace({0}, ' ', '')), '')"
_SORTS = {
    "added": "l.key",
    "newest": "l.year IS NULL, l.year DESC, l.key",
    "oldest": "l.year IS NULL, l.year, l.key",
    "title": "l.title, l.key",
    "author": "l.author IS NULL, l.author, l.key",
    "venue": "l.venue IS NULL, lower(l.venue), l.key",
}
SORTS = tuple(_SORTS)
# Temporary tables lie in a file of their own and are gone with the connection.
_TABLES = (
    "CREATE TEMP TABLE listed AS SELECT key, id, substr(label, 1, 160) AS label, lower(substr(name, 1, 160)) "
    f"AS title, lower({_FAMILY.format('author')}) AS author, year, venue, source FROM ("
    "SELECT key, id, paper ->> '$.label' AS label, "
    "coalesce(paper ->> '$.title', paper ->> '$.label') AS name, "
    "paper ->> '$.authors[0]' AS author, paper ->> '$.year' AS year, paper ->> '$.venue' AS venue, "
    "(SELECT file FROM records r WHERE r.paper = p.key ORDER BY r.rowid LIMIT 1) AS source FROM papers p)",
    "CREATE UNIQUE INDEX temp.listed_key ON listed (key)",
    "CREATE INDEX temp.listed_id ON listed (id)",
    "CREATE TEMP TABLE worded AS SELECT DISTINCT p.key AS key, j.value AS word, lower(j.value) AS folded "
    "FROM papers p, json_each(p.paper, '$.keywords') j",
    "CREATE INDEX temp.worded_folded ON worded (folded)",
    "CREATE INDEX temp.worded_key ON worded (key)",
)


@dataclass(frozen=True)
class Wanted:
    """Which papers are wanted, in which order; empty means all. Years are the first and the last."""

    years: tuple[int | None, int | None] = (None, None)
    venue: str = ""
    source: str = ""
    keyword: str = ""
    sort: str = "added"
    page: int = 1

    @property
    def narrows(self) -> bool:
        """Whether some filter is set."""
        return any(year is not None for year in self.years) or bool(self.venue or self.source or self.keyword)


@dataclass(frozen=True)
class Counted:
    """A value that papers have, and how many."""

    value: str
    papers: int


@dataclass(frozen=True)
class Choices:
    """What the papers of a collection can be filtered by, the most frequent first."""

    years: tuple[int, int] | None = None
    venues: tuple[Counted, ...] = ()
    sources: tuple[Counted, ...] = ()
    keywords: tuple[Counted, ...] = ()


@dataclass(frozen=True)
class Page:
    """One page of the papers wanted; `number` counts from 1, `total` is how many papers there are on all."""

    papers: tuple[Paper, ...] = ()
    total: int = 0
    number: int = 1

    @property
    def pages(self) -> int:
        """How many pages there are, at least 1."""
        return max(1, -(-self.total // PAGE))


@dataclass(frozen=True)
class Dot:
    """A paper in short, as a map shows it; `words` are its keywords, folded."""

    key: int
    id: str
    label: str
    year: int | None
    source: str | None
    words: frozenset[str] = field(default=frozenset())


class Listing:
    """The table of one collection's papers, as the last writer left it; safe to share between threads."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._lock = threading.RLock()
        self._catalogue: Catalogue | None = None
        self._seen: tuple[int, State] | None = None

    @property
    def version(self) -> str:
        """The name of the content; "empty" where nothing was ever put in."""
        with self._lock:
            self._refresh()
            return self._seen[1].version if self._seen else "empty"

    def size(self) -> int:
        """The number of papers."""
        with self._lock:
            catalogue = self._refresh()
            return catalogue.size() if catalogue else 0

    def page(self, wanted: Wanted, ranked: Sequence[str] | None = None) -> Page:
        """The page wanted; with `ranked` of these ids only, in their order where no other is asked for."""
        with self._lock:
            catalogue = self._refresh()
            if catalogue is None:
                return Page()
            source, where, values = _clauses(wanted, ranked)
            total = int(catalogue.rows(f"SELECT COUNT(*) FROM {source} WHERE {where}", *values)[0][0])
            number = min(max(1, wanted.page), max(1, -(-total // PAGE)))
            order = "j.key" if ranked is not None and wanted.sort == "added" else _SORTS[wanted.sort]
            rows = catalogue.rows(
                f"SELECT l.id FROM {source} WHERE {where} ORDER BY {order} LIMIT {PAGE} OFFSET ?",
                *(*values, (number - 1) * PAGE),
            )
            return Page(tuple(catalogue.papers([row[0] for row in rows])), total, number)

    def choices(self) -> Choices:
        """What there is to filter by."""
        with self._lock:
            catalogue = self._refresh()
            if catalogue is None:
                return Choices()
            first, last = catalogue.rows("SELECT MIN(year), MAX(year) FROM listed")[0]

            def counted(statement: str) -> tuple[Counted, ...]:
                rows = catalogue.rows(f"{statement} ORDER BY 2 DESC, 1 LIMIT {_CHOICES}")
                return tuple(Counted(str(row[0]), int(row[1])) for row in rows)

            return Choices(
                (int(first), int(last)) if first is not None else None,
                counted("SELECT venue, COUNT(*) FROM listed WHERE venue <> '' GROUP BY venue"),
                counted("SELECT file, COUNT(DISTINCT paper) FROM records GROUP BY file"),
                counted("SELECT MIN(word), COUNT(DISTINCT key) FROM worded WHERE word <> '' GROUP BY folded"),
            )

    def dots(self) -> list[Dot]:
        """All papers in short, in order of first ingest."""
        with self._lock:
            catalogue = self._refresh()
            if catalogue is None:
                return []
            words: dict[int, set[str]] = {}
            for key, folded in catalogue.rows("SELECT key, folded FROM worded"):
                words.setdefault(key, set()).add(str(folded))
            rows = catalogue.rows("SELECT key, id, label, year, source FROM listed ORDER BY key")
            return [
                Dot(key, name, label, year, source, frozenset(words.get(key, ())))
                for key, name, label, year, source in rows
            ]

    def keys(self, wanted: Wanted, ranked: Sequence[str] | None = None) -> set[int]:
        """The keys of all papers wanted."""
        with self._lock:
            catalogue = self._refresh()
            if catalogue is None:
                return set()
            source, where, values = _clauses(wanted, ranked)
            return {row[0] for row in catalogue.rows(f"SELECT l.key FROM {source} WHERE {where}", *values)}

    def paper(self, paper_id: str) -> Paper | None:
        """The paper with this id or alias."""
        with self._lock:
            catalogue = self._refresh()
            found = catalogue.papers([paper_id]) if catalogue else []
            return found[0] if found else None

    def raw(self, paper_id: str, most: int = 10) -> list[tuple[str, int, str]]:
        """The paper's records as they were read: file, number, text; `most` of them at most."""
        with self._lock:
            catalogue = self._refresh()
            if catalogue is None:
                return []
            return catalogue.rows(
                "SELECT r.file, r.record, r.raw FROM records r JOIN papers p ON p.key = r.paper "
                "WHERE p.id = ? ORDER BY r.rowid LIMIT ?",
                *(storable(paper_id), most),
            )

    def close(self) -> None:
        """Closes the catalogue; the next look opens it again."""
        with self._lock:
            self._seen = None
            if self._catalogue:
                self._catalogue.close()
                self._catalogue = None

    def _refresh(self) -> Catalogue | None:
        """The catalogue with its tables as of now; None while it is empty."""
        try:
            inode = self._layout.catalogue.stat().st_ino
        except FileNotFoundError:
            self.close()
            return None
        known = self._catalogue
        if known and not known.fixed and self._seen == (inode, known.state()):
            return known
        self.close()
        catalogue = Catalogue(self._layout.catalogue)
        state = catalogue.state()
        if state is None:
            catalogue.close()
            return None
        for statement in _TABLES:
            catalogue.rows(statement)
        self._catalogue, self._seen = catalogue, (inode, state)
        return catalogue


def _clauses(wanted: Wanted, ranked: Sequence[str] | None) -> tuple[str, str, list[object]]:
    """What stands behind FROM and behind WHERE, and its values."""
    source, values = "listed l", list[object]()
    if ranked is not None:
        source = "json_each(?) j JOIN listed l ON l.id = j.value"
        values.append(json.dumps(list(ranked)))
    first, last = wanted.years
    parts = {
        "l.year >= ?": first,
        "l.year <= ?": last,
        "l.venue = ?": storable(wanted.venue) or None,
        "l.key IN (SELECT paper FROM records WHERE file = ?)": storable(wanted.source) or None,
        "l.key IN (SELECT key FROM worded WHERE folded = lower(?))": storable(wanted.keyword) or None,
    }
    asked = {part: value for part, value in parts.items() if value is not None}
    return source, " AND ".join(asked) or "TRUE", [*values, *asked.values()]
