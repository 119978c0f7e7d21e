"""The checksums that tantivy writes at the ends of its files; it doesn't look at them itself."""

from __future__ import annotations

import json
import struct
import zlib
from pathlib import Path

_TAIL = struct.Struct("<II")
_MARK = 1337
_CHECKED = {".store", ".idx", ".term", ".pos", ".fast", ".fieldnorm", ".del"}


def damaged_files(folder: Path) -> list[str]:
    """The names of files of a word index whose bytes aren't those that were written."""
    return [path.name for path in sorted(folder.iterdir()) if path.suffix in _CHECKED and not _is_whole(path)]


def _is_whole(path: Path) -> bool:
    """Whether a file is its content, a footer in JSON with the content's CRC-32, and the footer's size."""
    data = path.read_bytes()
    if len(data) < _TAIL.size:
        return False
    size, mark = _TAIL.unpack(data[-_TAIL.size :])
    end = len(data) - _TAIL.size
    try:
        checksum = json.loads(data[end - size : end])["crc"]
    except (ValueError, TypeError, KeyError):
        return False
    return bool(mark == _MARK and checksum == zlib.crc32(data[: end - size]))
