"""Conversations on this machine, each of one owner, who alone can read, search, rename and delete it."""

from __future__ import annotations

import secrets
import sqlite3
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from corpus.errors import InputError, StoreError
from corpus.papers import storable
from ui.talks.file import NAME, Opened, open_file, open_memory, translated
from ui.talks.kept import LONGEST_TITLE, Kept, Listing, Talk, folded, packed, title_of, unpacked
from ui.talks.writer import Writer

MOST_TALKS = 10_000
"""Conversations of one owner. One more is answered, but not kept: what is there is never thrown away."""
MOST_TURNS = 200
"""Questions of one conversation."""
UNDO_SECONDS = 600.0
_MOST_WORDS = 8  # of a search

_OWN = "id = ? AND owner = ? AND deleted IS NULL"


class Talks:
    """The conversations of one data folder; safe to share between threads and processes."""

    def __init__(self, opened: Opened, path: Path, trouble: str = "") -> None:
        self.trouble = trouble
        """Why conversations aren't kept, or what happened to earlier ones; "" where all is well."""
        self._path, self._connection = path, opened.connection
        self._lock = threading.RLock()
        self.writer = Writer.of_this_process()
        weakref.finalize(self, self._connection.close)

    @classmethod
    def open(cls, home: Path) -> Talks:
        """The conversations in a data folder; else they last as long as the program."""
        path = home / NAME
        try:
            opened = open_file(path)
        except StoreError as error:
            return cls(open_memory(), path, f"{error} Until then they are lost when the program ends.")
        trouble = ""
        if opened.aside:
            trouble = (
                "The file of the conversations was damaged. "
                f"It is now {str(opened.aside)!r}; a new one is begun."
            )
        talks = cls(opened, path, trouble)
        talks.purge()
        return talks

    @classmethod
    def passing(cls) -> Talks:
        """Conversations that last as long as the program."""
        return cls(open_memory(), Path(":memory:"))

    def close(self) -> None:
        """Closes the file."""
        with self._lock:
            self._connection.close()

    def begin(
        self, owner: str, talk: str, question: str, *, collection: str = "", at_least: int = 1
    ) -> tuple[str, int]:
        """The conversation's id and the question's number in it, `at_least` that; a new one if there is none.

        InputError where no more can be kept.
        """
        question, now = storable(question), time.time()
        with self._changing(owner) as connection:
            if not talk or not self._rows(f"SELECT 1 FROM talks WHERE {_OWN}", talk, owner):
                talk = self._new(connection, owner, title_of(question))
            last = self._rows("SELECT coalesce(max(number), 0), count(*) FROM turns WHERE talk = ?", talk)[0]
            if last[1] >= MOST_TURNS:
                raise InputError(
                    f"This conversation has {MOST_TURNS} questions, "
                    "as many as are kept in one; start a new chat."
                )
            number = max(last[0] + 1, at_least)
            connection.execute(
                "INSERT INTO turns VALUES (?, ?, ?, 'running', ?, ?, ?, ?, '', '', NULL)",
                (talk, number, now, str(self.writer), collection, folded(question), question),
            )
            connection.execute("UPDATE talks SET changed = ? WHERE id = ?", (now, talk))
        return talk, number

    def take_back(self, owner: str, talk: str, number: int) -> None:
        """Nothing; the question and its answer are gone, so that it can be asked again in its place."""
        with self._changing(owner) as connection:
            connection.execute(
                f"DELETE FROM turns WHERE number = ? AND talk IN (SELECT id FROM talks WHERE {_OWN})",
                (number, talk, owner),
            )

    def end(self, owner: str, talk: str, turn: Kept) -> None:
        """Nothing; the question has its answer. One whose conversation was deleted meanwhile is dropped."""
        text = storable(turn.text)
        with self._changing(owner) as connection:
            connection.execute(
                "UPDATE turns SET state = ?, text = ?, fault = ?, answer = ?, "
                "folded = folded || char(10) || ? "
                "WHERE talk = ? AND number = ? AND talk IN (SELECT id FROM talks WHERE owner = ?)",
                (
                    *(turn.state, text, storable(turn.fault), packed(turn.answer), folded(text)),
                    *(talk, turn.number, owner),
                ),
            )
            connection.execute(f"UPDATE talks SET changed = ? WHERE {_OWN}", (time.time(), talk, owner))

    def listed(self, owner: str, words: str = "", *, top: int = 50) -> Listing:
        """The newest conversations that hold each of the words in their name, questions or answers."""
        wanted = folded(storable(words)).split()[:_MOST_WORDS]
        holds = (
            " AND (instr(folded, ?) OR EXISTS "
            "(SELECT 1 FROM turns WHERE talk = talks.id AND instr(turns.folded, ?)))"
        )
        where = "owner = ? AND deleted IS NULL" + holds * len(wanted)
        values = [owner, *(word for word in wanted for _ in range(2))]
        rows = self._rows(
            f"SELECT id, title, created, changed, (SELECT writer FROM turns WHERE talk = talks.id AND "
            f"state = 'running' ORDER BY number DESC LIMIT 1), count(*) OVER () FROM talks WHERE {where} "
            "ORDER BY changed DESC, id LIMIT ?",
            *values,
            top,
        )
        talks = tuple(
            Talk(id, title, created, changed, running=bool(writer) and self.writer.lives(writer))
            for id, title, created, changed, writer, _ in rows
        )
        version = self._rows("SELECT version FROM owners WHERE owner = ?", owner)
        return Listing(talks, rows[0][5] if rows else 0, version[0][0] if version else 0)

    def talk(self, owner: str, talk: str) -> Talk | None:
        """The conversation, None where this owner has none of that id."""
        rows = self._rows(f"SELECT id, title, created, changed FROM talks WHERE {_OWN}", talk, owner)
        return Talk(*rows[0]) if rows else None

    def turns(self, owner: str, talk: str, *, after: int = 0, top: int = MOST_TURNS) -> tuple[Kept, ...]:
        """The newest `top` questions of the conversation with a number above `after`, oldest first."""
        rows = self._rows(
            "SELECT number, question, asked, state, collection, text, fault, answer, writer FROM turns "
            f"WHERE number > ? AND talk IN (SELECT id FROM talks WHERE {_OWN}) ORDER BY number DESC LIMIT ?",
            *(after, talk, owner, top),
        )
        return tuple(self._kept(*row) for row in reversed(rows))

    def rename(self, owner: str, talk: str, title: str) -> None:
        """Nothing; the conversation has that name, or its first question's where the name is empty."""
        name = " ".join(storable(title).split())[:LONGEST_TITLE]
        with self._changing(owner) as connection:
            if not name:
                first = self._rows("SELECT question FROM turns WHERE talk = ? ORDER BY number LIMIT 1", talk)
                name = title_of(first[0][0]) if first else "Conversation"
            connection.execute(
                f"UPDATE talks SET title = ?, folded = ? WHERE {_OWN}", (name, folded(name), talk, owner)
            )

    def delete(self, owner: str, talk: str) -> None:
        """Nothing; the conversation is gone. For ten minutes `restore` brings it back; then nothing does."""
        self.purge()
        with self._changing(owner) as connection:
            connection.execute(f"UPDATE talks SET deleted = ? WHERE {_OWN}", (time.time(), talk, owner))

    def restore(self, owner: str, talk: str) -> None:
        """Nothing; a conversation just deleted is there again."""
        with self._changing(owner) as connection:
            connection.execute(
                "UPDATE talks SET deleted = NULL WHERE id = ? AND owner = ? AND deleted > ?",
                (talk, owner, time.time() - UNDO_SECONDS),
            )

    def purge(self) -> None:
        """Nothing; what was deleted longer ago than it can be brought back has left the file."""
        before = time.time() - UNDO_SECONDS
        if self._rows("SELECT 1 FROM talks WHERE deleted < ? LIMIT 1", before):
            with self._lock, translated(self._path):
                self._connection.execute("DELETE FROM talks WHERE deleted < ?", (before,))
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def _kept(self, *row: Any) -> Kept:
        number, question, asked, state, collection, text, fault, answer, writer = row
        if state == "running":
            state = self.writer.state_of(writer)
        return Kept(number, question, asked, state, collection, text, fault, unpacked(answer))

    def _new(self, connection: sqlite3.Connection, owner: str, title: str) -> str:
        held = self._rows("SELECT count(*) FROM talks WHERE owner = ? AND deleted IS NULL", owner)[0][0]
        if held >= MOST_TALKS:
            raise InputError(
                f"This conversation isn't kept: there are {held:,}, as many as one reader can have. "
                "Delete some that you don't need any more."
            )
        talk, now = secrets.token_urlsafe(16), time.time()
        connection.execute(
            "INSERT INTO talks VALUES (?, ?, ?, ?, ?, ?, NULL)", (talk, owner, title, folded(title), now, now)
        )
        return talk

    @contextmanager
    def _changing(self, owner: str) -> Iterator[sqlite3.Connection]:
        """The connection in a transaction that also counts a change for the owner."""
        with self._lock, translated(self._path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                self._connection.execute(
                    "INSERT INTO owners VALUES (?, 1) ON CONFLICT DO UPDATE SET version = version + 1",
                    (owner,),
                )
                yield self._connection
                self._connection.execute("COMMIT")
            finally:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")

    def _rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        with self._lock, translated(self._path):
            return self._connection.execute(statement, tuple(storable(value) for value in values)).fetchall()
