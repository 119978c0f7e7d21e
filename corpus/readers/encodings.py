"""Bytes of an export as text, whatever wrote them and whatever they say of themselves."""

from __future__ import annotations

import codecs
from typing import BinaryIO

from corpus.errors import InputError

MOST = 512 * 1024 * 1024
"""Bytes of the largest file that is read whole; larger ones have to be streamed (JSON Lines)."""
_CHUNK = 1024 * 1024
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def read_whole(stream: BinaryIO) -> str:
    """All of a stream's text, its line ends as `\\n`. Raises InputError for more than MOST bytes."""
    return decode(read_bytes(stream)).replace("\r\n", "\n").replace("\r", "\n")


def read_bytes(stream: BinaryIO) -> bytes:
    """All of a stream's bytes. Raises InputError for more than MOST."""
    data = bytearray()
    while chunk := stream.read(_CHUNK):  # read(MOST) would take that much memory for any file
        data += chunk
        if len(data) > MOST:
            raise InputError(f"it is larger than {MOST // 2**20} MB; split it, or export it as JSON Lines")
    return bytes(data)


def decode(data: bytes) -> str:
    """The text of the bytes: by their byte order mark, else UTF-8, else line by line.

    A line that isn't UTF-8 is Windows-1252, its undefined bytes Latin-1: files are joined of several, and
    say what they aren't. UTF-16 without a mark is told by its zero bytes. What a marked file has that
    can't be read becomes U+FFFD.
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    if wide := _wide(data):
        return data.decode(wide, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return "".join(map(decode_line, data.splitlines(keepends=True)))


def wide_encoding(head: bytes) -> str | None:
    """The UTF-16 or UTF-32 that the bytes are in by their mark or their zero bytes, else None."""
    for mark, encoding in _BOMS:
        if head.startswith(mark):
            return None if encoding == "utf-8" else encoding
    return _wide(head)


def _wide(data: bytes) -> str | None:
    """UTF-16 where every other byte of the beginning is zero, as of Latin letters."""
    head = data[:512]
    even, odd = head[::2].count(0), head[1::2].count(0)
    half = len(head) // 2
    if half < 4 or max(even, odd) < half * 0.6 or min(even, odd) > half * 0.1:
        return None
    return "utf-16-be" if even > odd else "utf-16-le"


def decode_line(line: bytes) -> str:
    """The text of a line: UTF-8, else Windows-1252, its undefined bytes Latin-1."""
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        return _western(line)


def _western(line: bytes) -> str:
    try:
        return line.decode("cp1252")
    except UnicodeDecodeError:
        return "".join(_byte(one) for one in line)


def _byte(one: int) -> str:
    try:
        return bytes((one,)).decode("cp1252")
    except UnicodeDecodeError:
        return chr(one)
