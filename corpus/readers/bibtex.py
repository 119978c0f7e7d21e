"""BibTeX and BibLaTeX: one Record for each entry, whatever wrote it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

from corpus.readers.bibtex_entries import Entry, bibtex_mark, read_entries
from corpus.readers.bibtex_fields import Fields, fields_of
from corpus.readers.encodings import read_whole
from corpus.readers.records import Record, Rejected

__all__ = ["bibtex_mark", "read_bibtex"]

_REFERS = re.compile(r"\b(?:crossref|xdata)\s*+=\s*+[{\"]([^{}\"]*+)[}\"]", re.I)
_SETTINGS = frozenset({"string", "control", "ieeetranbstctl"})
# What a child takes from its parent: never what tells papers apart.
_INHERITED = frozenset(
    {"title", "booktitle", "subtitle", "maintitle", "journal", "journaltitle", "year", "date", "eventtitle",
     "crossref", "xdata"}
)  # fmt: skip
_MEND = "mend that entry and ingest the file again; the others went in"
_DEEPEST = 4


def read_bibtex(stream: BinaryIO, file: str) -> Iterator[Record | Rejected]:
    """One Record or Rejected for each entry; @string, @preamble and @comment aren't entries."""
    text = read_whole(stream)
    macros, parents = _known_beforehand(text)
    number = 0
    for entry in read_entries(text, macros):
        if entry.kind in _SETTINGS:
            continue
        number += 1
        yield _record(entry, number, file, parents)


def _record(entry: Entry, number: int, file: str, parents: dict[str, Fields]) -> Record | Rejected:
    name = f"the entry {entry.key!r} (line {entry.line})" if entry.key else f"the entry in line {entry.line}"
    if entry.fault:
        return Rejected(file, number, f"{name} {entry.fault}", f"check its braces and quotes: {_MEND}")
    own = _first(entry)
    fields = fields_of(entry.kind, own, _inherited(own, parents))
    if not (fields.get("title") or fields.get("abstract")):
        return Rejected(
            file, number, f"{name} has neither a title nor an abstract", f"add one of them: {_MEND}"
        )
    if entry.unread:
        fields["unread"] = entry.unread
    return Record(number, fields, entry.raw, file)


def _first(entry: Entry) -> Fields:
    """The entry's fields by their names; of a field that comes several times, all texts, each once."""
    found: Fields = {}
    for name, text in entry.fields:
        if text and text not in found.setdefault(name, []):
            found[name].append(text)
    return found


def _known_beforehand(text: str) -> tuple[dict[str, str], dict[str, Fields]]:
    """The file's macros and, by their keys, the entries that others refer to: both may stand after use."""
    wanted = {key.strip() for match in _REFERS.finditer(text) for key in match[1].lower().split(",")}
    macros: dict[str, str] = {}
    parents: dict[str, Fields] = {}
    if wanted or re.search(r"@\s*+string\b", text, re.I):
        for entry in read_entries(text, {}):
            if entry.kind == "string":
                macros.update(entry.fields)
            elif entry.key.lower() in wanted and not entry.fault:
                parents.setdefault(entry.key.lower(), _first(entry))
    return macros, parents


def _inherited(own: Fields, parents: dict[str, Fields]) -> Fields:
    """What the entries that this one refers to give it, the nearest first."""
    taken: Fields = {}
    seen: set[str] = set()
    current = [own]
    for _ in range(_DEEPEST):
        keys = [key for fields in current for key in _references(fields) if key not in seen]
        seen.update(keys)
        current = [parents[key] for key in keys if key in parents]
        for parent in current:
            for name in _INHERITED & parent.keys():
                taken.setdefault(name, parent[name])
    return taken


def _references(fields: Fields) -> list[str]:
    texts = fields.get("crossref", []) + fields.get("xdata", [])
    return [key.strip().lower() for text in texts for key in text.split(",")]
