"""The table of file formats: how each is recognised by its content, and how it is read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

from corpus.readers.archives import Allowance, Member, gzip_members, zip_members
from corpus.readers.arxiv_xml import read_atom, read_oai
from corpus.readers.bibtex import looks_like_bibtex, read_bibtex
from corpus.readers.csl import looks_like_csl_json, looks_like_csl_yaml, read_csl_json, read_csl_yaml
from corpus.readers.encodings import decode
from corpus.readers.endnote_xml import read_endnote_xml
from corpus.readers.json_document import read_json
from corpus.readers.jsonl import looks_like_jsonl, read_jsonl
from corpus.readers.mods import read_mods
from corpus.readers.page import read_page
from corpus.readers.pubmed import read_pubmed
from corpus.readers.records import Record, Rejected
from corpus.readers.table import looks_like_table, read_table
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
_ARCHIVES = (b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07", b"\xfd7zXZ\x00", b"BZh", b"\x28\xb5\x2f\xfd")
_IMAGES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"II*\x00", b"MM\x00*", b"BM\x36", b"BM\x8a")


@dataclass(frozen=True)
class Format:
    """One kind of file; `recognises` sees its first bytes and their text; some are only named."""

    name: str
    title: str
    recognises: _Test
    read: Reader | None = None
    remedy: str = _EXPORT
    unpack: Unpacker | None = None


def _starts(*magic: bytes) -> _Test:
    return lambda head, _: head.startswith(magic)


def _text(pattern: str) -> _Test:
    compiled = re.compile(pattern, re.M | re.I)
    return lambda _, text: compiled.search(text) is not None


def _is_binary(head: bytes, text: str) -> bool:
    """Whether zero bytes are left in what was taken for text: UTF-16 has none."""
    return b"\x00" in head and "\x00" in text


def _json(keys: str) -> _Test:
    """Text that is JSON with one of the keys."""
    return _text(r'\A\s*[\[{](?=[\s\S]*"(?:' + keys + r')"\s*:)')


def _xml(tags: str) -> _Test:
    """Text that is XML with one of the tags."""
    return _text(r"\A\s*(?=<[?!a-z])(?=[\s\S]*<(?:[\w.-]{1,40}:)?(?:" + tags + "))")


# The first row that recognises a file wins: outer shapes (binary kinds) before text, marks before prose.
FORMATS: tuple[Format, ...] = (
    Format("pdf", "PDF", lambda head, _: head[:64].lstrip().startswith(b"%PDF-"), None, _NO_EXPORT),
    Format("zip", "a ZIP archive", _starts(b"PK\x03\x04", b"PK\x05\x06"), unpack=zip_members),
    Format("gzip", "a gzip file", _starts(b"\x1f\x8b"), unpack=gzip_members),
    Format("tar", "a TAR archive", lambda head, _: head[257:262] == b"ustar", None, _UNPACK),
    Format("archive", "an archive of another kind than ZIP", _starts(*_ARCHIVES), None, _UNPACK),
    Format("ole", "an old Office document", _starts(b"\xd0\xcf\x11\xe0"), None, f"{_NO_EXPORT}; {_SHEET}"),
    Format("sqlite", "an SQLite database", _starts(b"SQLite format 3\x00"), None, _NO_EXPORT),
    Format("image", "an image", _starts(*_IMAGES), None, f"leave it out; {_NO_EXPORT}"),
    Format("binary", "a binary file", _is_binary, None, f"leave it out; {_NO_EXPORT}"),
    Format("rtf", "RTF", _starts(b"{\\rtf"), None, _NO_EXPORT),
    Format("csl-json", "CSL-JSON", lambda _, text: looks_like_csl_json(text), read_csl_json),
    Format("openalex", "OpenAlex JSON", _json(r"abstract_inverted_index|authorships"), read_json),
    Format("arxiv-json", "arXiv's JSON snapshot", _json("authors_parsed"), read_json),
    Format(
        "hf-papers", "Hugging Face papers (JSON)", _json(r"submittedOnDailyAt|paper|publishedAt"), read_json
    ),
    Format("semantic-scholar", "Semantic Scholar JSON", _json("paperId|externalIds|corpusid"), read_json),
    Format("crossref", "Crossref JSON", _json("message-type|(?:is-)?references?(?:d-by)?-count"), read_json),
    Format("jsonl", "JSON Lines", lambda _, text: looks_like_jsonl(text), read_jsonl),
    Format("json", "a JSON document", _text(r"\A\s*(?:\[\s*(?:[\[{\"]|null\b)|\{\s*\")"), read_json),
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
    Format("html", "a web page", _text(r"\A\s*(?:<!doctype html|<html)"), None, _NO_EXPORT),
    Format("xml", "XML", _text(r"\A\s*<(?:\?xml|!--|!doctype|[a-z][\w:.-]*[\s>])")),
    Format("csv", "a table (CSV)", lambda _, text: looks_like_table(text), read_table),
    Format("bibtex", "BibTeX", lambda _, text: looks_like_bibtex(text), read_bibtex),
    Format("csl-yaml", "CSL-YAML", lambda _, text: looks_like_csl_yaml(text), read_csl_yaml),
    Format("ovid", "an Ovid export", lambda _, text: looks_like_ovid(text), read_ovid),
    Format("nbib", "a PubMed (nbib) export", lambda _, text: looks_like_nbib(text), read_nbib),
    Format("ris", "RIS", lambda _, text: looks_like_ris(text), read_ris),
    Format("wos", "a Web of Science export", lambda _, text: looks_like_wos(text), read_wos),
    Format("refworks", "a RefWorks export", lambda _, text: looks_like_refworks(text), read_refworks),
    Format("endnote", "an EndNote export", lambda _, text: looks_like_endnote(text), read_endnote),
    Format(
        "qrels",
        "a table of relevance judgements (qrels)",
        _text(r"\Aquery-id\tcorpus-id\tscore\b"),
        None,
        "leave it out and ingest the corpus.jsonl beside it; `assistant evaluate FOLDER` reads these",
    ),
    Format("page", "a page of abstracts", lambda _, text: bool(text.strip()), read_page),
)


def recognise(head: bytes) -> Format | None:
    """The format of a file that begins with these bytes, or None for one that holds nothing."""
    text = decode(head).removeprefix("\ufeff")
    return next((row for row in FORMATS if row.recognises(head, text)), None)


def readable() -> tuple[str, ...]:
    """The names of the formats that can be read."""
    return tuple(row.name for row in FORMATS if row.read)
