"""What an evaluation is held against: an earlier report, and limits that its figures have to keep."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from assistant.evaluation.measures import METRICS
from assistant.evaluation.scoring import EXTRAS, KINDS, OVERALL, Row, Scored
from assistant.lines import first_fault, read_text
from corpus.errors import InputError

_NAMES = (*(metric.name for metric in METRICS), *EXTRAS)
_LESS_IS_BETTER = {metric.name for metric in METRICS if metric.better == "lower"} | {
    name for name, better in EXTRAS.items() if better == "lower"
}
REPORT = "report.json"


@dataclass(frozen=True)
class Limit:
    """The worst value that a figure may have: its least, or its greatest where less is better."""

    kind: str
    metric: str
    value: float

    def broken_by(self, rows: Sequence[Row]) -> bool:
        """True when the figure is worse, or isn't there to be looked at."""
        figure = next((row.value(self.metric) for row in rows if row.kind == self.kind), None)
        if figure is None:
            return True
        return figure > self.value if self.metric in _LESS_IS_BETTER else figure < self.value


@dataclass(frozen=True)
class FigureChange:
    """A figure of a kind, then and now."""

    kind: str
    metric: str
    before: float
    now: float


@dataclass(frozen=True)
class QuestionChange:
    """A question's quality, then and now."""

    case_id: str
    before: float
    now: float


@dataclass(frozen=True)
class Comparison:
    """What changed against an earlier report; the questions that lost most come first."""

    figures: tuple[FigureChange, ...]
    questions: tuple[QuestionChange, ...]


class _Question(BaseModel):
    id: str
    quality: float


class Baseline(BaseModel):
    """The part of an earlier report that a new one is compared with."""

    model_config = ConfigDict(frozen=True)

    scores: dict[str, dict[str, float | None]]
    questions: list[_Question] = Field(default_factory=list)


def parse_limit(text: str) -> Limit:
    """The limit that "must=0.8", or "number.must=0.9" for one kind, states. Raises InputError."""
    name, _, value = text.partition("=")
    kind, _, metric = name.strip().rpartition(".")
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if math.isnan(number):
        raise InputError(f"{text!r} is no limit: write METRIC=VALUE with a number, such as must=0.8")
    if metric not in _NAMES:
        raise InputError(f"{text!r} names no metric; there are {', '.join(_NAMES)}")
    if kind not in ("", OVERALL, *KINDS):
        raise InputError(f"{text!r} names no kind of question; there are {', '.join(KINDS)}")
    return Limit(kind or OVERALL, metric, number)


def read_baseline(folder: Path) -> Baseline:
    """The figures of the report in `folder`. Raises InputError when there is none that can be read."""
    path = folder / REPORT
    try:
        return Baseline.model_validate(json.loads(read_text(path)))
    except ValidationError as fault:
        reason = first_fault(fault)
    except ValueError as fault:
        reason = str(fault)
    raise InputError(f"{str(path)!r} is no report of an evaluation ({reason}); give the folder of one")


def compare(before: Baseline, rows: Sequence[Row], results: Sequence[Scored]) -> Comparison:
    """All figures and questions that differ from those of `before`."""
    figures = [
        FigureChange(row.kind, figure.metric, then, figure.value)
        for row in rows
        for figure in row.figures
        if figure.value is not None
        and (then := before.scores.get(row.kind, {}).get(figure.metric)) is not None
        and not _same(then, figure.value)
    ]
    then_of = {question.id: question.quality for question in before.questions}
    questions = [
        QuestionChange(result.case.id, then_of[result.case.id], result.quality)
        for result in results
        if result.case.id in then_of and not _same(then_of[result.case.id], result.quality)
    ]
    return Comparison(tuple(figures), tuple(sorted(questions, key=lambda q: (q.now - q.before, q.case_id))))


def _same(one: float, other: float) -> bool:
    # Reports hold three decimals.
    return abs(one - other) < 0.001
