"""The numbers of a text, in digits and in words, each with its unit and its qualifier."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from assistant.figures import figures_of
from assistant.figures.amount import BIG, SCALES
from assistant.verify.number_tables import CLEAR, COUNTS, MEASURED, SPELLED, WORDS

_NUMBER = re.compile(r"(?<![\w.])[~≈<>]?\$?(\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)")
_WORD = re.compile(r"[a-z]+", re.I)
_IN_WORDS = re.compile(rf"\b({'|'.join(COUNTS)})[\s-]({'|'.join(BIG)})\b", re.I)
_AFTER_DIGIT = re.compile(r"\d[\s-]?$")
_UNIT = re.compile(
    r"\s*-?\s*(?:(?P<pp>percentage points?|points?\b|pp\b)"
    r"|(?P<pct>%|\\%|percent\b|per cent\b)"
    r"|(?P<x>[x×](?![\w])|times\b|-?fold\b|\\times)"
    r"|(?P<scale>(?:(?i:trillion|billion|million|thousand|bn)|[KkMBTbm])\b)?"
    r"-?\s?(?P<word>[A-Za-zµμ]+(?:/s)?)?)"
)
_RATE = re.compile(
    r"\s*(?:[A-Za-z]+\s+){0,2}?(?:per|an?|each|every|/)\s*(second|sec|s|minute|min|hour|day)\b"
)
_OF_DEVICES = re.compile(r"[\s-]+(?:GPU|CPU|TPU)s?[\s-]+(hours?|days?|seconds?|minutes?|years?)\b", re.I)
_BEHIND = 40
"""Characters behind a number that are looked at for its unit, and again for the rate."""
# Qualifiers that stand apart from their figure: "as much as a factor of three".
_APART = re.compile(
    r"\b(?:as (?:much|many|high|large|fast|long) as|up to|at most|at best|max(?:imum)?|peaks?)\b"
    r"[^,;.]{0,25}$",
    re.I,
)
_LEAST_APART = re.compile(r"\b(?:at least|no (?:less|fewer) than)\b[^,;.]{0,25}$", re.I)
_BEFORE = 40
"""Characters before a figure in which such a qualifier is looked for."""


@dataclass(frozen=True)
class Number:
    """A number of a text: its value, scaled out, what stands behind it, where; `worded` if not in digits."""

    value: float
    unit: str
    qualifier: str | None
    start: int
    end: int
    worded: bool = False


@lru_cache(maxsize=4_096)
def numbers_of(text: str) -> tuple[Number, ...]:
    """The numbers of a text in order, in digits and in words; digits behind a letter aren't any."""
    qualifiers = _qualifiers(text)
    found = [*_in_digits(text, qualifiers), *_in_words(text, qualifiers), *_products(text)]
    return tuple(sorted(found, key=lambda one: one.start))


def _in_digits(text: str, qualifiers: Mapping[int, str | None]) -> Iterator[Number]:
    for match in _NUMBER.finditer(text):
        unit, scale = _unit_behind(text, match.end())
        value = float(match[1].replace(",", "")) * scale
        yield Number(value, unit, qualifiers.get(match.start(1)), match.start(), match.end())


def _in_words(text: str, qualifiers: Mapping[int, str | None]) -> Iterator[Number]:
    for match in _WORD.finditer(text):
        value = WORDS.get(match[0].lower())
        start, end = match.span()
        if value is None or _AFTER_DIGIT.search(text[max(0, start - 3) : start]):
            continue
        apart = "up to" if _APART.search(_before(text, start)) else None
        unit, _ = _unit_behind(text, end)
        yield Number(
            value, unit if unit in CLEAR else "", qualifiers.get(start, apart), start, end, worded=True
        )


def _products(text: str) -> Iterator[Number]:
    """The numbers of two words: "two hundred"."""
    for match in _IN_WORDS.finditer(text):
        count, power = COUNTS.get(match[1].lower()), BIG.get(match[2].lower())
        if count and power:  # a long s is an s in other case, but no letter of the table
            yield Number(count * power, "", None, match.start(), match.end(), worded=True)


def _qualifiers(text: str) -> dict[int, str | None]:
    """By place what qualifies the figure there, "up to"; None where nothing does."""
    spans = {(one.start, one.end): one for one in figures_of(text)}
    found: dict[int, str | None] = {}
    for (start, end), one in spans.items():
        qualifier = one.qualifier if one.qualifier is not None else _apart(_before(text, one.start))
        for place in range(start, end):
            found.setdefault(place, qualifier)
    return found


def _apart(before: str) -> str | None:
    if _APART.search(before):
        return "up to"
    return "at least" if _LEAST_APART.search(before) else None


def _before(text: str, place: int) -> str:
    return text[max(0, place - _BEFORE) : place]


def _unit_behind(text: str, place: int) -> tuple[str, float]:
    """The unit that stands at a place, "" for none, and what it scales the number by: "7B parameters"."""
    after = text[place : place + _BEHIND]
    if timed := _OF_DEVICES.match(after):
        return f"gpu-{timed[1].lower().rstrip('s')}", 1.0
    match = _UNIT.match(after)
    if not match:
        return "", 1.0
    for name, unit in (("pp", "points"), ("pct", "%"), ("x", "x")):
        if match[name]:
            return unit, 1.0
    scale = (SCALES | BIG).get((match["scale"] or "").lower(), 1.0)
    word = (match["word"] or "").lower()
    word = word.rstrip("s") if len(word) > 2 else word
    unit = SPELLED.get(word, word) if word in MEASURED or f"{word}s" in MEASURED else ""
    behind = place + match.end()
    rate = _RATE.match(text[behind : behind + _BEHIND]) if unit or scale > 1 else None
    return (f"{unit}/{SPELLED.get(rate[1], rate[1])[0]}" if rate else unit), scale
