"""Why a sentence isn't supported, in words for a reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from assistant.verify.measured import misplaced

if TYPE_CHECKING:
    from assistant.verify.features import Compared
    from assistant.verify.figures import Fit
    from assistant.verify.texts import Source, Text, Vectors

_ALIKE = 0.7
"""How much of a claim one sentence has to cover for a turned or denied word in it to be no paraphrase."""
_SHOWN = 4
"""Words of the claim that are shown where no single one is to blame."""


def faults_of(claim: Text, source: Source, seen: Compared) -> list[str]:
    """What is wrong beyond doubt: figures and names that the source hasn't, or has for something else."""
    found = [reason for fit in seen.fits if (reason := _fault(fit, claim.text))]
    found += misplaced(claim.text, source.text)
    return [*found, *(f"{name!r} isn't named there" for name in seen.strangers)]


def _fault(fit: Fit, text: str) -> str:
    unit = fit.number.unit
    shown = text[fit.number.start : fit.number.end].strip() + (unit if unit in ("%", "x") else "")
    if fit.fault == "missing":
        return f"the figure {shown} isn't there"
    if fit.match and fit.fault == "unit":
        return f"the figure {shown} has the unit {fit.match.unit!r} there, not {unit!r}"
    if fit.match and fit.fault == "clash":
        here = f"{fit.number.qualifier!r}" if fit.number.qualifier else "without"
        return f"the figure {shown} is {fit.match.qualifier!r} there, {here} here"
    return ""


def doubtful_in(seen: Compared) -> list[str]:
    """What makes a claim supported in part at most.

    Averages given as if they held everywhere; a turned or denied word where the rest is in the source's own.
    """
    opposed = _opposed(seen) if seen.covered - seen.gain >= _ALIKE else []
    return opposed + [
        f"the figure {fit.number.value:g} is an {fit.match.qualifier} there"
        for fit in seen.fits
        if fit.match and not fit.number.qualifier and fit.match.qualifier in ("average", "mean", "median")
    ]


def _opposed(seen: Compared) -> list[str]:
    """The words that go the other way in the source, or are denied on one side only."""
    turned = [f"{word!r} goes the other way there" for word in seen.turned]
    return turned + [f"{word!r} is denied on one side only" for word in seen.denied]


def doubts_of(claim: Text, seen: Compared, wrong: Vectors) -> list[str]:
    """What a low score may come from; `wrong` is each word's probability of being wrong."""
    found = _opposed(seen)
    found += [
        f"the figure {fit.number.value:g} is {fit.number.qualifier or 'unqualified'!r} here and "
        f"{fit.match.qualifier or 'unqualified'!r} there"
        for fit in seen.fits
        if fit.fault == "qualifier" and fit.match
    ]
    if not found and len(wrong):
        first = int(np.convolve(wrong, np.ones(min(_SHOWN, len(wrong))), "valid").argmax())
        start, end = claim.spans[first][0], claim.spans[min(first + _SHOWN - 1, len(wrong) - 1)][1]
        found.append(f"nothing there says {claim.text[start:end]!r}")
    return found
