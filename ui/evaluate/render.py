"""The Evaluate tab's words as HTML strings. Pure: nothing here knows Gradio or the session."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assistant.evaluation.runs import Run
    from ui.evaluate.testsets import TestSet

_FAULTS_SHOWN = 100
_LONG_FAULT = 400
INTRODUCTION = (
    "<h2>How good are the answers?</h2><p>A test set is run through the same assistant that the chat asks: "
    "papers found, citations right, figures true, refusals where they belong. Each figure comes with the "
    "interval that chance leaves it.</p>"
)
_STATES = {"running": "not finished", "done": "", "stopped": "stopped", "failed": "failed"}


def chosen_html(testset: TestSet) -> str:
    """What was chosen: its questions by part, or its faults line by line."""
    if testset.faults:
        return _faults(testset)
    parts = [f"{count:,} {escape(name)}" for name, count in testset.splits if name]
    inside = f" ({', '.join(parts)})" if parts else ""
    return f"<p><strong>{escape(testset.name)}</strong>: {_questions(testset.questions)}{inside}</p>"


def feedback_html(testset: TestSet, drafts: int) -> str:
    """The answers rated down as a test set: what may be run, or what is still to be filled in."""
    if not drafts:
        return "<p>No answer of this collection has been rated down.</p>"
    if testset.usable:
        said = "from answers rated down. They are drafts: the file says what to check."
        return f"<p>{_questions(drafts)} {said}</p>"
    return (
        f"<p>{_questions(drafts)} from answers rated down. Download them, fill in what is missing, and "
        f"choose the file as one of yours.</p>{_faults(testset)}"
    )


def progress_html(done: int, total: int, left: float | None, *, stopping: bool = False) -> str:
    """How far a run is, as a bar and in words."""
    share = done / total if total else 0.0
    said = f"{done:,} of {total:,} questions" if total else "Getting ready"
    if stopping:
        said += " · stopping"
    elif left is not None and done < total:
        said += f" · about {_time(left)} left"
    return (
        f'<div class="bar" role="progressbar" aria-label="Evaluation" aria-valuemin="0" '
        f'aria-valuemax="{total or 1}" aria-valuenow="{done}" aria-valuetext="{escape(said)}">'
        f'<span style="width:{100 * share:.1f}%"></span></div><p>{escape(said)}</p>'
    )


def run_label(run: Run) -> str:
    """A run in a line of a list."""
    state = _STATES[run.state]
    count = f"{run.answered:,} questions" if run.answered else ""
    model = "" if run.model == "none" else run.model
    parts = (run.begun, run.testset, run.split or "", count, model, "judged" if run.judged else "", state)
    return " · ".join(part for part in parts if part)


def run_html(run: Run, body: str | None) -> str:
    """A run's report; `body` is None where it has none."""
    if run.fault:
        faults = "".join(f"<li>{escape(fault)}</li>" for fault in run.faults[:_FAULTS_SHOWN])
        return fault_html(run.fault) + (f'<ul class="faults">{faults}</ul>' if faults else "")
    if body is None:
        return '<p class="none">This run has no report: it was cut off before its end.</p>'
    return f'<article class="report" aria-label="Report">{body}</article>'


def compared_html(before: Run, body: str) -> str:
    """What differs from an earlier run."""
    return (
        '<article class="report compared" aria-label="Comparison">'
        f"<h2>Against {escape(run_label(before))}</h2>{body}</article>"
    )


def fault_html(message: str) -> str:
    """One plain line that says what went wrong."""
    return f'<p class="fault" role="alert">{escape(" ".join(message.split()))}</p>'


def _faults(testset: TestSet) -> str:
    count = len(testset.faults)
    items = "".join(f"<li>{escape(_cut(fault))}</li>" for fault in testset.faults[:_FAULTS_SHOWN])
    more = f"<p>and {count - _FAULTS_SHOWN:,} more</p>" if count > _FAULTS_SHOWN else ""
    head = "has a fault" if count == 1 else f"has {count:,} faults"
    return (
        f'<p class="fault" role="alert"><strong>{escape(testset.name)}</strong> {head}; mend it and '
        f'choose it again.</p><ul class="faults">{items}</ul>{more}'
    )


def _cut(fault: str) -> str:
    return fault if len(fault) <= _LONG_FAULT else fault[: _LONG_FAULT - 1] + "…"


def _questions(count: int) -> str:
    return "1 question" if count == 1 else f"{count:,} questions"


def _time(seconds: float) -> str:
    if seconds < 90:
        return f"{max(round(seconds), 1)} s"
    return f"{round(seconds / 60)} min"


def only_other(runs: Sequence[Run], chosen: str | None) -> list[Run]:
    """The runs that the chosen one can be compared with."""
    return [run for run in runs if run.id != chosen and run.state in ("done", "stopped") and not run.fault]
