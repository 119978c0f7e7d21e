"""A comparison as a table: one column a paper, one row an aspect, every cell quoted."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assistant.answer import Quote
from assistant.cite import Grid, Line, Said, bold_figures
from assistant.contrast import contrast
from assistant.evidence import OWN_WORK, weigh
from assistant.roles import roles_of

if TYPE_CHECKING:
    from assistant.answer import Kind
    from assistant.question import Question
    from assistant.retrieve import Vector
    from assistant.roles import Role
    from assistant.sides import Sides
    from corpus.collection import Sentence
    from corpus.papers import Paper


@dataclass(frozen=True)
class Aspect:
    """A row: the roles whose sentences it holds, how many at most, by what else a sentence belongs to it.

    "Not stated in the abstract" is said only where no sentence has the role and none has the cues.
    """

    name: str
    roles: tuple[Role, ...]
    most: int
    cues: re.Pattern[str] | None = None


_PROBLEM = re.compile(
    r"\b(?:however|challeng\w+|difficult\w*|costly|expensive|bottleneck|limit\w*|suffer\w*|lack\w*|prohibitive\w*)\b",
    re.I,
)
_RESULT = re.compile(
    r"\d.*\b(?:outperform\w*|achiev\w*|reduc\w*|improv\w*|speed-?ups?|faster|reach\w*)\b|\b(?:outperform|surpass|exceed)\w*\b",
    re.I,
)
_SETTING = re.compile(
    r"\b(?:on|with|using|across|over|under)\b[^.]{0,60}\b(?:[GTNC]PUs?|[AVH]\d00|RTX ?\d+|FPGAs?"
    r"|clusters?|devices?|Ascend|Xilinx|datasets?|benchmarks?"
    r"|ImageNet\S*|CIFAR\S*|tokens|parameters?)\b",
    re.I,
)
ASPECTS = (
    Aspect("Problem", ("problem",), 1, _PROBLEM),
    Aspect("Approach", ("approach",), 3, OWN_WORK),
    Aspect("Results", ("result",), 2, _RESULT),
    Aspect("Setting and limits", ("setting",), 1, _SETTING),
)
ASKED = Aspect("On the question", (), 2)
"""The first row: the sentences nearest to the question, whatever their role."""


def write_comparison(
    question: Question,
    sides: Sides,
    sentences: Mapping[str, Sequence[Sentence]],
    vector: Vector,
    rare: Mapping[str, float],
) -> list[Line | Grid]:
    """The lines of a comparison: what the sides share and where they differ, and the table."""
    lines: list[Line | Grid] = list(contrast(sides.papers, sentences))
    columns = [
        _column(paper, sentences.get(paper.id, ()), question.kind, vector, rare) for paper in sides.papers
    ]
    names = [ASKED.name, *(aspect.name for aspect in ASPECTS)]
    rows = tuple((name, tuple(column[place] for column in columns)) for place, name in enumerate(names))
    lines.append(Grid(tuple(paper.label for paper in sides.papers), rows))
    return lines


def _column(
    paper: Paper, sentences: Sequence[Sentence], kind: Kind, vector: Vector, rare: Mapping[str, float]
) -> list[tuple[Said, ...]]:
    """The cells of one paper, from the row of what was asked down."""
    scores = {one.sentence.index: one.score for one in weigh(sentences, vector, rare, kind)}
    ranked = sorted(sentences, key=lambda sentence: -scores[sentence.index])
    asked = ranked[: ASKED.most]
    cells = [asked]
    for aspect in ASPECTS:
        own = [one for one, role in zip(sentences, roles_of(sentences), strict=True) if role in aspect.roles]
        best = [one for one in ranked if one in own] or [
            one for one in ranked if aspect.cues and aspect.cues.search(one.text)
        ]
        fresh = [one for one in best if one not in asked]
        cells.append((fresh or best)[: aspect.most])
    return [tuple(_said(paper, one) for one in sorted(cell, key=lambda one: one.index)) for cell in cells]


def _said(paper: Paper, sentence: Sentence) -> Said:
    quote = Quote("abstract", sentence.start, sentence.end, sentence.text)
    return Said(bold_figures(sentence.text), ((paper.id, quote),))
