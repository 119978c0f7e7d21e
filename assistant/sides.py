"""The sides of a comparison: each named or described one is found for itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from assistant.question import Question
from assistant.words import content_words
from corpus.papers import Paper

MOST = 5
"""Columns of a comparison at most."""

_BREAK = re.compile(
    r"\b(?:vs|versus|compared (?:to|with)|or|and|one on|against|than)\b\.?|[,;/:?.]\s|[()]", re.I
)
_COUNT = re.compile(r"\b(two|three|four|both)\b(?!-)", re.I)
_NUMBERS = {"two": 2, "both": 2, "three": 3, "four": 4}
_SERIES = re.compile(r"\bone (?:paper )?on ([^,.;?]+?)(?=,| and one\b|[.;?]|$)", re.I)
_VERSUS = re.compile(r"([^,;:.?!]+?)\s+\b(?:vs|versus|compared (?:to|with))\b\.?\s+([^,;:.?!]+)", re.I)
_OR = re.compile(r"([^,;:.?!]+?),? or (?:the )?([^,;:.?!]+)", re.I)


@dataclass(frozen=True)
class Sides:
    """The papers to be compared, in the order of the question, and the names that no paper goes by."""

    papers: tuple[Paper, ...]
    missing: tuple[str, ...] = ()


@dataclass(frozen=True)
class Finder:
    """What finding sides asks of a collection: papers by ids or description, whether it holds a word."""

    papers: Callable[[Sequence[str]], Sequence[Paper]]
    search: Callable[[str], Sequence[Paper]]
    holds: Callable[[str], bool]


def find_sides(question: Question, best: Sequence[Paper], finder: Finder) -> Sides:
    """The sides of a comparison; `best` are the papers found for the whole question, best first."""
    sides = _named(question, best, finder)
    described = _described(question)
    missing = [
        name for name in (*question.unknown, *question.mentioned) if _is_side(name, question.text, described)
    ]
    context = question.text.split(":")[0] if ":" in question.text[:60] else ""
    for place, description in described:
        if _is_unknown(description, finder):
            missing.append(description.strip())
        elif not any(name in description for name in missing):
            found = [paper for paper in finder.search(f"{description} {context}") if paper not in sides]
            sides.update({paper: place for paper in found[:1]})
    for paper in best:
        if len(sides) < _wanted(question.text) - len(missing):
            sides.setdefault(paper, len(question.text))
    order = sorted(sides, key=lambda paper: sides[paper])[:MOST]
    return Sides(tuple(order), tuple(dict.fromkeys(missing)))


def _named(question: Question, best: Sequence[Paper], finder: Finder) -> dict[Paper, int]:
    """The papers that the question names, and the place of the name; all of a name that stands alone."""
    names = [*question.recalled, *question.named] if question.leans else list(question.named)
    several = len(names) == 1 and len(names[0].paper_ids) > 1
    sides: dict[Paper, int] = {}
    for name in names:
        own = finder.papers(name.paper_ids)
        for paper in own[:MOST] if several else [_best_of(name.paper_ids, best) or own[0]]:
            sides.setdefault(paper, question.text.find(name.text))
    return sides


def _is_unknown(description: str, finder: Finder) -> bool:
    """True for a side of a single word that no paper holds."""
    parts = description.split()
    return len(parts) == 1 and not finder.holds(parts[0])


def _best_of(ids: Sequence[str], best: Sequence[Paper]) -> Paper | None:
    return next((paper for paper in best if paper.id in ids), None)


def _wanted(text: str) -> int:
    """How many sides the question speaks of: "the two papers"; 2 where it doesn't say."""
    found = _COUNT.search(text)
    return _NUMBERS[found[1].lower()] if found else 2


def _is_side(name: str, text: str, described: Sequence[tuple[int, str]]) -> bool:
    """True where an unknown name stands where a side would, and not as one word of a longer description."""
    if any(
        name in part and f"{name}'s" not in part and len(content_words(part)) > 2 for _, part in described
    ):
        return False
    quoted = re.escape(name)
    joins = r"(?:vs\.?|versus|than|or|and|with|to|from|against)"
    before = rf"\b{joins}\s+(?:the )?{quoted}(?!\w)"
    after = rf"{quoted}(?:['’]s)?\s+(?:[\w-]+\s+){{0,3}}(?:vs|versus|or|and|compar\w+|differ\w*|relate\w*)\b"
    return bool(re.search(f"{before}|{after}", text, re.I))


def _described(question: Question) -> list[tuple[int, str]]:
    """Places and words of the sides that the question describes instead of naming them."""
    series = [(found.start(1), found[1]) for found in _SERIES.finditer(question.text)]
    found = _VERSUS.search(question.text) or (_OR.search(question.text) if len(question.named) < 2 else None)
    if len(series) > 1:
        parts = series
    elif found:
        parts = [(found.start(group), found[group]) for group in (1, 2)]
    else:
        parts = _clauses(question.text)
    return [
        (place, part)
        for place, part in parts
        if not any(name.text in part for name in question.named) and (content_words(part) or "-" in part)
    ]


def _clauses(text: str) -> list[tuple[int, str]]:
    """Parts of a list "A, B, and C": those that speak of a paper ("the study of ...")."""
    starts = [0, *(found.end() for found in _BREAK.finditer(text))]
    ends = [*(found.start() for found in _BREAK.finditer(text)), len(text)]
    parts = [(start, text[start:end]) for start, end in zip(starts, ends, strict=True)]
    speaks = re.compile(
        r"\b(?:the|one|a) (?:[\w-]+ ){0,6}(?:paper|work|study|scheme|method|approach|one)\b", re.I
    )
    return [(place, part) for place, part in parts if speaks.search(part)]
