"""What our exports carry of a paper beyond their formats' fields, in a form that none of these changes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from urllib.parse import unquote

from corpus.papers import Paper, Source
from corpus.readers.records import Record, Rejected

_MARK = "assistant-own:"
_FOUND = re.compile(rf"{_MARK}([^\"{{}}\\]*?):end")
# Letters and these stay as they are; all else means something to LaTeX, CSV, JSON or to this text itself.
_PLAIN = re.compile(r"[^\w .,'()/@+-]|(?<!\S) | \Z|[^\S ]")
_FIELDS = frozenset(field.name for field in fields(Paper))
_LISTS = ("authors", "organisations", "keywords", "aliases", "other_ids", "sources")


def write_own(values: Mapping[str, object]) -> str:
    """The fields as one line: "assistant-own:id=p1;label=PIT;aliases=a;aliases=b:end"; "" for none."""
    pairs = [
        f"{name}={_PLAIN.sub(_encoded, _text(value))}"
        for name, given in values.items()
        for value in (given if isinstance(given, Sequence) and not isinstance(given, str) else [given])
    ]
    return f"{_MARK}{';'.join(pairs)}:end" if pairs else ""


def with_own(item: Record | Rejected) -> Record | Rejected:
    """The record with the fields that its text carries in our own writing, where it carries any."""
    if isinstance(item, Rejected) or _MARK not in item.raw:
        return item
    # The last one is ours: a paper's text, which stands before it, may speak of such lines.
    found = _FOUND.findall(item.raw)
    return replace(item, fields={**item.fields, **_read(found[-1])}) if found else item


def _read(line: str) -> dict[str, object]:
    read: dict[str, object] = {}
    for pair in " ".join(line.split()).split(";"):
        name, _, value = pair.partition("=")
        text = unquote(value, errors="replace")
        if name not in _FIELDS:
            continue
        if name not in _LISTS:
            read[name] = text
            continue
        kept = read.setdefault(name, [])
        assert isinstance(kept, list)
        kept.append(_source(text) if name == "sources" else text)
    return read


def _text(value: object) -> str:
    return f"{value.record} {value.file}" if isinstance(value, Source) else str(value)


def _source(text: str) -> dict[str, object]:
    record, _, file = text.partition(" ")
    return {"file": file, "record": int(record) if record.isdecimal() and len(record) < 12 else 0}


def _encoded(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode("utf-8", "replace"))
