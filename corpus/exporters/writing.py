"""Writing papers to a file: each one is read back at once, and what reads otherwise is carried beside it."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from html import escape
from typing import TextIO

from corpus.cleaning import paper_from
from corpus.exporters.formats import Exporter
from corpus.exporters.keys import Keys
from corpus.exporters.latex import escaped
from corpus.papers import Paper
from corpus.readers import read_stream
from corpus.readers.bylines import ET_AL
from corpus.readers.own import write_own
from corpus.readers.records import Record

_COMPARED = tuple(field.name for field in fields(Paper) if field.name != "sources")


@dataclass(frozen=True)
class Flaw:
    """A paper that won't be read back just as it is, and the fields that will differ."""

    paper: Paper
    fields: tuple[str, ...]


def write_papers(papers: Iterable[Paper], exporter: Exporter, out: TextIO) -> list[Flaw]:
    """What couldn't be written without loss; the papers are in `out`, in their order."""
    keys, flaws = Keys(), []
    out.write(exporter.head)
    for number, paper in enumerate(papers):
        text, differing = _written(paper, exporter, keys.key(paper))
        out.write((exporter.between if number else "") + text)
        if differing:
            flaws.append(Flaw(paper, differing))
    out.write(exporter.tail)
    return flaws


def _written(paper: Paper, exporter: Exporter, key: str) -> tuple[str, tuple[str, ...]]:
    """The paper's text, and the names of fields that reading it gives otherwise."""
    own = {name: value for name, value in _values(paper) if name not in exporter.native and value}
    text = exporter.render(paper, write_own(own), key)
    differing = _differing(paper, text, exporter)
    for way in _WAYS if differing else ():
        own |= {name: way(getattr(paper, name)) for name in differing if getattr(paper, name) is not None}
        text = exporter.render(paper, write_own(own), key)
        differing = _differing(paper, text, exporter)
        if not differing:
            break
    return text, differing


def _values(paper: Paper) -> Iterator[tuple[str, object]]:
    yield from ((field.name, getattr(paper, field.name)) for field in fields(paper))


def _differing(paper: Paper, text: str, exporter: Exporter) -> tuple[str, ...]:
    read = read_back(exporter.head + text + exporter.tail)
    return tuple(name for name in _COMPARED if not read or getattr(read, name) != getattr(paper, name))


def read_back(text: str) -> Paper | None:
    """The one paper that a file of this text holds, None where it can't be read as one."""
    items = list(read_stream(io.BytesIO(text.encode("utf-8", "replace")), "export"))
    record = items[0] if len(items) == 1 else None
    paper = paper_from(record, record.file) if isinstance(record, Record) else None
    return replace(paper, sources=()) if isinstance(paper, Paper) else None


def _each(change: object, value: object) -> object:
    assert callable(change)
    if isinstance(value, tuple):
        return tuple(one if one == ET_AL or not isinstance(one, str) else change(one) for one in value)
    return change(value) if isinstance(value, str) else value


# Cleaning takes markup out of what it reads; text that looks like some is written as markup for itself.
_WAYS = (
    lambda value: value,
    lambda value: _each(lambda text: f"{{{text}}}", value),
    lambda value: _each(escaped, value),
    lambda value: _each(lambda text: escape(text, quote=False), value),
    lambda value: _each(lambda text: escape(escaped(text), quote=False), value),
)
