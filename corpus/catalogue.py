"""The master copy of a collection: one SQLite file from which the indexes can be made again."""

from __future__ import annotations

import json
import sqlite3
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock

from corpus.errors import StoreError
from corpus.papers import Paper
from corpus.schema import connect, create_tables
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

    def __init__(self, path: Path) -> None:
        self._connection = connect(path)
        weakref.finalize(self, self._connection.close)
        self._lock = RLock()

    def close(self) -> None:
        """Closes the connection."""
        with self._lock:
            self._connection.close()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """The connection inside a transaction: kept as a whole at the end, dropped as a whole at an error."""
        with self._lock:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    def rows(self, statement: str, *values: object) -> list[tuple]:  # type: ignore[type-arg]
        """The rows of a query."""
        with self._lock:
            return self._connection.execute(statement, values).fetchall()

    def found(self, statement: str, values: Sequence[object]) -> list[tuple]:  # type: ignore[type-arg]
        """The rows of a query whose `IN (?)` is asked with any number of values."""
        rows: list[tuple] = []  # type: ignore[type-arg]
        for first in range(0, len(values), _AT_ONCE):
            some = values[first : first + _AT_ONCE]
            rows += self.rows(statement.replace("(?)", f"({','.join('?' * len(some))})"), *some)
        return rows

    def state(self) -> State | None:
        """The catalogue's facts, None while it is empty of everything, tables included."""
        try:
            rows = self.rows("SELECT uid, stamp, dimension, origin, generation, change, version FROM state")
        except sqlite3.OperationalError as error:
            if "no such table" in str(error):
                return None
            raise StoreError(
                f"The catalogue can't be read: {error}. Check the disk, then try again."
            ) from error
        except sqlite3.DatabaseError as error:
            raise StoreError(f"The catalogue is damaged: {error}. Restore it from a backup.") from error
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
            return [load_paper(row[0]) for row in self.rows("SELECT paper FROM papers ORDER BY key")]
        rows = self.found("SELECT id, paper FROM papers WHERE id IN (?)", list(dict.fromkeys(ids)))
        by_id = {row[0]: load_paper(row[1]) for row in rows}
        for alias in dict.fromkeys(ids):
            if alias not in by_id and (resolved := self.resolve(alias)):
                by_id[alias] = resolved
        return list({paper.id: paper for name in ids if (paper := by_id.get(name))}.values())

    def resolve(self, alias: str) -> Paper | None:
        """The paper that has this id or alias."""
        rows = self.rows(
            "SELECT p.paper FROM identities i JOIN papers p ON p.key = i.paper WHERE i.key = ?",
            id_hash(alias),
        )
        return load_paper(rows[0][0]) if rows else None

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
        return {
            row[0]: StoredVectors(
                row[1],
                unblob(row[2], dimension),
                tuple((start, end) for start, end in json.loads(row[3])),
                unblob(row[4], dimension),
            )
            for row in rows
        }

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
