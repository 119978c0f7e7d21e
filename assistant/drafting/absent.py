"""Questions for a figure that a paper lacks and its neighbours have: nobody can answer them from here."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from assistant.drafting.material import Material
from assistant.figures.figure import base_of


@dataclass(frozen=True)
class _Row:
    """A measure, how it is asked for, and the words that an abstract may not hold if it lacks the figure."""

    measure: str
    question: str
    words: str


_ROWS = (
    _Row("MFU", "What MFU does {0} reach?", r"MFU|[Uu]tili[sz]"),
    _Row("throughput", "By how much does {0} raise throughput?", r"throughput|tokens/s|goodput|per second"),
    _Row("energy", "By how much does {0} cut energy use?", r"energy|power|carbon|joule|\bwatt"),
    _Row("memory", "By how much does {0} cut memory use?", r"memory|\bGB\b|footprint|storage|\bRAM\b"),
    _Row("latency", "What latency does {0} reach?", r"latenc|\bms\b|millisecond|real[- ]time|delay"),
    _Row("accuracy", "What accuracy does {0} reach?", r"accura|top-1|\bscore|%"),
    _Row("perplexity", "What perplexity does {0} reach?", r"perplexit|\bPPL\b"),
    _Row(
        "communication",
        "By how much does {0} reduce communication?",
        r"communicat|bandwidth|traffic|network volume",
    ),
    _Row(
        "training time", "How long does training take with {0}?", r"training time|hours?\b|days?\b|minutes?\b"
    ),
    _Row(
        "speedup",
        "What speedup does {0} reach?",
        r"speed|fast|accelerat|quick|slow|latenc|time|\btimes\b|\d\s?[x×]|throughput",
    ),
)
_LEAST = 2
"""Neighbours that have to give the figure: then it is one that papers of this topic report."""


@dataclass(frozen=True)
class Lacking:
    """A question for what the abstract lacks; `sentence` is a neighbour's that has it."""

    question: str
    measure: str
    sentence: str
    note: str


def lacking(material: Material, neighbours: Callable[[], Sequence[Material]]) -> list[Lacking]:
    """The questions that the paper's abstract can't answer; none where that can't be told.

    A figure of an unknown kind may be the one asked for, so that a paper with such a figure is left alone.
    """
    name = material.name
    abstract = material.paper.abstract or ""
    unknown = any(
        one.figure.measure is None and one.figure.unit in ("x", "%", "") for one in material.figures
    )
    if not name or not abstract or unknown:
        return []
    rows = [row for row in _ROWS if not re.search(row.words, f"{material.paper.title or ''} {abstract}")]
    near = neighbours() if rows else ()
    found = []
    for row in rows:
        having = [
            (one, stated) for one in near for stated in one.figures[:20] if _gives(stated.figure.measure, row)
        ]
        papers = {one.paper.id: one.paper.label for one, _ in having}
        if len(papers) >= _LEAST:
            labels = " and ".join(list(papers.values())[:_LEAST])
            note = f"the abstract of {name} gives no figure for {row.measure}, those of {labels} do: check it"
            found.append(Lacking(row.question.format(name), row.measure, having[0][1].sentence, note))
    return found


def _gives(measure: str | None, row: _Row) -> bool:
    return base_of(measure) == row.measure
