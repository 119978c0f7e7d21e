"""A paper's fields out of tagged records: each function gives what takes one field, for a dialect's table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from urllib.parse import unquote

from corpus.papers import text_key
from corpus.readers.taglines import Grammar

Values = Sequence[tuple[str, str]]
"""The tags of one record with their texts, in the file's order."""
Taker = Callable[[Values], object]
_MOST = 10_000  # entries of a list; no paper has more authors or keywords
_LONGEST = 100_000  # characters; a longer one is no title, and its words would fill the memory
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)|(?<!\d)(?:1[5-9]|20)\d{6}(?!\d)")
_DOI = re.compile(r"(?:https?://)?(?:(?:dx\.)?doi\.org/|doi:?\s*)?(10\.\d{4,9}/\S+)", re.I)
_ARXIV = r"(?:[a-z-]+(?:\.[A-Z]{2})?/\d{7}|\d{4}\.\d{4,5})(?:v\d+)?(?!\d)"
_ARXIV_ID = re.compile(
    rf"(?:\S*\barxiv\.org/(?:abs|pdf|html)/|(?:\S*\b10\.48550/|arxiv preprint )?arxiv[:.]\s*)({_ARXIV})", re.I
)
_PMID = re.compile(
    r"(?:\S*\bncbi\.nlm\.nih\.gov/(?:m/)?(?:pubmed/)?|PMID:?\s*|PUBMED\s+|MEDLINE:)(\d{4,9})\b(?!\.)", re.I
)
_MARKED_PMID = re.compile(r"(\d{4,9})\s*\[pmid\]", re.I)
_NUMBER = re.compile(r"(\d{1,9})$")
_NOTICE = re.compile(r"(?:copyright of\b|(?:copyright\s*)?(?:©|\(c\))\s*(?:the\b|\d{4}))", re.I)
_ENGLISH = frozenset("the of and in to a is for with that we by on are this was were as from be".split())


@dataclass(frozen=True)
class Dialect:
    """One family: its grammar, and for each field of a paper what takes it out of a record's tags.

    `title_tag` is what a person has to add to a record that has neither title nor abstract.
    """

    grammar: Grammar
    fields: Mapping[str, Taker]
    title_tag: str


def texts(values: Values, tags: Iterable[str]) -> list[str]:
    """What the tags hold, in the file's order, empty ones left out."""
    wanted = frozenset(tags)
    return [value for tag, value in values if value and tag in wanted]


def first(*tags: str) -> Taker:
    """The first text of the first of these tags that has any, on one line."""

    def take(values: Values) -> str | None:
        found = (text for tag in tags for text in texts(values, (tag,)))
        return next((" ".join(text.split()) if len(text) < _LONGEST else text for text in found), None)

    return take


def entries(*groups: tuple[str, ...], split: str = "\n", also: tuple[str, ...] = ()) -> Taker:
    """A list: all entries of the first group of tags that has any, then those of `also`.

    `split` is the pattern between entries of one text.
    """

    def take(values: Values) -> list[str]:
        found = next((found for tags in groups if (found := texts(values, tags))), [])
        return cut([*found, *texts(values, also)], split)

    return take


def cut(found: Iterable[str], split: str) -> list[str]:
    """The entries of the texts, each once and on one line."""
    kept: dict[str, None] = {}
    for part in (part for text in found for part in _pieces(split, text)):
        if entry := " ".join(part.split()).rstrip(";,").strip():
            kept[entry] = None
        if len(kept) == _MOST:
            break
    return list(kept)


def _pieces(split: str, text: str) -> Iterator[str]:
    """What re.split gives, one at a time: a list of all would fill the memory for some files."""
    start = 0
    for match in re.finditer(split, text):
        yield text[start : match.start()]
        start = match.end()
    yield text[start:]


def keywords(*tags: str, split: str = r"[\n;]") -> Taker:
    """Keywords of all these tags; one line with many commas and nothing else is a list by commas."""

    def take(values: Values) -> list[str]:
        found = cut(texts(values, tags), split)
        if len(found) == 1 and found[0].count(",") > 1:
            found = cut(found, ",")
        return [word for item in found if (word := item.strip("*").strip())]

    return take


def abstract(*tags: str, other: tuple[str, ...] = (), wrapped: bool = False) -> Taker:
    """The abstracts of the tags, joined by a blank line: no repeats, translations or copyright notices.

    Those of `other` count only where the tags have none. In `wrapped` texts a line's end means nothing.
    """

    def take(values: Values) -> str | None:
        found = texts(values, tags) or texts(values, other)
        if wrapped:
            found = [" ".join(text.split()) for text in found]
        return "\n\n".join(_distinct(found)) or None

    return take


def _distinct(found: list[str]) -> list[str]:
    if len(found) < 2:
        return found
    found = [text for text in found if not _NOTICE.match(text)] or found[:1]
    if any(_is_english(text) for text in found):
        found = [text for text in found if len(text.split()) < 15 or _is_english(text)]
    kept: list[tuple[str, str]] = []
    for text in islice(found, 100):
        key = text_key(text)
        if any(key in other for other, _ in kept):
            continue
        kept = [*((other, said) for other, said in kept if other not in key), (key, text)]
    return [text for _, text in kept]


def _is_english(text: str) -> bool:
    words = text[:2000].lower().split()
    return len(words) >= 15 and sum(word in _ENGLISH for word in words) * 8 > len(words)


def year(*tags: str) -> Taker:
    """The first text of the tags that has a year in it, else their first text."""

    def take(values: Values) -> str | None:
        found = [text for tag in tags for text in texts(values, (tag,))]
        return next((text for text in found if _YEAR.search(text)), found[0] if found else None)

    return take


def doi(*tags: str, links: tuple[str, ...] = ()) -> Taker:
    """The DOI of the tags, else the first of `links` that is nothing but one."""

    def take(values: Values) -> str | None:
        sure = [
            match[1]
            for tag in tags
            for text in texts(values, (tag,))
            if (match := _DOI.search(unquote(text)))
        ]
        if sure:
            return sure[0]
        found = (_DOI.match(unquote(part)) for text in texts(values, links) for part in _parts(text))
        return next((match[1] for match in found if match), None)

    return take


def _parts(text: str) -> list[str]:
    """The addresses of a text that begins with one, else its lines: notes name other papers' DOIs as well."""
    return text.split() if text.lower().startswith("http") else text.split("\n")


def arxiv_id(*tags: str) -> Taker:
    """The arXiv id, with its version, of the first text of the tags that gives one."""
    return lambda values: _in_parts(values, tags, _ARXIV_ID)


def pmid(*tags: str, bare: tuple[str, ...] = ()) -> Taker:
    """The PubMed id of the first text of the tags that gives one; `bare`: tags that hold nothing else."""
    return lambda values: _in_parts(values, bare, _NUMBER) or _in_parts(values, tags, _PMID, _MARKED_PMID)


def _in_parts(values: Values, tags: tuple[str, ...], *patterns: re.Pattern[str]) -> str | None:
    parts = (part for text in texts(values, tags) for part in re.split(r"[\n,]", text))
    found = (pattern.match(part.strip()) for part in parts for pattern in patterns)
    return next((match[1] for match in found if match), None)


def url(*tags: str) -> Taker:
    """The first web address of the tags."""

    def take(values: Values) -> str | None:
        parts = (part for tag in tags for text in texts(values, (tag,)) for part in text.split())
        return next((part for part in parts if re.match(r"https?://", part, re.I)), None)

    return take
