"""What a word's form tells of it: whether it looks like a name, abbreviates others, is one of every text."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from pathlib import Path

WORD = r"[A-Za-zÀ-ÿ0-9](?:[\w^+]|[-./&'](?=\w)){0,80}\+*"
"""A name-like word: "PIT", "EfficientViT", "prima.cpp", "S2FT", "Q-Sparse", "Týr-the-Pruner", "M^3ViT"."""

_FILLERS = frozenset(
    "a an the we our this that these those it its in on to for of and or with from by as at is are be two "
    "three new novel first here there unlike existing recent large deep however such both several many some "
    "one simple".split()
)
_UNIT = re.compile(r"[\d.,]+[A-Za-z%]{0,3}|[ivx]+|[ei]\.[eg]\.?")
_COMPOUND = re.compile(
    r"-(?:based|style|oriented|efficient|like|centric|aware|specific|level|only|driven|trained|guided)$"
)
_CAPITALISED_WORDS = re.compile(r"(?:[A-Z][a-z]+[ -])+[A-Z]?[a-z]+")
_FILE_LIKE = re.compile(r"[a-z]\.[a-z]{1,4}$")


@lru_cache(maxsize=20_000)
def shape(word: str) -> float:
    """How much a word looks like a name: inner capitals, digits with capitals; -2 to 1.2."""
    bare = re.sub(r"[^A-Za-zÀ-ÿ0-9]", "", word)
    if len(bare) < 2 or bare.isdigit() or "'s " in word or _UNIT.fullmatch(word) or _is_known(word):
        return -2.0
    if bare.isupper():
        return 0.8 if len(bare) >= 3 else 0.3
    if any(char.isupper() for char in bare[1:]):
        return 0.3 if _CAPITALISED_WORDS.fullmatch(word) else 1.2
    if bare[0].isupper():
        return 0.1
    return 0.6 if _FILE_LIKE.search(word) and "/" not in word else -0.6


def is_filler(word: str) -> bool:
    """True for the small words of every sentence."""
    return word.lower() in _FILLERS


def bare_name(name: str) -> str:
    """The name without what stands round it in the sentence ("PIT The" gives "PIT")."""
    words = re.sub(r"'s$", "", name).split()
    while len(words) > 1 and (is_filler(words[-1]) or re.fullmatch("[a-z]+ly", words[-1])):
        words.pop()
    while len(words) > 1 and (
        is_filler(words[0]) or shape(words[0]) <= -2 or re.fullmatch("[a-z]+", words[0])
    ):
        words.pop(0)
    return " ".join(words).rstrip("'-./&")


def folded_name(name: str) -> str:
    """The name folded; "ZeRO++" isn't "ZeRO"."""
    return re.sub(r"[^\w+]", "", name.casefold())


def spelled_from(short: str, before: str) -> int | None:
    """Where in `before` the words begin that spell a short form behind them; None where they don't.

    Digits may stand for words ("C2C") or powers ("S2MoE"), so only letters count.
    """
    letters = re.sub(r"[^a-z]", "", short.lower())
    if len(letters) < 2:
        return None
    offset = max(len(before) - 120, 0)
    words = list(re.finditer(r"[A-Za-z0-9]+", before[offset:]))[-(len(letters) + 5) :]
    for count in range(1, len(words) + 1):
        first = words[-count]
        spelled = "".join(word.group() for word in words[-count:]).lower()
        if spelled[0] == letters[0] and _subsequence(letters, spelled):
            return offset + first.start()
    return None


def _subsequence(letters: str, text: str) -> bool:
    place = iter(text)
    return all(letter in place for letter in letters)


def _is_known(word: str) -> bool:
    """True for kinds of things, well-known data sets and models, and "GPU-based" words."""
    known = _known_names()
    upper = word.upper()
    letters = re.sub(r"[^A-Z]", "", upper)
    # "S2A" isn't "SA"; "ResNet-50" and "Mixtral-8x7B" are what they are without figures.
    same = (
        {upper}
        if len(letters) < 6 and re.search(r"[A-Z]\d+[A-Z]", upper)
        else {upper, letters, letters.rstrip("S")}
    )
    return bool(same & known) or bool(_COMPOUND.search(word))


@cache
def _known_names() -> frozenset[str]:
    lines = Path(__file__).with_name("known_names.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())
