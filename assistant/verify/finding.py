"""What one source says of a claim, and the words of it that the claim stands on."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache

from assistant.answer import Quote, Support
from assistant.verify.features import Compared
from assistant.verify.polarity import is_negator
from assistant.verify.texts import Source
from corpus.papers import text_key
from corpus.sentences import sentence_spans

_FULL = 0.05
"""How much a second sentence has to add to what the first covers to be quoted beside it."""
_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+|[%<>~≈±=+$€]")
_SHORTEST = 12
"""Letters and digits from which a text that the source holds is no accident."""
_RANKS = ("unsupported", "partly", "supported", "verbatim")


@dataclass(frozen=True)
class Finding:
    """How far one source supports a claim (`score` 0 to 1), why not, and its words on the matter."""

    support: Support
    score: float
    reasons: tuple[str, ...]
    quotes: tuple[Quote, ...]

    @property
    def rank(self) -> tuple[int, float]:
        """Higher for a finding that says more for the claim."""
        return _RANKS.index(self.support), self.score

    @property
    def good(self) -> bool:
        """True where the source bears the claim out."""
        return self.support in ("supported", "verbatim")


def is_verbatim(text: str, abstract: str) -> bool:
    """True where the abstract has the text's very words and figures, but for spaces, stops and case.

    A part of a sentence whose words before it deny anything isn't enough.
    """
    if len(text_key(text)) < _SHORTEST:
        return False
    key, (whole, places, starts) = f" {' '.join(_tokens(text))} ", _laid_out(abstract)
    at = whole.find(key)
    while at >= 0:
        place = places[whole.count(" ", 0, at)]
        start = starts[bisect_right(starts, place) - 1]
        if not any(is_negator(word) for word in _tokens(abstract[start:place])):
            return True
        at = whole.find(key, at + 1)
    return False


@lru_cache(maxsize=512)
def _laid_out(abstract: str) -> tuple[str, list[int], list[int]]:
    """The abstract's words and figures in a line, the place of each, and the places where sentences begin."""
    places = [found.start() for found in _TOKEN.finditer(_plain(abstract))]
    starts = [0, *(start for start, _ in sentence_spans(abstract))]
    return f" {' '.join(_tokens(abstract))} ", places, starts


def _tokens(text: str) -> list[str]:
    return [token.casefold() for token in _TOKEN.findall(_plain(text))]


def _plain(text: str) -> str:
    """The text, of the same length, with one sign for "times"."""
    return text.replace("×", "x")


def verbatim_quotes(text: str, source: Source) -> tuple[Quote, ...]:
    """The sentences of the source that the text is made of, or is a part of."""
    key = text_key(text)
    inside = [
        (start, end)
        for start, end in source.sentences
        if (own := text_key(source.text[start:end])) and (own in key or key in own)
    ]
    return tuple(_quote(source, span) for span in inside)


def quotes_of(source: Source, seen: Compared) -> tuple[Quote, ...]:
    """The sentence that covers the claim best; the second too where it adds to that."""
    places = {seen.best, seen.second} if seen.gain >= _FULL else {seen.best}
    return tuple(_quote(source, source.sentences[place]) for place in sorted(places))


def _quote(source: Source, span: tuple[int, int]) -> Quote:
    start, end = span
    return Quote("abstract", start, end, source.text[start:end])
