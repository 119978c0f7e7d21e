"""What an ingest says of itself: counts, and what was left out, by reason."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path

from assistant.console import note, write
from corpus.errors import InputError
from corpus.sync import Report

# Faults of a kind that are named, and kinds of faults that are told.
_NAMED = 3
_KINDS = 20
# What differs between faults of one kind: what is quoted, and numbers.
_OWN = re.compile(r"'(?:[^'\\]|\\.)*'|\"[^\"]*\"|0x[0-9a-f]+|\d+")

Fault = tuple[str, str, str]
"""Where, what and how to mend it."""


def write_report(report: Report, *, whole_in: Path | None = None) -> None:
    """Nothing; the report is on stdout, faults of one kind together."""
    counts = {
        "added": report.added,
        "updated": report.updated,
        "unchanged": report.unchanged,
        "merged duplicates": report.merged,
        "rejected": len(report.rejected),
    }
    if report.without_abstract:
        counts["without an abstract"] = report.without_abstract
    if report.notices:
        counts["warnings"] = len(report.notices)
    write(", ".join(f"{name} {count}" for name, count in counts.items()))
    faults = [(place_of(one.file, one.record), one.reason, one.remedy) for one in report.rejected]
    notices = [(place_of(one.file, one.record), one.text, "") for one in report.notices]
    lines = [*_told(faults), *_told(notices)]
    for one in report.shrunk:
        lines.append(
            f"  {one.file}: had {one.before} records when it was read before, {one.now} now; papers that it "
            "no longer holds stay (`assistant remove` takes them out)"
        )
    for line in lines:
        write(line)
    if any("…" in line for line in lines) and not whole_in:
        note("All of them: `--report FILE` writes the whole report, `--json` prints it.")


def save_report(report: Report, path: Path) -> None:
    """Nothing; the whole report is in the file, as JSON."""
    try:
        path.write_text(json.dumps(asdict(report), ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    except OSError as error:
        raise InputError(
            f"The papers went in, but the report {str(path)!r} can't be written: {error.strerror or error}; "
            "check the path and its permissions."
        ) from error


def by_kind(faults: Iterable[Fault]) -> list[list[Fault]]:
    """The faults of each kind, the most frequent kind first: alike but for what is quoted and for numbers."""
    kinds: dict[tuple[str, str], list[Fault]] = {}
    for fault in faults:
        kinds.setdefault((_OWN.sub("…", fault[1]), fault[2]), []).append(fault)
    return sorted(kinds.values(), key=len, reverse=True)


def _told(faults: Iterable[Fault]) -> Iterator[str]:
    """A line a fault while they are few of a kind, else the kind with its count and its first places."""
    kinds = by_kind(faults)
    for some in kinds[:_KINDS]:
        if len(some) > _NAMED:
            remedy = f"; {some[0][2]}" if some[0][2] else ""
            yield f"  {len(some)} times, such as {some[0][1]}{remedy}:"
            yield f"    {'; '.join(place for place, _, _ in some[:_NAMED])}; …"
        else:
            yield from (
                f"  {'; '.join(filter(None, (f'{place}: {what}', mend)))}" for place, what, mend in some
            )
    if len(kinds) > _KINDS:
        yield f"  … and {len(kinds) - _KINDS} other kinds of faults"


def place_of(file: str, record: int | None) -> str:
    """Where a fault is, in words."""
    return file if record is None else f"{file}, record {record}"
