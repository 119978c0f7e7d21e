"""What commands write: rich text on a terminal, plain text in a pipe, JSON on request."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from corpus.short import shortened

# Characters of a table's cell that a terminal shows; a pipe gets all.
_CELL = 200
Progress = Callable[[str, int, int], None]


def prepare_streams() -> None:
    """Nothing; from here on both streams take any text, whatever the locale says."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")


def write(text: str = "") -> None:
    """Nothing; the text is on stdout."""
    sys.stdout.write(text + "\n")


def note(text: str) -> None:
    """Nothing; the text is on stderr."""
    sys.stderr.write(text + "\n")


def write_json(value: Any, *, indent: int | None = 2) -> None:
    """Nothing; the value is on stdout as one JSON document."""
    write(json.dumps(value, ensure_ascii=False, indent=indent))


def write_markdown(text: str) -> None:
    """Nothing; the text is on stdout, its Markdown rendered where that is a terminal."""
    if not sys.stdout.isatty():
        return write(text)
    from rich.console import Console
    from rich.markdown import Markdown

    Console().print(Markdown(text, hyperlinks=False))


def write_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Nothing; the table is on stdout: ruled on a terminal, tabs between cells in a pipe."""
    if not sys.stdout.isatty():
        for row in (columns, *rows):
            write("\t".join(" ".join(cell.split()) for cell in row))
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(*columns, box=None, header_style="bold", padding=(0, 2, 0, 0))
    for row in rows:
        table.add_row(*(Text(shortened(" ".join(cell.split()), _CELL)) for cell in row))
    Console().print(table)


def _rate(speed: float | None) -> str:
    """How much a second is done, in words; "" while that isn't known."""
    if not speed:
        return ""
    return f"{speed:,.0f}/s" if speed >= 10 else f"{speed:.1f}/s"


@contextmanager
def show_progress() -> Iterator[Progress | None]:
    """A function that moves a bar on stderr (stage, done, total or 0); None where stderr is no terminal.

    The bar shows how much a second is done and, where the total is known, the time left.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich import progress
    from rich.console import Console

    columns = (
        *(progress.TextColumn("{task.description}"), progress.BarColumn(), progress.MofNCompleteColumn()),
        *(progress.TextColumn("{task.fields[rate]}"), progress.TimeRemainingColumn()),
    )
    with progress.Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        tasks = {}

        def move(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bars.add_task(stage, total=total or None, rate="")
            task = next(one for one in bars.tasks if one.id == tasks[stage])
            bars.update(task.id, completed=done, total=total or None, rate=_rate(task.speed))

        yield move
