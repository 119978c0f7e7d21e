"""The records of an XML file as texts of their own: what is broken in one costs no other."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from corpus.errors import InputError
from corpus.readers.encodings import decode, read_bytes

_SKIPPED = {b"<!--": b"-->", b"<![CDATA[": b"]]>", b"<?": b"?>"}
_DECLARED = re.compile(rb"""\A[\s\xef\xbb\xbf]*<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]+)["']""")
# Encodings that a file's word is taken for. Those of Western Europe are told by the bytes themselves.
_TRUSTED = re.compile(
    r"(?:iso-?8859-?(?!1$)|windows-?12(?!52)|cp12(?!52)|koi8|gbk|gb2312|gb18030|big5|shift_?jis|sjis|euc|mac)",
    re.I,
)


@dataclass(frozen=True)
class Piece:
    """One record's own text, from its start tag to its end tag; it begins on the file's line `line`."""

    number: int
    text: str
    line: int
    closed: bool


def read_pieces(stream: BinaryIO, start: str) -> Iterator[Piece]:
    """The records of an XML file, counted from 1; each lasts until the last end tag before the next start.

    `start` is a pattern for what follows "<" and a prefix in a record's start tag, its name in the first
    group. Tags in comments, CDATA and processing instructions are none. Raises InputError for a file that
    declares entities, which no export does and bombs do.
    """
    data = _bytes(stream)
    encoding = _declared(data)
    cuts = list(_cuts(data, start))
    line, counted = 1, 0
    for number, (begin, end, closed) in enumerate(cuts, start=1):
        line += data.count(b"\n", counted, begin)
        counted = begin
        text = _text(data[begin:end], encoding).replace("\r\n", "\n").replace("\r", "\n")
        yield Piece(number, text, line, closed)


def _bytes(stream: BinaryIO) -> bytes:
    data = read_bytes(stream)
    if data[:4].count(0) or data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return decode(data).encode("utf-8", "replace")
    return data


def _cuts(data: bytes, start: str) -> Iterator[tuple[int, int, bool]]:
    """Where each record begins and ends, and whether it was closed."""
    prefix = rb"(?:[\w.-]{1,40}:)?"
    token = re.compile(
        rb"(?P<skip><!--|<!\[CDATA\[|<\?)|(?P<entity><!ENTITY\b)"
        rb"|<" + prefix + start.encode() + rb"|</" + prefix + rb"(?P<close>[\w.-]{1,40})\s*>"
    )
    begin, name, last = -1, b"", -1
    position, ended = 0, set[bytes]()
    while found := token.search(data, position):
        position = found.end()
        if skipped := found["skip"]:
            position = _after(data, position, _SKIPPED[skipped], ended)
        elif found["entity"] and begin < 0:
            raise InputError(
                "it declares entities of its own (<!ENTITY), as no export does; leave it out, or delete them"
            )
        elif found["close"]:
            last = position if found["close"] == name and begin >= 0 else last
        elif not found["entity"]:
            if begin >= 0:
                yield begin, max(last, begin) if last > begin else found.start(), last > begin
            begin, name, last = found.start(), found[3], -1
            if found[0].endswith(b"/>"):
                last = position
    if begin >= 0:
        yield begin, last if last > begin else len(data), last > begin


def _after(data: bytes, position: int, mark: bytes, ended: set[bytes]) -> int:
    """The place behind the next `mark`; the same place where there is none, which is looked for once only."""
    place = -1 if mark in ended else data.find(mark, position)
    if place < 0:
        ended.add(mark)
        return position
    return place + len(mark)


def _declared(data: bytes) -> str | None:
    found = _DECLARED.match(data[:1024])
    name = found[1].decode("ascii", "replace") if found else ""
    try:
        return codecs.lookup(name).name if _TRUSTED.match(name) else None
    except LookupError:
        return None


def _text(data: bytes, declared: str | None) -> str:
    """The bytes as text: as UTF-8, else as the file says, else line by line as what they are."""
    for encoding in ("utf-8", declared):
        try:
            return data.decode(encoding or "ascii")
        except (UnicodeError, LookupError):
            continue
    return decode(data)
