"""Whether the names of a claim stand in a source: systems, data sets, models, machines."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from corpus.acronyms import acronyms_of

_NAME = re.compile(r"(?<![\w-])[A-Za-z0-9][\w+.@/-]*[\w+](?![\w])|(?<![\w-])[A-Z](?![\w-])")
_INNER = re.compile(r"[A-Z]|\d")
# Capitals that open a sentence, and units and words that only look like names.
_PLAIN = re.compile(
    r"\d[\d.,]*(?:x|k|K|M|B|T|GB|MB|TB|ms|s|%|th|st|nd|rd|bit|D|d)?|[A-Z]|\d+(?:-\w+)*|[A-Z]{1,2}B"
)


# What may hang on a name: "CUR-based", "GPU-hours", "GPT-3-like".
_TAIL = re.compile(
    r"-(?:based|like|style|aware|free|level|driven|trained|specific|only|side|bound|enabled|accelerated|optimized|hours?"
    r"|days?|years?|parameters?|bit|scale|class|type|family|compatible|native|friendly|centric|size|sized)$"
)


@lru_cache(maxsize=4_096)
def names_of(text: str) -> tuple[str, ...]:
    """The names in a text: words with a capital or a digit inside, or capitalised within a sentence."""
    found = []
    for match in _NAME.finditer(text):
        word = match[0].rstrip(".-/")
        opens = match.start() == 0 or _opens(text, match.start())
        shaped = bool(_INNER.search(word[1:])) and not word[0].isdigit()
        if _PLAIN.fullmatch(word) or not (shaped or (word[:1].isupper() and not opens)):
            continue
        found.append(word)
    return tuple(dict.fromkeys(found))


def _opens(text: str, place: int) -> bool:
    """True where a stop and a space stand before the place."""
    before = place
    while before and text[before - 1].isspace():
        before -= 1
    return 0 < before < place and text[before - 1] in ".!?:"


def missing_names(claim: str, source: str) -> list[str]:
    """The names of the claim that the source doesn't hold, in any spelling, plural or long form."""
    held, longs = _key(source), dict[str, list[str]]()
    for short, long in [*acronyms_of(claim), *acronyms_of(source)]:
        longs.setdefault(_key(short).rstrip("s"), []).append(_key(long))
    return [name for name in names_of(claim) if not _is_held(name, held, source, longs)]


def _key(text: str) -> str:
    """The text's letters and digits in one run: "Flash Attention-2" holds "flashattention2"."""
    return re.sub(r"[\W_]+", "", text).lower()


def _is_held(name: str, held: str, source: str, longs: Mapping[str, Sequence[str]]) -> bool:
    """True where the source (its key is `held`) has the name, its long form, its parts or its initials."""
    bare = _TAIL.sub("", name)
    key = _key(bare)
    forms = {key, key.rstrip("s"), key.removesuffix("es")}
    if any(form and form in held for form in forms):
        return True
    if any(long in held for form in forms for long in longs.get(form, ())):
        return True
    parts = [part for part in re.split(r"[-/+.]|(?<=[a-z])(?=[A-Z])", bare) if len(part) > 1]
    if len(parts) > 1 and all(_key(part).rstrip("s") in held for part in parts):
        return True
    return _initials(bare, source)


def _initials(name: str, source: str) -> bool:
    """True where first letters of the source's words spell the name: "GNN", "graph neural networks"."""
    letters = re.sub(r"[^A-Za-z]", "", name.removesuffix("s"))
    if not 2 <= len(letters) <= 6 or not letters.isupper():
        return False
    run = r"\W+(?:(?:of|and|the|for|to|in|on)\W+)?".join(rf"{letter}\w*" for letter in letters)
    return bool(re.search(rf"\b{run}", source, re.I))
