"""The master copy of a collection: one SQLite file from which the indexes can be made again."""

from __future__ import annotations

import json
import sqlite3
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock

from corpus.database import connect, translated
from corpus.errors import StoreError
from corpus.papers import Paper, storable
from corpus.schema import create_tables
from corpus.stored import (
    State,
    StoredVectors,
    id_hash,
    load_paper,
    unblob,
)

# SQLite takes 32,766 variables in a statement at most, older builds 999.
_AT_ONCE = 900


class Catalogue:
    """One connection to a catalogue; safe to share between threads.

    Writing is for the holder of the writer lock, inside `transaction`.
    """

    def __init__(self, path: Path, *, create: bool = False) -> None:
        opened = connect(path, create=create)
        self.fixed = opened.fixed
        """Whether it sees nothing of what is written after it was opened: the folder is read-only."""
        self._path = path
        self._connection = opened.connection
        weakref.finalize(self, self._connection.close)
        self._lock = RLock()

    def close(self) -> None:
        """Closes the connection."""
        with self._lock:
            self._connection.close()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """The connection inside a transaction: kept as a whole at the end, dropped as a whole at an error."""
        with self._lock, translated(self._path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            finally:
                # A full disk has SQLite roll back by itself.
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")

    def copy_to(self, target: sqlite3.Connection) -> None:
        """Nothing; `target` holds this catalogue as it is at one moment, whoever writes meanwhile."""
        with self._lock, translated(self._path):
            self._connection.backup(target)

    def rows(self, statement: str, *values: object) -> list[tuple]:  # type: ignore[type-arg]
        """The rows of a query."""
        with self._lock, translated(self._path):
            return self._connection.execute(statement, values).fetchall()

    def found(self, statement: str, values: Sequence[object]) -> list[tuple]:  # type: ignore[type-arg]
        """The rows of a query whose `IN (?)` is asked with any number of values."""
        rows: list[tuple] = []  # type: ignore[type-arg]
        for first in range(0, len(values), _AT_ONCE):
            some = [storable(value) for value in values[first : first + _AT_ONCE]]
            rows += self.rows(statement.replace("(?)", f"({','.join('?' * len(some))})"), *some)
        return rows

    def state(self) -> State | None:
        """The catalogue's facts, None while it is empty of everything, tables included."""
        if not self.rows("SELECT 1 FROM sqlite_master WHERE name = 'state'"):
            return None
        rows = self.rows("SELECT uid, stamp, dimension, origin, generation, change, version FROM state")
        return State(*rows[0]) if rows else None

    def create(self, state: State) -> None:
        """Makes the tables and the first state."""
        with self.transaction() as connection:
            create_tables(connection)
            connection.execute(
                "INSERT INTO state VALUES (1, ?, ?, ?, ?, ?, ?, ?)",
                (
                    *(state.uid, state.stamp, state.dimension, state.origin),
                    *(state.generation, state.change, state.version),
                ),
            )

    def size(self) -> int:
        """The number of papers."""
        return int(self.rows("SELECT COUNT(*) FROM papers")[0][0])

    def papers(self, ids: Sequence[str] | None) -> list[Paper]:
        """Papers in the order asked, aliases resolved, unknown ids left out; for None all of them."""
        if ids is None:
            return [self.loaded(*row) for row in self.rows("SELECT id, paper FROM papers ORDER BY key")]
        rows = self.found("SELECT id, paper FROM papers WHERE id IN (?)", list(dict.fromkeys(ids)))
        by_id = {row[0]: self.loaded(*row) for row in rows}
        for alias in dict.fromkeys(ids):
            if alias not in by_id and (resolved := self.resolve(alias)):
                by_id[alias] = resolved
        return list({paper.id: paper for name in ids if (paper := by_id.get(name))}.values())

    def resolve(self, alias: str) -> Paper | None:
        """The paper that has this id or alias."""
        rows = self.rows(
            "SELECT p.id, p.paper FROM identities i JOIN papers p ON p.key = i.paper WHERE i.key = ?",
            id_hash(alias),
        )
        return self.loaded(*rows[0]) if rows else None

    def identify(self, name: str) -> str | None:
        """The id of the paper that has this id or alias, whatever is left of the paper itself."""
        rows = self.rows(
            "SELECT id, 0 FROM papers WHERE id = ?1 UNION ALL "
            "SELECT p.id, 1 FROM identities i JOIN papers p ON p.key = i.paper WHERE i.key = ?2 ORDER BY 2",
            *(storable(name), id_hash(name)),
        )
        return str(rows[0][0]) if rows else None

    def known(self, ids: Sequence[str]) -> set[str]:
        """Those of the ids that are papers."""
        return {row[0] for row in self.found("SELECT id FROM papers WHERE id IN (?)", ids)}

    def vectors(self, ids: Sequence[str], dimension: int) -> dict[str, StoredVectors]:
        """The vectors of the papers with these ids."""
        rows = self.found(
            "SELECT p.id, v.digest, v.passages, v.spans, v.sentences "
            "FROM papers p JOIN vectors v ON v.paper = p.key WHERE p.id IN (?)",
            ids,
        )
        return {row[0]: self._vectors(row, dimension) for row in rows}

    def named(self, keys: Sequence[str]) -> dict[str, list[str]]:
        """Name key -> ids of the papers that go by that name, in order of first ingest."""
        rows = self.found(
            "SELECT n.key, p.id, p.key FROM names n JOIN papers p ON p.key = n.paper WHERE n.key IN (?)",
            list(dict.fromkeys(keys)),
        )
        found: dict[str, list[str]] = {}
        for key, paper_id, _ in sorted(rows, key=lambda row: row[2]):
            found.setdefault(key, []).append(paper_id)
        return found

    def forms(self, keys: Sequence[str]) -> dict[str, list[str]]:
        """Key -> the other forms of that acronym or long form, those that most papers explain first."""
        rows = self.found(
            "SELECT key, form, COUNT(*) FROM forms WHERE key IN (?) GROUP BY key, form",
            list(dict.fromkeys(keys)),
        )
        found: dict[str, list[str]] = {}
        for key, form, _ in sorted(rows, key=lambda row: (-row[2], row[1])):
            found.setdefault(key, []).append(form)
        return found

    def batches(self, size: int) -> Iterator[list[str]]:
        """The ids of all papers, in order of first ingest, `size` at a time."""
        last = 0
        while rows := self.rows("SELECT key, id FROM papers WHERE key > ? ORDER BY key LIMIT ?", last, size):
            yield [row[1] for row in rows]
            last = rows[-1][0]

    def loaded(self, paper_id: str, text: str) -> Paper:
        """The paper of a row; StoreError where the row is damaged."""
        try:
            return load_paper(text)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise self._damaged(paper_id, error) from error

    def _vectors(self, row: tuple, dimension: int) -> StoredVectors:  # type: ignore[type-arg]
        paper_id, digest, passages, spans, sentences = row
        try:
            return StoredVectors(
                digest,
                unblob(passages, dimension),
                tuple((int(start), int(end)) for start, end in json.loads(spans)),
                unblob(sentences, dimension),
            )
        except (ValueError, TypeError) as error:
            raise self._damaged(paper_id, error) from error

    def _damaged(self, paper_id: str, error: Exception) -> StoreError:
        return StoreError(
            f"The catalogue {str(self._path)!r} is damaged at the paper {paper_id!r}: {error}. "
            f"Run `assistant remove {paper_id}` and ingest it again, or restore the file from a backup."
        )
