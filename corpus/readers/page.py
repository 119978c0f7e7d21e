"""A page of abstracts: plain text with headings, bylines and abstracts, blank lines between them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from corpus.readers.bylines import Byline, parse_byline
from corpus.readers.lines import MAX_BYTES, read_lines
from corpus.readers.records import Record, Rejected

# A block this long is an abstract: the longest heading that we saw has 12 words. Shorter ones are where they
# read as prose: several sentences, or a long one. Characters count for scripts that write no spaces.
_MIN_WORDS = 25
_MIN_CHARACTERS = 250
_MIN_WORDS_OF_SENTENCE = 15
_MIN_WORDS_OF_SENTENCES = 8
_SENTENCE_END = re.compile(r"(?<!\b[A-Z])[.!?][\"”’)\]]*(?=\s|$)")
_MEND = "mend that record and ingest the file again; the other records went in"


@dataclass(frozen=True)
class _Block:
    lines: tuple[str, ...]
    first_line: int
    fault: str = ""

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def read_page(stream: BinaryIO, file: str) -> Iterator[Record | Rejected]:
    """One Record for each abstract of the page, with what the byline before it says."""
    number = 0
    byline: Byline | None = None
    raw_byline = ""
    for place, block in enumerate(_blocks(stream)):
        if block.fault:
            number += 1
            yield Rejected(file, number, block.fault, _MEND)
            byline = None
            continue
        above, body = _split(block)
        found = parse_byline(above)
        if found and (found.sure or place):
            byline, raw_byline = found, above
        if body:
            number += 1
            yield _record(number, body, byline, raw_byline, file)
            byline, raw_byline = None, ""


def _blocks(stream: BinaryIO) -> Iterator[_Block]:
    lines: list[str] = []
    first, size, fault = 1, 0, ""
    for line in read_lines(stream):
        if line.fault or line.text.strip():
            if not lines:
                first = line.number
            size += len(line.text)
            fault = fault or line.fault
            if size > MAX_BYTES:
                fault = (
                    fault or f"the text from line {first} on has no blank line for {MAX_BYTES / 1e6:.0f} MB"
                )
            lines.append("" if fault else line.text.strip())
        elif lines:
            yield _Block(tuple(lines), first, fault)
            lines, size, fault = [], 0, ""
    if lines:
        yield _Block(tuple(lines), first, fault)


def _split(block: _Block) -> tuple[str, str]:
    """What stands above the abstract (a byline or a heading, or "") and the abstract (or "")."""
    if len(block.lines) > 1:
        byline = parse_byline(block.lines[0])
        rest = "\n".join(block.lines[1:])
        if byline and byline.sure and _is_abstract(rest):
            return block.lines[0], rest
    byline = parse_byline(block.text)
    is_byline = byline is not None and byline.sure
    return ("", block.text) if _is_abstract(block.text) and not is_byline else (block.text, "")


def _is_abstract(text: str) -> bool:
    words = len(text.split())
    if words >= _MIN_WORDS or len(text) >= _MIN_CHARACTERS:
        return True
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    if not ends or ends[-1] != len(text):
        return False
    return words >= (_MIN_WORDS_OF_SENTENCES if len(ends) > 1 else _MIN_WORDS_OF_SENTENCE)


def _record(number: int, body: str, byline: Byline | None, raw_byline: str, file: str) -> Record:
    fields: dict[str, object] = {"abstract": body}
    if byline:
        fields |= {"authors": list(byline.authors), "organisations": list(byline.organisations)}
    raw = f"{raw_byline}\n\n{body}" if raw_byline else body
    return Record(number, fields, raw, file)
