"""A figure of a sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """One figure at `start:end` of its sentence.

    `value` is in the unit's base: 7e9 parameters for "7B", 1e3 x for "three orders of magnitude"; "
        ""halves" and other
    fractions are percent, "doubles" and "twice" are 2 x. `high` is the other end of a range. `unit` is "" "
        "for a bare number.
    `measure` says "reduction" or "increase" where the figure is a change.
    """

    value: float
    high: float | None
    unit: str
    qualifier: str | None
    measure: str | None
    against: str | None
    start: int
    end: int


def base_of(measure: str | None) -> str | None:
    return re.sub(r" (?:increase|reduction)$", "", measure) if measure else None
