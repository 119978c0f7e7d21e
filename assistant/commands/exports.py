"""The command that writes papers for other programs: export."""

from __future__ import annotations

import io
import os
import sys
import tempfile
from argparse import Namespace
from pathlib import Path

from assistant.commands.chosen import chosen_papers
from assistant.commands.questions import open_assistant
from assistant.config import Settings
from assistant.console import note
from assistant.retrieve import Filters
from corpus.collection import Collection
from corpus.errors import InputError
from corpus.exporters import Exporter, Flaw, write_papers
from corpus.exporters.formats import exporter
from corpus.papers import Paper

_SHOWN = 5


def export(given: Namespace, settings: Settings) -> int:
    """The exit status; the papers are in the file, or on stdout."""
    papers = _papers(given, open_assistant(settings).collection)
    row = exporter(given.format)
    assert row is not None
    flaws = _save(papers, row, given.out) if given.out else _print(papers, row)
    if given.out:
        note(f"{len(papers)} papers in {str(given.out)!r}")
    for flaw in flaws[:_SHOWN]:
        note(f"{flaw.paper.id} can't be written so that it reads as it stands: {', '.join(flaw.fields)}")
    if len(flaws) > _SHOWN:
        note(f"and {len(flaws) - _SHOWN} more")
    return 0


def _papers(given: Namespace, collection: Collection) -> list[Paper]:
    """The papers asked for, in order of first ingest or as they were named."""
    filters = Filters(years=given.year, authors=tuple(given.author))
    chosen = chosen_papers(given.ids, collection) if given.ids else None
    papers = [paper for paper in collection.papers(chosen) if filters.allow(paper)]
    if not papers:
        raise InputError("No paper passes --year and --author: nothing was exported.")
    return papers


def _print(papers: list[Paper], row: Exporter) -> list[Flaw]:
    out = io.StringIO(newline="")
    flaws = write_papers(papers, row, out)
    sys.stdout.write(out.getvalue())
    return flaws


def _save(papers: list[Paper], row: Exporter, path: Path) -> list[Flaw]:
    """What couldn't be written without loss; the file is there as a whole or not at all."""
    try:
        handle, made = tempfile.mkstemp(prefix=".export-", dir=path.parent)
        try:
            with open(handle, "w", encoding="utf-8", errors="replace", newline="") as out:
                flaws = write_papers(papers, row, out)
            os.chmod(made, 0o666 & ~_umask())
            os.replace(made, path)
        except BaseException:
            Path(made).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise InputError(
            f"{str(path)!r} can't be written: {error.strerror or error}; check the path and its permissions."
        ) from error
    return flaws


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
