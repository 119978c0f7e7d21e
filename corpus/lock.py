"""One writer at a time: a file lock with the owner's process id in it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from filelock import FileLock, Timeout

from corpus.errors import BusyError, StoreError
from corpus.layout import Layout
from corpus.remedies import remedy_for

_POLL_SECONDS = 0.2


@contextmanager
def writer_lock(layout: Layout, wait: float = 0.0) -> Iterator[None]:
    """Nothing, while this process alone may write to the collection.

    BusyError where another does, after `wait` seconds; StoreError for a folder that can't be written.
    The system drops the lock with the process that held it, so one that was killed blocks nobody.
    """
    lock = FileLock(layout.lock, timeout=wait)
    try:
        layout.folder.mkdir(parents=True, exist_ok=True)
        lock.acquire(poll_interval=_POLL_SECONDS)
        layout.lock.write_text(str(os.getpid()), encoding="ascii")
    except Timeout as error:
        raise BusyError(
            f"The collection {layout.name!r} is being written by process {writer_pid(layout) or 'unknown'}: "
            "wait until it is done (--wait SECONDS does that), or stop it; what it has done so far is kept."
        ) from error
    except OSError as error:
        lock.release()
        remedy = remedy_for(error, "check the path, its permissions and the disk")
        raise StoreError(
            f"The folder {str(layout.folder)!r} can't be written: {error.strerror or error}; {remedy}."
        ) from error
    try:
        yield
    finally:
        lock.release()


def writer_pid(layout: Layout) -> int | None:
    """The id of the process that wrote last or is writing, None where the lock file doesn't say."""
    try:
        text = layout.lock.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return None
    return int(text) if text.isdecimal() else None
