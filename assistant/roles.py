"""The role of a sentence in an abstract, by cues."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from corpus.collection import Sentence

Role = Literal["problem", "approach", "result", "setting", "availability"]

_AVAILABLE = re.compile(r"https?://|\bopen-?sourc|\bpublicly available|\bcode (?:is|will be)\b", re.I)
_RESULT = re.compile(r"\d.*\b(?:outperform|achiev|reduc|improv|speed-?up|faster|show|reach|gain)", re.I)
_APPROACH = re.compile(
    r"\b(?:we|this (?:paper|work)|our)\b.{0,40}\b(?:propos|introduc|present|develop|design)", re.I
)


def roles_of(sentences: Sequence[Sentence]) -> list[Role]:
    """The roles of the sentences of one abstract, in their order."""
    roles: list[Role] = []
    for sentence in sentences:
        if _AVAILABLE.search(sentence.text):
            roles.append("availability")
        elif sentence.index > 1 and _RESULT.search(sentence.text):
            roles.append("result")
        elif _APPROACH.search(sentence.text) or set(roles) & {"approach", "result"}:
            roles.append("approach")
        else:
            roles.append("problem")
    return roles
