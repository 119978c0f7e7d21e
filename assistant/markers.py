"""Markers in what a model writes: read out of a whole text, and renumbered in one that still comes."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from corpus.sentences import sentence_spans

# [3], [1, 2], [1][2], [1-3], [Source 2]; anything else in brackets is text. Its length has a bound, for
# what may become a marker is held back.
_GAP = r"[^\S\n]{0,3}"
_NUMBER = rf"(?:sources?[^\S\n]{{1,3}})?\d{{1,3}}{_GAP}"
_BRACKETS = rf"\[{_GAP}{_NUMBER}(?:[,;–-]{_GAP}{_NUMBER}){{0,39}}\]"
_MARKER = re.compile(_BRACKETS, re.I)
_SPACED = re.compile(rf"( {{0,3}})({_BRACKETS})", re.I)
# The end of a text that may become a marker with the spaces before it.
_OPEN = re.compile(r" {0,3}(?:\[(?:[^\S\n]|[sources\d,;–-]){0,800})?\Z", re.I)
_BLOCK = re.compile(r"^\s*(?:[-*+•]\s+|\d{1,2}[.)]\s+|#{1,6}\s+|>\s*)")
_RULE = re.compile(r"[\s:|-]+")
REFERENCES = re.compile(r"^\W*(?:references|sources|bibliography)\W*$", re.I)
_WIDEST = 20
_LONGEST = 804
"""Characters of the longest marker with the spaces before it."""


@dataclass(frozen=True)
class Written:
    """One sentence of a text without its markers, and the numbers that they had, in order."""

    text: str
    markers: tuple[int, ...]


@dataclass(frozen=True)
class Paragraph:
    """A line of a text: its sentences; `bullet` where it was an item of a list."""

    sentences: tuple[Written, ...]
    bullet: bool


def numbers_in(marker: str) -> list[int]:
    """The numbers of one marker: "[1, 3-5]" has 1, 3, 4 and 5. A range wider than 20 is its two ends."""
    found: list[int] = []
    for first, last in re.findall(r"(\d+)(?:\s*[–-]\s*(\d+))?", marker):
        end = int(last or first)
        wide = end < int(first) or end - int(first) > _WIDEST
        found += [int(first), end] if wide else range(int(first), end + 1)
    return list(dict.fromkeys(found))


def read_paragraphs(text: str) -> list[Paragraph]:
    """The sentences of a text in Markdown, line by line, each with the markers in or behind it.

    Emphasis, headings and the bars of tables are taken away. What follows a line "References" is left out.
    """
    found = []
    for line in text.splitlines():
        if REFERENCES.match(line):
            break
        if not line.strip() or _RULE.fullmatch(line):
            continue
        bullet = bool(re.match(r"\s*(?:[-*+•]|\d{1,2}[.)])\s", line))
        shown = _BLOCK.sub("", line)
        if line.lstrip().startswith("|"):
            shown = " ".join(cell.strip() for cell in shown.split("|"))
        sentences = _sentences(re.sub(r"\*\*|__|`", "", shown))
        if sentences:
            found.append(Paragraph(tuple(sentences), bullet))
    return found


def _sentences(line: str) -> list[Written]:
    """The line's sentences; a marker belongs to the one that it stands in or behind, or before the first."""
    bare, places = _without_markers(line)
    spans = sentence_spans(bare)
    starts = [start for start, _ in spans]
    marked: list[list[int]] = [[] for _ in spans]
    for place, numbers in places if spans else ():
        marked[max(bisect_left(starts, place) - 1, 0)] += numbers
    texts = [re.sub(r"\s+([.,;:!?])", r"\1", " ".join(bare[start:stop].split())) for start, stop in spans]
    return [
        Written(text, tuple(dict.fromkeys(numbers)))
        for text, numbers in zip(texts, marked, strict=True)
        if re.search(r"\w", text)
    ]


def _without_markers(line: str) -> tuple[str, list[tuple[int, list[int]]]]:
    """The line without its markers, and for each where the words before it end there, and its numbers."""
    pieces, places = list[str](), list[tuple[int, list[int]]]()
    length = solid = end = 0
    for match in _MARKER.finditer(line):
        piece = line[end : match.start()]
        if words := piece.rstrip():
            solid = length + len(words)
        length += len(piece)
        pieces.append(piece)
        places.append((solid, numbers_in(match[0])))
        end = match.end()
    return "".join([*pieces, line[end:]]), places


class Renumbering:
    """Text that comes in pieces, its markers renumbered by first use; unknown ones are left out.

    A marker is never handed out half: what may become one is held back until it is whole. With one that is
    left out go the spaces before it.
    """

    def __init__(self, known: Sequence[int]) -> None:
        self._known = set(known)
        self._order: dict[int, int] = {}
        self._held = ""

    def feed(self, piece: str) -> str:
        """What can be shown once the piece is there."""
        self._held += piece
        cut = max(len(self._held) - _LONGEST, 0)
        if opened := _OPEN.search(self._held, cut):
            cut = opened.start()
        ready, self._held = self._held[:cut], self._held[cut:]
        return self._renumbered(ready)

    def rest(self) -> str:
        """What was held back at the end."""
        ready, self._held = self._held, ""
        return self._renumbered(ready)

    def _renumbered(self, text: str) -> str:
        return _SPACED.sub(lambda match: self._with_spaces(match[1], "".join(self._shown(match[2]))), text)

    @staticmethod
    def _with_spaces(spaces: str, marker: str) -> str:
        return f"{spaces}{marker}" if marker else ""

    def _shown(self, marker: str) -> Iterator[str]:
        for number in numbers_in(marker):
            if number in self._known:
                yield f"[{self._order.setdefault(number, len(self._order) + 1)}]"
