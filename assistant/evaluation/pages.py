"""The pages that people read of an evaluation, as Markdown and as HTML, and the lines of its table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING

from assistant.evaluation.scoring import Row, Scored

if TYPE_CHECKING:
    from assistant.evaluation.run import EvaluationResult

HEADLINE = (
    "recall@8",
    "recall@20",
    "cite_recall",
    "cite_precision",
    "must",
    "must_part",
    "refused",
    "figures_ok",
    "words",
    "ms",
)
_WORST = 30
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .6rem; text-align: right; border-bottom: 1px solid #8884; }
th:first-child, td:first-child { text-align: left; }
tbody tr:last-child { font-weight: 600; }
details { border: 1px solid #8886; border-radius: .4rem; margin: .5rem 0; padding: .4rem .8rem; }
summary { cursor: pointer; }
dt { font-weight: 600; }
dd { margin: 0 0 .6rem; white-space: pre-wrap; overflow-wrap: anywhere; }
"""


def cells(row: Row) -> tuple[str, ...]:
    """One line of the headline table: kind, n, and the figures of HEADLINE as text."""
    return (row.kind, str(row.n), *(_shown(row.value(name), name) for name in HEADLINE))


def summary(result: EvaluationResult) -> str:
    """What stands beneath the table: refusals, latency, faults."""
    overall = result.rows[-1]
    parts = (
        f"unanswerable refused {_shown(overall.value('refused_unanswerable'))}",
        f"answerable refused {_shown(overall.value('refused'))}",
        f"p50 {_shown(overall.value('ms_p50'), 'ms')} ms, p95 {_shown(overall.value('ms_p95'), 'ms')} ms",
        f"contract faults {len(result.faults)}",
    )
    return " · ".join(parts)


def as_markdown(result: EvaluationResult) -> str:
    """The report as Markdown: the table, what changed, the worst questions with what they missed."""
    head = ("", "n", *HEADLINE)
    lines = [f"# Evaluation on {result.testset}", "", _about(result), "", _pipes(head)]
    lines += [_pipes(["---", *["---:"] * (len(head) - 1)]), *(_pipes(cells(row)) for row in result.rows)]
    lines += ["", summary(result), ""]
    for title, items in _lists(result):
        lines += [f"## {title}", "", *(f"- {_one_line(item)}" for item in items), ""]
    lines += ["## Worst questions", ""]
    for scored in _worst(result):
        lines += [f"### {scored.case.id} ({scored.case.type}, {scored.quality:.2f})", ""]
        for name, text in _parts(scored):
            quoted = "\n".join(f"> {line}" for line in text.splitlines())
            lines += [f"**{name}**", "", quoted, ""]
    return "\n".join(lines)


def as_html(result: EvaluationResult) -> str:
    """The report as one HTML page that asks for nothing else."""
    head = "".join(f"<th>{escape(name)}</th>" for name in ("", "n", *HEADLINE))
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells(row)) + "</tr>\n" for row in result.rows
    )
    parts = [
        f"<h1>Evaluation on {escape(result.testset)}</h1>\n<p>{escape(_about(result))}</p>",
        f'<div class="wide"><table><thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table></div>',
        f"<p>{escape(summary(result))}</p>",
    ]
    for title, items in _lists(result):
        rows = "".join(f"<li>{escape(item)}</li>\n" for item in items)
        parts.append(f"<h2>{escape(title)}</h2>\n<ul>{rows}</ul>")
    parts.append("<h2>Worst questions</h2>")
    for scored in _worst(result):
        title = f"{scored.quality:.2f} · {scored.case.type} · {scored.case.id} · {scored.case.question}"
        rows = "".join(f"<dt>{escape(n)}</dt><dd>{escape(text)}</dd>\n" for n, text in _parts(scored))
        parts.append(f"<details><summary>{escape(title)}</summary><dl>{rows}</dl></details>")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f"<title>Evaluation on {escape(result.testset)}</title><style>{_STYLE}</style></head>\n<body>\n"
        + "\n".join(parts)
        + "\n</body></html>\n"
    )


def _about(result: EvaluationResult) -> str:
    return (
        f"Collection {result.collection} (version {result.collection_version}), "
        f"model {', '.join(result.models)}, assistant {result.version}."
    )


def _lists(result: EvaluationResult) -> Iterator[tuple[str, list[str]]]:
    if result.breached:
        limits = [f"{limit.kind}: {limit.metric} had to keep {limit.value:g}" for limit in result.breached]
        yield "Limits broken", limits
    if result.comparison:
        yield (
            "Changed figures",
            [
                f"{c.kind}: {c.metric} {_shown(c.before, c.metric)} -> {_shown(c.now, c.metric)}"
                for c in result.comparison.figures
            ],
        )
        yield (
            "Changed questions",
            [f"{c.case_id}: {c.before:.2f} -> {c.now:.2f}" for c in result.comparison.questions],
        )
    if result.faults:
        yield "Contract faults", [f"{fault.case_id}: {fault.reason}" for fault in result.faults]


def _worst(result: EvaluationResult) -> Sequence[Scored]:
    return [scored for scored in result.results if scored.missed or scored.faults][:_WORST]


def _parts(scored: Scored) -> Iterator[tuple[str, str]]:
    case = scored.case
    if case.history:
        yield "Asked before", "\n".join(f"- {turn.content}" for turn in case.history)
    yield "Question", case.question
    yield "Answer", scored.answer.text or scored.answer.error or scored.answer.status
    if case.answer:
        yield "Reference", case.answer
    if case.gold:
        yield "Gold", ", ".join(case.gold)
    if scored.missed or scored.faults:
        yield "Missed", "\n".join(f"- {reason}" for reason in (*scored.missed, *scored.faults))


def _shown(value: float | None, metric: str = "") -> str:
    if value is None:
        return "–"
    return f"{value:.1f}" if metric.split("_")[0] in ("words", "ms") else f"{value:.3f}"


def _pipes(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _one_line(text: str) -> str:
    return " ".join(text.split())
