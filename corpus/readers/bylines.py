"""Bylines: "Ningxin Zheng, Huiqiang Jiang, Quanlu Zhang et al. · microsoft-research"."""

from __future__ import annotations

import re
from dataclasses import dataclass

ET_AL = "et al."
_ET_AL = re.compile(r"[,\s]*\bet\.? al\.?\s*$", re.I)
_LEAD = re.compile(r"^(?:by|authors?:?)\s+", re.I)
_PARTICLES = {
    "de", "del", "della", "der", "den", "di", "da", "dos", "du", "la", "le", "van", "von", "zu", "ter", "ten",
    "bin", "ibn", "al", "el", "y", "e",
}  # fmt: skip
_NAME_WORD = re.compile(r"[^\W\d_][\w.'’‘\-]*$")


@dataclass(frozen=True)
class Byline:
    """Authors and organisations; `sure` is False for one bare name, which a heading can look like."""

    authors: tuple[str, ...]
    organisations: tuple[str, ...]
    sure: bool


def parse_byline(text: str) -> Byline | None:
    """The byline that the text is, or None; "et al." stands last among the authors."""
    people, dot, tags = " ".join(text.split()).partition(" · ")
    people = _LEAD.sub("", people)
    named = _ET_AL.sub("", people)
    more = named != people
    authors = [
        name.strip() for name in re.split(r"[,;]\s*(?:and\s+|&\s*)?|\s+(?:and|&)\s+", named) if name.strip()
    ]
    if not authors or not all(_is_name(name) for name in authors):
        return None
    organisations = tuple(tag.strip() for tag in re.split(r"[,·]", tags) if tag.strip())
    sure = more or bool(dot) or len(authors) > 1
    return Byline((*authors, ET_AL) if more else tuple(authors), organisations, sure)


def _is_name(text: str) -> bool:
    words = text.split()
    if not 1 <= len(words) <= 6 or len(text) > 60 or (len(words) == 1 and text.isascii()):
        return False
    if words[0][0].islower() and words[0].lower() not in _PARTICLES:
        return False
    return all(_NAME_WORD.match(word) and (not word[0].islower() or word in _PARTICLES) for word in words)
