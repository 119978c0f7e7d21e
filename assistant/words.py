"""The words of a question or a sentence: what carries meaning, and when two words mean the same."""

from __future__ import annotations

import re
import threading
from functools import lru_cache

import snowballstemmer

_WORD = re.compile(r"[^\W_]+(?:['’][a-z]+)?")
_STEMMER = snowballstemmer.stemmer("english")
# A stemmer holds the word that it works on.
_STEMMING = threading.Lock()

FUNCTION_WORDS = frozenset(
    "a an the this that these those there here it its they them their theirs he she his her him who "
    "whom whose which what when where why how i me my mine we us our ours you your yours one ones "
    "someone somebody anyone anybody anything something nothing everything everyone of for to in on "
    "with by from at as into onto over under about across between among within without through during "
    "per via than then and or but nor if so not no yes do does did doing done be is are was were been "
    "being am have has had having can could will would shall should may might must get gets got "
    "getting give gives given gave take takes took make makes made let lets go goes going gone say "
    "says said just only also too very more most much many few less least some any all each every both "
    "either neither another other others same such own up down out off away back again once ever never "
    "always still yet already now please ok okay well really actually exactly maybe perhaps e g i e "
    "etc et al vs versus s t ll ve re d m don doesn didn isn aren wasn weren won wouldn couldn shouldn "
    "hasn haven cannot like way thing things stuff kind sort lot bit come comes came put puts see seen "
    "know want need needs".split()
)
"""Words that carry no topic."""

ASKING_WORDS = frozenset(
    "paper papers work works study studies article articles abstract abstracts author authors method "
    "methods approach approaches tell explain describe list name names find show shows mention "
    "mentions report reports reported claim claims claimed collection corpus question topic different "
    "switching meant mean means use uses used using based new idea ideas guys people folks "
    "called hello hi hey thanks thank bye".split()
)
"""Words that speak of the asking, not of what is asked."""

LISTING_WORDS = frozenset(
    "paper papers work works abstract abstracts study studies article articles published publication"
    " publications collection library list show give find everything year years newest latest recent count"
    " number total line lines byline page himself herself"
    " themselves named listed have appeared written come came out dated hold contain".split()
)
"""Words that say nothing of which papers are wanted."""


def words(text: str) -> list[str]:
    """The words of a text, folded, in order; "FlashAttention-2" gives two."""
    return [re.sub(r"['’][a-z]+$", "", word) for word in _WORD.findall(text.lower())]


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """The word without its endings (Porter 2)."""
    with _STEMMING:
        return str(_STEMMER.stemWord(word))


def content_words(text: str) -> list[str]:
    """The words that carry a topic, in order of first use, each once."""
    found = (word for word in words(text) if word not in FUNCTION_WORDS and word not in ASKING_WORDS)
    return list(dict.fromkeys(word for word in found if len(word) > 1 or word.isdigit()))


@lru_cache(maxsize=4_096)
def stems(text: str) -> frozenset[str]:
    """The stems of all words of a text."""
    return frozenset(stem(word) for word in words(text))


def holds(text: str, word: str) -> bool:
    """True where the text holds the word, one of its forms, or a longer or shorter word built on it."""
    mine = stem(word)
    all_stems = stems(text)
    if mine in all_stems:
        return True
    if len(mine) < 4:
        return len(mine) >= 2 and any(form in text for form in (word.upper(), f"{word.upper()}s"))
    return any(
        mine in other or (mine.startswith(other) and len(other) >= max(4, len(mine) - 3))
        for other in all_stems
    )
