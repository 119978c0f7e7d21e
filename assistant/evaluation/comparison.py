"""What an evaluation is held against: an earlier report, and limits that its figures have to keep."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from assistant.evaluation.case import UNANSWERABLE, Case
from assistant.evaluation.intervals import Interval, Values, interval, samples
from assistant.evaluation.measures import METRICS, NAMES
from assistant.evaluation.metrics import mean
from assistant.evaluation.scoring import EXTRAS, KINDS, OVERALL, Row, Scored
from assistant.lines import first_fault, read_text
from corpus.errors import InputError

_NAMES = (*NAMES, *EXTRAS)
_LESS_IS_BETTER = {metric.name for metric in METRICS if metric.better == "lower"} | {
    name for name, better in EXTRAS.items() if better == "lower"
}
_FEWEST = 5
"""Questions that have to differ before a difference is called certain: of fewer no interval says much."""
_TURNED = 0.2
"""Change of a question's quality from which it has turned good or bad."""
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
    """A figure of a kind, then and now, over the questions that both runs have.

    `interval` is that of now - before (paired bootstrap), None where questions have too few values;
    `differing` is the number of questions that differ in it.
    """

    kind: str
    metric: str
    before: float
    now: float
    interval: Interval | None = None
    differing: int = 0

    @property
    def certain(self) -> bool:
        """True where the interval leaves out 0 and enough questions differ; never of what a clock says."""
        enough = self.differing >= _FEWEST and not NAMES[self.metric].timing
        return enough and self.interval is not None and not self.interval.holds(0.0)

    @property
    def worse(self) -> bool:
        """True for a change for the worse; of what can't be answered more refusals are better."""
        less = self.metric in _LESS_IS_BETTER and (self.kind, self.metric) != ("unanswerable", "refused")
        return (self.now > self.before) == less


@dataclass(frozen=True)
class QuestionChange:
    """A question that turned good or bad: its quality and its answer, then and now."""

    case_id: str
    before: float
    now: float
    question: str = ""
    text_before: str = ""
    text_now: str = ""


@dataclass(frozen=True)
class Comparison:
    """What changed against an earlier report: the surest and largest figures first, worst questions first.

    `only_before` and `only_now` are ids of questions that just one of the runs has.
    """

    figures: tuple[FigureChange, ...]
    questions: tuple[QuestionChange, ...]
    only_before: tuple[str, ...] = ()
    only_now: tuple[str, ...] = ()
    in_common: int = 0


class _Question(BaseModel):
    id: str
    type: str
    quality: float
    question: str = ""
    answer: str = ""
    values: dict[str, list[float]]


class Baseline(BaseModel):
    """The part of an earlier report that a new one is compared with."""

    model_config = ConfigDict(frozen=True)

    questions: list[_Question] = Field(min_length=1)


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
    path = folder if folder.name == REPORT else folder / REPORT
    try:
        return Baseline.model_validate(json.loads(read_text(path)))
    except ValidationError as fault:
        reason = first_fault(fault)
    except ValueError as fault:
        reason = str(fault)
    raise InputError(f"{str(path)!r} is no report of an evaluation ({reason}); give the folder of one")


def check_common(before: Baseline, cases: Sequence[Case]) -> None:
    """Nothing; InputError where the earlier report has no question of these, by id and words."""
    asked = {(case.id, case.question) for case in cases}
    if not any((one.id, one.question) in asked for one in before.questions):
        raise InputError(
            f"the earlier report has none of these {len(cases)} questions (by id and words); "
            "compare with a run on the same test set"
        )


def compare(before: Baseline, results: Sequence[Scored]) -> Comparison:
    """The figures and questions that differ from those of `before`, over the questions of both."""
    return _compare(before, [_question(result) for result in results])


def compare_reports(before: Baseline, now: Baseline) -> Comparison:
    """What differs between two earlier reports."""
    return _compare(before, now.questions)


def _question(scored: Scored) -> _Question:
    case = scored.case
    return _Question(
        id=case.id,
        type=case.type,
        quality=scored.quality,
        question=case.question,
        answer=scored.text,
        values={name: list(values) for name, values in scored.values.items()},
    )


def _compare(before: Baseline, results: Sequence[_Question]) -> Comparison:
    """What differs over the questions of both; a question is the same where its id and its words are."""
    asked = {result.id: result.question for result in results}
    then = {one.id: one for one in before.questions if asked.get(one.id, one.question) == one.question}
    both = [result for result in results if result.id in then]
    both.sort(key=lambda result: result.id)
    figures = [change for kind in (*KINDS, OVERALL) for change in _figures(kind, both, then)]
    figures.sort(key=lambda one: (not one.certain, not one.worse, -_size(one)))
    questions = [
        QuestionChange(was.id, was.quality, result.quality, was.question, was.answer, result.answer)
        for result in both
        if abs(result.quality - (was := then[result.id]).quality) >= _TURNED
    ]
    now = {result.id for result in results}
    return Comparison(
        tuple(figures),
        tuple(sorted(questions, key=lambda one: (one.now - one.before, one.case_id))),
        tuple(sorted(then.keys() - now)),
        tuple(sorted(now - then.keys())),
        len(both),
    )


def _figures(kind: str, both: Sequence[_Question], then: Mapping[str, _Question]) -> list[FigureChange]:
    """The changed figures of one kind; OVERALL is over the questions that can be answered."""
    if kind == OVERALL:
        chosen = [result for result in both if result.type != UNANSWERABLE]
    else:
        chosen = [result for result in both if result.type == kind]
    if not chosen:
        return []
    now, was = [one.values for one in chosen], [then[one.id].values for one in chosen]
    changes = []
    for name in NAMES:
        old, new = _mean(was, name), _mean(now, name)
        if old is not None and new is not None and not _same(old, new):
            drawn = samples(now, name) - samples(was, name)
            differing = sum(_differ(*both, name) for both in zip(now, was, strict=True))
            changes.append(FigureChange(kind, name, old, new, interval(drawn), differing))
    return changes


def _differ(now: Values, was: Values, metric: str) -> bool:
    ours, theirs = now.get(metric, ()), was.get(metric, ())
    return len(ours) != len(theirs) or not all(map(_same, ours, theirs))


def _mean(questions: Sequence[Values], metric: str) -> float | None:
    return mean([value for one in questions for value in one.get(metric, ())])


def _size(change: FigureChange) -> float:
    """How large a change is beside the larger of both values."""
    return abs(change.now - change.before) / max(abs(change.now), abs(change.before), 1e-9)


def _same(one: float, other: float) -> bool:
    # Reports hold six decimals.
    return abs(one - other) < 0.000002
