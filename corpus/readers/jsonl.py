"""JSON Lines of papers: one object a line, its keys named like the fields of Paper, or as BEIR names them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import BinaryIO

from corpus.readers.lines import Line, read_lines
from corpus.readers.records import Record, Rejected

_MEND = "mend that line and ingest the file again; the other lines went in"


def looks_like_jsonl(head: str) -> bool:
    """True for text whose first line is a whole JSON object, or where two lines start like one."""
    lines = [line.strip() for line in head.splitlines() if line.strip()][:5]
    if not lines or not lines[0].startswith("{"):
        return False
    try:
        return isinstance(json.loads(lines[0]), dict)
    except (ValueError, RecursionError):
        return lines[0].startswith('{"') or sum(line.startswith('{"') for line in lines) > 1


def read_jsonl(stream: BinaryIO, file: str) -> Iterator[Record | Rejected]:
    """One Record or Rejected for each line that isn't blank."""
    for line in read_lines(stream):
        if line.fault:
            yield Rejected(file, line.number, line.fault, _MEND)
        elif line.text.strip():
            yield _record(line, file)


def _record(line: Line, file: str) -> Record | Rejected:
    try:
        fields = json.loads(line.text)
    except json.JSONDecodeError as error:
        reason = f"line {line.number} isn't JSON: {error.msg} at column {error.colno}"
        return Rejected(file, line.number, reason, _MEND)
    except (
        ValueError,
        RecursionError,
    ) as error:  # a number of thousands of digits, brackets nested past the stack
        return Rejected(file, line.number, f"line {line.number} isn't usable JSON: {error}", _MEND)
    if not isinstance(fields, dict):
        reason = f"line {line.number} holds {type(fields).__name__}, not a JSON object"
        return Rejected(file, line.number, reason, _MEND)
    return Record(line.number, _own_names(fields), line.text, file)


def _own_names(fields: Mapping[str, object]) -> Mapping[str, object]:
    """The fields under the names of Paper's: a line of a BEIR corpus has `_id`, `title` and `text`.

    A line of BEIR's queries has no title: a question is no paper, and stays without an abstract.
    """
    if not {"_id", "title", "text"} <= fields.keys() or "abstract" in fields:
        return fields
    named = {"_id": "id", "text": "abstract"}
    renamed = {named.get(name, name): value for name, value in fields.items()}
    if isinstance(renamed["id"], int):
        renamed["id"] = str(renamed["id"])
    return renamed
