"""Scores of answers against a test set: what each missed, and one line of a table a kind of question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from assistant.answer import Answer
from assistant.evaluation import metrics
from assistant.evaluation.measures import FACTS, METRICS, Asked
from assistant.evaluation.testset import Case, CaseType
from corpus.papers import Paper

OVERALL = "ALL"
KINDS = (*get_args(CaseType), "untyped")
# What only the row over all questions has, and which way is better.
EXTRAS = {"refused_unanswerable": "higher", "ms_p50": "lower", "ms_p95": "lower", "faults": "lower"}


@dataclass(frozen=True)
class Figure:
    """The mean of a metric over a kind's questions, and how many values it stands on."""

    metric: str
    value: float | None
    n: int


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    kind: str
    n: int
    figures: tuple[Figure, ...]

    def value(self, metric: str) -> float | None:
        """The figure of that name, None where it doesn't apply."""
        return next((figure.value for figure in self.figures if figure.metric == metric), None)


@dataclass(frozen=True)
class Scored:
    """One question with its answer, its scores, what it missed and its faults against the contract."""

    case: Case
    answer: Answer
    values: Mapping[str, tuple[float, ...]]
    missed: tuple[str, ...]
    faults: tuple[str, ...]

    @property
    def quality(self) -> float:
        """Mean of `must_part`, citation recall and precision, 0 when refused; 1 for a right refusal."""
        refused = self.values["refused"][0]
        if not self.case.answerable:
            return refused
        parts = [v for name in ("must_part", "cite_recall", "cite_precision") for v in self.values[name]]
        return 0.0 if refused else sum(parts) / len(parts)


def score(case: Case, answer: Answer, papers: Mapping[str, Paper]) -> Scored:
    """The scores of one answer; `papers` are those of the collection by id, aliases too."""
    asked = Asked(case, answer, papers)
    values = {m.name: tuple(m.of(asked)) for m in METRICS if case.answerable or not m.answerable_only}
    return Scored(case, answer, values, _missed(asked), contract_faults(answer, papers))


def contract_faults(answer: Answer, papers: Mapping[str, Paper]) -> tuple[str, ...]:
    """What breaks the contract's promises about markers and quotes, a sentence each."""
    marks, have = set(metrics.markers(answer.text)), {c.marker for c in answer.citations}
    faults = [f"marker [{number}] without a citation" for number in sorted(marks - have)]
    for citation in answer.citations:
        paper = papers.get(citation.paper_id)
        for quote in citation.quotes:
            text = _field(paper, quote.field) if paper else ""
            if text[quote.start : quote.end] != quote.text:
                faults.append(
                    f"a quote of [{citation.marker}] isn't "
                    f"{citation.paper_id}.{quote.field}[{quote.start}:{quote.end}]"
                )
    faults += [f"citation [{number}] not used in the text" for number in sorted(have - marks)]
    return tuple(faults)


def _field(paper: Paper, name: str) -> str:
    return paper.field(name) if name in FACTS else ""


def table(results: Sequence[Scored], missing: int = 0) -> tuple[Row, ...]:
    """A row for each type of question, then the row over all; `missing` questions had no answer.

    The last row's figures are means over the answerable questions, `refused_unanswerable` and the
    percentiles of latency excepted, so that a refusal counts once for and once against.
    """
    rows = []
    for kind in KINDS:
        mine = [result for result in results if result.case.type == kind]
        if mine:
            rows.append(Row(kind, len(mine), _figures(mine)))
    answerable = [result for result in results if result.case.answerable]
    hopeless = [result for result in results if not result.case.answerable]
    times = [value for result in results for value in result.values["ms"]]
    extra = [_pooled("refused", hopeless, "refused_unanswerable")]
    extra += [
        Figure(f"ms_p{round(share * 100)}", metrics.percentile(times, share) if times else None, len(times))
        for share in (0.5, 0.95)
    ]
    faults = sum(len(result.faults) for result in results) + missing
    extra.append(Figure("faults", float(faults), len(results)))
    return (*rows, Row(OVERALL, len(results), (*_figures(answerable), *extra)))


def _figures(results: Sequence[Scored]) -> tuple[Figure, ...]:
    return tuple(_pooled(metric.name, results) for metric in METRICS)


def _pooled(metric: str, results: Sequence[Scored], name: str = "") -> Figure:
    values = [value for result in results for value in result.values.get(metric, ())]
    return Figure(name or metric, metrics.mean(values), len(values))


def _missed(asked: Asked) -> tuple[str, ...]:
    case, answer = asked.case, asked.answer
    if not case.answerable:
        return ("answered, though the collection doesn't hold it",) if asked.answered else ()
    missed = [] if asked.answered else [f"not answered: {answer.error or answer.status}"]
    for entry in case.must:
        if not metrics.found_in(entry, asked.whole_text):
            missed.append(f"must: {' | '.join(entry)}")
    missed += [f"must not: {words}" for words in metrics.found_in(case.must_not, answer.text)]
    missed += [f"gold not cited: {_name(paper, asked)}" for paper in case.gold if paper not in asked.cited]
    right = {*case.gold, *case.gold_optional}
    missed += [f"cited, not gold: {_name(paper, asked)}" for paper in asked.cited if paper not in right]
    missed += [
        f"not among the first 20: {_name(paper, asked)}"
        for paper in case.gold
        if paper not in asked.ranking[:20]
    ]
    return tuple(missed)


def _name(paper_id: str, asked: Asked) -> str:
    paper = asked.papers.get(paper_id)
    return f"{paper.label} ({paper_id})" if paper else paper_id
