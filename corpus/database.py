"""Connections to a catalogue's file, and what SQLite's errors become."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from corpus.errors import AssistantError, BusyError, StoreError
from corpus.remedies import FREE_SPACE, GIVE_RIGHTS, can_write
from corpus.schema import SCHEMA_VERSION

RESTORE = "restore the file from a backup, or ingest the papers again into another collection"
"""The remedy for a catalogue that can't be read any more."""

_SETTINGS = ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL")


@dataclass(frozen=True)
class Opened:
    """A connection; where it is `fixed` it sees nothing of what is written after it was opened."""

    connection: sqlite3.Connection
    fixed: bool = False


def connect(path: Path, *, create: bool = False) -> Opened:
    """A connection to the catalogue in autocommit mode, for one user at a time of any thread.

    For reading only where the folder can't be written: SQLite can't make the files there that share its log
    among processes. It does without where they are there, and where the last writer put its log away.
    StoreError where there is no catalogue, or none that
    this version reads.
    """
    if can_write(path.parent):
        with translated(path):
            return Opened(_checked(path, "mode=rwc" if create else "mode=rw", _SETTINGS))
    log = path.with_name(f"{path.name}-wal")
    if log.exists():
        try:
            return Opened(_checked(path, "mode=ro", ()))
        except sqlite3.OperationalError as error:
            if log.stat().st_size:
                raise StoreError(
                    f"The catalogue {str(path)!r} was left by a writer that was killed, and its folder can't "
                    f"be written: {GIVE_RIGHTS}."
                ) from error
    with translated(path):
        return Opened(_checked(path, "mode=ro&immutable=1", ()), fixed=True)


def _checked(path: Path, mode: str, settings: tuple[str, ...]) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?{mode}",
        uri=True,
        timeout=30,
        isolation_level=None,
        check_same_thread=False,
    )
    try:
        for setting in settings:
            connection.execute(setting)
        found = connection.execute("PRAGMA user_version").fetchone()[0]
        connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
        if found not in (0, SCHEMA_VERSION):
            raise StoreError(
                f"The catalogue {str(path)!r} was made by another version of this program "
                f"(format {found}, this one reads {SCHEMA_VERSION}): "
                "use that version, or ingest into a new collection."
            )
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Nothing; SQLite's errors come out as ours, with the remedy; wrong statements of our own as they are."""
    try:
        yield
    except (sqlite3.ProgrammingError, sqlite3.NotSupportedError):
        raise
    except sqlite3.Error as error:
        raise _fault(path, error) from error
    except UnicodeDecodeError as error:
        # What SQLite says of a damaged file quotes the damage.
        raise _damaged(path, error) from error


def _fault(path: Path, error: sqlite3.Error) -> AssistantError:
    # The lowest byte is the kind of the error, the others say more.
    kind = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if kind in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return BusyError(f"The catalogue {str(path)!r} is locked by another process: try again.")
    if kind == sqlite3.SQLITE_FULL:
        return StoreError(f"The catalogue {str(path)!r} can't be written, the disk is full: {FREE_SPACE}.")
    if kind in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH):
        return StoreError(f"The catalogue {str(path)!r} can't be written: {error}; {GIVE_RIGHTS}.")
    if kind in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR):
        return StoreError(
            f"The catalogue {str(path)!r} can't be opened or read: {error}. "
            "Check the folder's permissions, the disk and the space left on it."
        )
    return _damaged(path, error)


def _damaged(path: Path, error: Exception) -> StoreError:
    return StoreError(f"The catalogue {str(path)!r} is damaged: {error}. To mend it, {RESTORE}.")
