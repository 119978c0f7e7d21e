"""An import as HTML strings: how far it is, and what became of each record."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from assistant.commands.reporting import Fault, by_kind, place_of
from corpus.sync import Report
from ui.shelf.importing import Step
from ui.shelf.marks import made
from ui.shelf.table import shortened

_NAMED = 5
_KINDS = 30
_STAGES = {"read": "Reading", "embed": "Understanding", "write": "Storing", "": "Starting"}


def progress_html(step: Step, name: str) -> str:
    """How far the import into the collection is, with a way to stop it."""
    done = f"{step.done:,} of {step.total:,}" if step.total else f"{step.done:,}"
    rate = (
        f" · {step.rate:,.0f} a second"
        if step.rate >= 10
        else f" · {step.rate:.1f} a second"
        if step.rate
        else ""
    )
    bar = (
        f'<progress max="{step.total}" value="{step.done}" aria-label="Progress"></progress>'
        if step.total
        else '<progress aria-label="Progress"></progress>'
    )
    return (
        f'<div class="import running"><p class="told">{_STAGES.get(step.stage, "Working")} papers for '
        f"<strong>{escape(name)}</strong>: {done}{rate}</p>{bar}"
        '<button type="button" class="quiet" data-act="stop">Stop</button></div>'
    )


def report_html(report: Report, name: str, *, note: str = "") -> str:
    """The report of an import as people read it."""
    counts = (
        ("added", report.added),
        ("updated", report.updated),
        ("unchanged", report.unchanged),
        ("merged", report.merged),
        ("without an abstract", report.without_abstract),
        ("rejected", len(report.rejected)),
    )
    shown = "".join(
        f'<li class="{label.split()[0]}"><strong>{count:,}</strong> {label}</li>'
        for label, count in counts
        if count or label == "added"
    )
    faults = [(place_of(one.file, one.record), one.reason, one.remedy) for one in report.rejected]
    notices = [(place_of(one.file, one.record), one.text, "") for one in report.notices]
    shrunk = "".join(
        f"<li>{escape(shortened(one.file, 200))} held {one.before:,} records when it was read before, "
        f"{one.now:,} now; papers that it no longer holds stay.</li>"
        for one in report.shrunk
    )
    return _framed(
        f"<h3>Import into {escape(name)}</h3>{_note(note)}<ul class='counts'>{shown}</ul>"
        f"{_faults('Left out', faults)}{_faults('Worth a look', notices)}"
        f"{f'<ul class=shrunk>{shrunk}</ul>' if shrunk else ''}"
    )


def stopped_html(name: str, note: str = "") -> str:
    """What is said of an import that was stopped."""
    return _framed(
        f"<h3>Import into {escape(name)}</h3>{_note(note)}<p>Stopped. What was stored stays; "
        "the same files again go on from there.</p>"
    )


def refused_html(message: str, note: str = "") -> str:
    """What is said of an import that couldn't be done: one plain line."""
    return _framed(f'{_note(note)}<p class="fault" role="alert">{escape(" ".join(message.split()))}</p>')


def _framed(body: str) -> str:
    return (
        f'<div class="import"{made()} role="status">{body}'
        '<button type="button" class="quiet" data-act="dismiss">Close the report</button></div>'
    )


def _note(note: str) -> str:
    return f'<p class="note">{escape(note)}</p>' if note else ""


def _faults(heading: str, faults: Sequence[Fault]) -> str:
    if not faults:
        return ""
    kinds = by_kind(faults)
    items = "".join(_kind(some) for some in kinds[:_KINDS])
    more = f"<li>and {len(kinds) - _KINDS} other kinds</li>" if len(kinds) > _KINDS else ""
    return f'<h4>{heading}</h4><ul class="faults">{items}{more}</ul>'


def _kind(some: Sequence[Fault]) -> str:
    """One kind of faults: why, where, and what to do."""
    _, reason, remedy = some[0]
    count = f"<strong>{len(some):,} times</strong>, such as: " if len(some) > 1 else ""
    places = "; ".join(shortened(place, 160) for place, _, _ in some[:_NAMED])
    more = f" and {len(some) - _NAMED:,} more" if len(some) > _NAMED else ""
    mend = f'<span class="remedy">{escape(shortened(remedy, 400))}</span>' if remedy else ""
    return (
        f'<li>{count}<span class="reason">{escape(shortened(reason, 400))}</span>'
        f'<span class="place">{escape(places)}{more}</span>{mend}</li>'
    )
