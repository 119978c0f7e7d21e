"""What is known of single words of a claim: faults and fit of figures and names, denial and turning."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assistant.verify.columns import FIGURE_FAULTS
from assistant.verify.figures import Fit, same_value
from assistant.verify.names import names_of
from assistant.verify.numbers import Number, numbers_of
from assistant.verify.polarity import flags_of
from assistant.verify.texts import Source, Text, Vectors

# How like another context is taken to be where there is no other figure or name.
_NO_RIVAL = 0.3


@dataclass(frozen=True)
class Marks:
    """By word of the claim, a row each: faults (columns FAULTS), fit (FIT) and flags (FLAGS)."""

    faults: Vectors
    fit: Vectors
    flags: Vectors


def marks_of(
    claim: Text, source: Source, *, fits: Sequence[Fit], strangers: Sequence[str], context: Vectors
) -> Marks:
    """The marks of a claim; `fits` are its figures, `strangers` the names that the source hasn't."""
    count = len(claim.words)
    faults = np.zeros((count, len(FIGURE_FAULTS) + 1), dtype=np.float32)
    fit = np.zeros((count, 4), dtype=np.float32)
    numbers = [(one, at) for one in numbers_of(source.text) if (at := source.at(one.end - 1)) is not None]
    for one in fits:
        at = claim.at(one.number.end - 1)
        if at is None:
            continue
        if one.fault:
            column = FIGURE_FAULTS.index(one.fault)
            faults[max(at - 3, 0) : at + 3, column] = 0.5
            faults[at, column] = 1.0
        fit[at, :2] = _number_fit(one.number, numbers, context[at])
    places = {name: _places(name, source) for name in names_of(source.text)}
    for name in names_of(claim.text):
        for at in _places(name, claim)[:1]:
            faults[at, -1] = float(name in strangers)
            fit[at, 2:] = _name_fit(name, places, context[at])
    found = flags_of(claim.text, source.text)
    flags = np.array([found.get(start, (0.0, 0.0)) for start, _ in claim.spans], dtype=np.float32)
    return Marks(faults, fit, flags)


def _number_fit(
    number: Number, numbers: Sequence[tuple[Number, int]], context: Vectors
) -> tuple[float, float]:
    """How like the context of the same number is, and by how much more than those of others of the unit."""
    own, others = list[float](), list[float]()
    for one, at in numbers:
        if same_value(one.value, number.value):
            own.append(float(context[at]))
        elif one.unit == number.unit or not one.unit or not number.unit:
            others.append(float(context[at]))
    return _lead(own, others)


def _name_fit(name: str, places: Mapping[str, Sequence[int]], context: Vectors) -> tuple[float, float]:
    """How like the context of the same name is, and by how much more than those of other names."""
    mine = name.lower().rstrip("s")
    own, others = list[float](), list[float]()
    for other, found in places.items():
        (own if other.lower().rstrip("s") == mine else others).extend(float(context[at]) for at in found)
    return _lead(own, others)


def _lead(own: Sequence[float], others: Sequence[float]) -> tuple[float, float]:
    if not own:
        return 0.0, 0.0
    return max(own), max(own) - max(others, default=_NO_RIVAL)


def _places(name: str, text: Text) -> list[int]:
    """The indexes of the words that are the name's first word."""
    first = re.search(r"[^\W\d_]+|\d+", name)
    if not first:
        return []
    key = first[0].lower().rstrip("s")
    return [i for i, word in enumerate(text.words) if word.lower().rstrip("s") == key]
