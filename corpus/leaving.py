"""What leaves a collection: the papers of one file, and records that a file no longer holds."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path

from corpus.catalogue import Catalogue
from corpus.changes import delete_papers
from corpus.embedder import Embedder
from corpus.errors import InputError
from corpus.layout import Layout
from corpus.lost import check_existing
from corpus.papers import Paper
from corpus.readers.records import Record, Rejected
from corpus.stored import dump_paper
from corpus.writing import catch_up, move_on, open_store


@dataclass(frozen=True)
class Leaving:
    """The papers that were read from `file` only, and those that other files hold as well."""

    file: str
    only: tuple[str, ...]
    others: tuple[str, ...]


@dataclass(frozen=True)
class Shrunk:
    """A file that was read with fewer records than before; the papers of the others stay."""

    file: str
    before: int
    now: int


class Tally:
    """How far records of each file go, to see which files hold fewer than they did."""

    def __init__(self) -> None:
        self._last: dict[str, int] = {}
        self._unread: set[str] = set()

    def counted(self, records: Iterable[Record | Rejected]) -> Iterator[Record | Rejected]:
        """The records as they come."""
        for item in records:
            number = item.number if isinstance(item, Record) else item.record
            if number is None:
                self._unread.add(item.file)
            else:
                self._last[item.file] = max(number, self._last.get(item.file, 0))
            yield item

    def shrunk(self, catalogue: Catalogue) -> tuple[Shrunk, ...]:
        """The files that had more records than were counted; asked before anything is written."""
        found = []
        for file, now in self._last.items():
            before = catalogue.rows("SELECT MAX(record) FROM records WHERE file = ?", file)[0][0] or 0
            if before > now and file not in self._unread:
                found.append(Shrunk(file, int(before), now))
        return tuple(found)


def papers_of(catalogue: Catalogue, file: str) -> Leaving:
    """What would leave with a file; InputError with near names for one that nothing was read from."""
    for name in dict.fromkeys((file, Path(file).name)):
        rows = catalogue.rows(
            "SELECT p.id, EXISTS (SELECT 1 FROM records o WHERE o.paper = p.key AND o.file <> ?1) "
            "FROM papers p WHERE p.key IN (SELECT paper FROM records WHERE file = ?1) ORDER BY p.key",
            name,
        )
        if rows:
            only, others = ([row[0] for row in rows if bool(row[1]) is more] for more in (False, True))
            return Leaving(name, tuple(only), tuple(others))
    known = [str(row[0]) for row in catalogue.rows("SELECT DISTINCT file FROM records ORDER BY file")]
    near = get_close_matches(file, known, 3, 0.5) or known[:5]
    hint = f"there is {', '.join(map(repr, near))}" if near else "the collection is empty"
    raise InputError(f"No paper was read from {file!r}; {hint}. Nothing was removed.")


def remove_source(
    home: Path,
    name: str,
    file: str,
    embedder: Embedder,
    *,
    chroma_url: str | None = None,
    wait: float = 0.0,
) -> Leaving:
    """What was removed: papers of this file only, and the file from the sources of the others.

    What the file told of those stays: it can't be told apart from what other files told.
    """
    layout = Layout(home, name)
    check_existing(layout)
    with open_store(layout, embedder, chroma_url=chroma_url, wait=wait) as store:
        leaving = papers_of(store.catalogue, file)
        kept = store.catalogue.papers(leaving.others)
        with store.catalogue.transaction() as connection:
            delete_papers(connection, leaving.only)
            _forget(connection, leaving.file, kept)
            move_on(store, [f"-{one}" for one in leaving.only] + [f"-{leaving.file} {p.id}" for p in kept])
        catch_up(store)
        return leaving


def _forget(connection: sqlite3.Connection, file: str, papers: Sequence[Paper]) -> None:
    """Takes a file from the sources of papers; in the caller's transaction."""
    for paper in papers:
        sources = tuple(source for source in paper.sources if source.file != file)
        connection.execute(
            "UPDATE papers SET paper = ? WHERE id = ?",
            (dump_paper(replace(paper, sources=sources)), paper.id),
        )
        connection.execute(
            "DELETE FROM records WHERE file = ? AND paper = (SELECT key FROM papers WHERE id = ?)",
            (file, paper.id),
        )
