"""The command `evaluate`."""

from __future__ import annotations

from argparse import Namespace
from contextlib import closing

from assistant.commands.questions import open_assistant
from assistant.config import Settings
from assistant.console import note, show_progress, write_json, write_table
from assistant.evaluation import report
from assistant.evaluation.run import run
from assistant.evaluation.scoring import Row

_SHOWN = (
    "recall@8",
    "recall@20",
    "cite_recall",
    "cite_precision",
    "must",
    "refused",
    "figures_ok",
    "words",
    "refused_unanswerable",
)

_FAULTS_SHOWN = 20


def evaluate(given: Namespace, settings: Settings) -> int:
    """The exit status: 1 when a figure is under its `--fail-under`; the table is on stdout."""
    with closing(open_assistant(settings)) as assistant, show_progress() as progress:
        result = run(
            given.testset,
            assistant=assistant,
            out=given.out,
            answers=given.answers,
            split=given.split,
            baseline=given.baseline,
            fail_under=given.fail_under,
            workers=given.workers,
            progress=progress,
        )
    if given.json:
        write_json(report.as_json(result))
    else:
        write_table(("kind", "n", *_SHOWN), [_cells(row) for row in result.rows])
    for fault in result.faults[:_FAULTS_SHOWN]:
        note(f"contract fault in {fault.case_id}: {fault.reason}")
    if len(result.faults) > _FAULTS_SHOWN:
        note(f"and {len(result.faults) - _FAULTS_SHOWN} more contract faults")
    if given.out:
        note(f"reports in {str(given.out)!r}")
    for limit in result.breached:
        figure = next((row.value(limit.metric) for row in result.rows if row.kind == limit.kind), None)
        note(f"assistant: {limit.kind}.{limit.metric} is {figure}, past its limit {limit.value}")
    return 1 if result.failed else 0


def _cells(row: Row) -> tuple[str, ...]:
    figures = (row.value(metric) for metric in _SHOWN)
    return (row.kind, str(row.n), *("" if figure is None else f"{figure:.3f}" for figure in figures))
