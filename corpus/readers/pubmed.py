"""PubMed XML: articles and book chapters, as E-utilities and the yearly files give them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO
from xml.etree.ElementTree import Element

from corpus.readers.elements import Fields, distinct, read_elements, text_at, texts_at, words
from corpus.readers.records import Record, Rejected

_ABSTRACTS = ("MedlineCitation/Article/Abstract", "BookDocument/Abstract")
_NO_HEADING = {"UNLABELLED", "UNLABELED", "UNASSIGNED", "ABSTRACT"}
_MAIL = re.compile(r"\s*(?:Electronic address:\s*)?\S+@\S+$", re.I)


def read_pubmed(stream: BinaryIO, file: str) -> Iterator[Record | Rejected]:
    """One Record or Rejected for each PubmedArticle and PubmedBookArticle."""
    return read_elements(stream, file, r"(PubmedArticle|PubmedBookArticle)(?:\s[^<>]*)?/?>", _fields)


def _fields(record: Element) -> Fields:
    citation = record.find("MedlineCitation")
    pmid = text_at(record, "MedlineCitation/PMID", "BookDocument/PMID")
    fields = _book(record) if citation is None else _article(citation)
    ids = (
        "PubmedData/ArticleIdList/ArticleId",
        "BookDocument/ArticleIdList/ArticleId",
        "PubmedBookData/ArticleIdList/ArticleId",
    )
    dois = [text_at(record, f"{path}[@IdType='doi']") for path in ids]
    return fields | {
        "abstract": _abstract(record),
        "doi": fields.get("doi") or next(filter(None, dois), ""),
        "pmid": pmid,
        "url": f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/" if pmid.isdigit() else "",
    }


def _article(citation: Element) -> Fields:
    article = citation.find("Article")
    title = text_at(article, "ArticleTitle")
    if title.strip("[]. ").lower() in ("", "not available"):
        title = text_at(article, "VernacularTitle") or title
    dois = [] if article is None else article.findall("ELocationID[@EIdType='doi']")
    date = "Journal/JournalIssue/PubDate"
    return {
        "title": title,
        "authors": _authors(article, "AuthorList"),
        "organisations": _organisations(article, "AuthorList"),
        "year": text_at(article, f"{date}/Year", f"{date}/MedlineDate", "ArticleDate/Year"),
        "venue": text_at(article, "Journal/Title", "Journal/ISOAbbreviation")
        or text_at(citation, "MedlineJournalInfo/MedlineTA"),
        "doi": next((words(one) for one in dois if one.get("ValidYN") != "N"), ""),
        "keywords": texts_at(citation, "KeywordList/Keyword", "MeshHeadingList/MeshHeading/DescriptorName"),
    }


def _book(record: Element) -> Fields:
    """A chapter is a paper in its book; a book without chapters is the paper."""
    document = record.find("BookDocument")
    chapter, book = text_at(document, "ArticleTitle"), text_at(document, "Book/BookTitle")
    lists = ("AuthorList", "Book/AuthorList")
    return {
        "title": chapter or book,
        "authors": next(filter(None, (_authors(document, path) for path in lists)), []),
        "organisations": next(filter(None, (_organisations(document, path) for path in lists)), []),
        "year": text_at(
            document,
            "ContributionDate/Year",
            "Book/PubDate/Year",
            "Book/PubDate/MedlineDate",
            "DateRevised/Year",
        ),
        "venue": book if chapter and chapter != book else "",
        "doi": text_at(document, "Book/ELocationID[@EIdType='doi']"),
        "keywords": texts_at(document, "KeywordList/Keyword"),
    }


def _abstract(record: Element) -> str:
    """The abstract with its headings; one in another place or language only where there is no other."""
    for path in _ABSTRACTS:
        if text := _sections(record.find(path)):
            return text
    others = record.findall("MedlineCitation/OtherAbstract")
    others.sort(key=lambda one: (one.get("Type") == "plain-language-summary", one.get("Language") != "eng"))
    return next(filter(None, map(_sections, others)), "")


def _sections(abstract: Element | None) -> str:
    """The sections' texts: one running text with headings, or paragraphs without."""
    sections = [] if abstract is None else abstract.findall("AbstractText")
    given = [(one.get("Label", "").strip(" :.").upper(), words(one)) for one in sections]
    texts = [
        f"{label}: {text}" if label and label not in _NO_HEADING else text for label, text in given if text
    ]
    return (" " if any(label for label, _ in given) else "\n\n").join(distinct(texts))


def _people(parent: Element | None, path: str) -> Iterator[Element]:
    for people in [] if parent is None else parent.findall(path):
        if people.get("Type", "authors").lower() == "authors":
            yield from (one for one in people.findall("Author") if one.get("ValidYN") != "N")


def _authors(parent: Element | None, path: str) -> list[str]:
    names = distinct(map(_name, _people(parent, path)))
    lists = [] if parent is None else parent.findall(path)
    more = any(one.get("CompleteYN") == "N" for one in lists)
    return [*names, "et al."] if names and more else names


def _name(author: Element) -> str:
    family, given = text_at(author, "LastName"), text_at(author, "ForeName", "FirstName", "Initials")
    parts = (family, text_at(author, "Suffix"), given)
    return ", ".join(filter(None, parts)) or text_at(author, "CollectiveName")


def _organisations(parent: Element | None, path: str) -> list[str]:
    places = (
        text
        for one in _people(parent, path)
        for text in texts_at(one, "AffiliationInfo/Affiliation", "Affiliation")
    )
    return distinct(_MAIL.sub("", text).strip(" .;") for text in places)
