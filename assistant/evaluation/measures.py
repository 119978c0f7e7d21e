"""The figures of an evaluation: one row of METRICS each, and how one answer adds to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal, Protocol

from assistant.answer import Answer
from assistant.evaluation import metrics, overlap
from assistant.evaluation.testset import Case
from corpus.papers import Paper

if TYPE_CHECKING:
    from assistant.evaluation.judge import Judgement

FACTS = ("abstract", "title", "label", "year", "venue", "authors", "organisations", "keywords")
RANKS = (1, 3, 5, 8, 10, 20)
"""The k of recall@k."""


class Supports(Protocol):
    """Says of each sentence of an answer whether sources bear it out."""

    def of(self, answer: Answer, papers: Mapping[str, Paper]) -> Sequence[tuple[float, Sequence[float]]]:
        """Of each sentence that needs a source: citation recall, and the precision of each source."""
        ...


@dataclass(frozen=True)
class Asked:
    """A case, the answer to it, what the answer cites, and who judges whether that bears it out."""

    case: Case
    answer: Answer
    papers: Mapping[str, Paper]
    supports: Supports | None = None
    judgement: Judgement | None = None

    @property
    def cited(self) -> tuple[str, ...]:
        return tuple(citation.paper_id for citation in self.answer.citations)

    @property
    def ranking(self) -> tuple[str, ...]:
        return tuple(found.paper_id for found in self.answer.retrieved)

    @property
    def ranked(self) -> bool:
        """False for an answer of a system that doesn't say what it retrieved."""
        return bool(self.ranking) or self.answer.status == "error"

    @property
    def answered(self) -> bool:
        return self.answer.status == "answered"

    @property
    def whole_text(self) -> str:
        """The answer's text and its table's cells."""
        rows = self.answer.table.rows if self.answer.table else ()
        return " ".join([self.answer.text, *(cell.text for row in rows for cell in row.cells if cell)])

    @cached_property
    def support(self) -> Sequence[tuple[float, Sequence[float]]]:
        """Citation recall and precisions of the sentences of an answer; none without a judge."""
        return self.supports.of(self.answer, self.papers) if self.supports and self.answered else ()

    def source_of(self, marks: Iterable[int]) -> str:
        """Every field of the papers behind these markers, in one text."""
        wanted = set(marks)
        cited = [self.papers.get(c.paper_id) for c in self.answer.citations if c.marker in wanted]
        return " ".join(paper.field(name) for paper in cited if paper for name in FACTS)


@dataclass(frozen=True)
class Metric:
    """One figure: `of` gives the values that one question adds, none where it doesn't apply."""

    name: str
    of: Callable[[Asked], Sequence[float]]
    meaning: str
    better: Literal["higher", "lower"] = "higher"
    answerable_only: bool = True
    timing: bool = False


def _ranking(of: Callable[[Sequence[str], Sequence[str]], float]) -> Callable[[Asked], Sequence[float]]:
    def values(asked: Asked) -> list[float]:
        return [of(asked.ranking, asked.case.gold)] if asked.case.gold and asked.ranked else []

    return values


def _recall(k: int) -> Metric:
    what = "paper" if k == 1 else f"{k}"
    return Metric(
        f"recall@{k}",
        _ranking(lambda ranking, gold: metrics.recall_at_k(ranking, gold, k)),
        f"gold papers among the first {what} retrieved / gold papers",
    )


def _likeness(of: Callable[[str, str], float]) -> Callable[[Asked], Sequence[float]]:
    def values(asked: Asked) -> list[float]:
        return [of(asked.whole_text, asked.case.answer)] if asked.case.answer and asked.answered else []

    return values


def _ndcg(asked: Asked) -> list[float]:
    return [metrics.ndcg_at_k(asked.ranking, asked.case.grades, 10)] if asked.ranked else []


def _must(asked: Asked) -> list[float]:
    return [float(part == 1.0) for part in _must_part(asked)]


def _must_part(asked: Asked) -> list[float]:
    return [metrics.must_part(asked.case.must, asked.whole_text)] if asked.case.must else []


def _confused(asked: Asked) -> list[float]:
    unwanted = asked.case.must_not
    return [float(bool(metrics.found_in(unwanted, asked.answer.text)))] if unwanted else []


def _cite_precision(asked: Asked) -> list[float]:
    if not asked.cited and not asked.answered:
        return []
    return [metrics.citation_precision(asked.cited, asked.case.gold, asked.case.gold_optional)]


def _figures_ok(asked: Asked) -> list[float]:
    return [
        float(found)
        for sentence in asked.answer.sentences
        if sentence.citations and sentence.support != "unsupported"
        for found in metrics.figures_found(
            sentence.text, asked.source_of(mark.marker for mark in sentence.citations)
        )
    ]


def _figures_exact(asked: Asked) -> list[float]:
    reference = asked.case.answer if asked.case.type == "number" and asked.answered else None
    return [float(same) for same in metrics.figures_exact(asked.whole_text, reference)] if reference else []


def _support_recall(asked: Asked) -> list[float]:
    return [recall for recall, _ in asked.support]


def _support_precision(asked: Asked) -> list[float]:
    return [value for _, precisions in asked.support for value in precisions]


def _cite_recall(asked: Asked) -> list[float]:
    return [metrics.citation_recall(asked.cited, asked.case.gold)]


def _judged(of: Callable[[Judgement], float | None]) -> Callable[[Asked], Sequence[float]]:
    def values(asked: Asked) -> list[float]:
        value = of(asked.judgement) if asked.judgement else None
        return [] if value is None else [value]

    return values


def _usage(of: Callable[[Answer], float | None]) -> Callable[[Asked], Sequence[float]]:
    def values(asked: Asked) -> list[float]:
        value = of(asked.answer)
        return [] if value is None else [value]

    return values


METRICS = (
    *map(_recall, RANKS),
    Metric("hit@1", _ranking(lambda r, g: metrics.hit_at_k(r, g, 1)), "the first paper retrieved is gold"),
    Metric("mrr", _ranking(metrics.reciprocal_rank), "1 / rank of the first gold paper"),
    Metric("map", _ranking(metrics.average_precision), "average precision of the ranking"),
    Metric(
        "ndcg@10", _ndcg, "nDCG of the first 10, gain 2^grade - 1; gold 2, optional 1, or the grades of qrels"
    ),
    Metric("cite_recall", _cite_recall, "gold papers cited / gold papers"),
    Metric("cite_precision", _cite_precision, "cited papers that are gold or optional / cited papers"),
    Metric(
        "support_recall",
        _support_recall,
        "sentences that what they cite bears out / sentences (ALCE's citation recall, judged by the check)",
        answerable_only=False,
    ),
    Metric(
        "support_precision",
        _support_precision,
        "citations that bear their sentence out or are needed for it / citations (ALCE's citation precision)",
        answerable_only=False,
    ),
    Metric(
        "judge_correct",
        _judged(lambda judgement: judgement.correct),
        "an LLM's verdict against the reference: correct 1, partly 0.5, wrong 0",
        answerable_only=False,
    ),
    Metric(
        "judge_faithful",
        _judged(lambda judgement: judgement.faithful),
        "an LLM's verdict against what is cited: faithful 1, partly 0.5, unfaithful 0",
        answerable_only=False,
    ),
    Metric(
        "judge_agreement",
        _judged(lambda judgement: judgement.agreement),
        "repeats of the LLM's verdict that gave the most frequent one / repeats",
        answerable_only=False,
    ),
    Metric(
        "judge_failed",
        _judged(lambda judgement: judgement.failed),
        "repeats without a verdict of the LLM / repeats",
        better="lower",
        answerable_only=False,
    ),
    Metric("must", _must, "every entry of must stands in the answer"),
    Metric("must_part", _must_part, "entries of must that stand in the answer / entries"),
    Metric("confused", _confused, "something of must_not stands in the answer", better="lower"),
    Metric(
        "figures_exact", _figures_exact, "figures of the reference that the answer to a number question has"
    ),
    Metric("token_f1", _likeness(overlap.token_f1), "F1 of the answer's words and the reference's"),
    Metric(
        "rouge_l", _likeness(overlap.rouge_l), "F1 of the longest common order of words with the reference"
    ),
    Metric("chrf", _likeness(overlap.chrf), "chrF of the answer and the reference"),
    Metric(
        "refused",
        lambda asked: [float(not asked.answered)],
        "not answered; false where it could be",
        better="lower",
        answerable_only=False,
    ),
    Metric(
        "failed",
        lambda asked: [float(asked.answer.error is not None)],
        "answers that failed, or that stand in for a language model that did",
        better="lower",
        answerable_only=False,
    ),
    Metric("figures_ok", _figures_ok, "figures that the cited papers hold / figures", answerable_only=False),
    Metric(
        "words",
        lambda asked: [len(asked.answer.text.split())],
        "words of the answer",
        better="lower",
        answerable_only=False,
    ),
    Metric(
        "ms",
        lambda asked: [asked.answer.timings_ms.total],
        "milliseconds an answer",
        better="lower",
        answerable_only=False,
        timing=True,
    ),
    Metric(
        "llm_calls",
        _usage(lambda answer: answer.usage.llm_calls),
        "LLM calls an answer",
        better="lower",
        answerable_only=False,
    ),
    Metric(
        "tokens",
        _usage(lambda answer: answer.usage.prompt_tokens + answer.usage.completion_tokens),
        "tokens of prompt and answer, an answer",
        better="lower",
        answerable_only=False,
    ),
    Metric(
        "cost_usd",
        _usage(lambda answer: answer.usage.cost_usd),
        "US dollars an answer, where the price is known",
        better="lower",
        answerable_only=False,
    ),
)
NAMES = {metric.name: metric for metric in METRICS}
