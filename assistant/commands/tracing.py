"""The command `trace`."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from assistant.config import Settings
from assistant.console import note, write_json, write_table
from assistant.trace import Trace


def trace(given: Namespace, settings: Settings) -> int:
    """The exit status; the lines are on stdout, the newest first."""
    kept = Trace(settings.home)
    if given.number:
        write_json(kept.record(given.number))
        return 0
    records = list(kept.records())[-given.last :][::-1]
    if given.json:
        for record in records:
            write_json(record, indent=None)
    elif records:
        write_table(
            ("n", "time", "model", "status", "support", "ms", "question"),
            [_row(number, record) for number, record in enumerate(records, 1)],
        )
    else:
        note("Nothing was asked yet, or trace is off.")
    return 0


def _row(number: int, record: dict[str, Any]) -> tuple[str, ...]:
    verdicts = [one.get("support") for one in record.get("verdicts") or ()]
    good = sum(one in ("verbatim", "supported") for one in verdicts)
    return (
        str(number),
        str(record.get("time", ""))[:19],
        record.get("model") or "quotes",
        str(record.get("status")),
        f"{good}/{len(verdicts)}",
        f"{(record.get('timings_ms') or {}).get('total') or 0:.0f}",
        str(record.get("question", ""))[:80],
    )
