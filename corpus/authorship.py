"""Whether two lists of authors are one, as far as names written in many ways can say."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Literal

Agreement = Literal["yes", "unknown", "no"]

_UMLAUT = re.compile(r"([aou])e(?=[^aeiou]|$)")
_PARTICLES = frozenset("van von der den de del della di da dos du la le zu ter ten al el".split())


def agreement(one: tuple[str, ...], two: tuple[str, ...]) -> Agreement:
    """Whether two lists of authors are one, whole or cut off, in any order; folded names."""
    if not one or not two:
        return "unknown"
    short, long = sorted((one, two), key=len)
    if not (any(same_person(one[0], name) for name in two) or any(same_person(two[0], name) for name in one)):
        return "no"
    shared = sum(any(same_person(name, other) for other in long) for name in short)
    return "yes" if 2 * shared >= len(short) else "no"


def family_of(folded: str) -> str:
    """The last word of a folded name, a suffix aside."""
    words = folded.split()
    while len(words) > 1 and words[-1] in ("jr", "sr", "ii", "iii", "iv"):
        words.pop()
    return _UMLAUT.sub(r"\1", words[-1]) if words else ""


@lru_cache(maxsize=65536)
def same_person(one: str, two: str) -> bool:
    """Whether two folded names may be one person's: "j smith", "john a smith", "smith john"."""
    if one == two:
        return True
    first, second = one.split(), two.split()
    if sorted(first) == sorted(second) or "".join(first) == "".join(second):
        return True
    families = family_of(one), family_of(two)
    if families[0] == families[1]:
        return _same_given(first, second)
    # "Garcia Lopez" shortened to "Garcia", a hyphen kept or not; families in front.
    return (families[0] in second and len(families[0]) > 2 and _same_given(first, second)) or (
        families[1] in first and len(families[1]) > 2 and _same_given(first, second)
    )


def _same_given(one: list[str], two: list[str]) -> bool:
    """Whether the first given names go together: one begins with the other's initial."""
    given = [words[0] for words in (one, two) if len(words) > 1 and words[0] not in _PARTICLES]
    if len(given) < 2:
        return True
    if min(map(len, given)) <= 2:  # initials
        return given[0][0] == given[1][0]
    return given[0][:3] == given[1][:3] or given[0].startswith(given[1]) or given[1].startswith(given[0])


@lru_cache(maxsize=65536)
def fold(text: str) -> str:
    """The text in small letters without accents and signs, its words with one space between."""
    for german, plain in (("ß", "ss"), ("ø", "o"), ("ł", "l"), ("æ", "ae"), ("’", ""), ("'", ""), ("đ", "d")):
        text = text.casefold().replace(german, plain)
    text = "".join(one for one in unicodedata.normalize("NFKD", text) if not unicodedata.combining(one))
    return " ".join(re.findall(r"[^\W_]+", text))
