"""The table of file formats: how each is recognised by its content, and how it is read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

from corpus.readers.jsonl import looks_like_jsonl, read_jsonl
from corpus.readers.page import read_page
from corpus.readers.records import Record, Rejected
from corpus.readers.tagged import (
    looks_like_endnote,
    looks_like_nbib,
    looks_like_ovid,
    looks_like_refworks,
    looks_like_ris,
    looks_like_wos,
    read_endnote,
    read_nbib,
    read_ovid,
    read_refworks,
    read_ris,
    read_wos,
)

Reader = Callable[[BinaryIO, str], Iterator[Record | Rejected]]
_Test = Callable[[bytes, str], bool]
_EXPORT = "export its papers as JSON Lines, or as plain text with a blank line between abstracts"


@dataclass(frozen=True)
class Format:
    """One kind of file; `recognises` sees the first bytes and their text; no `read`: no reader yet."""

    name: str
    title: str
    recognises: _Test
    read: Reader | None = None
    remedy: str = _EXPORT


def _starts(*magic: bytes) -> _Test:
    return lambda head, _: head.startswith(magic)


def _text(pattern: str) -> _Test:
    compiled = re.compile(pattern, re.M | re.I)
    return lambda _, text: compiled.search(text) is not None


def _zip_with(member: bytes) -> _Test:
    return lambda head, _: head.startswith(b"PK\x03\x04") and member in head


def _is_table(_: bytes, text: str) -> bool:
    header = text.lstrip().partition("\n")[0].lower()
    columns = [column.strip(' "') for column in re.split(r"[,;\t]", header)]
    return len(columns) > 2 and bool({"title", "article title", "document title"} & set(columns))


# The first row that recognises a file wins: outer shapes (binary kinds) before text, marks before prose.
FORMATS: tuple[Format, ...] = (
    Format("pdf", "PDF", _starts(b"%PDF-")),
    Format("word", "a Word document", _zip_with(b"word/")),
    Format("excel", "an Excel workbook", _zip_with(b"xl/")),
    Format("zip", "a ZIP archive", _starts(b"PK\x03\x04"), None, "unpack it and ingest the files inside"),
    Format("gzip", "a gzip file", _starts(b"\x1f\x8b"), None, "unpack it and ingest the file inside"),
    Format("ole", "an old Office document", _starts(b"\xd0\xcf\x11\xe0")),
    Format("sqlite", "an SQLite database", _starts(b"SQLite format 3\x00")),
    Format("image", "an image", _starts(b"\x89PNG", b"\xff\xd8\xff", b"GIF8"), None, "leave it out"),
    Format("utf16", "UTF-16 text", _starts(b"\xff\xfe", b"\xfe\xff"), None, "save it as UTF-8"),
    Format("binary", "a binary file", lambda head, _: b"\x00" in head, None, "leave it out, or " + _EXPORT),
    Format("rtf", "RTF", _starts(b"{\\rtf"), None, "save it as plain text"),
    Format("jsonl", "JSON Lines", lambda _, text: looks_like_jsonl(text), read_jsonl),
    Format(
        "json",
        "a JSON document",
        _text(r"\A\s*(?:\[\s*(?:[\[{\"]|null\b)|\{\s*\")"),
        None,
        "write one object a line (JSON Lines)",
    ),
    Format("pubmed", "PubMed XML", _text(r"\A\s*<[^>]+>[\s\S]*<Pubmed(?:ArticleSet|Article|BookArticle)\b")),
    Format(
        "html", "a web page", _text(r"\A\s*(?:<!doctype html|<html)"), None, "save its text as plain text"
    ),
    Format("xml", "XML", _text(r"\A\s*<(?:\?xml|!--|!doctype|[a-z][\w:.-]*[\s>])")),
    Format("ovid", "an Ovid export", lambda _, text: looks_like_ovid(text), read_ovid),
    Format("nbib", "a PubMed (nbib) export", lambda _, text: looks_like_nbib(text), read_nbib),
    Format("ris", "RIS", lambda _, text: looks_like_ris(text), read_ris),
    Format("wos", "a Web of Science export", lambda _, text: looks_like_wos(text), read_wos),
    Format("refworks", "a RefWorks export", lambda _, text: looks_like_refworks(text), read_refworks),
    Format("endnote", "an EndNote export", lambda _, text: looks_like_endnote(text), read_endnote),
    Format("bibtex", "BibTeX", _text(r"^\s*@(?:[a-z]+)\s*[{(]\s*[^\s,{}()\"]*\s*[,=#}\"]")),
    Format(
        "qrels",
        "a table of relevance judgements (qrels)",
        _text(r"\Aquery-id\tcorpus-id\tscore\b"),
        None,
        "leave it out and ingest the corpus.jsonl beside it; `assistant evaluate FOLDER` reads these",
    ),
    Format("csv", "a table (CSV)", _is_table),
    Format("page", "a page of abstracts", lambda _, text: bool(text.strip()), read_page),
)


def recognise(head: bytes) -> Format | None:
    """The format of a file that begins with these bytes, or None for one that holds nothing."""
    text = head.decode("utf-8", errors="replace").removeprefix("\ufeff")
    return next((row for row in FORMATS if row.recognises(head, text)), None)


def readable() -> tuple[str, ...]:
    """The names of the formats that can be read."""
    return tuple(row.name for row in FORMATS if row.read)
