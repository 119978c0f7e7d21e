"""Indexes in a read-only folder: both libraries make files beside what they read."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from corpus.remedies import can_write

# Chroma writes to its files even to read them: they are copied. tantivy's are linked.
_WRITTEN = (".sqlite3", "-wal", "-shm", "-journal", ".bin", ".pickle")


class Mirror:
    """A folder as it is, or where it can't be written a temporary one with its files."""

    def __init__(self, folder: Path) -> None:
        self._temporary = None
        self.folder = folder
        if folder.is_dir() and not can_write(folder):
            self._temporary = tempfile.TemporaryDirectory(prefix="assistant-")
            self.folder = Path(self._temporary.name)
            shutil.copytree(folder, self.folder, copy_function=_link, dirs_exist_ok=True, ignore=_locks)
            for made in self.folder.rglob("*"):
                if made.is_dir():
                    made.chmod(0o700)
            self.folder.chmod(0o700)

    def close(self) -> None:
        """Removes what was made."""
        if self._temporary:
            self._temporary.cleanup()


@contextmanager
def readable_copy(folder: Path) -> Iterator[Path]:
    """The folder, or its stand-in while the context lasts."""
    mirror = Mirror(folder)
    try:
        yield mirror.folder
    finally:
        mirror.close()


def _link(source: str, target: str) -> None:
    if source.endswith(_WRITTEN):
        shutil.copyfile(source, target)
    else:
        Path(target).symlink_to(Path(source).absolute())


def _locks(_: str, names: list[str]) -> list[str]:
    return [name for name in names if name.endswith(".lock")]
