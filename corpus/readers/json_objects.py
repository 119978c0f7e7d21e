"""The objects of a JSON document one by one, each with its own text; a broken one costs itself only."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

_BETWEEN = re.compile(r"[\s,\[\]}]*+")
_WRAPPER = re.compile(r"\s*+\{\s*+\"(?:references|items)\"\s*+:\s*+\[")
_FIRST_NAME = re.compile(r"\{\s*+\"([^\"\\\n]{1,60})\"")
_LONGEST_NUMBER = 300
_WINDOW = 64 * 1024


@dataclass(frozen=True)
class Item:
    """One value and the text it stood as; where it can't be read, `fault` says where and why."""

    value: object
    raw: str
    line: int
    fault: str = ""


def read_items(text: str) -> Iterator[Item]:
    """What an array, a row of objects or {"references": [...]} holds.

    After a broken object it goes on at the next one that begins with the same name: those of its own
    parts begin with another.
    """
    window = _Window(text)
    line, counted = 1, 0
    wrapper = _WRAPPER.match(text)
    at = _after_gap(text, wrapper.end() if wrapper else 0)
    name = ""
    while at < len(text):
        line += text.count("\n", counted, at)
        counted = at
        first = _FIRST_NAME.match(text, at)
        name = first[1] if first else name
        try:
            value, end = window.decode(at)
            yield Item(value, text[at:end], line)
        except json.JSONDecodeError as error:
            place = window.begin + error.pos
            end = _next(text, max(place - 1, at), name)
            where = f"line {line + text.count(chr(10), at, place)}"
            yield Item(None, text[at:end].rstrip(), line, f"isn't JSON: {error.msg} in {where}")
        except RecursionError:
            end = len(text)
            yield Item(None, text[at:end], line, "is nested too deep; what follows it wasn't read")
        at = _after_gap(text, end)


class _Window:
    """A decoder that sees a part of the text: its errors count all lines before them, which adds up."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._decoder = json.JSONDecoder(parse_int=_number, strict=False)
        self.begin = 0
        self._part = text[:_WINDOW]

    def decode(self, at: int) -> tuple[object, int]:
        """The value here and where it ends. Raises JSONDecodeError, its place counted from `begin`."""
        size = _WINDOW
        if at >= self.begin + len(self._part) or len(self._part) > _WINDOW:
            self._move(at, size)
        while True:
            try:
                value, end = self._decoder.raw_decode(self._part, at - self.begin)
                return value, self.begin + end
            except json.JSONDecodeError as error:
                whole = self.begin + len(self._part) >= len(self._text)
                cut = error.pos > len(self._part) - 16 or error.msg.startswith("Unterminated")
                if whole or not cut:
                    raise
            size *= 2
            self._move(at, size)

    def _move(self, at: int, size: int) -> None:
        self.begin, self._part = at, self._text[at : at + size]


def _after_gap(text: str, at: int) -> int:
    gap = _BETWEEN.match(text, at)
    return gap.end() if gap else at


def _next(text: str, at: int, name: str) -> int:
    """Where the next object begins whose first name this is, or the text's end."""
    following = re.compile(rf"\}}\s*+,?\s*+(?=\{{\s*+\"{re.escape(name)}\")").search(text, at)
    return following.end() if following else len(text)


def _number(digits: str) -> int | str:
    return int(digits) if len(digits) < _LONGEST_NUMBER else digits
