"""The items of a JSON document, one by one: what is broken in one costs no other."""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, replace

# Where services put the list of papers, and the objects that they wrap it in.
LISTS = frozenset(
    "results result items data papers recommendedPapers articles entries entry docs hits hit records works "
    "publications documents".split()
)
WRAPS = frozenset("message response data hits result resultList search-results feed payload body".split())
_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\n\r\ufeff]*")
_OF_OBJECTS = re.compile(r"\[\s*(?:null\s*,\s*)*[{\]]")
_BRACKET = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[{}\[\]]', re.S)
_NEXT = re.compile(r"[,\]\n]")
_FIRST_KEY = re.compile(r'\{\s*("(?:[^"\\]|\\.){0,80}")\s*:')
_PAPER = ("title", "abstract", "paperId", "DOI")
# Keys of what is a paper, though it has no title of its own.
_WRAPPING = (
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
_DEEPEST = 5
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
class _Reading:
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
        return any(own.get(name) for name in (*_PAPER, *_WRAPPING))

    def fault(self, begin: int, end: int, reason: str) -> Item:
        self.given += 1
        return Item(None, self.text[begin:end], self.line_at(begin), reason)


class _Broken(Exception):
    """What can't be read, and where."""

    def __init__(self, place: int, reason: str) -> None:
        super().__init__(reason)
        self.place = place
        self.reason = reason


def is_page(value: Mapping[str, object]) -> bool:
    """Whether an object holds papers, and isn't one."""
    if any(value.get(name) for name in _PAPER):
        return False
    listed = any(
        (key in LISTS and isinstance(one, list) and _of_objects(one))
        or (key in WRAPS and isinstance(one, Mapping))
        for key, one in value.items()
    )
    return listed or bool(_papers_in(value))


def _papers_in(value: Mapping[str, object]) -> list[Mapping[str, object]]:
    """The papers that an object holds under keys of its own, alone or in lists; none for what is a paper."""
    if any(value.get(name) for name in _WRAPPING):
        return []
    return [
        one
        for held in value.values()
        for one in (held if isinstance(held, list) else [held])
        if isinstance(one, Mapping) and any(one.get(name) for name in ("title", "abstract"))
    ]


def _of_objects(items: list[object]) -> bool:
    return all(isinstance(one, Mapping) or one is None for one in items[:20])


def json_items(text: str) -> Iterator[Item]:
    """The papers' values of a document: of its list, of the list in its wrapping, or the document itself.

    Several documents one after another are read alike. What is broken or cut off comes with its fault.
    """
    reading = _Reading(text)
    place = reading.after_space(0)
    while place < len(text):
        if text[place] == "[":
            place = yield from _list(reading, place)
        elif text[place] == "{":
            place = yield from _object(reading, place, 0)
        else:
            yield reading.fault(place, len(text), "what follows isn't JSON")
            return
        place = reading.after_space(place)


def _value(reading: _Reading, place: int) -> tuple[object, int]:
    """The value that begins at the place, and where it ends; _Broken for none.

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
            raise _Broken(place, f"it isn't usable JSON: {error}") from error
        except RecursionError as error:
            raise _Broken(place, "it isn't usable JSON: nested too deeply") from error
        size = size * 4 if reading.base == place else size
        reading.look(place, size)


def _broken(reading: _Reading, error: json.JSONDecodeError) -> _Broken:
    place = reading.base + error.pos
    cut = place >= len(reading.text) - 1
    return _Broken(place, "it is cut off" if cut else f"it isn't JSON: {error.msg}")


def _list(reading: _Reading, place: int) -> Generator[Item, None, int]:
    """Yields the items of the list that begins at the place; returns where it ends."""
    text, ended = reading.text, False
    place = reading.after_space(place + 1)
    while place < len(text) and text[place] != "]":
        begin = place
        if text[place] == ",":
            place += 1
        else:
            try:
                value, place = _value(reading, begin)
                yield reading.item(value, begin, place)
            except _Broken as broken:
                place = _behind(reading, begin, broken.place)
                ended = place == len(text)
                yield reading.fault(begin, place, f"{broken.reason} (line {reading.line_at(broken.place)})")
        place = reading.after_space(place)
    if place < len(text):
        return place + 1
    if not ended:
        yield reading.fault(place, place, "the file ends before its list does: papers may be missing")
    return place


def _object(reading: _Reading, begin: int, depth: int) -> Generator[Item, None, int]:
    """Yields what the object that begins here holds, or the object itself; returns where it ends."""
    own: dict[str, object] = {}
    given, place = reading.given, begin + 1
    try:
        while not reading.text.startswith("}", place := reading.after_space(place)):
            if reading.text.startswith(",", place):
                place += 1
                continue
            key, place = _key(reading, place)
            inner = None if any(own.get(name) for name in _PAPER) else _inner(reading, key, place, depth)
            if inner is None:
                own[key], place = _value(reading, place)
            else:
                place = yield from inner
    except _Broken as broken:
        end = _behind(reading, begin, broken.place)
        yield reading.fault(begin, end, f"{broken.reason} (line {reading.line_at(broken.place)})")
        return end
    if reading.given == given:
        yield from _itself(reading, own, begin, place + 1, whole=depth == 0)
    return place + 1


def _key(reading: _Reading, place: int) -> tuple[str, int]:
    """The key that begins at the place, and where its value begins."""
    key, end = _value(reading, place) if place < len(reading.text) else (None, place)
    colon = reading.after_space(end)
    if not isinstance(key, str) or reading.text[colon : colon + 1] != ":":
        cut = colon >= len(reading.text)
        raise _Broken(colon, "it is cut off" if cut else "it isn't JSON: a key with a colon is expected")
    return key, reading.after_space(colon + 1)


def _inner(reading: _Reading, key: str, place: int, depth: int) -> Generator[Item, None, int] | None:
    """What is read in place of a value that papers are in; None for a value as others."""
    if key in LISTS and _OF_OBJECTS.match(reading.text, place):
        reading.given += 1  # also an empty list says that the object is a page of papers
        return _list(reading, place)
    if key in WRAPS and reading.text.startswith("{", place) and depth < _DEEPEST:
        return _object(reading, place, depth + 1)
    return None


def _itself(
    reading: _Reading, own: dict[str, object], begin: int, end: int, *, whole: bool
) -> Iterator[Item]:
    """The object as a paper, or its values where those are the papers: {"2301.00001": {"title": ...}}."""
    if any(name in own for name in _PAPER):
        yield reading.item(own, begin, end)
        return
    papers = _papers_in(own)
    if papers:
        for one in papers:
            yield replace(reading.item(one, begin, begin), raw=json.dumps(one, ensure_ascii=False))
    elif whole or reading.is_paper(own):
        yield reading.item(own, begin, end)


def _behind(reading: _Reading, begin: int, broken: int) -> int:
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


def _next_alike(reading: _Reading, begin: int, broken: int) -> int:
    """Where the next object begins that has the first key of this one and most of the keys of one before."""
    key = _FIRST_KEY.match(reading.text, begin)
    if key is None:
        return len(reading.text)
    alike = re.compile(r",\s*(?=\{\s*" + re.escape(key[1]) + r"\s*:)")
    for found in alike.finditer(reading.text, broken):
        try:
            value, _ = _value(reading, found.end())
        except _Broken:
            reading.tries += 1
            value = None
        if isinstance(value, Mapping) and reading.is_alike(value):
            return found.end()
        if reading.tries >= _TRIES:
            break
    return len(reading.text)
