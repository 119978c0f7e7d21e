"""From what is said and where it stands to a numbered, cited text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assistant.answer import Citation, Mark, Quote, Statement, Support

Source = tuple[str, Quote]
"""A paper's id and words of it."""


@dataclass(frozen=True)
class Said:
    """One sentence as it is shown (Markdown), and what it stands on, best first."""

    text: str
    sources: tuple[Source, ...] = ()
    support: Support = "verbatim"
    score: float = 1.0


@dataclass(frozen=True)
class Line:
    """A paragraph or bullet: `lead` is shown before the sentences and states nothing of its own."""

    said: tuple[Said, ...]
    lead: str = ""
    bullet: bool = False


@dataclass(frozen=True)
class Cited:
    """A text whose markers count from 1 in order of first use, its sentences and its citations."""

    text: str
    sentences: tuple[Statement, ...]
    citations: tuple[Citation, ...]


def cite(lines: Sequence[Line], labels: Mapping[str, str]) -> Cited:
    """The lines as one text with a marker behind every sentence that stands on a paper; `labels` by paper id."""
    quotes: dict[str, list[Quote]] = {}
    statements: list[Statement] = []
    shown: list[str] = []
    for line in lines:
        parts = []
        for said in line.said:
            marks = _marks(said.sources, quotes)
            statements.append(Statement(plain(said.text), marks, said.support, said.score))
            parts.append(" ".join([said.text, *(f"[{mark.marker}]" for mark in marks)]))
        shown.append(("- " if line.bullet else "") + line.lead + " ".join(parts))
    text = "".join(
        piece + ("\n" if line.bullet and after and after.bullet else "\n\n")
        for piece, line, after in zip(shown, lines, [*lines[1:], None], strict=True)
    ).strip()
    citations = tuple(
        Citation(number, paper_id, labels[paper_id], tuple(found))
        for number, (paper_id, found) in enumerate(quotes.items(), start=1)
    )
    return Cited(text, tuple(statements), citations)


def plain(text: str) -> str:
    """A sentence without the Markdown that the writer put into it."""
    return text.replace("**", "")


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


_NUMBER = r"(?:[~<>≈$+-]\s?)?\d+(?:[.,:]\d+)*(?:\s?(?:%|percent\b|[x×](?![\w])|ms\b|s\b|[KMGTP]i?B\b|[KMBTkmb]\b)|-fold\b)?"
_FIGURE = re.compile(rf"(?<![\w.^/-]){_NUMBER}(?:\s?[-–/]\s?{_NUMBER})*(?![\w^]|-?\w*[A-Z]\w*-?\d|\.\d)")


def bold_figures(text: str) -> str:
    """The sentence with its figures in bold, units included; digits of names ("A100", "iPhone 12") stay as they are."""

    def shown(found: re.Match[str]) -> str:
        of_name = found[0].isdigit() and re.search(r"\b\w*[A-Z]\w*[ -]$", text[: found.start()])
        return found[0] if of_name and not _OPENING.search(text[: found.start()]) else f"**{found[0]}**"

    return _FIGURE.sub(shown, text)


_OPENING = re.compile(
    r"\b(?:In|On|With|For|Over|Across|From|Using|By|At|Of|Under|The|All|Only|About|Around|Up to"
    r"|Within|After) $"
)
