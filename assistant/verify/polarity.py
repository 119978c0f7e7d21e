"""Which way a text says that things go, and what it denies: compared between a claim and its source."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from assistant.verify.polarity_words import AXES, BEHIND, LOOSE, NEGATORS, PAIRS
from assistant.words import FUNCTION_WORDS, stem

# What only ends a reach.
_BREAK = re.compile(r"[,;:.()]|\b(?:but|while|whereas|although|though|however|yet|and)\b")
# Words over which a denial reaches, however many negators stand between.
_REACH = 40
_TOKEN = re.compile(r"[^\W_]+(?:['’][a-z]+)?|[,;:.()]")


@dataclass(frozen=True)
class Term:
    """A word of a text: its stem, whether it is denied, its place among words and stops, where it starts."""

    stem: str
    word: str
    denied: bool
    place: int
    start: int


@lru_cache(maxsize=1)
def _signs() -> Mapping[str, tuple[tuple[str, int], ...]]:
    """Stem -> the axes it speaks of and the way it goes there, 1 or -1."""
    found: dict[str, dict[str, int]] = {}
    for axis, sides in AXES.items():
        for sign, side in zip((1, -1), sides, strict=True):
            for word in side.split():
                found.setdefault(stem(word), {})[axis] = sign
    for pair in PAIRS:
        for sign, word in zip((1, -1), pair.split(), strict=True):
            found.setdefault(stem(word), {})[pair] = sign
    return {word: tuple(axes.items()) for word, axes in found.items()}


@lru_cache(maxsize=4_096)
def terms_of(text: str) -> tuple[Term, ...]:
    """The words of a text, each with whether an odd number of negators reaches it."""
    matches = list(_TOKEN.finditer(_unfolded(text)))
    tokens = [found[0] for found in matches]
    return tuple(
        Term(stem(token), token, _denied(tokens, place), place, match.start())
        for place, (token, match) in enumerate(zip(tokens, matches, strict=True))
        if token[0].isalnum()
    )


def _unfolded(text: str) -> str:
    """The text in small letters, "can't" as "ca no", of the same length: places in it stay."""
    lower = text.replace("\u0130", "i").lower()  # small, it would be two characters
    return re.sub(r"\bcannot\b", "not   ", re.sub(r"(?<=[a-z])n['’]t\b", " no", lower))


def _denied(tokens: Sequence[str], place: int) -> bool:
    """True where an odd number of negators governs the word: "no new assumptions" denies both words.

    Between the word and a negator stand at most three words of content that belong to it, then words of
    function; "free" and "unnecessary" stand behind it.
    """
    at, count = place - 1, 0
    while at >= 0 and place - at <= 3 and _is_content(tokens[at]):
        at -= 1
    skipped = 0
    while at >= 0 and place - at <= _REACH and skipped <= 4 and not _BREAK.fullmatch(tokens[at]):
        if tokens[at] in NEGATORS and tokens[at] not in BEHIND:
            count, skipped = count + 1, 0
        elif tokens[at] in FUNCTION_WORDS or tokens[at].endswith("ing"):
            skipped += 1
        else:
            break
        at -= 1
    after = tokens[place + 1 : place + 3]
    count += any(one in BEHIND for one in after[:1]) or (len(after) == 2 and after[1] == "unnecessary")
    return count % 2 == 1


def _is_content(token: str) -> bool:
    return token not in FUNCTION_WORDS and token not in NEGATORS and not _BREAK.fullmatch(token)


def flags_of(claim: str, source: str) -> dict[int, tuple[float, float]]:
    """By the claim's word (its start in the text): is it denied on one side only, and is it turned.

    Denied on one side only: everywhere in the source the word is denied and here it isn't, or the other way
    round. Turned: a word of direction that goes the other way in the source, beside the same word there.
    """
    theirs = terms_of(source)
    places: dict[str, list[int]] = {}
    for at, term in enumerate(theirs):
        places.setdefault(term.stem, []).append(at)
    mine, found = terms_of(claim), {}
    for at, term in enumerate(mine):
        if (
            term.word in FUNCTION_WORDS
            or term.word in NEGATORS
            or len(term.word) < 3
            or term.word[0].isdigit()
        ):
            continue
        others = [theirs[place] for place in places.get(term.stem, ())]
        denied = bool(others) and term.word not in LOOSE and all(one.denied != term.denied for one in others)
        turned = any(
            _goes_against(mine, at, axis, theirs, places, -sign if term.denied else sign)
            for axis, sign in signs_of(term.stem)
        )
        found[term.start] = (float(denied), float(turned))
    return found


def _goes_against(
    mine: Sequence[Term],
    at: int,
    axis: str,
    theirs: Sequence[Term],
    places: Mapping[str, list[int]],
    sign: int,
) -> bool:
    """True where the source has beside the word's neighbours only words of the axis that go the other way."""
    signs = {
        -value if other.denied else value
        for near in _neighbours(mine, at)
        for place in places.get(near.stem, ())
        for other in _around(theirs, place)
        for name, value in signs_of(other.stem)
        if name == axis
    }
    return signs == {-sign}


def _neighbours(terms: Sequence[Term], at: int) -> list[Term]:
    """The nearest word of content on each side, at most three words away, with no stop between."""
    found = []
    for step in (-1, 1):
        for far in range(1, 4):
            place = at + step * far
            if not 0 <= place < len(terms) or abs(terms[place].place - terms[at].place) != far:
                break
            one = terms[place]
            if one.word not in FUNCTION_WORDS and not signs_of(one.stem) and not one.word[0].isdigit():
                found.append(one)
                break
    return found


def _around(terms: Sequence[Term], at: int) -> list[Term]:
    """The words up to three away on each side, with no stop between."""
    near = terms[max(0, at - 3) : at + 4]
    first = max(0, at - 3)
    return [one for i, one in enumerate(near) if abs(one.place - terms[at].place) == abs(first + i - at)]


def signs_of(word: str) -> tuple[tuple[str, int], ...]:
    """The axes that a stem speaks of, and the way it goes on each, 1 or -1."""
    return _signs().get(word, ())


def is_direction(word: str) -> bool:
    """True for the stem of a word that says which way something goes."""
    return word in _signs()


def is_negator(word: str) -> bool:
    """True for a word that denies what follows it."""
    return word in NEGATORS
