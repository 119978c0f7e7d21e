"""The table of file formats: how each is recognised by its content, and how it is read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

from corpus.readers.archives import Allowance, Member, gzip_members, zip_members
from corpus.readers.arxiv_xml import read_atom, read_oai
from corpus.readers.bibtex import bibtex_mark, read_bibtex
from corpus.readers.csl import csl_yaml_mark, looks_like_csl_json, read_csl_json, read_csl_yaml
from corpus.readers.dblp import read_dblp
from corpus.readers.encodings import decode
from corpus.readers.endnote_xml import read_endnote_xml
from corpus.readers.json_document import read_json
from corpus.readers.jsonl import looks_like_jsonl, read_jsonl
from corpus.readers.leads import comments_length, is_json, is_markup, lead_length
from corpus.readers.mods import read_mods
from corpus.readers.page import read_page
from corpus.readers.pubmed import read_pubmed
from corpus.readers.pubmed_text import looks_like_pubmed_text, read_pubmed_text
from corpus.readers.records import Record, Rejected
from corpus.readers.table import read_table, table_mark
from corpus.readers.tagged import (
    endnote_mark,
    nbib_mark,
    ovid_mark,
    read_endnote,
    read_nbib,
    read_ovid,
    read_refworks,
    read_ris,
    read_wos,
    refworks_mark,
    ris_mark,
    wos_mark,
)

Unpacker = Callable[[BinaryIO, str, Allowance], Iterator[Member | Rejected]]
Reader = Callable[[BinaryIO, str], Iterator[Record | Rejected]]
_Test = Callable[[bytes, str], bool]
_EXPORT = "export its papers as JSON Lines, or as plain text with a blank line between abstracts"
_NO_EXPORT = (
    "it is no export of abstracts: export the papers from your reference manager or database "
    "(RIS, BibTeX, CSV) and ingest that file"
)
_SHEET = "of a spreadsheet, save the sheet as CSV (UTF-8)"
_UNPACK = "unpack it and ingest the folder"
_ARCHIVES = (b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd")
_FEWEST_LINES = 4
_PDF = re.compile(rb"\s*%PDF-\d")
_BZIP2 = re.compile(rb"BZh[1-9](?:1AY|\x17rE)")
_NO_TEXT = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_IMAGES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"II*\x00", b"MM\x00*", b"BM")


@dataclass(frozen=True)
class Format:
    """One kind of file; `recognises` sees its first bytes and their text; some are only named.

    Instead, `mark` gives the place where its records seem to begin: the first in the text wins.
    """

    name: str
    title: str
    recognises: _Test | None
    read: Reader | None = None
    remedy: str = _EXPORT
    unpack: Unpacker | None = None
    mark: Callable[[str], int | None] | None = None


def _starts(*magic: bytes) -> _Test:
    return lambda head, _: head.startswith(magic)


def _magic(*magic: bytes) -> _Test:
    """One of the beginnings, with bytes behind it that no text has."""
    return lambda head, _: head.startswith(magic) and _NO_TEXT.search(head[:4096]) is not None


def _text(pattern: str) -> _Test:
    compiled = re.compile(pattern, re.M | re.I)
    return lambda _, text: compiled.search(text) is not None


def _is_binary(head: bytes, text: str) -> bool:
    """Whether zero bytes are left in what was taken for text: UTF-16 has none."""
    return b"\x00" in head and "\x00" in text


def _json(keys: str) -> _Test:
    """Text that is JSON with one of the keys."""
    compiled = re.compile(r'"(?:' + keys + r')"\s*:')
    return lambda _, text: is_json(text) and compiled.search(text) is not None


def _xml(tags: str) -> _Test:
    """Text that is XML with one of the tags."""
    return _text(r"\A\s*(?=<[?!a-z])(?=[\s\S]*<(?:[\w.-]{1,40}:)?(?:" + tags + "))")


def _html(_: bytes, text: str) -> bool:
    return (
        is_markup(text)
        and re.match(r"\s*(?:<!--[\s\S]*?-->\s*)?(?:<!doctype html|<html)", text, re.I) is not None
    )


def _mostly(pattern: str) -> _Test:
    """Text of which most lines that aren't blank begin so: data of a kind that nobody wrote as prose."""
    compiled = re.compile(pattern)

    def test(_: bytes, text: str) -> bool:
        lines = [line.strip() for line in text.split("\n") if line.strip()]
        return len(lines) >= _FEWEST_LINES and sum(map(bool, map(compiled.match, lines))) * 2 > len(lines)

    return test


# The first row that recognises a file wins: outer shapes (binary kinds) before text, marks before prose.
FORMATS: tuple[Format, ...] = (
    Format("pdf", "PDF", lambda head, _: _PDF.match(head[:64]) is not None, None, _NO_EXPORT),
    Format("zip", "a ZIP archive", _starts(b"PK\x03\x04", b"PK\x05\x06"), unpack=zip_members),
    Format("gzip", "a gzip file", _starts(b"\x1f\x8b"), unpack=gzip_members),
    Format(
        "tar",
        "a TAR archive",
        lambda head, _: head[257:262] == b"ustar" and b"\x00" in head[:257],
        None,
        _UNPACK,
    ),
    Format(
        "archive",
        "an archive of another kind than ZIP",
        lambda head, _: head.startswith(_ARCHIVES) or _BZIP2.match(head) is not None,
        None,
        _UNPACK,
    ),
    Format("ole", "an old Office document", _starts(b"\xd0\xcf\x11\xe0"), None, f"{_NO_EXPORT}; {_SHEET}"),
    Format("sqlite", "an SQLite database", _starts(b"SQLite format 3\x00"), None, _NO_EXPORT),
    Format("image", "an image", _magic(*_IMAGES), None, f"leave it out; {_NO_EXPORT}"),
    Format("binary", "a binary file", _is_binary, None, f"leave it out; {_NO_EXPORT}"),
    Format("rtf", "RTF", _text(r"\A\{\\rtf\d"), None, _NO_EXPORT),
    Format("csl-json", "CSL-JSON", lambda _, text: looks_like_csl_json(text), read_csl_json),
    Format("openalex", "OpenAlex JSON", _json(r"abstract_inverted_index|authorships"), read_json),
    Format("arxiv-json", "arXiv's JSON snapshot", _json("authors_parsed"), read_json),
    Format(
        "hf-papers", "Hugging Face papers (JSON)", _json(r"submittedOnDailyAt|paper|publishedAt"), read_json
    ),
    Format("semantic-scholar", "Semantic Scholar JSON", _json("paperId|externalIds|corpusid"), read_json),
    Format("crossref", "Crossref JSON", _json("message-type|(?:is-)?references?(?:d-by)?-count"), read_json),
    Format("jsonl", "JSON Lines", lambda _, text: looks_like_jsonl(text), read_jsonl),
    Format("json", "a JSON document", lambda _, text: is_json(text), read_json),
    Format(
        "oai",
        "OAI-PMH XML",
        _xml(r"OAI-PMH\b|(?:ListRecords|record)>\s*<(?:\w+:)?(?:header|record)\b"),
        read_oai,
    ),
    Format("pubmed", "PubMed XML", _xml(r"Pubmed(?:ArticleSet|Article|BookArticle)\b"), read_pubmed),
    Format("mods", "MODS XML", _xml(r"mods(?:Collection)?[\s>]"), read_mods),
    Format("atom", "an Atom feed", _xml(r"(?:feed|entry)\b[^<>]*http://www\.w3\.org/2005/Atom"), read_atom),
    Format(
        "endnote-xml",
        "EndNote XML",
        _xml(r"(?:ref-type|rec-number|source-app|reference_type|secondary-title|titles>\s*<title)\b"),
        read_endnote_xml,
    ),
    Format("dblp", "DBLP's XML", _xml("dblp"), read_dblp),
    Format("html", "a web page", _html, None, _NO_EXPORT),
    Format("xml", "XML", lambda _, text: is_markup(text)),
    Format("csv", "a table (CSV)", None, read_table, mark=table_mark),
    Format("bibtex", "BibTeX", None, read_bibtex, mark=bibtex_mark),
    Format("csl-yaml", "CSL-YAML", None, read_csl_yaml, mark=csl_yaml_mark),
    Format("ovid", "an Ovid export", None, read_ovid, mark=ovid_mark),
    Format("nbib", "a PubMed (nbib) export", None, read_nbib, mark=nbib_mark),
    Format("ris", "RIS", None, read_ris, mark=ris_mark),
    Format("wos", "a Web of Science export", None, read_wos, mark=wos_mark),
    Format("refworks", "a RefWorks export", None, read_refworks, mark=refworks_mark),
    Format("endnote", "an EndNote export", None, read_endnote, mark=endnote_mark),
    Format(
        "qrels",
        "a table of relevance judgements (qrels)",
        _text(r"\Aquery-id\tcorpus-id\tscore\b"),
        None,
        "leave it out and ingest the corpus.jsonl beside it; `assistant evaluate FOLDER` reads these",
    ),
    Format(
        "tex",
        "a LaTeX source",
        _text(r"\A(?:\s|%.*\n)*\\documentclass\b|^[ \t]*\\begin\{document\}"),
        None,
        f"it is the text of a paper: {_EXPORT}",
    ),
    Format(
        "pubmed-text",
        "PubMed's abstracts as text",
        lambda _, text: looks_like_pubmed_text(text),
        read_pubmed_text,
    ),
    Format("json-like", "JSON or a part of it", _mostly(r"[{}\[\]]|\"[^\"]{1,60}\"\s*:"), None, _EXPORT),
    Format(
        "markup-like",
        "markup (XML or HTML) or a part of it",
        _mostly(r"</?[A-Za-z!][^<>]*>"),
        None,
        _NO_EXPORT,
    ),
    Format("page", "a page of abstracts", lambda _, text: bool(text.strip()), read_page),
)


def recognise(head: bytes) -> Format | None:
    """The format of a file that begins with these bytes, or None for one that holds nothing."""
    text = decode(head).removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    text = text[_lead(text) :]
    for row in FORMATS:
        if row.mark:
            if found := first_mark(text):
                return found[1]
        elif row.recognises and row.recognises(head, text):
            return row
    return None


def first_mark(text: str) -> tuple[int, Format] | None:
    """Where the records of a text format begin, and the format: the first in the text."""
    places = [(place, row) for row in FORMATS if row.mark and (place := row.mark(text)) is not None]
    return min(places, key=lambda found: found[0], default=None)


def lead_of(head: bytes) -> str:
    """What stands above the data and is passed over, "" for nothing."""
    text = decode(head).removeprefix("\ufeff")
    return text[: _lead(text)]


def _lead(text: str) -> int:
    """The length of the lead; what follows the first record of a text format is none."""
    begin = comments_length(text)
    text = text[begin:]
    size = lead_length(text)
    mark = first_mark(text.replace("\r\n", "\n").replace("\r", "\n")) if size else None
    return begin if mark and mark[0] < size else begin + size


def readable() -> tuple[str, ...]:
    """The names of the formats that can be read."""
    return tuple(row.name for row in FORMATS if row.read)
