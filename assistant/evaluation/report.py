"""The reports of an evaluation: report.json for programs, report.md and report.html for people."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant.evaluation.comparison import REPORT
from assistant.evaluation.html_page import as_html
from assistant.evaluation.markdown_page import as_markdown
from assistant.evaluation.measures import METRICS
from assistant.evaluation.scoring import Figure, Row, Scored

if TYPE_CHECKING:
    from assistant.evaluation.run import EvaluationResult

_DIGITS = 6


def write(result: EvaluationResult, folder: Path) -> None:
    """Writes report.json, report.md and report.html into the folder."""
    document = json.dumps(as_json(result), ensure_ascii=False, indent=1)
    (folder / REPORT).write_text(document + "\n", encoding="utf-8")
    (folder / "report.md").write_text(as_markdown(result), encoding="utf-8")
    (folder / "report.html").write_text(as_html(result), encoding="utf-8")


def as_json(result: EvaluationResult) -> dict[str, Any]:
    """The whole result as one JSON object; means with three decimals, values with six."""
    comparison = result.comparison
    return {
        "setup": asdict(result.setup),
        "metrics": {metric.name: metric.meaning for metric in METRICS},
        "scores": {
            row.kind: {"n": row.n, **_each(row, lambda one: _rounded(one.value))} for row in result.rows
        },
        "counts": {row.kind: _each(row, lambda one: one.n) for row in result.rows},
        "intervals": {row.kind: _each(row, _ends) for row in result.rows},
        "unasked": result.unasked,
        "faults": [[fault.case_id, fault.reason] for fault in result.faults],
        "failed": [f"{limit.kind}.{limit.metric}={limit.value:g}" for limit in result.breached],
        "changes": None
        if comparison is None
        else {
            "figures": [
                {**asdict(change), "certain": change.certain, "worse": change.worse}
                for change in comparison.figures
            ],
            "questions": [[one.case_id, one.before, round(one.now, 3)] for one in comparison.questions],
            "only_before": list(comparison.only_before),
            "only_now": list(comparison.only_now),
        },
        "questions": [_question(scored) for scored in result.results],
    }


def _each(row: Row, of: Callable[[Figure], Any]) -> dict[str, Any]:
    return {figure.metric: of(figure) for figure in row.figures}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)


def _ends(figure: Figure) -> list[float] | None:
    return [round(end, 3) for end in (figure.interval.low, figure.interval.high)] if figure.interval else None


def _question(scored: Scored) -> dict[str, Any]:
    case = scored.case
    return {
        "id": case.id,
        "type": case.type,
        "quality": round(scored.quality, 3),
        "question": case.question,
        "history": [turn.content for turn in case.history],
        "status": scored.status,
        "answer": scored.text,
        "reference": case.answer,
        "gold": list(case.gold),
        "cited": [one.paper_id for one in scored.cited],
        "missed": list(scored.missed),
        "faults": list(scored.faults),
        "values": {
            name: [round(value, _DIGITS) for value in values] for name, values in scored.values.items()
        },
    }
