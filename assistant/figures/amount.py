"""A number as it stands in a sentence, and what number words are worth."""

from __future__ import annotations

import re
from dataclasses import dataclass

SCALES = {"k": 1e3, "m": 1e6, "b": 1e9, "bn": 1e9, "g": 1e9, "t": 1e12}
BIG = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
SMALL = {
    word: float(value)
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
        "sixteen "
        "seventeen eighteen nineteen twenty".split()
    )
} | {
    "thirty": 30.0,
    "forty": 40.0,
    "fifty": 50.0,
    "sixty": 60.0,
    "seventy": 70.0,
    "eighty": 80.0,
    "ninety": 90.0,
}
VAGUE = {"tens": 10.0, "dozens": 12.0} | {f"{word}s": value for word, value in BIG.items()}


@dataclass(frozen=True)
class Amount:
    """A number at `start:end`; `mark` is the unit that its own form brings ("x" of "twice"), else ""."""

    start: int
    end: int
    value: float
    mark: str = ""
    qualifier: str | None = None
    scale: str = ""
    multiple: float = 1.0
    worded: bool = False


def worth(written: str) -> float:
    """The value of number words: "six hundred" is 600, "twenty-five" 25, "a million" 1e6."""
    total, group = 0.0, 0.0
    for word in re.split(r"[\s-]+", written):
        if word in SMALL:
            group += SMALL[word]
        elif word == "hundred":
            group = (group or 1) * 100
        elif word in BIG:
            total, group = total + (group or 1) * BIG[word], 0.0
    return total + group
