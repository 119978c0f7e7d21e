"""DBLP's XML: one record a publication, as `dblp.xml` and the pages of persons and venues have it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO
from xml.etree.ElementTree import Element

from corpus.readers.elements import Fields, read_elements, text_at, texts_at
from corpus.readers.records import Record, Rejected

_KINDS = "article|inproceedings|proceedings|book|incollection|phdthesis|mastersthesis|data"
_DOI = "doi.org/"


def read_dblp(stream: BinaryIO, file: str) -> Iterator[Record | Rejected]:
    """One Record or Rejected for each publication; DBLP has no abstracts."""
    return read_elements(stream, file, rf"({_KINDS})\s[^<>]*?key[^<>]*>", _fields)


def _fields(record: Element) -> Fields:
    links = texts_at(record, "ee")
    dois = (link.partition(_DOI)[2] for link in links if _DOI in link)
    return {
        "title": text_at(record, "title").removesuffix("."),
        "authors": texts_at(record, "author") or texts_at(record, "editor"),
        "year": text_at(record, "year"),
        "venue": text_at(record, "journal", "booktitle", "school"),
        "doi": next(dois, ""),
        "url": next(iter(links), ""),
        "organisations": texts_at(record, "school"),
    }
