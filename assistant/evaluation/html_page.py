"""The report of an evaluation as one HTML page: no script, no outside request, light and dark."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape as _escape
from typing import TYPE_CHECKING

from assistant.evaluation import metrics
from assistant.evaluation.charts import Cross, Dot, Line, dots, lines, square
from assistant.evaluation.measures import NAMES, RANKS
from assistant.evaluation.scoring import OVERALL, Row
from assistant.evaluation.shown import (
    about,
    cells,
    compared,
    headline,
    lists,
    made_with,
    parts,
    summary,
    worst,
)
from assistant.evaluation.style import STYLE
from corpus.short import visible

if TYPE_CHECKING:
    from assistant.evaluation.comparison import Comparison, QuestionChange
    from assistant.evaluation.run import EvaluationResult

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_CHARTED = (
    "recall@8",
    "recall@20",
    "ndcg@10",
    "must",
    "must_part",
    "cite_recall",
    "cite_precision",
    "support_recall",
    "support_precision",
    "figures_ok",
    "figures_exact",
)
_LONG = 12
"""Items of the longest list that is shown unfolded."""
_SHARES = (0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99)


def escape(text: str) -> str:
    """The text as HTML shows it; nothing in it steers the page or its direction."""
    return _escape(visible(text))


def as_html(result: EvaluationResult) -> str:
    """The whole page."""
    title = f"Evaluation on {escape(result.setup.testset)}"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f"<title>{title}</title><style>{STYLE}</style></head>\n<body><main>\n"
        f"<h1>{title}</h1>\n{body_html(result)}\n</main></body></html>\n"
    )


def body_html(result: EvaluationResult) -> str:
    """What stands below the heading, for a page that has a style of its own."""
    body = [f"<p>{escape(about(result))}</p>", _table(result)]
    body.append(f"<p>{escape(summary(result))}</p>")
    body += [_list(name, items) for name, items in lists(result)]
    body.append(f'<h2>Charts</h2>\n<div class="charts">{"".join(_charts(result))}</div>')
    body += _turned_questions(result.comparison) if result.comparison else []
    body.append("<h2>Worst questions</h2>")
    for scored in worst(result):
        head = f"{scored.quality:.2f} · {scored.case.type} · {scored.case.id} · {scored.case.question}"
        body.append(_details(head, parts(scored)))
    body.append(_details("What the figures are", ((one.name, one.meaning) for one in NAMES.values())))
    body.append(_details("Made with", made_with(result)))
    return "\n".join(body)


def comparison_html(comparison: Comparison) -> str:
    """What differs between two runs: figures, then the questions that turned."""
    body = [_list(name, items) for name, items in compared(comparison)]
    body += _turned_questions(comparison)
    return "\n".join(body) or "<p>No figure and no question differs.</p>"


def _table(result: EvaluationResult) -> str:
    columns = headline(result.rows)
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in ("kind", "n", *columns))
    body = "".join(_row(row, columns) for row in result.rows)
    return (
        '<div class="wide" tabindex="0" role="region" aria-label="Figures by kind of question">'
        f"<table><thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table></div>"
    )


def _row(row: Row, columns: tuple[str, ...]) -> str:
    kind, n, *figures = cells(row, columns)
    shown = [f'<th scope="row">{escape(kind)}</th><td>{n}</td>']
    for name, text in zip(columns, figures, strict=True):
        figure = row.figure(name)
        between = figure.interval if figure and name not in ("words", "ms") else None
        small = f"<small>{between.low:.2f}–{between.high:.2f}</small>" if between else ""
        shown.append(f"<td>{escape(text)}{small}</td>")
    return f"<tr>{''.join(shown)}</tr>\n"


def _charts(result: EvaluationResult) -> Iterator[str]:
    overall = result.rows[-1]
    changes = result.comparison.figures if result.comparison else ()
    before = {(one.kind, one.metric): one.before for one in changes}
    values = [
        Dot(name, figure.value, figure.interval, before.get((OVERALL, name)))
        for name in _CHARTED
        if (figure := overall.figure(name)) and figure.value is not None
    ]
    if values:
        yield dots("Over all answerable questions, with 95 % intervals", values)
    if recalls := [line for row in _ends(result) if (line := _recall(row))]:
        yield lines("Gold papers among the first k", recalls, RANKS, "k papers retrieved")
    if cross := _refusals(overall):
        yield square(
            "False answers against false refusals",
            cross,
            "answerable questions refused",
            "unanswerable questions answered",
        )
    times = sorted(value for scored in result.results for value in scored.values["ms"] if value > 0)
    if times:
        reached = [(metrics.percentile(times, share), share) for share in _SHARES]
        yield lines(
            "Share answered in time", [Line("answers", tuple(reached))], _ticks(times), "milliseconds"
        )


def _ends(result: EvaluationResult) -> list[Row]:
    """The row over all questions, and those of the kinds whose gold papers are found best and worst."""
    kinds = [row for row in result.rows[:-1] if row.value("recall@20") is not None]
    kinds.sort(key=lambda row: row.value("recall@8") or 0.0)
    ends = dict.fromkeys([result.rows[-1], *kinds[:1], *kinds[-1:]])
    return list(ends)


def _recall(row: Row) -> Line | None:
    places = [(float(k), value) for k in RANKS if (value := row.value(f"recall@{k}")) is not None]
    return Line("all" if row.kind == OVERALL else row.kind, tuple(places)) if places else None


def _refusals(overall: Row) -> list[Cross]:
    refused, rightly = overall.figure("refused"), overall.figure("refused_unanswerable")
    if not refused or not rightly or refused.value is None or rightly.value is None:
        return []
    answered = rightly.interval and type(rightly.interval)(
        1 - rightly.interval.high, 1 - rightly.interval.low
    )
    return [Cross("this run", refused.value, 1 - rightly.value, refused.interval, answered)]


def _ticks(times: list[float]) -> list[float]:
    """Powers of ten, and thrice them, from below the shortest to above the longest."""
    steps = [scale * 10.0**power for power in range(-1, 8) for scale in (1, 3)]
    first = max([step for step in steps if step <= times[0]], default=steps[0])
    last = min([step for step in steps if step >= times[-1]], default=steps[-1])
    return [step for step in steps if first <= step <= last]


def _turned_questions(comparison: Comparison) -> list[str]:
    turned = [_turned(one) for one in comparison.questions]
    return ["<h2>Questions that turned</h2>", *turned] if turned else []


def _turned(one: QuestionChange) -> str:
    head = f"{one.before:.2f} → {one.now:.2f} · {one.case_id} · {one.question}"
    sides = "".join(
        f"<div><strong>{name}</strong><p>{escape(text)}</p></div>"
        for name, text in (("Before", one.text_before), ("Now", one.text_now))
    )
    return f'<details><summary>{escape(head)}</summary><div class="sides">{sides}</div></details>'


def _details(head: str, texts: Iterator[tuple[str, str]] | list[tuple[str, str]]) -> str:
    rows = "".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>\n" for name, text in texts)
    return f"<details><summary>{escape(head)}</summary><dl>{rows}</dl></details>"


def _list(name: str, items: list[str]) -> str:
    """A headed list, folded where it is long."""
    if len(items) <= _LONG:
        return f"<h2>{escape(name)}</h2>\n<ul>{_items(items)}</ul>"
    return f"<details><summary>{escape(name)} ({len(items)})</summary><ul>{_items(items)}</ul></details>"


def _items(items: list[str]) -> str:
    return "".join(f"<li>{escape(item)}</li>\n" for item in items)
