"""Lists in BibTeX fields: names joined by "and", keywords; what stands in braces is one piece."""

from __future__ import annotations

import re
from collections.abc import Iterator

from corpus.readers.bylines import ET_AL

_AND = re.compile(r"[{}]|(?:(?<=\s)|(?<=\}))and(?=\s|\{)", re.I)
_SEPARATORS = {mark: re.compile(rf"[{{}}{mark}]") for mark in ";,\n"}
_INITIALS = re.compile(r"(?:[^\W\d_]\.?[ ~-]?){1,4}")
_INITIALS_FIRST = re.compile(r"(?:[^\W\d_]\.?[ ~-]?){1,3}[ ~][^\W\d_][\w'’-]+")
_PART = re.compile(r"\s*(family|given|prefix|suffix)\s*=\s*\"?(.*?)\"?\s*", re.S | re.I)


def split_names(text: str) -> list[str]:
    """The names, each as it stands; "others" is "et al.", a group keeps one pair of braces."""
    pieces = [piece for piece in _split(text, _AND) if piece]
    if len(pieces) == 1:
        pieces = [piece for piece in _split(text, _SEPARATORS[";"]) if piece]
    return [name for piece in pieces for name in _names(" ".join(piece.split()))]


def split_keywords(text: str) -> list[str]:
    """The keywords: by semicolons where there are any, else by commas, else by lines."""
    ways = (list(_split(text, separator)) for separator in _SEPARATORS.values())
    pieces = next((pieces for pieces in ways if len(pieces) > 1), [text])
    return [" ".join(piece.split()) for piece in pieces if piece]


def _split(text: str, separator: re.Pattern[str]) -> Iterator[str]:
    """The pieces between separators outside braces; `separator` matches braces too."""
    depth, begin = 0, 0
    for mark in separator.finditer(text):
        if mark[0] == "{":
            depth += 1
        elif mark[0] == "}":
            depth = max(depth - 1, 0)
        elif depth == 0:
            yield text[begin : mark.start()].strip()
            begin = mark.end()
    yield text[begin:].strip()


def _names(piece: str) -> list[str]:
    if piece.lower() == "others":
        return [ET_AL]
    if "=" in piece and _PART.match(piece):
        return [_from_parts(piece)]
    group = re.fullmatch(r"\{+([^{}\\]*)\}+", piece)
    if group:  # braces stay: without them it could read as "Family, Given"
        return [f"{{{group[1].strip()}}}"]
    pieces = [part for part in _split(piece, _SEPARATORS[","]) if part]
    if len(pieces) > 3:
        if len(pieces) % 2 == 0 and all(_INITIALS.fullmatch(part) for part in pieces[1::2]):
            return [f"{family}, {given}" for family, given in zip(pieces[::2], pieces[1::2], strict=True)]
        return pieces
    if len(pieces) > 1 and all(_INITIALS_FIRST.fullmatch(part) for part in pieces):
        return pieces  # "B Balakrisnan, S Patil" is two people
    return [piece] if piece else []


def _from_parts(piece: str) -> str:
    """A name of BibLaTeX's long form ("family=Berg, given=Jan, prefix=van den") as "Family, Given"."""
    parts = {
        match[1].lower(): match[2].strip("{} ")
        for part in _split(piece, _SEPARATORS[","])
        if (match := _PART.fullmatch(part))
    }
    family = " ".join(filter(None, (parts.get("prefix"), parts.get("family"))))
    return ", ".join(filter(None, (family, parts.get("suffix"), parts.get("given"))))
