"""Whether a question leans on those before it, and the question that stands alone."""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.answer import Turn
from assistant.words import content_words

_LEANS = re.compile(
    r"^(?:and|or|but|so|ok(?:ay)?|then|also|no|yes|what about|how about|why|any (?:other|more))\b"
    r"|\b(?:it|its|they|them|their|theirs|those|these|that|this one|that one|there|he|she|his|her)\b"
    r"|\bthe (?:first|second|third|last|other|former|latter|later|earlier|same|graph|biggest|largest|smallest)(?: \w+)?"
    r" (?:one|ones|variant|paper|version)\b|\bthe (?:first|second|third|last|other|former|latter)\b",
    re.I,
)
_TURNS = re.compile(
    r"\b(?:different|new|another|other) (?:topic|question|subject)\b|\bswitching to\b|\bchange of (?:topic|subject)\b"
    r"|\bsomething else\b|\bunrelated\b",
    re.I,
)
# Questions before this one that are looked back to.
_BACK = 2
_ANOTHER = re.compile(
    r"\b(?:later|newer|next|older|earlier|other|another|second) (?:one|paper|work|version|system)s?\b"
    r"|\bsuccessor\b|\bany others?\b|\bthe other [A-Z]",
    re.I,
)
_PLURAL = re.compile(r"\b(?:them|they|both|those|these|the two|each|their)\b", re.I)


def standalone(text: str, history: Sequence[Turn], *, names_something: bool) -> tuple[tuple[str, ...], str]:
    """The questions before that this one leans on, latest last (() where it stands alone), and its own words.

    A question that turns to another topic leans on nothing; the words that name the turn are dropped. A short one
    leans where it names nothing.
    """
    turned = _TURNS.search(text)
    if turned:
        return (), text[turned.end() :].lstrip(" :,;.-–—") or text
    asked = [turn.content.strip() for turn in history if turn.role == "user" and turn.content.strip()]
    if asked and (_LEANS.search(text) or (len(content_words(text)) <= 3 and not names_something)):
        return tuple(asked[-_BACK:]), text
    return (), text


def speaks_of_several(text: str) -> bool:
    """True where the question's pronouns stand for several papers."""
    return bool(_PLURAL.search(text))


def speaks_of_another(text: str) -> bool:
    """True where the question turns from the paper spoken of to another: "their later one"."""
    return bool(_ANOTHER.search(text))


def resolve(text: str, names: Sequence[str]) -> str:
    """The question with its pronoun replaced by the names, or with the names behind it; itself without names."""
    if not names:
        return text
    who = " and ".join(names)
    for pattern, replacement in (
        (r"\b(?:its|their)\b", f"{who}'s"),
        (r"\b(?:it|they|them|the two|both of them)\b", who),
    ):
        replaced, count = re.subn(pattern, replacement, text, count=1, flags=re.I)
        if count:
            return replaced
    return f"{text.rstrip()} ({who})"
