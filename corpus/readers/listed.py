"""Lists in one cell: names, keywords and organisations as each exporter joins them."""

from __future__ import annotations

import re

# Lens writes "null" for a given name that it doesn't know.
_NULL = re.compile(r"\s*null\s+(?=\S)")
_NUMBER = re.compile(r"\s*\(\d{5,}\)$")
_QUOTED = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"")
_AND = re.compile(r"\s+(?:and|&)\s+")
_INITIALS = re.compile(r"(?:[^\W\d_]\.?[ -]?){1,4}\.?", re.U)
# "Smith J.A.", "van der Berg JA", "García-López J.-P., Jr": a family's name, then initials in capitals.
_FAMILY_INITIALS = re.compile(
    r"\S.*[^\W\d_]{2}\S* (?:[A-ZÀ-ÞŁŠŽĆČ]{1,4}\.?|(?:-?[A-ZÀ-ÞŁŠŽĆČ][a-z]?\.-?)+)(?: (?:Jr|Sr|I{2,3})\.?)?"
)
_COMMA_OR_BRACKET = re.compile(r"[,()\[\]]")
_ADDRESS = re.compile(r"\[[^\]]*\]\s*")
# No family's name with initials is longer.
_LONGEST = 80


def split_names(cell: str) -> list[str]:
    """The authors in a cell, each as it stands there: "Smith, J." or "J. Smith" or "Smith J."."""
    names = _marked(cell)
    if names is None:
        names = _by_commas(" ".join(cell.split()))
    bare = (_NULL.sub("", one, count=1) if one.lstrip().startswith("null ") else one for one in names)
    return [name for one in bare if (name := _NUMBER.sub("", one.strip(" ,\t\n")))]


def split_keywords(cell: str) -> list[str]:
    """The keywords in a cell; a comma parts them where no semicolon does, but not inside of brackets."""
    words = _marked(cell)
    if words is None:
        words = _outside_of_brackets(cell)
    return [word for one in words if (word := one.strip(" ,\t\n"))]


def split_organisations(cell: str) -> list[str]:
    """The organisations in a cell, each once, without the authors that an address names in brackets."""
    parts = _marked(_ADDRESS.sub("", cell))
    parts = [cell] if parts is None else parts
    return list(dict.fromkeys(one for part in parts if (one := part.strip(" ,\t\n"))))


def _marked(cell: str) -> list[str] | None:
    """The parts of a cell that shows clearly how it is parted, else None."""
    text = cell.strip()
    if text.startswith("[") and text.endswith("]") and ("'" in text or '"' in text):
        return [one or other for one, other in _QUOTED.findall(text)]
    mark = next((mark for mark in ";|" if mark in text), None)
    if mark is None and "\n" in text and not _AND.search(text):  # BibTeX breaks its lines at "and"
        mark = "\n"
    return text.split(mark) if mark else None


def _by_commas(cell: str) -> list[str]:
    pieces = [piece for one in cell.split(",") if (piece := one.strip())]
    if len(_AND.split(cell)) > 1:
        return _with_and(cell)
    if len(pieces) < 2 or all(map(_is_family_initials, pieces)):
        return pieces
    family, given = pieces[::2], pieces[1::2]
    if len(family) == len(given) and _are_given(family, given):
        return [", ".join(pair) for pair in zip(family, given, strict=True)]
    whole = sum(" " in piece for piece in pieces)
    return pieces if 2 * whole > len(pieces) else [", ".join(pieces)]


def _is_family_initials(piece: str) -> bool:
    return len(piece) <= _LONGEST and _FAMILY_INITIALS.fullmatch(piece) is not None


def _outside_of_brackets(cell: str) -> list[str]:
    """The cell parted at the commas outside of brackets; at all of them where brackets aren't closed."""
    parts, first, depth = [], 0, 0
    for mark in _COMMA_OR_BRACKET.finditer(cell):
        if mark[0] != ",":
            depth += 1 if mark[0] in "([" else -1
        elif depth == 0:
            parts.append(cell[first : mark.start()])
            first = mark.end()
    return [*parts, cell[first:]] if depth == 0 else cell.split(",")


def _are_given(family: list[str], given: list[str]) -> bool:
    """Whether the pieces are families' names and given names in turn."""
    if all(_INITIALS.fullmatch(one[:40]) for one in given):
        return True
    short = all(" " not in one for one in family) or all(" " not in one for one in given)
    return short and (len(given) == 1 or all(len(one.split()) < 4 for one in (*family, *given)))


def _with_and(cell: str) -> list[str]:
    """Names joined by "and": BibTeX's "Smith, J. and Doe, A.", prose's "J. Smith, A. Doe and B. Roe"."""
    parts = [part.strip(" ,") for part in _AND.split(cell)]
    if all(part.count(",") == 1 for part in parts):
        return parts
    return [name for part in parts for name in _by_commas(part)] if len(parts) > 1 else parts
