"""Lists of authors that are written as one text."""

from __future__ import annotations

import re

_NOTES = re.compile(r"\([^()]*\)")
_BETWEEN = re.compile(r"\s*[,;]\s*(?:and\s+|&\s*)?|\s+(?:and|&)\s+")
_SUFFIX = re.compile(r"(?:jr|sr|ii|iii|iv)\.?", re.I)


def split_authors(text: str) -> list[str]:
    """The names in "A. Balázs (1), E. L. Berger, Jr. and P. Nadolsky ((1) Argonne)", without the brackets."""
    for _ in range(3):  # brackets in brackets
        text = _NOTES.sub(" ", text)
    names: list[str] = []
    for name in _BETWEEN.split(" ".join(text.split())):
        if names and _SUFFIX.fullmatch(name):
            names[-1] += f" {name}"
        elif name:
            names.append(name.strip())
    return list(dict.fromkeys(names))
