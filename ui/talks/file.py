"""The file that conversations are kept in: made, checked, and set aside where it is damaged."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from filelock import FileLock

from corpus.errors import AssistantError, BusyError, StoreError
from corpus.remedies import FREE_SPACE, GIVE_RIGHTS, remedy_for

NAME = "conversations.sqlite"
LARGEST = 4_000_000_000
"""Bytes of the file; beyond them nothing more is kept, and nothing of what is there is lost."""
_FORMAT = 1
_READ_WHOLE = 64_000_000  # bytes of a file that is checked page by page whenever it is opened
_PAGE = 4096
_TABLES = """
CREATE TABLE owners (owner TEXT PRIMARY KEY, version INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE talks (
  id TEXT PRIMARY KEY, owner TEXT NOT NULL, title TEXT NOT NULL, folded TEXT NOT NULL,
  created REAL NOT NULL, changed REAL NOT NULL, deleted REAL
);
CREATE INDEX talks_of ON talks (owner, changed);
CREATE TABLE turns (
  talk TEXT NOT NULL REFERENCES talks ON DELETE CASCADE, number INTEGER NOT NULL, asked REAL NOT NULL,
  state TEXT NOT NULL, writer TEXT NOT NULL, collection TEXT NOT NULL, folded TEXT NOT NULL,
  question TEXT NOT NULL, text TEXT NOT NULL, fault TEXT NOT NULL, answer TEXT, PRIMARY KEY (talk, number)
);
"""


@dataclass(frozen=True)
class Opened:
    """A connection in autocommit mode, and where a damaged file was set aside, if one was."""

    connection: sqlite3.Connection
    aside: Path | None = None


def open_file(path: Path) -> Opened:
    """The file at `path`, made where it isn't there; only its owner may read it.

    A damaged one is put aside under another name, and a new one begun. StoreError where it can't be
    opened, or was made by a later version of this program.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Of two processes that find the damage, the second must not put the first one's new file aside.
        with FileLock(path.with_suffix(".lock"), timeout=30), translated(path):
            try:
                return Opened(_connect(path))
            except sqlite3.DatabaseError as error:
                if not _is_damage(error):
                    raise
            aside = _set_aside(path)
            return Opened(_connect(path), aside)
    except OSError as error:
        remedy = remedy_for(error, "check the folder and its permissions")
        raise StoreError(
            f"Conversations can't be kept in {str(path)!r}: {error.strerror or error}; {remedy}."
        ) from error


def open_memory() -> Opened:
    """A store that ends with the program."""
    return Opened(_prepared(":memory:"))


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Nothing; SQLite's errors come out as ours, with the remedy."""
    try:
        yield
    except (sqlite3.ProgrammingError, sqlite3.NotSupportedError):
        raise
    except sqlite3.Error as error:
        raise _fault(path, error) from error


def _connect(path: Path) -> sqlite3.Connection:
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    with suppress(PermissionError):
        path.chmod(0o600)
    return _prepared(str(path))


def _prepared(where: str) -> sqlite3.Connection:
    connection = sqlite3.connect(where, timeout=10, isolation_level=None, check_same_thread=False)
    try:
        for setting in ("journal_mode = WAL", "synchronous = NORMAL", "foreign_keys = ON"):
            connection.execute(f"PRAGMA {setting}")
        # What is deleted is overwritten, not only forgotten.
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute(f"PRAGMA max_page_count = {LARGEST // _PAGE}")
        _check(connection, where)
        if connection.execute("PRAGMA user_version").fetchone()[0] == 0:
            connection.executescript(f"BEGIN IMMEDIATE; {_TABLES} PRAGMA user_version = {_FORMAT}; COMMIT;")
    except BaseException:
        connection.close()
        raise
    return connection


def _check(connection: sqlite3.Connection, where: str) -> None:
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version not in (0, _FORMAT):
        raise StoreError(
            f"The conversations in {where!r} were kept by another version of this program "
            f"(format {version}, this one reads {_FORMAT}): use that version, or move the file away."
        )
    if where != ":memory:" and Path(where).stat().st_size <= _READ_WHOLE:
        found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if found != "ok":
            raise _Damage(found)


class _Damage(sqlite3.DatabaseError):
    """The file's pages contradict each other."""


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    kind = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    return isinstance(error, _Damage) or kind in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _set_aside(path: Path) -> Path:
    """The new place of a damaged file, named after the time; the files of SQLite's own go with it."""
    aside = path.with_name(f"{path.name}.damaged-{datetime.now():%Y%m%d-%H%M%S-%f}")
    for ending in ("", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            path.with_name(path.name + ending).rename(aside.with_name(aside.name + ending))
    return aside


def _fault(path: Path, error: sqlite3.Error) -> AssistantError:
    kind = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    where = f"The conversations in {str(path)!r}"
    if kind in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return BusyError(f"{where} are locked by another process: try again.")
    if kind == sqlite3.SQLITE_FULL:
        return StoreError(
            f"{where} can't be added to: the disk is full, or the file has the {LARGEST / 1e9:g} GB "
            f"that it may have. Delete conversations, or {FREE_SPACE}."
        )
    if kind in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH, sqlite3.SQLITE_CANTOPEN):
        return StoreError(f"{where} can't be written: {error}; {GIVE_RIGHTS}.")
    return StoreError(
        f"{where} can't be read: {error}. Check the disk; start the chat again, "
        "which sets a damaged file aside."
    )
