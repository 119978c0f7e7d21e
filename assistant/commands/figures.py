"""The command that reads figures out of abstracts: figures."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from assistant.assistant import Assistant
from assistant.commands.questions import open_assistant
from assistant.config import Settings
from assistant.console import note, write, write_table
from assistant.figures import Figure, figures_of
from corpus.errors import InputError
from corpus.papers import Paper
from corpus.sentences import sentence_spans


@dataclass(frozen=True)
class _Row:
    """One figure of a paper; `quote` is its sentence, `abstract[start:end]`."""

    paper_id: str
    label: str
    figure: Figure
    quote: str
    start: int
    end: int


def figures(given: Namespace, settings: Settings) -> int:
    """The exit status; the figures of all papers, or of those that match the query, are on stdout."""
    if given.query is not None and not given.query.strip():
        raise InputError(f"the query is {given.query!r}; give it some words, or leave it out for all papers")
    rows = (row for paper in _papers(open_assistant(settings), given) for row in _rows(paper))
    if given.json:
        for row in rows:
            write(json.dumps(_as_dict(row), ensure_ascii=False))
        return 0
    cells = [(row.label, *_cells(row.figure, row.quote), row.quote) for row in rows]
    if cells:
        write_table(("label", "figure", "unit", "measure", "against", "quote"), cells)
    else:
        note("No figure found.")
    return 0


def _cells(figure: Figure, quote: str) -> tuple[str, str, str, str]:
    """The figure in the sentence's own digits ("up to 5.9x"), its unit, what is measured, against what."""
    shown = quote[figure.start : figure.end]
    return (
        f"{figure.qualifier} {shown}" if figure.qualifier else shown,
        figure.unit,
        figure.measure or "",
        figure.against or "",
    )


def _papers(assistant: Assistant, given: Namespace) -> Iterator[Paper]:
    """The papers asked for: the best for the query, best first, or all in order of first ingest."""
    collection = assistant.collection
    if given.query is not None:
        hits = assistant.search(given.query, top_k=given.top_k)
        yield from collection.papers([hit.paper_id for hit in hits])
        return
    yield from collection.papers()


def _rows(paper: Paper) -> Iterator[_Row]:
    abstract = paper.abstract or ""
    for start, end in sentence_spans(abstract):
        for figure in figures_of(abstract[start:end]):
            yield _Row(paper.id, paper.label, figure, abstract[start:end], start, end)


def _as_dict(row: _Row) -> dict[str, object]:
    figure = asdict(row.figure)
    told = {name: figure[name] for name in ("value", "high", "unit", "qualifier", "measure", "against")}
    return {
        "paper_id": row.paper_id,
        "label": row.label,
        **told,
        "quote": row.quote,
        "start": row.start,
        "end": row.end,
    }
