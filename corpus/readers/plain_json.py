"""A JSON object of somebody's own as a paper: other names of Paper's fields, other forms of their values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from corpus.readers.json_reading import Item
from corpus.readers.json_values import first, names, person, text
from corpus.readers.records import Record, Rejected
from corpus.readers.services import MARKS, paper_fields

# Names that scripts and services give to Paper's fields, the likeliest first.
_NAMES: dict[str, tuple[str, ...]] = {
    "title": ("Title", "display_name", "title_s", "paper_title"),
    "abstract": ("Abstract", "abstractText", "abstractNote", "summary", "description", "abstract_s"),
    "authors": ("Authors", "author", "authorString", "creators", "authFullName_s"),
    "year": (
        "Year",
        "publication_year",
        "pub_year",
        "pubYear",
        "published",
        "publicationDate",
        "date",
        "issued",
    ),
    "venue": (
        "journal",
        "journalTitle",
        "publicationTitle",
        "booktitle",
        "conference",
        "pub",
        "container_title",
    ),
    "doi": ("DOI", "doiId_s", "doi_url"),
    "arxiv_id": ("arxiv", "arxivId", "eprint", "entry_id"),
    "pmid": ("PMID", "pubmed_id"),
    "url": ("URL", "link", "pdf_url"),
    "keywords": ("Keywords", "keyword", "tags", "categories", "subjects"),
    "organisations": ("organizations", "affiliations", "institutions"),
}
_LISTS = ("authors", "keywords", "organisations")
_MEND = "mend that record and ingest the file again; the other records went in"
_OUTER = ("_source", "citingPaper", "citedPaper", "work", "record", "data", "attributes", "info")
# An object with none of these keys has Paper's own names.
_PLAIN = MARKS.union(_OUTER, *_NAMES.values())
_KNOWN = frozenset(_NAMES).union(*_NAMES.values())
_SHAPED = (*_LISTS, "venue", "year")


def json_fields(item: Mapping[str, Any]) -> Mapping[str, object]:
    """The fields of a paper as any JSON document has it; `item` itself where its keys are Paper's."""
    small = {
        key.lower(): value for key, value in item.items() if key != key.lower() and key.lower() in _KNOWN
    }
    if not _own(item) and not small.keys().isdisjoint(("title", "abstract")):
        return _renamed({**item, **small})
    if _PLAIN.isdisjoint(item) and not any(_has_objects(item.get(name)) for name in _SHAPED):
        return item
    if not _own(item):
        for outer in _OUTER:
            inner = item.get(outer)
            if isinstance(inner, Mapping):
                return inner if outer in inner else json_fields(inner)
    known = paper_fields(item)
    if known is not item:
        return known
    return _renamed(item)


def _has_objects(value: object) -> bool:
    """Whether a field's value is an object or a list that begins with one."""
    return isinstance(value, dict) or (isinstance(value, list) and bool(value) and isinstance(value[0], dict))


def _own(item: Mapping[str, Any]) -> bool:
    return bool(text(item, "title") or text(item, "abstract"))


def _renamed(item: Mapping[str, Any]) -> Mapping[str, object]:
    """The item with the fields that it has under other names or in other forms under Paper's."""
    new: dict[str, object] = {}
    for field, others in _NAMES.items():
        given = item.get(field)
        if given is None or given == "" or given == []:
            given = next((item[name] for name in others if item.get(name)), None)
        value = _list(given) if field in _LISTS else _single(given)
        if value is not None and value != item.get(field):
            new[field] = value
    return {**item, **new} if new else item


def _list(given: object) -> object:
    """Names of what is a list of objects; else as it is."""
    if isinstance(given, list) and any(isinstance(one, Mapping) for one in given):
        return names((_person(one) for one in given), "name")
    return given


def _person(item: object) -> str:
    pairs = (
        ("lastName", "firstName"),
        ("last_name", "first_name"),
        ("last", "first"),
        ("surname", "forename"),
        ("family_name", "given_name"),
        ("familyName", "givenName"),
        ("family_names", "given_names"),
    )
    split = (", ".join(filter(None, (text(item, family), text(item, given)))) for family, given in pairs)
    return person(item) or first(split) or first(text(item, key) for key in ("term", "keyword", "tag"))


def _single(given: object) -> object:
    """The text of a list of one, of a name in an object; else as it is."""
    if isinstance(given, list) and given and all(isinstance(one, str) for one in given):
        return given[0]
    if isinstance(given, Mapping):
        return text(given, "name") or text(given, "title") or text(given, "date-parts", 0, 0) or None
    return given


def item_record(item: Item, number: int, file: str) -> Record | Rejected:
    """The item of a document as a record, or why it is none."""
    where = f"line {item.line}"
    if item.fault:
        return Rejected(file, number, f"the record that begins on {where}: {item.fault}", _MEND)
    if item.value is None:
        reason = f"is null (on {where}): the service found no paper for what was asked"
        return Rejected(file, number, reason, "ask for that paper by another id")
    if not isinstance(item.value, Mapping):
        return Rejected(file, number, f"is {type(item.value).__name__}, not a JSON object ({where})", _MEND)
    fields = json_fields(item.value)
    if fields.get("title") or fields.get("abstract"):
        return Record(number, fields, item.raw, file)
    told = next((item.value[key] for key in ("error", "message") if isinstance(item.value.get(key), str)), "")
    reason = f"holds no paper but a message: {told!r}" if told else "has neither a title nor an abstract"
    return Rejected(file, number, f"{reason} ({where})", "ask again" if told else "add one of them")
