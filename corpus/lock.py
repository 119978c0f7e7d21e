"""One writer at a time: a file lock with the owner's process id in it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from filelock import FileLock, Timeout

from corpus.errors import BusyError
from corpus.layout import Layout


@contextmanager
def writer_lock(layout: Layout) -> Iterator[None]:
    """Nothing, while this process alone may write to the collection; BusyError at once where another does.

    The system drops the lock with the process that held it, so one that was killed blocks nobody.
    """
    layout.folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(layout.lock, timeout=0)
    try:
        lock.acquire()
    except Timeout as error:
        raise BusyError(
            f"The collection {layout.name!r} is being written by process {writer_pid(layout) or 'unknown'}: "
            "wait until it is done, or stop it; what it has done so far is kept."
        ) from error
    try:
        layout.lock.write_text(str(os.getpid()), encoding="ascii")
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
