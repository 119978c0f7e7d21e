"""The commands that keep a collection: ingest, papers, rebuild."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from assistant.assistant import embedder_of
from assistant.commands.reporting import save_report, write_report
from assistant.config import Settings
from assistant.console import note, show_progress, write, write_json, write_table
from corpus import sync
from corpus.readers import Record, Rejected, read_path, read_stream


def ingest(given: Namespace, settings: Settings) -> int:
    """The exit status: 1 when a whole file couldn't be read; the report is on stdout."""
    records = _records(given.paths, given.format)
    with show_progress() as progress:
        report = sync.ingest(
            settings.home,
            settings.collection,
            records,
            embedder_of(settings),
            chroma_url=settings.chroma_url,
            progress=progress,
            wait=given.wait,
        )
    if given.report:
        save_report(report, given.report)
    if given.json:
        write_json(asdict(report))
    else:
        write_report(report, whole_in=given.report)
    if any(item.record is None for item in report.rejected):
        note("assistant: not everything could be read; the report says what and why")
        return 1
    return 0


def list_papers(given: Namespace, settings: Settings) -> int:
    """The exit status; the papers are on stdout."""
    from assistant.commands.questions import byline, open_assistant

    papers = open_assistant(settings).collection.papers()
    if given.json:
        for paper in papers:
            write(json.dumps(paper.to_dict(), ensure_ascii=False))
    else:
        rows = [(paper.id, paper.label, byline(paper) or paper.title or "") for paper in papers]
        write_table(("id", "label", "by"), rows)
    return 0


def rebuild(given: Namespace, settings: Settings) -> int:
    """The exit status; Chroma and tantivy hold again what the catalogue says."""
    with show_progress() as progress:
        sync.rebuild(
            settings.home,
            settings.collection,
            embedder_of(settings),
            chroma_url=settings.chroma_url,
            progress=progress,
            wait=given.wait,
        )
    write(f"rebuilt the indexes of {settings.collection!r}")
    return 0


def _records(paths: Sequence[str], format: str | None) -> Iterator[Record | Rejected]:
    for path in paths:
        if path == "-":
            yield from read_stream(sys.stdin.buffer, "-", format=format)
        else:
            yield from read_path(Path(path), format=format)
