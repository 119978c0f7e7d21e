"""The reports of an evaluation: report.json for programs, report.md and report.html for people."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant.evaluation.comparison import REPORT
from assistant.evaluation.measures import METRICS
from assistant.evaluation.pages import as_html, as_markdown
from assistant.evaluation.scoring import Row, Scored

if TYPE_CHECKING:
    from assistant.evaluation.run import EvaluationResult


def write(result: EvaluationResult, folder: Path) -> None:
    """Writes report.json, report.md and report.html into the folder."""
    document = json.dumps(as_json(result), ensure_ascii=False, indent=1)
    (folder / REPORT).write_text(document + "\n", encoding="utf-8")
    (folder / "report.md").write_text(as_markdown(result), encoding="utf-8")
    (folder / "report.html").write_text(as_html(result), encoding="utf-8")


def as_json(result: EvaluationResult) -> dict[str, Any]:
    """The whole result as one JSON object; figures with three decimals."""
    comparison = result.comparison
    return {
        "testset": result.testset,
        "collection": result.collection,
        "collection_version": result.collection_version,
        "version": result.version,
        "models": list(result.models),
        "prompt_hashes": list(result.prompt_hashes),
        "metrics": {metric.name: metric.meaning for metric in METRICS},
        "scores": {row.kind: _scores(row) for row in result.rows},
        "counts": {row.kind: {figure.metric: figure.n for figure in row.figures} for row in result.rows},
        "faults": [[fault.case_id, fault.reason] for fault in result.faults],
        "failed": [f"{limit.kind}.{limit.metric}={limit.value:g}" for limit in result.breached],
        "changes": None
        if comparison is None
        else {
            "figures": [[c.kind, c.metric, c.before, round(c.now, 3)] for c in comparison.figures],
            "questions": [[c.case_id, c.before, round(c.now, 3)] for c in comparison.questions],
        },
        "questions": [_question(scored) for scored in result.results],
    }


def _scores(row: Row) -> dict[str, float | None]:
    figures = {f.metric: None if f.value is None else round(f.value, 3) for f in row.figures}
    return {"n": row.n, **figures}


def _question(scored: Scored) -> dict[str, Any]:
    case, answer = scored.case, scored.answer
    return {
        "id": case.id,
        "type": case.type,
        "quality": round(scored.quality, 3),
        "question": case.question,
        "history": [turn.content for turn in case.history],
        "status": answer.status,
        "answer": answer.text,
        "reference": case.answer,
        "gold": list(case.gold),
        "cited": [citation.paper_id for citation in answer.citations],
        "missed": list(scored.missed),
        "faults": list(scored.faults),
    }
