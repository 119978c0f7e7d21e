"""Names of authors as other programs want them: in two parts where the parts are known, else whole."""

from __future__ import annotations

import re
from dataclasses import dataclass

from corpus.readers.bylines import ET_AL

_WORD = re.compile(r"[^\W\d_][^\W\d_.'’\-]*(?:[.'’\-][^\W\d_]*)*")
_INITIALS = re.compile(r"(?:[^\W\d_]\.?-?){1,3}")
_PARTICLES = frozenset(
    "van von der den de del della di da dos du la le zu ter ten bin ibn al el van't 't".split()
)
_GROUP = re.compile(
    r"\b(?:universit\w+|department|institut\w*|groups?|consortium|committee|collaborat\w+|association|society"
    r"|organi[sz]ation|ministry|council|cent(?:er|re)|agency|foundation|inc|ltd|llc|gmbh|team|network|project"
    r"|initiative|investigators|trial|office|bureau|laborator\w+|lab|corporation|college|hospital|school"
    r"|academy|program(?:me)?|working|task|force|authors|researchers|company|press|of|for|and|the|et)\b",
    re.I,
)


@dataclass(frozen=True)
class Name:
    """An author's name; `family` is "" where it can't be told from the rest, as in a group's name."""

    whole: str
    family: str = ""
    given: str = ""


def parted(name: str) -> Name:
    """The name in its parts where they are sure: two words, or initials or a particle between them."""
    words = name.split()
    if len(words) < 2 or _GROUP.search(name) or not all(map(_WORD.fullmatch, words)):
        return Name(name)
    start = len(words) - 1
    while start > 1 and words[start - 1] in _PARTICLES:
        start -= 1
    given = words[:start]
    if any(word in _PARTICLES for word in given) or not given[0][0].isupper() or not words[-1][0].isupper():
        return Name(name)
    if any(not _INITIALS.fullmatch(word) for word in given[1:]):
        return Name(name)
    return Name(name, " ".join(words[start:]), " ".join(given))


def without_others(names: tuple[str, ...]) -> tuple[list[Name], bool]:
    """The names, and whether "et al." stands behind them."""
    return [parted(name) for name in names if name != ET_AL], ET_AL in names
