"""MODS: the Library of Congress's XML, as Zotero, BibUtils, Bibliothek and repositories write it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO
from xml.etree.ElementTree import Element

from corpus.readers.elements import (
    Fields,
    distinct,
    joined_abstracts,
    read_elements,
    text_at,
    texts_at,
    words,
)
from corpus.readers.records import Record, Rejected

_AUTHOR = {"", "author", "aut", "creator", "cre", "joint author"}
_DATES = ("dateIssued", "copyrightDate", "dateCreated", "dateOther")


def read_mods(stream: BinaryIO, file: str) -> Iterator[Record | Rejected]:
    """One Record or Rejected for each `<mods>`; what it is part of gives its venue."""
    return read_elements(stream, file, r"(mods)(?:\s[^<>]*)?/?>", mods_fields)


def mods_fields(record: Element) -> Fields:
    """The fields of one `<mods>` element."""
    host = record.find("relatedItem[@type='host']")
    urls = [text for text in texts_at(record, "location/url", "identifier[@type='uri']") if "://" in text]
    return {
        "title": _title(record),
        "abstract": joined_abstracts((words(one), one.get("lang", "")) for one in record.findall("abstract")),
        "authors": _authors(record),
        "organisations": texts_at(record, "name/affiliation"),
        "year": _year(record) or _year(host) or text_at(host, "part/date"),
        "venue": _title(host),
        "doi": _identifier(record, "doi"),
        "arxiv_id": _identifier(record, "arxiv"),
        "pmid": _identifier(record, "pubmed", "pmid"),
        "url": next(iter(urls), ""),
        "keywords": texts_at(record, "subject/topic"),
    }


def _title(parent: Element | None) -> str:
    """The title with its subtitle; an abbreviated or translated one only where there is no other."""
    titles = [] if parent is None else parent.findall("titleInfo")
    titles.sort(key=lambda one: bool(one.get("type")))
    for one in titles:
        main = " ".join(filter(None, (text_at(one, "nonSort"), text_at(one, "title"))))
        part = " ".join(filter(None, (text_at(one, "partNumber"), text_at(one, "partName"))))
        if main:
            return ": ".join(filter(None, (main, text_at(one, "subTitle"), part)))
    return ""


def _authors(record: Element) -> list[str]:
    """Those who wrote it; editors, publishers and places aren't authors."""
    names = record.findall("name")
    roles = [{words(role).lower() for role in one.iterfind("role/roleTerm")} or {""} for one in names]
    return distinct(_name(one) for one, role in zip(names, roles, strict=True) if role & _AUTHOR)


def _name(name: Element) -> str:
    family, given = (" ".join(texts_at(name, f"namePart[@type='{kind}']")) for kind in ("family", "given"))
    if family or given:
        suffix = text_at(name, "namePart[@type='termsOfAddress']")
        return ", ".join(filter(None, (family, suffix, given)))
    parts = [words(one) for one in name.findall("namePart") if one.get("type") is None]
    return " ".join(filter(None, parts)) or text_at(name, "displayForm")


def _year(parent: Element | None) -> str:
    return text_at(parent, *(f"originInfo/{date}" for date in _DATES))


def _identifier(record: Element, *kinds: str) -> str:
    found = (words(one) for one in record.findall("identifier") if one.get("type", "").lower() in kinds)
    return next(filter(None, found), "")
