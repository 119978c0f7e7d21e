"""From what is said and where it stands to a numbered, cited text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assistant.answer import Cell, Citation, Mark, Quote, Row, Statement, Support, Table
from assistant.markdown import at_line_start, escaped, markdown, own_words, plain

Source = tuple[str, Quote]
"""A paper's id and words of it."""


@dataclass(frozen=True)
class Said:
    """One sentence in words (assistant/markdown.py), and what it stands on, best first."""

    text: str
    sources: tuple[Source, ...] = ()
    support: Support = "verbatim"
    score: float = 1.0
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True)
class Line:
    """A paragraph or bullet: `lead`, in words too, is shown before the sentences and states nothing."""

    said: tuple[Said, ...]
    lead: str = ""
    bullet: bool = False


def remark(text: str) -> Line:
    """A line that speaks of the collection: how many papers, what is missing. It stands on no quote."""
    return Line((Said(text, support="supported"),))


@dataclass(frozen=True)
class Grid:
    """A table: `rows` are an aspect and a cell for each column, what is said there, () where nothing is."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[tuple[Said, ...], ...]], ...]


@dataclass(frozen=True)
class Cited:
    """A text whose markers count from 1 in order of first use, its sentences, citations and table."""

    text: str
    sentences: tuple[Statement, ...]
    citations: tuple[Citation, ...]
    table: Table | None = None


NOT_STATED = "not stated in the abstract"
UNSUPPORTED = "(unsupported)"
"""What stands behind a sentence that no source bears out."""


def cite(parts: Sequence[Line | Grid], labels: Mapping[str, str]) -> Cited:
    """The parts as one text in Markdown, a marker behind every sentence that stands on a paper.

    `labels` are by paper id. Only markers look like markers: what the papers' own words have of Markdown is
    escaped.
    """
    numbering = _Numbering()
    shown = [numbering.line(part) if isinstance(part, Line) else numbering.grid(part) for part in parts]
    text = "".join(
        piece + ("\n" if _joined(part, after) else "\n\n")
        for piece, part, after in zip(shown, parts, [*parts, None][1:], strict=True)
    ).strip()
    citations = tuple(
        Citation(number, paper_id, labels[paper_id], tuple(found))
        for number, (paper_id, found) in enumerate(numbering.quotes.items(), start=1)
    )
    return Cited(text, tuple(numbering.statements), citations, numbering.table)


def _joined(part: Line | Grid, after: Line | Grid | None) -> bool:
    return isinstance(part, Line) and isinstance(after, Line) and part.bullet and after.bullet


class _Numbering:
    """What has been said and cited so far, in the order of the text."""

    def __init__(self) -> None:
        self.quotes: dict[str, list[Quote]] = {}
        self.statements: list[Statement] = []
        self.table: Table | None = None

    def line(self, line: Line) -> str:
        """The line with its markers."""
        shown = markdown(line.lead) + " ".join(self._said(said)[0] for said in line.said)
        return ("- " if line.bullet else "") + at_line_start(shown)

    def grid(self, grid: Grid) -> str:
        """The table in Markdown, a marker behind every sentence of a cell."""
        rows, shown = [], ["| | " + " | ".join(_in_cell(escaped(column)) for column in grid.columns) + " |"]
        shown.append("|---" * (len(grid.columns) + 1) + "|")
        for aspect, cells in grid.rows:
            done = [[self._said(said) for said in cell] for cell in cells]
            texts = [_in_cell(" ".join(text for text, _ in cell)) or NOT_STATED for cell in done]
            shown.append(f"| **{_in_cell(escaped(aspect))}** | " + " | ".join(texts) + " |")
            rows.append(
                Row(aspect, tuple(self._cell(cell, said) for cell, said in zip(done, cells, strict=True)))
            )
        self.table = Table(grid.columns, tuple(rows))
        return "\n".join(shown)

    def _cell(self, done: Sequence[tuple[str, tuple[Mark, ...]]], said: Sequence[Said]) -> Cell | None:
        if not said:
            return None
        places: dict[int, list[int]] = {}
        for _, marks in done:
            for mark in marks:
                places.setdefault(mark.marker, []).extend(mark.quotes)
        text = " ".join(plain(one.text) for one in said)
        return Cell(
            text, tuple(Mark(number, tuple(dict.fromkeys(found))) for number, found in places.items())
        )

    def _said(self, said: Said) -> tuple[str, tuple[Mark, ...]]:
        marks = _marks(said.sources, self.quotes)
        self.statements.append(Statement(plain(said.text), marks, said.support, said.score, said.reasons))
        doubt = [UNSUPPORTED] if said.support == "unsupported" else []
        return " ".join([markdown(said.text), *(f"[{mark.marker}]" for mark in marks), *doubt]), marks


def _in_cell(text: str) -> str:
    """The text on one line, its bars escaped."""
    return " ".join(text.split()).replace("|", "\\|")


def _marks(sources: Sequence[Source], quotes: dict[str, list[Quote]]) -> tuple[Mark, ...]:
    """The marks for these sources; what is cited for the first time is added to `quotes`."""
    places: dict[str, list[int]] = {}
    for paper_id, quote in sources:
        known = quotes.setdefault(paper_id, [])
        if quote not in known:
            known.append(quote)
        places.setdefault(paper_id, []).append(known.index(quote))
    order = list(quotes)
    return tuple(Mark(order.index(paper_id) + 1, tuple(found)) for paper_id, found in places.items())


_NUMBER = (
    r"(?:[~<>≈$+-]\s?)?\d+(?:[.,:]\d+)*"
    r"(?:\s?(?:%|percent\b|[x×](?![\w])|ms\b|s\b|[KMGTP]i?B\b|[KMBTkmb]\b)|-fold\b)?"
)
_FIGURE = re.compile(
    rf"\[\d[\d,\s–-]*\]|(?<![\w.^/-]){_NUMBER}(?:\s?[-–/]\s?{_NUMBER})*(?![\w^]|-?\w*[A-Z]\w*-?\d|\.\d)"
)
_OPENING = re.compile(
    r"\b(?:In|On|With|For|Over|Across|From|Using|By|At|Of|Under|The|All|Only|About|Around|Up to"
    r"|Within|After) $"
)
_NAME_BEFORE = re.compile(r"\b\w*[A-Z]\w*[ -]$")


def bold_figures(text: str) -> str:
    """The sentence as words with its figures in bold, units included; the rest as it stands.

    Digits of names ("A100", "iPhone 12"), of lists "(1)" and of references "[12]" are no figures.
    """

    def shown(found: re.Match[str]) -> str:
        before, around = words[: found.start()], words[found.start() - 1 : found.end() + 1]
        if found[0].startswith("[") or (around == f"({found[0]})" and len(found[0]) == 1):
            return found[0]
        of_name = found[0].isdigit() and _NAME_BEFORE.search(before) and not _OPENING.search(before)
        return found[0] if of_name else f"**{found[0]}**"

    words = own_words(text)
    return _FIGURE.sub(shown, words)
