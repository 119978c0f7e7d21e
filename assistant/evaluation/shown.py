"""What both pages of a report show: its columns, its lists, the parts of a question, figures as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from assistant.evaluation.scoring import Row, Scored

if TYPE_CHECKING:
    from assistant.evaluation.comparison import Comparison, FigureChange
    from assistant.evaluation.run import EvaluationResult

HEADLINE = (
    "recall@8",
    "recall@20",
    "must",
    "cite_recall",
    "cite_precision",
    "support_recall",
    "figures_ok",
    "judge_correct",
    "judge_faithful",
    "refused",
    "words",
    "ms",
)
_WORST = 30
_NAMED = 8
_COUNTED = ("words", "ms", "tokens", "llm_calls")


def headline(rows: Sequence[Row]) -> tuple[str, ...]:
    """The columns of the headline table: those of HEADLINE that have a figure in any row."""
    return tuple(name for name in HEADLINE if any(row.value(name) is not None for row in rows))


def cells(row: Row, columns: Sequence[str]) -> tuple[str, ...]:
    """One line of a table: kind, n, and the figures of these columns as text."""
    return (row.kind, str(row.n), *(shown(row.value(name), name) for name in columns))


def summary(result: EvaluationResult) -> str:
    """What stands beneath the table: refusals, latency, faults."""
    overall = result.rows[-1]
    failed = sum(any(scored.values["failed"]) for scored in result.results)
    parts = (
        f"unanswerable refused {_with_interval(overall, 'refused_unanswerable')}",
        f"answerable refused {_with_interval(overall, 'refused')}",
        f"F1 of refusing {_with_interval(overall, 'refusal_f1')}",
        f"p50 {shown(overall.value('ms_p50'), 'ms')} ms, p95 {shown(overall.value('ms_p95'), 'ms')} ms",
        f"contract faults {len(result.faults)}",
        *([f"failed answers {failed}"] if failed else []),
    )
    return " · ".join(parts)


def about(result: EvaluationResult) -> str:
    """What was asked, of what, by what."""
    setup = result.setup
    answers = f", answers from {setup.answers}" if setup.answers else ""
    judge = f", judged by {setup.judge}" if setup.judge else ""
    split = f" ({setup.split})" if setup.split else ""
    stopped = f" It was stopped: {result.unasked} questions weren't asked." if result.unasked else ""
    return (
        f"{len(result.results)} questions of {setup.testset}{split} over the collection {setup.collection} "
        f"({setup.papers} papers), model {', '.join(setup.models)}{answers}{judge}.{stopped}"
    )


def made_with(result: EvaluationResult) -> list[tuple[str, str]]:
    """Names and values of all that a run depends on."""
    setup = result.setup
    lines = [
        ("test set", f"{setup.testset} ({setup.testset_hash})"),
        ("collection", f"{setup.collection}, version {setup.collection_version} ({setup.collection_hash})"),
        ("prompts", ", ".join(setup.prompt_hashes) or "none"),
        ("settings", ", ".join(f"{name} {value}" for name, value in setup.settings.items()) or "as they are"),
        ("versions", ", ".join(f"{name} {value}" for name, value in setup.versions.items())),
        ("intervals", f"95 % by {setup.samples:,} bootstrap samples of questions, seed {setup.seed}"),
    ]
    return lines


def lists(result: EvaluationResult) -> Iterator[tuple[str, list[str]]]:
    """Headed lists: broken limits, what surely changed, what else did, faults; empty ones are left out."""
    limits = [f"{limit.kind}: {limit.metric} had to keep {limit.value:g}" for limit in result.breached]
    found = [("Limits broken", limits)]
    found += compared(result.comparison) if result.comparison else []
    found.append(("Contract faults", [f"{fault.case_id}: {fault.reason}" for fault in result.faults]))
    return ((title, items) for title, items in found if items)


def compared(comparison: Comparison) -> list[tuple[str, list[str]]]:
    """Headed lists of what changed against an earlier run; empty ones are left out."""
    sure = [change for change in comparison.figures if change.certain]
    found = [
        ("Surely worse", [changed(change) for change in sure if change.worse]),
        ("Surely better", [changed(change) for change in sure if not change.worse]),
        (
            "Changed within what chance gives",
            [changed(one) for one in comparison.figures if not one.certain],
        ),
        (
            "Questions that only one run has",
            [*_only("before", comparison.only_before), *_only("now", comparison.only_now)],
        ),
    ]
    return [(title, items) for title, items in found if items]


def _only(when: str, ids: Sequence[str]) -> list[str]:
    more = f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
    return [f"{len(ids)} only {when}: {', '.join(ids[:_NAMED])}{more}"] if ids else []


def changed(change: FigureChange) -> str:
    """A change in a line: "number: must 0.958 → 0.708 (difference −0.417 to −0.083)"."""
    between = ""
    if change.interval:
        low, high = (_signed(end, change.metric) for end in (change.interval.low, change.interval.high))
        between = f" (difference {low} to {high})"
    then, now = shown(change.before, change.metric), shown(change.now, change.metric)
    return f"{change.kind}: {change.metric} {then} → {now}{between}"


def worst(result: EvaluationResult) -> Sequence[Scored]:
    """The questions that missed something, the worst first."""
    return [scored for scored in result.results if scored.missed or scored.faults][:_WORST]


def parts(scored: Scored) -> Iterator[tuple[str, str]]:
    """Headed texts of a question: what was asked, answered, expected, missed, and cited."""
    case = scored.case
    if case.history:
        yield "Asked before", "\n".join(f"- {turn.content}" for turn in case.history)
    yield "Question", case.question
    yield "Answer", scored.text
    if case.answer:
        yield "Reference", case.answer
    if scored.missed or scored.faults:
        yield "Missed", "\n".join(f"- {reason}" for reason in (*scored.missed, *scored.faults))
    if scored.judged:
        yield "The judge", "\n".join(f"- {reason}" for reason in scored.judged)
    if scored.cited:
        yield (
            "Sources",
            "\n".join(f"[{one.marker}] {one.label}: {' … '.join(one.quotes)}" for one in scored.cited),
        )


def shown(value: float | None, metric: str = "") -> str:
    """A figure as text: one decimal where things are counted, three where it is a share."""
    if value is None:
        return "–"
    return f"{value:.1f}" if metric.removesuffix("_p50").removesuffix("_p95") in _COUNTED else f"{value:.3f}"


def _signed(value: float, metric: str) -> str:
    """The value as text with its sign; none for what rounds to 0."""
    text = shown(abs(value), metric)
    return text if not float(text) else f"{'−' if value < 0 else '+'}{text}"


def _with_interval(row: Row, metric: str) -> str:
    figure = row.figure(metric)
    if figure is None or figure.interval is None:
        return shown(figure.value if figure else None)
    return f"{shown(figure.value)} ({figure.interval.low:.2f}–{figure.interval.high:.2f})"
