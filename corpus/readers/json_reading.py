"""A JSON text that is read value by value, and where reading goes on behind what is broken."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

PAPER = ("title", "abstract", "paperId", "DOI")
# Keys of what is a paper, though it has no title of its own.
WRAPPING = (
    "paper",
    "authorships",
    "_source",
    "citingPaper",
    "citedPaper",
    "work",
    "record",
    "attributes",
    "info",
)
_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\n\r\ufeff]*")
_BRACKET = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[{}\[\]]', re.S)
_NEXT = re.compile(r"[,\]\n]")
_FIRST_KEY = re.compile(r'\{\s*("(?:[^"\\]|\\.){0,80}")\s*:')
_TRIES = 100
_WINDOW = 32 * 1024


@dataclass(frozen=True)
class Item:
    """One value of the document that stands for a paper, and its text; `fault` says why it can't be read."""

    value: object
    raw: str
    line: int
    fault: str = ""


@dataclass
class Reading:
    """A text, how far its lines are counted, the last item's keys, how many were given, costly tries."""

    text: str
    counted: int = 0
    line: int = 1
    keys: frozenset[str] = frozenset()
    window: str = ""
    base: int = 0
    given: int = 0
    tries: int = 0

    def look(self, place: int, size: int) -> None:
        """Moves the window."""
        self.base, self.window = place, self.text[place : place + size]

    def line_at(self, place: int) -> int:
        if place >= self.counted:
            self.line += self.text.count("\n", self.counted, place)
            self.counted = place
            return self.line
        return self.line - self.text.count("\n", place, self.counted)

    def after_space(self, place: int) -> int:
        found = _SPACE.match(self.text, place)
        return found.end() if found else place

    def item(self, value: object, begin: int, end: int) -> Item:
        if isinstance(value, Mapping):
            self.keys = frozenset(value)
        self.given += 1
        return Item(value, self.text[begin:end], self.line_at(begin))

    def is_alike(self, value: Mapping[str, object]) -> bool:
        """Whether it has most of the keys of the last item, or a title where there was none."""
        return 2 * len(self.keys & set(value)) > len(self.keys) if self.keys else bool(value.get("title"))

    @staticmethod
    def is_paper(own: Mapping[str, object]) -> bool:
        """Whether the object has a paper's own keys, or wraps one."""
        return any(own.get(name) for name in (*PAPER, *WRAPPING))

    def fault(self, begin: int, end: int, reason: str) -> Item:
        self.given += 1
        return Item(None, self.text[begin:end], self.line_at(begin), reason)


class Broken(Exception):
    """What can't be read, and where."""

    def __init__(self, place: int, reason: str) -> None:
        super().__init__(reason)
        self.place = place
        self.reason = reason


def read_value(reading: Reading, place: int) -> tuple[object, int]:
    """The value that begins at the place, and where it ends; Broken for none.

    It is read in a window of the text, which grows for a value that it cuts: an error costs its window, as
    json counts the lines before it.
    """
    size = _WINDOW
    if not reading.base <= place < reading.base + len(reading.window):
        reading.look(place, size)
    while True:
        last = reading.base + len(reading.window) >= len(reading.text)
        try:
            value, end = _DECODER.raw_decode(reading.window, place - reading.base)
            if last or end < len(reading.window):
                return value, end + reading.base
        except json.JSONDecodeError as error:
            if last or (error.pos < len(reading.window) - 100 and not error.msg.startswith("Unterm")):
                raise _broken(reading, error) from error
        except ValueError as error:  # a number of thousands of digits
            raise Broken(place, f"it isn't usable JSON: {error}") from error
        except RecursionError as error:
            raise Broken(place, "it isn't usable JSON: nested too deeply") from error
        size = size * 4 if reading.base == place else size
        reading.look(place, size)


def _broken(reading: Reading, error: json.JSONDecodeError) -> Broken:
    place = reading.base + error.pos
    cut = place >= len(reading.text) - 1
    return Broken(place, "it is cut off" if cut else f"it isn't JSON: {error.msg}")


def place_behind(reading: Reading, begin: int, broken: int) -> int:
    """Where reading goes on after a broken value: behind its last bracket, else at what is like it."""
    if reading.tries >= _TRIES:
        return len(reading.text)
    if reading.text[begin] not in "{[":
        found = _NEXT.search(reading.text, begin + 1)
        return found.start() if found else len(reading.text)
    end = _closed(reading.text, begin)
    if end and reading.text[reading.after_space(end) : reading.after_space(end) + 1] in (",", "]", ""):
        return end
    reading.tries += 1
    return _next_alike(reading, begin, broken)


def _closed(text: str, begin: int) -> int:
    """The place behind the bracket that closes the one at `begin`; 0 where none does."""
    depth = 0
    for found in _BRACKET.finditer(text, begin):
        mark = found[0]
        if mark[0] == '"':
            if len(mark) < 2 or mark[-1] != '"':
                return 0
        elif mark in "{[":
            depth += 1
        else:
            depth -= 1
            if depth == 0:
                return found.end()
    return 0


def _next_alike(reading: Reading, begin: int, broken: int) -> int:
    """Where the next object begins that has the first key of this one and most of the keys of one before."""
    key = _FIRST_KEY.match(reading.text, begin)
    if key is None:
        return len(reading.text)
    alike = re.compile(r",\s*(?=\{\s*" + re.escape(key[1]) + r"\s*:)")
    for found in alike.finditer(reading.text, broken):
        try:
            value, _ = read_value(reading, found.end())
        except Broken:
            reading.tries += 1
            value = None
        if isinstance(value, Mapping) and reading.is_alike(value):
            return found.end()
        if reading.tries >= _TRIES:
            break
    return len(reading.text)
