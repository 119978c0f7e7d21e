"""From the fields of a BibTeX or BibLaTeX entry to those of a Record."""

from __future__ import annotations

import re
from collections.abc import Iterable

from corpus.readers.bibtex_names import split_keywords, split_names

Fields = dict[str, list[str]]

_ABSTRACT = ("abstract", "abstractnote", "summary")
_NOTES = ("annotation", "annote", "note")
_KEYWORDS = ("keywords", "keyword", "author_keywords", "author-keywords", "keywords-plus", "mendeley-tags")
_JOURNAL = (
    "journal",
    "journaltitle",
    "journal-full",
    "fjournal",
    "shortjournal",
    "journal-iso",
    "journal_iso",
)
_BOOK = ("booktitle", "eventtitle", "conference", "maintitle")
_IN_BOOKS = frozenset(
    {"inproceedings", "conference", "incollection", "inbook", "inreference", "presentation"}
)
_OF_EDITORS = frozenset(
    {"book", "proceedings", "collection", "reference", "mvbook", "mvproceedings", "periodical"}
)
_URLS = ("url", "link", "ee", "adsurl", "bdsk-url-1", "howpublished", "note")
_WHERE_WRITTEN = ("affiliations", "affiliation", "institution", "school")
_YEARS = ("year", "date", "issued", "earlyaccessdate", "eventdate")

_ESCAPED = re.compile(r"\{?\\(?:url|href)?\s*\{?([_%&#$~^])\{?\}?\}?|[{}]|\$(?=[_<>]\$)|(?<=[_<>])\$")
_URL = re.compile(r"https?://[^\s{}\"<>|]+?(?=[,;]\s*https?://|[,;.]?(?:[\s{}\"<>|]|\Z))", re.I)
_ARXIV = re.compile(
    r"arxiv(?:\.org/(?:abs|pdf)/|[.:]\s*|\s+preprint\s+arxiv:\s*)([\w.-]{2,20}/\d{7}|\d{4}\.\d{4,5})(v\d+)?",
    re.I,
)
_ARXIV_ID = re.compile(
    r"(?:arxiv:)?\s*((?:[a-z-]{2,16}(?:\.[a-z]{2})?/\d{7}|\d{4}\.\d{4,5})(?:v\d+)?)(?!\d)", re.I
)
_DOI = re.compile(r"(?:doi\.org/|doi:\s*)(10\.\d{4,9}/\S+)", re.I)
_DIGITS = re.compile(r"(?<!\d)\d{4}(?!\d)")
_CORRESPONDING = re.compile(r"\((?:Reprint|Corresponding) Author", re.I)


def fields_of(kind: str, own: Fields, parent: Fields) -> dict[str, object]:
    """The Record's fields; what isn't there is left out. Values stay LaTeX: cleaning reads it."""
    plain = _Plain(own)
    found: dict[str, object] = {
        "title": _title(own, parent),
        "abstract": _abstract(own),
        "authors": _authors(kind, own),
        "organisations": _organisations(own),
        "year": _year(own, parent),
        "venue": _venue(kind, own, parent),
        "doi": plain.doi(),
        "arxiv_id": plain.arxiv_id(),
        "pmid": plain.pmid(),
        "url": plain.url(),
        "keywords": list(
            dict.fromkeys(word for text in _all(own, _KEYWORDS) for word in split_keywords(text))
        ),
    }
    return {name: value for name, value in found.items() if value}


def _all(fields: Fields, names: Iterable[str]) -> list[str]:
    return [text for name in names for text in fields.get(name, [])]


def _one(fields: Fields, *names: str) -> str:
    return next(iter(_all(fields, names)), "")


def _title(own: Fields, parent: Fields) -> str:
    title = _one(own, "title")
    subtitle = _one(own, "subtitle")
    if title and subtitle and subtitle not in title:
        return f"{title}{'' if title[-1] in '?!:.' else ':'} {subtitle}"
    others = ("shorttitle", "issuetitle", "booktitle", "maintitle", "titleaddon")
    return title or _one(own, *others) or _one(parent, "title")


def _abstract(own: Fields) -> str:
    """The abstracts; what somebody noted about the paper is one only where it says so."""
    texts = _all(own, _ABSTRACT)
    if not texts:
        texts = [text for text in _all(own, _NOTES) if re.match(r"\{*abstract\s*[:.\n]", text, re.I)]
    return "\n\n".join(dict.fromkeys(texts))


def _authors(kind: str, own: Fields) -> list[str]:
    names = ["author", "authors", "collaboration", "group-author", "book-author", "book-group-author"]
    if kind in _OF_EDITORS:
        names.append("editor")
    if kind in ("manual", "online", "misc", "standard", "software"):
        names.append("organization")
    for name in names:
        if people := split_names(" and ".join(own.get(name, []))):
            return people
    return []


def _organisations(own: Fields) -> list[str]:
    for name in _WHERE_WRITTEN:
        texts = [text for text in own.get(name, []) if not _CORRESPONDING.search(text)]
        pieces = [piece for text in texts for piece in text.split(";")]
        if found := list(dict.fromkeys(" ".join(piece.split()) for piece in pieces if piece.strip())):
            return found
    return []


def _year(own: Fields, parent: Fields) -> str:
    texts = _all(own, _YEARS) + _all(parent, _YEARS)
    bare = [text.strip("{}~ ") for text in texts]
    with_digits = (text[match.start() :] for text in bare if (match := _DIGITS.search(text)))
    return next(with_digits, bare[0] if bare else "")


def _venue(kind: str, own: Fields, parent: Fields) -> str:
    names = (*_BOOK, *_JOURNAL) if kind in _IN_BOOKS else (*_JOURNAL, *_BOOK)
    book = _one(own, *names)
    if book and book != _title(own, {}):
        return book
    return _one(parent, *names, "title") if parent and own.get("title") else ""


class _Plain:
    """The fields that aren't LaTeX: identifiers and addresses, freed of what LaTeX had to escape."""

    def __init__(self, own: Fields) -> None:
        self._own = own

    def _texts(self, *names: str) -> list[str]:
        return [_ESCAPED.sub(lambda match: match[1] or "", text) for text in _all(self._own, names)]

    def doi(self) -> str:
        given = next((text for text in self._texts("doi") if "10." in text), "")
        found = map(_DOI.search, [] if given else self._texts(*_URLS))
        return given or next((match[1] for match in found if match), "")

    def arxiv_id(self) -> str:
        kind = _one(self._own, "eprinttype", "archiveprefix", "archive", "eprintclass").lower()
        for name in ("arxivid", "arxiv", "eprint"):
            for text in self._texts(name):
                if "arxiv" in (kind or "arxiv") and (match := _ARXIV_ID.search(text)):
                    return match[1]
        others = map(_ARXIV.search, self._texts(*_URLS, "journal", "journaltitle", "number", "doi"))
        return next((match[1] + (match[2] or "") for match in others if match), "")

    def pmid(self) -> str:
        texts = self._texts("pmid", "pubmed_id", "pubmedid", "pubmed-id")
        if _one(self._own, "eprinttype", "archiveprefix").lower() in ("pubmed", "pmid"):
            texts += self._texts("eprint")
        return next((match[0] for text in texts if (match := re.search(r"\d{1,9}", text))), "")

    def url(self) -> str:
        found = map(_URL.search, self._texts(*_URLS))
        return next((match[0] for match in found if match), "")
