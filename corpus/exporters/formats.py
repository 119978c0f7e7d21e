"""The table of formats that papers are exported to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields

from corpus.exporters import bibtex, csl_json, csv_table, json_lines, ris
from corpus.papers import Paper

_ALL = frozenset(field.name for field in fields(Paper)) - {"sources"}
_COMMON = frozenset({"title", "abstract", "authors", "year", "venue", "doi", "url", "keywords"})


@dataclass(frozen=True)
class Exporter:
    """One format: how a paper is written, and what stands before, between and behind all of them.

    `render` takes the paper, what has to be carried beside the format's fields, and a key. `native` are the
    fields that the format has itself; the others are always carried.
    """

    name: str
    render: Callable[[Paper, str, str], str]
    native: frozenset[str]
    head: str = ""
    between: str = ""
    tail: str = ""


EXPORTERS = (
    Exporter("bibtex", bibtex.entry, _COMMON, between="\n"),
    Exporter("ris", ris.record, _COMMON),
    Exporter("csl-json", csl_json.item, _COMMON, "[\n", ",\n", "\n]\n"),
    Exporter("jsonl", json_lines.line, _ALL | {"sources"}),
    Exporter("csv", csv_table.row, _COMMON, csv_table.head()),
)


def exporter(name: str) -> Exporter | None:
    """The exporter of this name."""
    return next((row for row in EXPORTERS if row.name == name), None)
