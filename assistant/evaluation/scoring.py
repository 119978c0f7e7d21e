"""Scores of answers against a test set: what each missed, and one line of a table a kind of question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

from assistant.answer import Answer, Status
from assistant.evaluation import metrics
from assistant.evaluation.intervals import Floats, Interval, interval, percentile_interval, samples
from assistant.evaluation.measures import FACTS, METRICS, Asked, Supports
from assistant.evaluation.testset import Case, CaseType
from corpus.papers import Paper

if TYPE_CHECKING:
    from assistant.evaluation.judge import Judgement

OVERALL = "ALL"
KINDS = (*get_args(CaseType), "untyped")
# What only the row over all questions has, and which way is better.
EXTRAS = {
    "refused_unanswerable": "higher",
    "refusal_f1": "higher",
    "ms_p50": "lower",
    "ms_p95": "lower",
    "faults": "lower",
}


@dataclass(frozen=True)
class Figure:
    """A metric over a kind's questions, how many values it stands on, and its bootstrap interval."""

    metric: str
    value: float | None
    n: int
    interval: Interval | None = None


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    kind: str
    n: int
    figures: tuple[Figure, ...]

    def figure(self, metric: str) -> Figure | None:
        """The figure of that name, None where the row has none."""
        return next((figure for figure in self.figures if figure.metric == metric), None)

    def value(self, metric: str) -> float | None:
        """The value of that name, None where it doesn't apply."""
        figure = self.figure(metric)
        return figure.value if figure else None


@dataclass(frozen=True)
class Cited:
    """A paper that an answer cites, and the words of it that it quotes."""

    marker: int
    paper_id: str
    label: str
    quotes: tuple[str, ...]


@dataclass(frozen=True)
class Scored:
    """One question, what the answer said, its scores, what it missed and its faults against the contract."""

    case: Case
    status: Status
    text: str
    cited: tuple[Cited, ...]
    values: Mapping[str, tuple[float, ...]]
    missed: tuple[str, ...]
    faults: tuple[str, ...]
    judged: tuple[str, ...] = ()

    @property
    def quality(self) -> float:
        """Mean of `must_part`, citation recall and precision, 0 when refused; 1 for a right refusal."""
        refused = self.values["refused"][0]
        if not self.case.answerable:
            return refused
        parts = [v for name in ("must_part", "cite_recall", "cite_precision") for v in self.values[name]]
        return 0.0 if refused else sum(parts) / len(parts)


def score(
    case: Case,
    answer: Answer,
    papers: Mapping[str, Paper],
    supports: Supports | None = None,
    judgement: Judgement | None = None,
) -> Scored:
    """The scores of one answer; `papers` are those of the collection by id, aliases too.

    `supports` judges whether each sentence is borne out by what it cites, `judgement` is what an LLM said.
    """
    asked = Asked(case, answer, papers, supports, judgement)
    values = {m.name: tuple(m.of(asked)) for m in METRICS if case.answerable or not m.answerable_only}
    return Scored(
        case=case,
        status=answer.status,
        text=answer.text or answer.error or answer.status,
        cited=tuple(
            Cited(one.marker, one.paper_id, one.label, tuple(quote.text for quote in one.quotes))
            for one in answer.citations
        ),
        values=values,
        missed=_missed(asked, values),
        faults=contract_faults(answer, papers),
        judged=(*judgement.reasons, *judgement.failures) if judgement else (),
    )


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

    The last row's figures are over the answerable questions, EXTRAS excepted, so that a refusal counts
    once for and once against.
    """
    rows = []
    for kind in KINDS:
        mine = [result for result in results if result.case.type == kind]
        if mine:
            rows.append(Row(kind, len(mine), _figures(mine)))
    answerable = [result for result in results if result.case.answerable]
    hopeless = [result for result in results if not result.case.answerable]
    extra = (
        _pooled("refused", hopeless, "refused_unanswerable"),
        _refusal_f1(results),
        _percentile(results, 0.5),
        _percentile(results, 0.95),
        Figure("faults", float(sum(len(result.faults) for result in results) + missing), len(results)),
    )
    return (*rows, Row(OVERALL, len(results), (*_figures(answerable), *extra)))


def sampled(results: Sequence[Scored], metric: str) -> Floats | None:
    """The figure of METRICS in each bootstrap sample of these questions; None without any."""
    return samples([result.values for result in results], metric) if results else None


def _figures(results: Sequence[Scored]) -> tuple[Figure, ...]:
    return tuple(_pooled(metric.name, results) for metric in METRICS)


def _pooled(metric: str, results: Sequence[Scored], name: str = "") -> Figure:
    values = [value for result in results for value in result.values.get(metric, ())]
    drawn = sampled(results, metric) if values else None
    between = interval(drawn) if drawn is not None else None
    return Figure(name or metric, metrics.mean(values), len(values), between)


def _percentile(results: Sequence[Scored], share: float) -> Figure:
    times = [value for result in results for value in result.values["ms"]]
    value = metrics.percentile(times, share) if times else None
    return Figure(f"ms_p{round(share * 100)}", value, len(times), percentile_interval(times, share))


def _refusal_f1(results: Sequence[Scored]) -> Figure:
    """F1 of refusing what has no answer, over all questions."""
    counts = [_refusal_counts(result) for result in results]
    right, answered, refused = (sum(one[at] for one in counts) for at in range(3))
    value = metrics.refusal_f1(right, answered, refused)
    if value is None or not results:
        return Figure("refusal_f1", value, len(results))
    # 2TP / (2TP + FN + FP) as sum / number of values, so that it is drawn like every other figure.
    values = [{"f1": (1.0,) * (2 * tp) + (0.0,) * (fn + fp)} for tp, fn, fp in counts]
    return Figure("refusal_f1", value, len(results), interval(samples(values, "f1")))


def _refusal_counts(result: Scored) -> tuple[int, int, int]:
    """Refused rightly, answered falsely, refused falsely: 0 or 1 each."""
    refused, answerable = bool(result.values["refused"][0]), result.case.answerable
    return int(refused and not answerable), int(not refused and not answerable), int(refused and answerable)


def _missed(asked: Asked, values: Mapping[str, Sequence[float]]) -> tuple[str, ...]:
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
        if asked.ranked and paper not in asked.ranking[:20]
    ]
    if answer.error and asked.answered:
        missed.append(f"the language model failed: {answer.error}")
    if wrong := values["figures_ok"].count(0.0):
        missed.append(f"{wrong} {'figure' if wrong == 1 else 'figures'} that the cited papers don't hold")
    if unborne := values["support_recall"].count(0.0):
        missed.append(
            f"{unborne} {'sentence' if unborne == 1 else 'sentences'} not borne out by what is cited"
        )
    return tuple(missed)


def _name(paper_id: str, asked: Asked) -> str:
    paper = asked.papers.get(paper_id)
    return f"{paper.label} ({paper_id})" if paper else paper_id
