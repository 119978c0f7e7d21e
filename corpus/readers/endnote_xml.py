"""EndNote XML, also as Bookends, Mendeley, Zotero and old versions of EndNote (in capitals) write it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO
from xml.etree.ElementTree import Element

from corpus.readers.elements import Fields, distinct, read_elements, text_at, texts_at, words
from corpus.readers.records import Record, Rejected

_PUBMED = re.compile(r"pubmed|medline|\bnlm\b", re.I)
_ARXIV = re.compile(r"arxiv\.org/(?:abs|pdf)/\S+|\barxiv:\S+", re.I)
_VENUES = (
    "titles/secondary-title", "periodical/full-title", "titles/alt-title", "periodical/abbr-1",
    "alt-periodical/full-title", "secondary-title", "titles/tertiary-title",
)  # fmt: skip
_AUTHORS = ("contributors/authors/author", "authors/author")


def read_endnote_xml(stream: BinaryIO, file: str) -> Iterator[Record | Rejected]:
    """One Record or Rejected for each `<record>`."""
    return read_elements(stream, file, r"((?i:record))(?:\s[^<>]*)?/?>", _fields)


def _fields(record: Element) -> Fields:
    for element in record.iter():
        element.tag = element.tag.lower().replace("_", "-")
    urls = texts_at(record, "urls//url", "url")
    number = text_at(record, "accession-num")
    told = " ".join((text_at(record, "remote-database-name", "remote-database-provider"), *urls))
    number_at = text_at(record, "electronic-resource-num")
    arxiv = _ARXIV.search(" ".join((number_at, *urls)))
    return {
        "title": text_at(record, "titles/title", "title", "titles/short-title"),
        "abstract": text_at(record, "abstract"),
        "authors": [name.rstrip(", ") for name in texts_at(record, *_AUTHORS)],
        "year": text_at(record, "dates/year", "year", "dates/pub-dates/date"),
        "venue": text_at(record, *_VENUES),
        "doi": number_at,
        "arxiv_id": arxiv[0] if arxiv else "",
        "pmid": number if number.isdigit() and _PUBMED.search(told) else "",
        "url": next((url for url in urls if url.startswith(("http://", "https://"))), ""),
        "keywords": _keywords(record),
    }


def _keywords(record: Element) -> list[str]:
    """One an element, or one a line where an import left all in one."""
    found: list[str] = []
    for one in record.iterfind("keywords/keyword"):
        text = "".join(one.itertext()).strip()
        found += re.split(r"\s*[\r\n]\s*(?=\S)", text) if "\n" in text and len(text) > 200 else [words(one)]
    return distinct(found)
