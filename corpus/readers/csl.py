"""CSL-JSON and CSL-YAML: one Record for each item."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

from corpus.readers.csl_fields import fields_of
from corpus.readers.csl_yaml import read_yaml_items
from corpus.readers.encodings import read_whole
from corpus.readers.json_objects import Item, read_items
from corpus.readers.records import Record, Rejected

_TYPES = (
    "article(?:-journal|-magazine|-newspaper)?|bill|book|broadcast|chapter|classic|collection|dataset|document|"
    "entry(?:-dictionary|-encyclopedia)?|event|figure|graphic|hearing|interview|legal_case|legislation|manuscript|"
    "map|motion_picture|musical_score|pamphlet|paper-conference|patent|performance|periodical|"
    "personal_communication|post(?:-weblog)?|regulation|report|review(?:-book)?|software|song|speech|standard|"
    "thesis|treaty|webpage|journal-article|proceedings-article|book-chapter|posted-content"
)
_JSON_TYPE = re.compile(rf'"type"\s*+:\s*+"(?:{_TYPES})"')
_JSON_SIGN = re.compile(
    r'"(?:issued|container-title|citation-key|citation-label|title-short|date-parts|publisher-place|family|literal)"'
    r"\s*+:"
)
_OTHER_JSON = re.compile(
    r'"(?:message-type|reference-count|indexed|abstract_inverted_index|openalex|paperId|externalIds|itemType)"\s*+:'
)
_YAML_TYPE = re.compile(
    rf"^[ \t]*(?:- )?[ \t]*['\"]?type['\"]?[ \t]*:[ \t]+['\"]?(?:{_TYPES})['\"]?[ \t]*$", re.M
)
_YAML_START = re.compile(
    r"^references[ \t]*+:[ \t]*+$|"
    r"\A(?:\s++|#[^\n]*+\n|---[^\n]*+\n|%[^\n]*+\n)*+- +['\"]?[\w-]++['\"]?[ \t]*+:",
    re.M,
)
_YAML_ITEM = re.compile(r"references[ \t]*+:[ \t]*+\n\s*+- +(?:id|title|author|DOI)[ \t]*+:")
_MEND = "mend that item and ingest the file again; the others went in"


def looks_like_csl_json(text: str) -> bool:
    """True for CSL's items as JSON: their kinds of work and names of fields, none of another service's."""
    start = text.lstrip()[:1]
    if start not in ("[", "{") or _OTHER_JSON.search(text):
        return False
    return bool(_JSON_TYPE.search(text) and _JSON_SIGN.search(text))


def csl_yaml_mark(text: str) -> int | None:
    """Where a list of CSL's items as YAML begins, under `references:` or alone."""
    found = _YAML_START.search(text)
    return (
        found.start()
        if found and (_YAML_TYPE.search(text) or _YAML_ITEM.match(text, found.start()))
        else None
    )


def read_csl_json(stream: BinaryIO, file: str) -> Iterator[Record | Rejected]:
    """One Record or Rejected for each item of an array, of a row of objects, or of {"references": [...]}."""
    yield from _records(read_items(read_whole(stream)), file)


def read_csl_yaml(stream: BinaryIO, file: str) -> Iterator[Record | Rejected]:
    """One Record or Rejected for each item of the list."""
    yield from _records(read_yaml_items(read_whole(stream)), file)


def _records(items: Iterator[Item], file: str) -> Iterator[Record | Rejected]:
    for number, item in enumerate(items, start=1):
        value = item.value
        place = f"the item from line {item.line} on"
        if item.fault:
            yield Rejected(file, number, f"{place} {item.fault}", _MEND)
        elif not isinstance(value, dict):
            yield Rejected(file, number, f"{place} holds {type(value).__name__}, not an item", _MEND)
        else:
            fields = fields_of(value)
            if fields.get("title") or fields.get("abstract"):
                yield Record(number, fields, item.raw, file)
            else:
                name = repr(value.get("id") or value.get("citation-key") or "without an id")
                reason = f"the item {name} (line {item.line}) has neither a title nor an abstract"
                yield Rejected(file, number, reason, f"add one of them: {_MEND}")
