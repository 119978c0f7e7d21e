"""The items of a JSON document, one by one: what is broken in one costs no other."""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Iterator, Mapping
from dataclasses import replace

from corpus.readers.json_reading import PAPER, WRAPPING, Broken, Item, Reading, place_behind, read_value

# Where services put the list of papers, and the objects that they wrap it in.
LISTS = frozenset(
    "results result items data papers recommendedPapers articles entries entry docs hits hit records works "
    "publications documents".split()
)
WRAPS = frozenset("message response data hits result resultList search-results feed payload body".split())
_OF_OBJECTS = re.compile(r"\[\s*(?:null\s*,\s*)*[{\]]")
_DEEPEST = 5


def is_page(value: Mapping[str, object]) -> bool:
    """Whether an object holds papers, and isn't one."""
    if value.get("title") or value.get("abstract") or any(value.get(name) for name in PAPER):
        return False
    listed = any(
        (key in LISTS and isinstance(one, list) and _of_objects(one))
        or (key in WRAPS and isinstance(one, Mapping))
        for key, one in value.items()
    )
    return listed or bool(_papers_in(value))


def _papers_in(value: Mapping[str, object]) -> list[Mapping[str, object]]:
    """The papers that an object holds under keys of its own, alone or in lists; none for what is a paper."""
    if any(value.get(name) for name in WRAPPING):
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
    reading = Reading(text)
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


def _list(reading: Reading, place: int) -> Generator[Item, None, int]:
    """Yields the items of the list that begins at the place; returns where it ends."""
    text, ended = reading.text, False
    place = reading.after_space(place + 1)
    while place < len(text) and text[place] != "]":
        begin = place
        if text[place] == ",":
            place += 1
        else:
            try:
                value, place = read_value(reading, begin)
                yield reading.item(value, begin, place)
            except Broken as broken:
                place = place_behind(reading, begin, broken.place)
                ended = place == len(text)
                yield reading.fault(begin, place, f"{broken.reason} (line {reading.line_at(broken.place)})")
        place = reading.after_space(place)
    if place < len(text):
        return place + 1
    if not ended:
        yield reading.fault(place, place, "the file ends before its list does: papers may be missing")
    return place


def _object(reading: Reading, begin: int, depth: int) -> Generator[Item, None, int]:
    """Yields what the object that begins here holds, or the object itself; returns where it ends."""
    own: dict[str, object] = {}
    given, place = reading.given, begin + 1
    try:
        while not reading.text.startswith("}", place := reading.after_space(place)):
            if reading.text.startswith(",", place):
                place += 1
                continue
            key, place = _key(reading, place)
            inner = None if any(own.get(name) for name in PAPER) else _inner(reading, key, place, depth)
            if inner is None:
                own[key], place = read_value(reading, place)
            else:
                place = yield from inner
    except Broken as broken:
        end = place_behind(reading, begin, broken.place)
        yield reading.fault(begin, end, f"{broken.reason} (line {reading.line_at(broken.place)})")
        return end
    if reading.given == given:
        yield from _itself(reading, own, begin, place + 1, whole=depth == 0)
    return place + 1


def _key(reading: Reading, place: int) -> tuple[str, int]:
    """The key that begins at the place, and where its value begins."""
    key, end = read_value(reading, place) if place < len(reading.text) else (None, place)
    colon = reading.after_space(end)
    if not isinstance(key, str) or reading.text[colon : colon + 1] != ":":
        cut = colon >= len(reading.text)
        raise Broken(colon, "it is cut off" if cut else "it isn't JSON: a key with a colon is expected")
    return key, reading.after_space(colon + 1)


def _inner(reading: Reading, key: str, place: int, depth: int) -> Generator[Item, None, int] | None:
    """What is read in place of a value that papers are in; None for a value as others."""
    if key in LISTS and _OF_OBJECTS.match(reading.text, place):
        reading.given += 1  # also an empty list says that the object is a page of papers
        return _list(reading, place)
    if key in WRAPS and reading.text.startswith("{", place) and depth < _DEEPEST:
        return _object(reading, place, depth + 1)
    return None


def _itself(reading: Reading, own: dict[str, object], begin: int, end: int, *, whole: bool) -> Iterator[Item]:
    """The object as a paper, or its values where those are the papers: {"2301.00001": {"title": ...}}."""
    if any(name in own for name in PAPER):
        yield reading.item(own, begin, end)
        return
    papers = _papers_in(own)
    if papers:
        for one in papers:
            yield replace(reading.item(one, begin, begin), raw=json.dumps(one, ensure_ascii=False))
    elif whole or reading.is_paper(own):
        yield reading.item(own, begin, end)
