"""Markers in what a model writes: read out of a whole text, and renumbered in one that still comes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from corpus.sentences import sentence_spans

# [3], [1, 2], [1][2], [1-3], [Source 2]; anything else in brackets is text.
_MARKER = re.compile(r"\[\s*(?:sources?\s+)?\d{1,3}(?:\s*[,;–-]\s*(?:sources?\s+)?\d{1,3})*\s*\]", re.I)
_OPEN = re.compile(r"\[[^\[\]\n]{0,40}$")
_BLOCK = re.compile(r"^\s*(?:[-*+•]\s+|\d{1,2}[.)]\s+|#{1,6}\s+|>\s*)")
_RULE = re.compile(r"^\s*\|?[\s:|-]+\|?\s*$")
_REFERENCES = re.compile(r"^\W*(?:references|sources|bibliography)\W*$", re.I)
_WIDEST = 20


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
        if _REFERENCES.match(line):
            break
        if not line.strip() or _RULE.match(line):
            continue
        bullet = bool(re.match(r"\s*(?:[-*+•]|\d{1,2}[.)])\s", line))
        shown = (
            re.sub(r"\s*\|\s*", " ", _BLOCK.sub("", line))
            if line.strip().startswith("|")
            else _BLOCK.sub("", line)
        )
        sentences = _sentences(re.sub(r"\*\*|__|`", "", shown))
        if sentences:
            found.append(Paragraph(tuple(sentences), bullet))
    return found


def _sentences(line: str) -> list[Written]:
    """The line's sentences; a marker belongs to the sentence that it stands in or right behind."""
    bare, places, end = "", list[tuple[int, list[int]]](), 0
    for match in _MARKER.finditer(line):
        bare += line[end : match.start()]
        places.append((len(bare.rstrip()), numbers_in(match[0])))
        end = match.end()
    bare += line[end:]
    spans = list(sentence_spans(bare))
    marked: list[list[int]] = [[] for _ in spans]
    for place, numbers in places:
        owner = max((i for i, (start, _) in enumerate(spans) if start < max(place, 1)), default=None)
        if owner is not None:
            marked[owner] += numbers
    texts = [re.sub(r"\s+([.,;:!?])", r"\1", " ".join(bare[start:stop].split())) for start, stop in spans]
    return [
        Written(text, tuple(dict.fromkeys(numbers)))
        for text, numbers in zip(texts, marked, strict=True)
        if re.search(r"\w", text)
    ]


class Renumbering:
    """Text that comes in pieces, its markers renumbered by first use; unknown ones are left out.

    A marker is never handed out half: what may become one is held back until it is whole.
    """

    def __init__(self, known: Sequence[int]) -> None:
        self._known = set(known)
        self._order: dict[int, int] = {}
        self._held = ""

    def feed(self, piece: str) -> str:
        """What can be shown once the piece is there."""
        self._held += piece
        opened = _OPEN.search(self._held)
        cut = opened.start() if opened else len(self._held)
        if not opened and self._held.endswith(" "):
            cut = len(self._held.rstrip(" "))
        ready, self._held = self._held[:cut], self._held[cut:]
        return self._renumbered(ready)

    def rest(self) -> str:
        """What was held back at the end."""
        ready, self._held = self._held, ""
        return self._renumbered(ready)

    def _renumbered(self, text: str) -> str:
        return _MARKER.sub(lambda match: "".join(self._shown(match[0])), text)

    def _shown(self, marker: str) -> Iterator[str]:
        for number in numbers_in(marker):
            if number in self._known:
                yield f"[{self._order.setdefault(number, len(self._order) + 1)}]"
