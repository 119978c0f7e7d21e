"""Whether the figures of a claim stand in a source: value, unit and qualifier, each where it is spoken of."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from assistant.verify.number_tables import QUALIFIED
from assistant.verify.numbers import Number, numbers_of


@dataclass(frozen=True)
class Fit:
    """How a claim's number stands in a source: the number there that fits best, and what differs.

    `fault` is "missing" (the source hasn't the value), "worded" (it has it in other words, inside a name, or
    the claim says it in words), "unit", "clash" (qualifiers that contradict, or one left out), "qualifier"
    (others that differ), "" for nothing.
    """

    number: Number
    match: Number | None
    fault: str


def fit_numbers(claim: str, source: str) -> list[Fit]:
    """For each number of the claim the number of the source that fits best, and what differs."""
    theirs = numbers_of(source)
    return [_fit(one, theirs, source) for one in numbers_of(claim)]


def _fit(number: Number, theirs: Sequence[Number], source: str) -> Fit:
    forms = _forms_of(number)
    options = [
        (_differences(number, other, source), other)
        for other in theirs
        if any(same_value(value, other.value) for value in forms)
    ]
    if not options:
        literal = re.escape(f"{number.value:g}")
        held = number.worded or re.search(rf"[vV=(-]{literal}(?:\.0)?(?!\d)", source)
        return Fit(number, None, "worded" if held else "missing")
    (units, differs, clash), best = min(options, key=lambda one: one[0])
    return Fit(number, best, "unit" if units else "clash" if clash else "qualifier" if differs else "")


def _differences(number: Number, other: Number, source: str) -> tuple[bool, bool, bool]:
    """Whether units differ, qualifiers differ, and qualifiers contradict each other or one is left out."""
    units = not _same_unit(number.unit, other.unit)
    if units and {number.unit, other.unit} == {"points", "%"}:
        units = "absolute" not in source[other.start : other.end + 30]
    mine, its = QUALIFIED.get(number.qualifier or ""), QUALIFIED.get(other.qualifier or "")
    clash = mine is not None and its is not None and mine != its
    dropped = number.qualifier is None and other.qualifier in ("up to", "at least")
    return units, mine != its, clash or dropped


def same_value(one: float, other: float) -> bool:
    """True for equal values; one that is the other rounded is another."""
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=5e-12)


def _same_unit(one: str, other: str) -> bool:
    """True for equal units, for none on one side, and for units in part: "GPU-h", "128-core CPU"."""
    parts = set(one.split("-")), set(other.split("-"))
    return not one or not other or bool(parts[0] & parts[1]) or {one, other} == {"cpu", "core"}


def _forms_of(number: Number) -> list[float]:
    """The value; of one in words also what says the same in digits: a quarter less is 75 % less, or 4x."""
    value, unit = number.value, number.unit
    if not number.worded or not value or unit not in ("", "x", "%"):
        return [value]
    return [value, 100 - value, 100 / value]
