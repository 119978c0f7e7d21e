"""Lines of a byte stream, decoded one at a time, so that a fault costs its own record only."""

from __future__ import annotations

import codecs
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import BinaryIO, cast

from corpus.readers.encodings import decode_line, wide_encoding

# Far above any abstract; one line may not fill the memory.
MAX_BYTES = 8 * 1024 * 1024
_BOM = b"\xef\xbb\xbf"
_HEAD = 1024


@dataclass(frozen=True)
class Line:
    """One line without its line end; where it can't be read, `fault` says why and `text` is ""."""

    number: int
    text: str
    fault: str = ""


def read_lines(stream: BinaryIO) -> Iterator[Line]:
    """The stream's lines, counted from 1; over-long ones come as faults."""
    with _as_utf8(stream) as narrow:
        yield from _read_lines(narrow)


@contextmanager
def _as_utf8(stream: BinaryIO) -> Iterator[BinaryIO]:
    """The stream at its start; one of UTF-16 or UTF-32 as UTF-8, in a temporary file.

    One whose lines end in carriage returns alone, as old Macs wrote them, comes with line feeds.
    """
    head = stream.read(_HEAD)
    encoding = wide_encoding(head)
    stream.seek(0)
    if encoding is None and (b"\r" not in head or b"\n" in head):
        yield stream
        return
    decoder = codecs.getincrementaldecoder(encoding)("replace") if encoding else None
    with tempfile.TemporaryFile() as copy:
        while data := stream.read(MAX_BYTES):
            copy.write(
                decoder.decode(data).encode("utf-8", "replace") if decoder else data.replace(b"\r", b"\n")
            )
        if decoder:
            copy.write(decoder.decode(b"", True).encode("utf-8", "replace"))
        copy.seek(0)
        yield cast(BinaryIO, copy)


def _read_lines(stream: BinaryIO) -> Iterator[Line]:
    number = 0
    while data := stream.readline(MAX_BYTES + 1):
        number += 1
        if number == 1:
            data = data.removeprefix(_BOM)
        if len(data) > MAX_BYTES:
            size = len(data) + _skip_line(stream, data)
            yield Line(
                number,
                "",
                f"line {number} is {size / 1e6:.0f} MB long (the limit is {MAX_BYTES / 1e6:.0f} MB)",
            )
            continue
        yield Line(number, decode_line(data.rstrip(b"\r\n")))


def _skip_line(stream: BinaryIO, data: bytes) -> int:
    """The number of bytes passed over up to the end of the line that `data` begins."""
    skipped = 0
    while data and not data.endswith(b"\n"):
        data = stream.readline(MAX_BYTES)
        skipped += len(data)
    return skipped
