"""Words taken out of sentences so that they can stand in a question."""

from __future__ import annotations

import re

_OVER = re.compile(
    r"[;:(]|\.(?:\s|$)|\s[–—-]\s|,\s(?:so|while|whereas|but|and|thus|thereby|where|with|yet|"
    r"enabling|making|allowing|improving|\w+ing)\b"
)
_BRACKETS = re.compile(r"\s\([^()]*\)")
_POINTING = re.compile(
    r"\b(?:such|this|these|those|both|former|latter|here|above|it|they|so|do|does|other|another|same|our|we|"
    r"us|each of|the authors|them|way|earlier|following|first|second|third|any of|alone|above-mentioned|"
    r"its predecessor|proposed|(?:two|three|four|five|several)\s\w+$|"
    r"the (?:matter|problem|issue|task|question|gap|limits?|idea|goal)s?)\b",
    re.I,
)
_OPENS_POINTING = re.compile(r"^(?:\w+\s){0,3}(?:its|their|the)\b")
_SMALL = frozenset(
    "a an the of for in on with by from and or that which is are to as at into over under between across "
    "through using via new novel simple efficient effective general unified".split()
)


def cut_phrase(text: str, least: int, most: int) -> str | None:
    """The phrase up to where its clause ends, None where it is too short, too long, or points elsewhere.

    `least` counts the words that say something, `most` all of them.
    """
    text = _BRACKETS.sub("", text)
    end = _OVER.search(text)
    phrase = text[: end.start()] if end else text
    if (end and end[0].startswith(", and")) or phrase.count(",") > 1:
        phrase = phrase.split(",")[0]  # a list without its last member is no sentence
    phrase = phrase.strip().rstrip(",.")
    words = phrase.split()
    telling = [word for word in words if word.lower().strip(",") not in _SMALL]
    if len(words) > most or len(telling) < least or _POINTING.search(phrase) or phrase.count('"') % 2:
        return None
    return phrase


def points_elsewhere(text: str) -> bool:
    """True for words that lean on a sentence before: "such a model", "these two"."""
    return bool(_POINTING.search(text) or _OPENS_POINTING.search(text))


def base_form(verb: str) -> str:
    """The verb of "it reduces" as in "does it reduce"."""
    if re.search(r"[^aeiou]ies$", verb):
        return f"{verb[:-3]}y"
    if re.search(r"(?:ss|sh|ch|x|zz|o)es$", verb):
        return verb[:-2]
    return verb.removesuffix("s")


def article(words: str) -> str:
    """ "an" or "a", as these words want it."""
    return "an" if re.match(r"[aeioAEIO]|[uU](?!ni|se)|[FHLMNRSX](?=[A-Z\d-])", words) else "a"
