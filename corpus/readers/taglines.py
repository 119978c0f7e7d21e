"""Files made of tagged lines ("TI  - A title"): where each record begins and ends, what its tags hold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

# More tagged lines than any record has; past them a file isn't what it seems, and would fill the memory.
MOST_LINES = 20_000
# Text that belongs to no record is passed over as a heading up to this many words.
_HEADING_WORDS = 25
_EDGE = re.compile(r"[ \t]\n|\n[ \t]")


@dataclass(frozen=True)
class Grammar:
    """What the lines of one family look like.

    `line` is matched where a line begins; its group `tag` is the line's tag, `value` the text that follows.
    Tags of `opens` begin a record if they or one of `content` stood before; `closes` end one, `outside`
    stand between two. A record that has a tag of `body` ends at a blank line if a tag of `leads` follows, or
    one that it had before, or none; within the tags of `long`, which may have blank lines, only for `leads`.
    """

    line: re.Pattern[str]
    opens: frozenset[str]
    closes: frozenset[str] = frozenset()
    outside: frozenset[str] = frozenset()
    content: frozenset[str] = frozenset()
    body: frozenset[str] = frozenset()
    long: frozenset[str] = frozenset()
    leads: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Tagged:
    """One record: its tags with their texts in the file's order, or `fault`: why it can't be read."""

    line: int
    raw: str
    values: tuple[tuple[str, str], ...] = ()
    fault: str = ""


def tags(names: str) -> frozenset[str]:
    """The tags that the text lists."""
    return frozenset(names.split())


class _Line(NamedTuple):
    """A line that isn't blank, as places in the text; `tag` is "" where it has none."""

    number: int
    start: int
    end: int
    tag: str = ""
    value: int = 0
    after_blank: bool = False
    indented: bool = False  # and without a tag


@dataclass
class _Open:
    """A record, or text outside of all records, that is being read: places only, no text is held twice."""

    line: int
    start: int
    end: int
    places: list[tuple[str, int, int]] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)

    def add(self, line: _Line) -> None:
        self.end = line.end
        if len(self.places) > MOST_LINES:
            return
        if line.tag:
            self.seen.add(line.tag)
            self.places.append((line.tag, line.value, line.end))
        elif self.places:
            tag, start, _ = self.places[-1]
            self.places[-1] = (tag, start, line.end)

    def ends_before(self, line: _Line, grammar: Grammar) -> bool:
        """Whether the line is no part of this record."""
        if not self.places:
            return line.after_blank or line.tag != ""
        if line.tag in grammar.opens and (line.tag in self.seen or not self.seen.isdisjoint(grammar.content)):
            return True
        if not line.after_blank or line.indented or self.seen.isdisjoint(grammar.body):
            return False
        within = self.places[-1][0] in grammar.long
        return line.tag in grammar.leads or (not within and (line.tag in self.seen or not line.tag))

    def close(self, text: str) -> Iterator[Tagged]:
        """The record, or nothing for a heading."""
        raw = text[self.start : self.end]
        if not self.places:
            if len(raw.split(None, _HEADING_WORDS)) > _HEADING_WORDS:
                yield Tagged(self.line, raw, fault="is text without a tag")
        elif len(self.places) > MOST_LINES:
            yield Tagged(self.line, raw, fault=f"begins a record of more than {MOST_LINES:,} tagged lines")
        else:
            values = tuple((tag, _value(text[start:end])) for tag, start, end in self.places)
            yield Tagged(self.line, raw, values)


def tagged_records(text: str, grammar: Grammar) -> Iterator[Tagged]:
    """The records of the text in their order; text outside of them that is no heading comes as a fault."""
    now: _Open | None = None
    for line in _lines(text, grammar):
        if line.tag in grammar.closes:
            if now and now.places:
                now.end = line.end
                yield from now.close(text)
                now = None
            continue
        if now and (line.tag in grammar.outside or now.ends_before(line, grammar)):
            yield from now.close(text)
            now = None
        if line.tag not in grammar.outside:
            now = now or _Open(line.number, line.start, line.end)
            now.add(line)
    if now:
        yield from now.close(text)


def _lines(text: str, grammar: Grammar) -> Iterator[_Line]:
    """The lines that aren't blank; a tag that follows a closing one on its line begins a line of its own."""
    # In a file with a blank line after every line only two of them are one.
    gap = 2 if text.count("\n\n") * 2.2 > text.count("\n") > 4 else 1
    number, start, blanks = 0, 0, 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        number += 1
        if text[start:end].isspace() or start == end:
            blanks += 1
        else:
            line = _line(text, number, start, end, grammar)
            yield line._replace(after_blank=blanks >= gap)
            blanks = 0
            if line.tag in grammar.closes and line.value < end:
                more = _line(text, number, line.value, end, grammar)
                if more.tag and more.tag not in grammar.closes:
                    yield more
        start = end + 1


def _line(text: str, number: int, start: int, end: int, grammar: Grammar) -> _Line:
    match = grammar.line.match(text, start)
    if match is None:
        return _Line(number, start, end, indented=text[start].isspace())
    return _Line(number, start, end, match["tag"], end if match["value"] is None else match.start("value"))


def _value(text: str) -> str:
    """The text with its lines stripped; blank lines at both ends are gone."""
    if _EDGE.search(text):
        text = "\n".join(map(str.strip, text.split("\n")))
    return text.strip()
