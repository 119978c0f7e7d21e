"""What mends a fault of the disk, whichever library met it."""

from __future__ import annotations

import errno
import os
from pathlib import Path

_FULL = ("disk is full", "no space left", "quota exceeded", "storagefull")
_READ_ONLY = ("readonly database", "read-only file system", "readonlyfilesystem", "permission denied")
FREE_SPACE = "free some space on the disk and run the command again; what was finished is kept"
"""The remedy for a full disk."""
GIVE_RIGHTS = "give yourself the right to write there, or set ASSISTANT_HOME to a folder that can be written"
"""The remedy for a folder that is read-only."""


def remedy_for(error: Exception, otherwise: str) -> str:
    """What to do about a library's error: `otherwise`, unless the disk is full or read-only."""
    words = str(error).lower()
    number = error.errno if isinstance(error, OSError) else None
    if number in (errno.ENOSPC, errno.EDQUOT) or any(part in words for part in _FULL):
        return FREE_SPACE
    if number in (errno.EROFS, errno.EACCES, errno.EPERM) or any(part in words for part in _READ_ONLY):
        return GIVE_RIGHTS
    return otherwise


def can_write(folder: Path) -> bool:
    """Whether files can be made in the folder."""
    return os.access(folder, os.W_OK | os.X_OK)
