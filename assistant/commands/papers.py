"""The commands that keep a collection: ingest, papers, remove, rebuild."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from assistant.assistant import embedder_of
from assistant.commands.chosen import chosen_papers
from assistant.config import Settings
from assistant.console import note, show_progress, write, write_json, write_table
from corpus import sync
from corpus.collection import open_collection
from corpus.layout import BUILT_IN, Layout
from corpus.lost import check_existing
from corpus.readers import Record, Rejected, read_path, read_stream
from corpus.sync import Report

_SHOWN = 50


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
    if given.json:
        write_json(asdict(report))
    else:
        _write_report(report)
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


def remove(given: Namespace, settings: Settings) -> int:
    """The exit status; the papers are gone from every store; with an unknown id none is."""
    embedder, ids = embedder_of(settings), tuple(given.ids)
    if settings.collection != BUILT_IN:  # which can't be changed, whatever is named
        check_existing(Layout(settings.home, settings.collection))
        collection = open_collection(
            settings.home, settings.collection, embedder, chroma_url=settings.chroma_url
        )
        ids = chosen_papers(ids, collection)
    count = sync.remove(
        settings.home,
        settings.collection,
        ids,
        embedder,
        chroma_url=settings.chroma_url,
        wait=given.wait,
    )
    write(f"removed {count}")
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


def _write_report(report: Report) -> None:
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
    _write_some([f"{_place(one.file, one.record)}: {one.reason}; {one.remedy}" for one in report.rejected])
    _write_some([f"{_place(one.file, one.record)}: {one.text}" for one in report.notices])


def _write_some(lines: Sequence[str]) -> None:
    for line in lines[:_SHOWN]:
        write(f"  {line}")
    if len(lines) > _SHOWN:
        write(f"  and {len(lines) - _SHOWN} more")


def _place(file: str, record: int | None) -> str:
    return file if record is None else f"{file}, record {record}"
