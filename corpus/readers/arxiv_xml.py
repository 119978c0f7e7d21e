"""arXiv's XML: Atom feeds of its search interface, and OAI-PMH in each of its forms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO
from xml.etree.ElementTree import Element

from corpus.errors import InputError
from corpus.readers.elements import (
    Fields,
    distinct,
    joined_abstracts,
    read_elements,
    text_at,
    texts_at,
    words,
)
from corpus.readers.mods import mods_fields
from corpus.readers.names import split_authors
from corpus.readers.records import Record, Rejected

_ARXIV = re.compile(r"arxiv\.org/(?:abs|pdf)/(\S+)|\boai:arXiv\.org:(\S+)|\barxiv:\s*(\S+)", re.I)
_ERROR = re.compile(r'<error\b[^>]*?(?:code="(\w+)"[^>]*)?>([^<]*)</error>')
_COMMENT = re.compile(r"\s*comments?:", re.I)
_DELETED = "is marked as deleted: there is no paper any more"


def read_atom(stream: BinaryIO, file: str) -> Iterator[Record | Rejected]:
    """One Record or Rejected for each entry; an entry that tells of an error is no paper."""
    for item in read_elements(stream, file, r"(entry)(?:\s[^<>]*)?/?>", _entry):
        if isinstance(item, Record) and item.fields.get("error"):
            reason = f"holds no paper but an error message of arXiv: {item.fields['abstract']!r}"
            yield Rejected(file, None, reason, "mend the query and save its result again")
        else:
            yield item


def _entry(entry: Element) -> Fields:
    address = text_at(entry, "id")
    if "/api/errors" in address:
        return {"error": True, "abstract": text_at(entry, "summary") or "no reason given"}
    links = entry.findall("link")
    shown = next((one.get("href", "") for one in links if one.get("rel", "alternate") == "alternate"), "")
    doi = next((one.get("href", "") for one in links if one.get("title") == "doi"), "")
    return {
        "title": text_at(entry, "title"),
        "abstract": text_at(entry, "summary", "content"),
        "authors": texts_at(entry, "author/name") or texts_at(entry, "author"),
        "organisations": texts_at(entry, "author/affiliation"),
        "year": text_at(entry, "published", "issued", "updated"),
        "venue": text_at(entry, "journal_ref"),
        "doi": text_at(entry, "doi") or doi,
        "arxiv_id": _arxiv_id(address),
        "url": shown or (address if "://" in address else ""),
        "keywords": distinct(one.get("term", "") for one in entry.findall("category")),
    }


def read_oai(stream: BinaryIO, file: str) -> Iterator[Record | Rejected]:
    """One Record or Rejected for each record of a repository's answer; deleted ones are Rejected."""
    start = r"(record)(?:\s[^<>]*)?>\s*<(?:[\w.-]+:)?header\b"
    some = False
    for item in read_elements(stream, file, start, _record):
        some = True
        yield item
    if not some:
        yield from _told_error(stream, file)


def _told_error(stream: BinaryIO, file: str) -> Iterator[Rejected]:
    stream.seek(0)
    found = _ERROR.search(stream.read(64 * 1024).decode("utf-8", "replace"))
    if found:
        told = ": ".join(filter(None, (found[1], " ".join(found[2].split()))))
        reason = f"holds no paper but an error message of the repository: {told!r}"
        yield Rejected(file, None, reason, "mend the request and save its result again")


def _record(record: Element) -> Fields:
    header = record.find("header")
    identifier = text_at(header, "identifier")
    if header is not None and header.get("status") == "deleted":
        raise InputError(f"{identifier or 'the record'} {_DELETED}")
    body = next(iter(record.findall("metadata/*")), None)
    fields = _FORMS.get("" if body is None else body.tag.lower())
    if body is None or fields is None:
        kind = "no metadata" if body is None else f"metadata in the form {body.tag!r}"
        raise InputError(f"{identifier or 'the record'} has {kind}; ask the repository for oai_dc or arXiv")
    found = fields(body)
    return found | {"arxiv_id": found.get("arxiv_id") or _arxiv_id(identifier)}


def _dublin_core(body: Element) -> Fields:
    identifiers = texts_at(body, "identifier", "relation")
    told = [text for text in texts_at(body, "description", "abstract") if not _COMMENT.match(text)]
    abstracts = [
        (words(one), one.get("lang", "")) for one in (*body.findall("description"), *body.findall("abstract"))
    ]
    return {
        "title": text_at(body, "title"),
        "abstract": joined_abstracts((text, language) for text, language in abstracts if text in told),
        "authors": texts_at(body, "creator"),
        "year": min(texts_at(body, "date"), default=""),
        "venue": text_at(body, "source", "isPartOf"),
        "doi": next((text for text in identifiers if re.search(r"\b10\.\d{4,9}/", text)), ""),
        "arxiv_id": next(filter(None, map(_arxiv_id, identifiers)), ""),
        "url": next((text for text in identifiers if re.match(r"https?://", text)), ""),
        "keywords": texts_at(body, "subject"),
    }


def _arxiv(body: Element) -> Fields:
    """The forms arXiv, arXivRaw and arXivOld."""
    number = text_at(body, "id")
    people = body.findall("authors/author")
    return {
        "title": text_at(body, "title"),
        "abstract": text_at(body, "abstract"),
        "authors": distinct(map(_name, people)) or split_authors(text_at(body, "authors")),
        "organisations": texts_at(body, "authors/author/affiliation"),
        "year": _year(text_at(body, "created", "version/date", "updated")),
        "venue": text_at(body, "journal-ref"),
        "doi": text_at(body, "doi"),
        "arxiv_id": number,
        "url": f"https://arxiv.org/abs/{number}" if number else "",
        "keywords": text_at(body, "categories").split(),
    }


def _name(author: Element) -> str:
    return ", ".join(filter(None, (text_at(author, one) for one in ("keyname", "suffix", "forenames"))))


def _year(date: str) -> str:
    """The year of "2007-04-02" and of "Mon, 2 Apr 2007 19:18:42 GMT"."""
    found = re.search(r"\b(?:19|20)\d\d\b", date)
    return found[0] if found else ""


def _arxiv_id(text: str) -> str:
    found = _ARXIV.search(text)
    return next(filter(None, found.groups()), "") if found else ""


_FORMS = {"dc": _dublin_core, "arxiv": _arxiv, "arxivraw": _arxiv, "arxivold": _arxiv, "mods": mods_fields}
