"""JSON Lines of papers: one object a line, its keys Paper's, BEIR's or a service's."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import BinaryIO

from corpus.readers.json_items import is_page, json_items
from corpus.readers.leads import is_json
from corpus.readers.lines import Line, read_lines
from corpus.readers.plain_json import item_record, json_fields
from corpus.readers.records import Record, Rejected

_MEND = "mend that line and ingest the file again; the other lines went in"


def looks_like_jsonl(head: str) -> bool:
    """True for text whose first line is a JSON object that is one paper, or where two lines start so."""
    lines = [line.strip() for line in head.splitlines() if line.strip()][:5]
    if not lines or not lines[0].startswith("{"):
        return False
    try:
        first = json.loads(lines[0])
        return isinstance(first, dict) and not (len(lines) == 1 and is_page(first))
    except (ValueError, RecursionError):
        return is_json(lines[0]) or sum(line.startswith('{"') for line in lines) > 1


def read_jsonl(stream: BinaryIO, file: str) -> Iterator[Record | Rejected]:
    """One Record or Rejected for each line that isn't blank, or for each paper of a page on a line."""
    last = 0
    for line in read_lines(stream):
        if not line.fault and not line.text.strip():
            continue
        last = max(last + 1, line.number)
        found = Rejected(file, last, line.fault, _MEND) if line.fault else _record(line, last, file)
        if isinstance(found, Rejected):
            yield found
        elif is_page(found.fields):
            for number, item in enumerate(json_items(line.text), start=last):
                last = number
                yield item_record(replace(item, line=line.number), number, file)
        else:
            fields = json_fields(found.fields)
            yield found if fields is found.fields else replace(found, fields=fields)


def _record(line: Line, number: int, file: str) -> Record | Rejected:
    try:
        fields = json.loads(line.text)
    except json.JSONDecodeError as error:
        reason = f"line {line.number} isn't JSON: {error.msg} at column {error.colno}"
        return Rejected(file, number, reason, _MEND)
    except (
        ValueError,
        RecursionError,
    ) as error:  # a number of thousands of digits, brackets nested past the stack
        return Rejected(file, number, f"line {line.number} isn't usable JSON: {error}", _MEND)
    if not isinstance(fields, dict):
        reason = f"line {line.number} holds {type(fields).__name__}, not a JSON object"
        return Rejected(file, number, reason, _MEND)
    return Record(number, _own_names(fields), line.text, file)


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
