"""Papers as the services' JSON has them, each kind told by its keys, to fields named like Paper's."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from corpus.readers.jats import jats_text
from corpus.readers.json_values import at, each, first, names, person, text
from corpus.readers.names import split_authors

Item = Mapping[str, Any]
_ARXIV = re.compile(r"arxiv\.org/(?:abs|pdf)/(\S+?)(?:\.pdf)?$|\b10\.48550/arxiv\.(\S+)", re.I)
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")


@dataclass(frozen=True)
class Service:
    """One kind of JSON: the keys of which an item has one, and what makes fields of it."""

    name: str
    marks: frozenset[str]
    fields: Callable[[Item], dict[str, object]]


def paper_fields(item: Mapping[str, Any]) -> Mapping[str, object]:
    """The item's fields named like Paper's; an item of no known kind comes back as it is."""
    if MARKS.isdisjoint(item):
        return item
    service = next((one for one in SERVICES if not one.marks.isdisjoint(item)), None)
    if service is None:  # pragma: no cover - every mark is some service's
        return item
    return {key: value for key, value in service.fields(item).items() if value}


def _people(items: Iterable[object]) -> list[str]:
    return list(dict.fromkeys(filter(None, map(person, items))))


def _crossref(item: Item) -> dict[str, object]:
    title, subtitle = text(item, "title"), text(item, "subtitle")
    if subtitle and subtitle.lower() not in title.lower():
        title = f"{title}: {subtitle}" if title else subtitle
    dates = ("published", "issued", "published-print", "published-online", "posted", "created")
    authors = each(item, "author")
    return {
        "title": title,
        "abstract": jats_text(text(item, "abstract")),
        "authors": _people(authors),
        "organisations": names((place for one in authors for place in each(one, "affiliation")), "name"),
        "year": first(text(item, date, "date-parts", 0, 0) for date in dates),
        "venue": text(item, "container-title") or text(item, "event", "name"),
        "doi": text(item, "DOI"),
        "arxiv_id": _arxiv_id([text(item, "DOI")]),
        "url": text(item, "URL") or text(item, "resource", "primary", "URL"),
        "keywords": names(each(item, "subject")),
    }


def _openalex(item: Item) -> dict[str, object]:
    places = [at(item, "primary_location"), *each(item, "locations"), at(item, "best_oa_location")]
    addresses = [text(one, key) for one in places for key in ("landing_page_url", "pdf_url")]
    authorships = each(item, "authorships")
    venues = (text(item, *path, "display_name") for path in (("primary_location", "source"), ("host_venue",)))
    return {
        "title": text(item, "title") or text(item, "display_name"),
        "abstract": text(item, "abstract") or inverted_text(at(item, "abstract_inverted_index")),
        "authors": [
            name
            for one in authorships
            if (name := text(one, "author", "display_name") or text(one, "raw_author_name"))
        ],
        "organisations": names(
            (one for who in authorships for one in each(who, "institutions")), "display_name"
        ),
        "year": text(item, "publication_year") or text(item, "publication_date"),
        "venue": first(venues),
        "doi": text(item, "doi") or text(item, "ids", "doi"),
        "arxiv_id": text(item, "ids", "arxiv") or _arxiv_id([*addresses, text(item, "doi")]),
        "pmid": text(item, "ids", "pmid").rstrip("/").rpartition("/")[2],
        "url": first(addresses) or text(item, "id"),
        "keywords": names(each(item, "keywords"), "display_name", "keyword"),
    }


def inverted_text(index: object) -> str:
    """The text whose words' places the index gives; "" for what is no index."""
    if not isinstance(index, Mapping):
        return ""
    places = [
        (place, word)
        for word, found in index.items()
        for place in (found if isinstance(found, list) else [])
        if isinstance(place, int)
    ]
    return " ".join(word for _, word in sorted(places))


def _semantic_scholar(item: Item) -> dict[str, object]:
    ids = {str(key).lower(): value for key, value in _external(item).items()}
    authors = each(item, "authors")
    kinds = names(
        [*each(item, "fieldsOfStudy"), *each(item, "s2FieldsOfStudy"), *each(item, "s2fieldsofstudy")],
        "category",
    )
    return {
        "title": text(item, "title"),
        "abstract": text(item, "abstract"),
        "authors": names(authors, "name"),
        "organisations": names(place for one in authors for place in each(one, "affiliations")),
        "year": text(item, "year") or text(item, "publicationDate") or text(item, "publicationdate"),
        "venue": first(
            (text(item, "venue"), text(item, "journal", "name"), text(item, "publicationVenue", "name"))
        ),
        "doi": text(ids, "doi") or text(item, "doi"),
        "arxiv_id": text(ids, "arxiv") or text(item, "arxivId"),
        "pmid": text(ids, "pubmed"),
        "url": text(item, "url"),
        "keywords": kinds,
    }


def _external(item: Item) -> Item:
    found = at(item, "externalIds") or at(item, "externalids")
    return found if isinstance(found, Mapping) else {}


def _arxiv(item: Item) -> dict[str, object]:
    number = text(item, "id")
    people = [one for one in each(item, "authors_parsed") if isinstance(one, list)]
    parsed = [", ".join(filter(None, (text(one, 0), text(one, 2), text(one, 1)))) for one in people]
    kinds = [
        one
        for entry in (each(item, "categories") or [text(item, "categories")])
        for one in str(entry).split()
    ]
    dates = (text(item, "versions", 0, "created"), text(item, "update_date"))
    years = (found[0] for date in dates if (found := _YEAR.search(date)))
    return {
        "title": text(item, "title"),
        "abstract": text(item, "abstract"),
        "authors": [name for name in parsed if name] or split_authors(text(item, "authors")),
        "organisations": list(dict.fromkeys(filter(None, (text(one, 3) for one in people)))),
        "year": next(years, ""),
        "venue": text(item, "journal-ref"),
        "doi": text(item, "doi"),
        "arxiv_id": number,
        "url": f"https://arxiv.org/abs/{number}" if number else "",
        "keywords": kinds,
    }


def _hugging_face(item: Item) -> dict[str, object]:
    """A daily paper: what lies in `paper` first, then what lies beside it."""
    inner = item["paper"] if isinstance(item.get("paper"), Mapping) else item
    number = text(inner, "id") or text(inner, "arxiv_id") or text(item, "id")
    arxiv_id = re.fullmatch(r"\d{4}\.\d{4,5}(?:v\d+)?", number)
    return {
        "title": text(inner, "title") or text(item, "title"),
        "abstract": text(inner, "summary") or text(inner, "abstract") or text(item, "summary"),
        "authors": _people([one for one in each(inner, "authors") if not at(one, "hidden")]),
        "organisations": names([at(inner, "organization"), at(item, "organization")], "fullname", "name")[:1],
        "year": text(inner, "publishedAt") or text(item, "publishedAt") or text(inner, "published"),
        "doi": text(inner, "doi"),
        "arxiv_id": number if arxiv_id else _arxiv_id([number, text(inner, "url"), text(inner, "entry_id")]),
        "url": f"https://huggingface.co/papers/{number}" if arxiv_id else text(inner, "url"),
        "keywords": names(each(inner, "ai_keywords")),
    }


def _arxiv_id(texts: Iterable[str]) -> str:
    found = (_ARXIV.search(one) for one in texts)
    return next((one[1] or one[2] for one in found if one), "")


# The first whose mark an item has is its kind.
SERVICES = (
    Service("openalex", frozenset({"abstract_inverted_index", "authorships"}), _openalex),
    Service("arxiv-json", frozenset({"authors_parsed"}), _arxiv),
    Service("hf-papers", frozenset({"paper", "publishedAt", "submittedOnDailyAt"}), _hugging_face),
    Service(
        "semantic-scholar",
        frozenset({"paperId", "externalIds", "corpusId", "corpusid", "externalids"}),
        _semantic_scholar,
    ),
    Service(
        "crossref",
        frozenset(
            {"reference-count", "references-count", "is-referenced-by-count", "container-title", "DOI"}
        ),
        _crossref,
    ),
)
MARKS = frozenset().union(*(one.marks for one in SERVICES))
