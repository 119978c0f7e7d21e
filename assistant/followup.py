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


def standalone(text: str, history: Sequence[Turn], *, names_paper: bool) -> tuple[str, str]:
    """The talk before that the question leans on ("" where it stands alone), and the question's own words.

    A question that turns to another topic leans on nothing; the words that name the turn are dropped. A short one
    leans where it names no paper.
    """
    turned = _TURNS.search(text)
    if turned:
        return "", text[turned.end() :].lstrip(" :,;.-–—") or text
    asked = [turn.content.strip() for turn in history if turn.role == "user" and turn.content.strip()]
    if asked and (_LEANS.search(text) or (len(content_words(text)) <= 3 and not names_paper)):
        return " ".join(asked[-_BACK:]), text
    return "", text
