"""From an item of CSL, as JSON or YAML has it, to the fields of a Record."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from corpus.readers.bibtex_names import split_keywords

_VENUES = ("container-title", "event-title", "event", "journal", "container-title-short")
_DATES = ("issued", "published", "published-print", "published-online", "event-date", "submitted", "year")
_PEOPLE = ("author", "editor", "collection-editor", "director", "container-author")
_WORDS = ("keyword", "keywords", "subject")
_NOTE = re.compile(r"^\s*\{?:?(doi|pmid|arxiv|abstract)\s*:\s*([^\n}]+)", re.I | re.M)
_ARXIV = re.compile(
    r"arxiv(?:\.org/(?:abs|pdf)/|[.:]\s*)([a-z-]{2,16}(?:\.[a-z]{2})?/\d{7}|\d{4}\.\d{4,5})(v\d+)?", re.I
)
_ARXIV_ID = re.compile(r"(?:[a-z-]{2,16}(?:\.[a-z]{2})?/\d{7}|\d{4}\.\d{4,5})(?:v\d+)?(?!\d)", re.I)
_PANDOC = re.compile(r"\[([^\[\]]*)\]\{\.[\w-]+\}")


def fields_of(item: Mapping[str, Any]) -> dict[str, object]:
    """The Record's fields; what isn't there is left out."""
    given = {str(name).lower().replace("_", "-"): value for name, value in item.items()}
    noted = {match[1].lower(): match[2].strip() for match in _NOTE.finditer(_text(given.get("note")))}
    found: dict[str, object] = {
        "title": _title(given),
        "abstract": _text(given.get("abstract")) or noted.get("abstract", ""),
        "authors": next((names for role in _PEOPLE if (names := _names(given.get(role)))), []),
        "organisations": _affiliations(given.get("author")),
        "year": next((year for name in _DATES if (year := _year(given.get(name)))), ""),
        "venue": next((text for name in _VENUES if (text := _text(given.get(name)))), ""),
        "doi": _text(given.get("doi")) or noted.get("doi", ""),
        "arxiv_id": _arxiv_id(given, noted),
        "pmid": _text(given.get("pmid")) or noted.get("pmid", ""),
        "url": _text(given.get("url")),
        "keywords": next((words for name in _WORDS if (words := _keywords(given.get(name)))), []),
    }
    return {name: value for name, value in found.items() if value}


def _text(value: object) -> str:
    """A value as text; of a list its first that holds something, as Crossref gives titles."""
    if isinstance(value, list):
        return next((text for item in value if not isinstance(item, list) and (text := _text(item))), "")
    if isinstance(value, str):
        return _PANDOC.sub(r"\1", value).strip()
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""


def _title(given: Mapping[str, Any]) -> str:
    title, subtitle = _text(given.get("title")), _text(given.get("subtitle"))
    if title and subtitle and subtitle.lower() not in title.lower():
        return f"{title}{'' if title[-1] in '?!:.' else ':'} {subtitle}"
    return title or next(
        (text for name in ("title-short", "part-title") if (text := _text(given.get(name)))), ""
    )


def _names(value: object) -> list[str]:
    people = value if isinstance(value, list) else [value]
    return [name for person in people if (name := _name(person))]


def _name(person: object) -> str:
    """ "Family, Given"; the name of a group in braces, so that a comma in it divides nothing."""
    if not isinstance(person, Mapping):
        return _text(person) if isinstance(person, str) else ""
    part = {str(name): _text(value) for name, value in person.items()}
    family = " ".join(filter(None, (part.get("non-dropping-particle"), part.get("family"))))
    given = " ".join(filter(None, (part.get("given"), part.get("dropping-particle"))))
    if family:
        return ", ".join(filter(None, (family, part.get("suffix"), given)))
    whole = part.get("literal") or part.get("name") or ""
    return f"{{{whole}}}" if whole else given


def _affiliations(value: object) -> list[str]:
    people = value if isinstance(value, list) else []
    places = [person.get("affiliation") for person in people if isinstance(person, Mapping)]
    names = (
        _text(place.get("name")) if isinstance(place, Mapping) else _text(place)
        for group in places
        for place in (group if isinstance(group, list) else [group])
    )
    return list(dict.fromkeys(name for name in names if name))


def _year(value: object, depth: int = 0) -> str:
    """The date as it stands, or its year where it comes in parts; YAML's aliases may lead in circles."""
    if depth > 4:
        return ""
    if isinstance(value, list):
        return _year(value[0], depth + 1) if value else ""
    if isinstance(value, Mapping):
        ways = ("date-parts", "year", "raw", "literal", "string", "date-time", "edtf", "value")
        return next((year for way in ways if (year := _year(value.get(way), depth + 1))), "")
    return _text(value)


def _arxiv_id(given: Mapping[str, Any], noted: Mapping[str, str]) -> str:
    archive = " ".join(_text(given.get(name)) for name in ("archive", "publisher", "source")).lower()
    direct = [_text(given.get("arxiv")), noted.get("arxiv", "")]
    if "arxiv" in archive:
        direct += [_text(given.get("archive-location")), _text(given.get("number"))]
    for text in direct:
        if match := _ARXIV_ID.search(text):
            return match[0]
    texts = (_text(given.get(name)) for name in ("number", "url", "doi", "container-title", "note"))
    return next((match[1] + (match[2] or "") for text in texts if (match := _ARXIV.search(text))), "")


def _keywords(value: object) -> list[str]:
    words = value if isinstance(value, list) else split_keywords(value) if isinstance(value, str) else []
    return [text for word in words if (text := _text(word))]
