"""The figures of an evaluation: one row of METRICS each, and how one answer adds to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from assistant.answer import Answer
from assistant.evaluation import metrics
from assistant.evaluation.testset import Case
from corpus.papers import Paper

FACTS = ("abstract", "title", "label", "year", "venue", "authors", "organisations", "keywords")


@dataclass(frozen=True)
class Asked:
    """A case, the answer to it, and what the answer cites."""

    case: Case
    answer: Answer
    papers: Mapping[str, Paper]

    @property
    def cited(self) -> tuple[str, ...]:
        return tuple(citation.paper_id for citation in self.answer.citations)

    @property
    def ranking(self) -> tuple[str, ...]:
        return tuple(found.paper_id for found in self.answer.retrieved)

    @property
    def answered(self) -> bool:
        return self.answer.status == "answered"

    @property
    def whole_text(self) -> str:
        """The answer's text and its table's cells."""
        rows = self.answer.table.rows if self.answer.table else ()
        return " ".join([self.answer.text, *(cell.text for row in rows for cell in row.cells if cell)])

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


def _recall_5(asked: Asked) -> list[float]:
    return [metrics.recall_at_k(asked.ranking, asked.case.gold, 5)]


def _recall_8(asked: Asked) -> list[float]:
    return [metrics.recall_at_k(asked.ranking, asked.case.gold, 8)]


def _recall_20(asked: Asked) -> list[float]:
    return [metrics.recall_at_k(asked.ranking, asked.case.gold, 20)]


def _ndcg(asked: Asked) -> list[float]:
    grades = {**dict.fromkeys(asked.case.gold_optional, 1), **dict.fromkeys(asked.case.gold, 2)}
    return [metrics.ndcg_at_k(asked.ranking, grades, 10)]


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


def _hit(asked: Asked) -> list[float]:
    return [metrics.hit_at_k(asked.ranking, asked.case.gold, 1)]


def _mrr(asked: Asked) -> list[float]:
    return [metrics.reciprocal_rank(asked.ranking, asked.case.gold)]


def _map(asked: Asked) -> list[float]:
    return [metrics.average_precision(asked.ranking, asked.case.gold)]


def _cite_recall(asked: Asked) -> list[float]:
    return [metrics.citation_recall(asked.cited, asked.case.gold)]


def _refused(asked: Asked) -> list[float]:
    return [float(not asked.answered)]


def _words(asked: Asked) -> list[float]:
    return [len(asked.answer.text.split())]


def _ms(asked: Asked) -> list[float]:
    return [asked.answer.timings_ms.total]


def _llm_calls(asked: Asked) -> list[float]:
    return [asked.answer.usage.llm_calls]


METRICS = (
    Metric("recall@5", _recall_5, "gold papers among the first 5 retrieved / gold papers"),
    Metric("recall@8", _recall_8, "gold papers among the first 8 retrieved / gold papers"),
    Metric("recall@20", _recall_20, "gold papers among the first 20 retrieved / gold papers"),
    Metric("hit@1", _hit, "the first paper retrieved is gold"),
    Metric("mrr", _mrr, "1 / rank of the first gold paper"),
    Metric("map", _map, "average precision of the ranking"),
    Metric("ndcg@10", _ndcg, "nDCG of the first 10, gold 2, optional 1, gain 2^grade - 1"),
    Metric("cite_recall", _cite_recall, "gold papers cited / gold papers"),
    Metric("cite_precision", _cite_precision, "cited papers that are gold or optional / cited papers"),
    Metric("must", _must, "every entry of must stands in the answer"),
    Metric("must_part", _must_part, "entries of must that stand in the answer / entries"),
    Metric("confused", _confused, "something of must_not stands in the answer", better="lower"),
    Metric(
        "refused", _refused, "not answered; false where it could be", better="lower", answerable_only=False
    ),
    Metric("figures_ok", _figures_ok, "figures that the cited papers hold / figures", answerable_only=False),
    Metric("words", _words, "words of the answer", better="lower", answerable_only=False),
    Metric("ms", _ms, "milliseconds an answer", better="lower", answerable_only=False),
    Metric("llm_calls", _llm_calls, "LLM calls an answer", better="lower", answerable_only=False),
)
