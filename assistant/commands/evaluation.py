"""The command `evaluate`."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.commands.questions import open_assistant
from assistant.config import Settings
from assistant.console import note, show_progress, write, write_json, write_table
from assistant.evaluation import report
from assistant.evaluation.run import EvaluationResult, run
from assistant.evaluation.shown import cells, changed, headline, summary
from assistant.evaluation.support import CheckedSupport
from corpus.builtin import QUESTIONS
from corpus.errors import InputError
from corpus.layout import BUILT_IN

if TYPE_CHECKING:
    from assistant.evaluation.judge import Judge

_SHOWN = 20
"""Faults and changes that are named; the report has all."""


def evaluate(given: Namespace, settings: Settings) -> int:
    """The exit status: 1 when a figure is past its `--fail-under`; the table is on stdout."""
    testset, settings = _chosen(given, settings)
    with (
        closing(open_assistant(settings)) as assistant,
        _opened_judge(given, settings) as judge,
        show_progress() as progress,
    ):
        if given.answers is None:
            # The first question would pay for loading the model.
            assistant.search("warm", top_k=1)
        result = run(
            testset,
            assistant=assistant,
            out=given.out,
            answers=given.answers,
            split=given.split,
            baseline=given.baseline,
            fail_under=given.fail_under,
            supports=CheckedSupport(assistant.verifier()),
            judge=judge,
            settings=settings,
            workers=given.workers,
            resume=given.resume,
            progress=progress,
        )
    if given.json:
        write_json(report.as_json(result))
    else:
        columns = headline(result.rows)
        write_table(("kind", "n", *columns), [cells(row, columns) for row in result.rows])
        write(summary(result))
    _notes(result)
    if given.out:
        note(f"reports in {str(given.out)!r}")
    for limit in result.breached:
        figure = next((row.value(limit.metric) for row in result.rows if row.kind == limit.kind), None)
        note(f"assistant: {limit.kind}.{limit.metric} is {figure}, past its limit {limit.value}")
    return 1 if result.failed or (result.missing and given.fail_under) else 0


def _chosen(given: Namespace, settings: Settings) -> tuple[Path, Settings]:
    """The test set, and the settings with the collection that it is for."""
    if given.builtin and given.testset:
        raise InputError(f"--builtin has its own test set; leave out {str(given.testset)!r}, or --builtin")
    if given.builtin:
        return QUESTIONS, replace(settings, collection=BUILT_IN)
    if given.testset is None:
        raise InputError("no test set was named: give a file, or --builtin for the one that comes with this")
    if given.resume and not given.out:
        raise InputError("--resume goes on in the folder of --out; name it")
    return given.testset, settings


@contextmanager
def _opened_judge(given: Namespace, settings: Settings) -> Iterator[Judge | None]:
    """The judge that the options ask for, closed at the end; InputError where no model is set."""
    if given.judge is None:
        yield None
        return
    from assistant.evaluation.judge import open_judge

    with closing(open_judge(settings, given.judge, given.judge_repeats)) as judge:
        yield judge


def _cautions(result: EvaluationResult) -> list[str]:
    """What has to be known before the figures are believed, a line each."""
    lines = []
    asked = len(result.results) + len(result.missing)
    if result.missing:
        lines.append(
            f"{len(result.missing)} of {asked} questions have no answer; they count in no figure but faults"
        )
    failed = [scored for scored in result.results if any(scored.values["failed"])]
    if failed:
        reason = next((one for one in failed[0].missed if "failed" in one or "not answered" in one), "")
        lines.append(
            f"{len(failed)} of {asked} answers failed, or are quotes for a model that failed: {reason}"
        )
    judged = [value for scored in result.results for value in scored.values.get("judge_failed", ())]
    if any(judged):
        lines.append(f"the judge failed on {sum(value > 0 for value in judged)} of {len(judged)} answers")
    return lines


def _notes(result: EvaluationResult) -> None:
    """Nothing; what changed for sure, and what breaks the contract, is on stderr."""
    sure = [change for change in result.comparison.figures if change.certain] if result.comparison else []
    lines = _cautions(result)
    lines += [f"surely {'worse' if change.worse else 'better'}: {changed(change)}" for change in sure]
    if result.comparison and not sure:
        common, turned = result.comparison.in_common, len(result.comparison.questions)
        lines.append(f"no figure changed for certain: {common} questions in common, {turned} of them turned")
    lines += [f"contract fault in {fault.case_id}: {fault.reason}" for fault in result.faults]
    for line in lines[:_SHOWN]:
        note(line)
    if len(lines) > _SHOWN:
        note(f"and {len(lines) - _SHOWN} more; the report has them all")
