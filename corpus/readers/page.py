"""A page of abstracts: plain text with headings, bylines and abstracts, blank lines between them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from corpus.readers.bylines import Byline, parse_byline
from corpus.readers.labelled import Labels, is_labelled
from corpus.readers.lines import MAX_BYTES, read_lines
from corpus.readers.records import Record, Rejected

# A block this long is an abstract: the longest heading that we saw has 12 words. Shorter ones are where they
# read as prose: several sentences, or a long one. Characters count for scripts that write no spaces.
_MIN_WORDS = 25
_MIN_CHARACTERS = 250
_MIN_WORDS_OF_SENTENCE = 15
_MIN_WORDS_OF_SENTENCES = 8
_SENTENCE_END = re.compile(r"(?<!\b[A-Z])[.!?][\"”’)\]]*(?=\s|$)")
# Fewer words in a line than in a block: of those that stand alone all have to be as long.
_MIN_WORDS_OF_LINE = 20
_ITEM = re.compile(r"(?:[-*•+]|\(?\d{1,4}[.)]|\[\d{1,4}\])\s+(?=\S)")
_SECTION = re.compile(r"[A-Z][A-Za-z /&]{2,40}\s?(?:[:.—]\s|[-–]\s)")
_RULE = re.compile(r"[ \t]*(?:[-_=*~#–—·][ \t]*){3,}")
# "[1] Roe A. 2018. A title. In Proc. ACL.": a mark, and a year or pages in few words.
_REFERENCE = re.compile(r"\[\d{1,4}\]\s(?=[\s\S]*\b(?:19|20)\d\d[a-z]?\b)")
_MOST_WORDS_OF_REFERENCE = 60
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
    labels = Labels()
    for place, block in enumerate(_parted(_blocks(stream))):
        if block.fault:
            number += 1
            yield Rejected(file, number, block.fault, _MEND)
            byline = None
            continue
        if labels.open and not is_labelled(block.lines) and _is_abstract(block.text):
            labels.add_abstract(block.text)
            number += 1
            yield labels.record(number, file, byline.authors if byline else ())
            byline, raw_byline = None, ""
            continue
        if is_labelled(block.lines):
            byline, raw_byline = None, ""
            for record in labels.papers(block.lines, number, file):
                number = record.number
                yield record
            continue
        above, body = _split(block)
        found = parse_byline(above)
        if found and (found.sure or place):
            byline, raw_byline = found, above
        if body:
            number += 1
            yield _record(number, body, byline, raw_byline, file)
            byline, raw_byline = None, ""
    if labels.paper:
        yield labels.record(number + 1, file)


def _parted(blocks: Iterator[_Block]) -> Iterator[_Block]:
    """The blocks; where a page has one only, below a heading at most, its lines if each is an abstract."""
    first, second, third = next(blocks, None), next(blocks, None), next(blocks, None)
    held = [block for block in (first, second, third) if block]
    alone = held[-1:] if len(held) < 3 and not any(_is_abstract(block.text) for block in held[:-1]) else []
    for block in held:
        yield from _lines_of(block, alone=block in alone)
    for block in blocks:
        yield from _lines_of(block, alone=False)


def _lines_of(block: _Block, *, alone: bool) -> Iterator[_Block]:
    """The block, or its lines where each is an abstract: a list of them, or long ones that stand alone."""
    bare = [_ITEM.sub("", line) for line in block.lines]
    listed = all(map(_ITEM.match, block.lines))
    split = (
        len(bare) > 1
        and not block.fault
        and (listed or alone)
        and all(len(line.split()) >= _MIN_WORDS_OF_LINE and _ends(line) for line in bare)
        and not any(map(_SECTION.match, bare))
    )
    if not split:
        yield block
        return
    for place, line in enumerate(bare):
        yield _Block((line,), block.first_line + place)


def _ends(line: str) -> bool:
    return line[:1].islower() is False and re.search(r"[.!?][\"”’)\]]*$", line) is not None


def _blocks(stream: BinaryIO) -> Iterator[_Block]:
    lines: list[str] = []
    first, size, fault = 1, 0, ""
    for line in read_lines(stream):
        if line.fault or (line.text.strip() and not _RULE.fullmatch(line.text)):
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
    if words < _MOST_WORDS_OF_REFERENCE and _REFERENCE.match(text):
        return False
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
