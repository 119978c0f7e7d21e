"""Blocks of a page whose lines are labelled: "Title: …", "Authors: …", "Abstract: …"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from corpus.readers.listed import split_keywords, split_names
from corpus.readers.records import Record

_NAMES = {
    "title": "title", "paper": "title", "paper title": "title", "abstract": "abstract", "summary": "abstract",
    "author": "authors", "authors": "authors", "author(s)": "authors", "keyword": "keywords",
    "keywords": "keywords", "key words": "keywords", "index terms": "keywords", "year": "year",
    "date": "year",
    "published": "year", "journal": "venue", "venue": "venue", "conference": "venue", "source": "venue",
    "doi": "doi", "url": "url", "link": "url", "pmid": "pmid", "arxiv": "arxiv_id",
    "affiliation": "organisations",
    "affiliations": "organisations", "organisation": "organisations", "organization": "organisations",
}  # fmt: skip
_LABEL = re.compile(
    rf"(?:\*\*|__)?({'|'.join(map(re.escape, sorted(_NAMES, key=len, reverse=True)))})(?:\*\*|__)?\s*[:：]"
    r"(?:\*\*|__)?(?:\s+|$)(.*)",
    re.I,
)
_SURE = frozenset({"title", "abstract"})
_NUMBER = re.compile(r"^(?:[#*-]+\s*)?(?:\(?\d{1,4}[.)]|\[\d{1,4}\])?\s*")
_HEADING = re.compile(r"abstract\b[\s:.—–-]*(?=[A-Z])", re.I)
_PLACE = re.compile(r"\s*\(([^()]*)\)")
_MOST_WORDS_ABOVE = 40


def is_labelled(lines: Sequence[str]) -> bool:
    """Whether a block's lines say what they are: its title or its abstract, and little above them."""
    found = [_field(line) for line in lines]
    place = next((place for place, name in enumerate(found) if name in _SURE), None)
    if place is None:
        return found[0] is not None and all(found)
    first = next(place for place, name in enumerate(found) if name)
    if first == 0:
        return True
    return first < 4 and sum(len(line.split()) for line in lines[:first]) < _MOST_WORDS_ABOVE


def by_title(lines: Sequence[str]) -> Iterator[Sequence[str]]:
    """The lines of a block, parted where a title is given again."""
    starts = [place for place, line in enumerate(lines) if _field(line) == "title"]
    bounds = [0, *starts[1:], len(lines)]
    yield from (lines[begin:end] for begin, end in pairwise(bounds))


def _field(line: str) -> str | None:
    found = _LABEL.match(line)
    return _NAMES[found[1].lower()] if found else None


class Labels:
    """What the labelled lines say of one paper so far, over blocks."""

    def __init__(self) -> None:
        self._found: dict[str, list[str]] = {}
        self._raw: list[str] = []
        self._last = ""

    @property
    def open(self) -> bool:
        """Whether the abstract is still to come: its label or a title stood alone."""
        return bool(self._found.keys() & _SURE) and not self.complete

    @property
    def complete(self) -> bool:
        """Whether the abstract is there."""
        return any(self._found.get("abstract", ()))

    @property
    def paper(self) -> bool:
        """Whether there is a title or an abstract."""
        return any(any(self._found.get(name, ())) for name in _SURE)

    def has_other(self, lines: Sequence[str]) -> bool:
        """Whether the lines speak of another paper than those before."""
        return self.paper and any(
            name == "title" or name in self._found for name in map(_field, lines) if name
        )

    def papers(self, lines: Sequence[str], number: int, file: str) -> Iterator[Record]:
        """Takes a block's lines and gives the papers that are complete, the first of them after `number`."""
        for part in by_title(lines):
            if self.has_other(part):
                number += 1
                yield self.record(number, file)
            self.add(part)
        if self.complete:
            yield self.record(number + 1, file)

    def add(self, lines: Sequence[str]) -> None:
        """Takes a block's lines; those above the first label are the title and the authors."""
        self._raw.append("\n".join(lines))
        above = 0
        for line in lines:
            label = _LABEL.match(line)
            if label:
                self._last = _NAMES[label[1].lower()]
                self._found.setdefault(self._last, []).append(label[2])
            elif not self._last or (above and not self._found.keys() - {"title", "authors"}):
                name = "authors" if above else "title"
                self._found.setdefault(name, []).append(line if above else _NUMBER.sub("", line))
                above += 1
            else:
                self._found[self._last].append(line)

    def add_abstract(self, text: str) -> None:
        """Takes the block below the abstract's label."""
        self._raw.append(text)
        self._found.setdefault("abstract", []).append(_HEADING.sub("", text))

    def record(self, number: int, file: str, authors: Sequence[str] = ()) -> Record:
        """The paper, `authors` where its lines name none; what comes next is another one's."""
        texts = {name: "\n".join(filter(None, found)).strip() for name, found in self._found.items()}
        fields: dict[str, object] = {name: " ".join(text.split()) for name, text in texts.items() if text}
        if abstract := texts.get("abstract"):
            fields["abstract"] = abstract
        if people := texts.get("authors"):
            fields["authors"] = split_names(_PLACE.sub("", people))
            places = [place.strip() for place in _PLACE.findall(people) if not place.strip().isdigit()]
            if places and "organisations" not in fields:
                fields["organisations"] = list(dict.fromkeys(filter(None, places)))
        elif authors:
            fields["authors"] = list(authors)
        if words := texts.get("keywords"):
            fields["keywords"] = split_keywords(words)
        if given := texts.get("organisations"):
            fields["organisations"] = [one.strip() for one in given.split(";") if one.strip()]
        raw = "\n\n".join(self._raw)
        self._found, self._raw, self._last = {}, [], ""
        return Record(number, fields, raw, file)
