"""Bootstrap intervals: how far a figure may be from what it would be over other questions of the kind.

Questions are drawn, not values, for the values of one question (its figures, its sentences) go together. A
figure is sum / number of the values of the questions drawn. Of two runs on the same questions the same
ones are drawn for both (paired). Source: Efron and Tibshirani 1993, ch. 13 (percentile interval).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

SAMPLES = 2000
SEED = 0
LEVEL = 0.95
_ENDS = ((1 - LEVEL) / 2, (1 + LEVEL) / 2)
Values = Mapping[str, Sequence[float]]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Interval:
    """The ends between which 95 of 100 samples lie."""

    low: float
    high: float

    def holds(self, value: float) -> bool:
        """True for a value in it, its ends included, but for what floating point adds."""
        return self.low - 1e-9 <= value <= self.high + 1e-9


@lru_cache(maxsize=16)
def draws(questions: int) -> Floats:
    """How often each question is drawn: SAMPLES rows of `questions` counts, the same at every call."""
    shares = np.full(questions, 1 / questions)
    counts = np.random.default_rng(SEED).multinomial(questions, shares, size=SAMPLES)
    return np.asarray(counts, dtype=np.float64)


FEWEST = 2
"""Questions with a value from which there is an interval."""


def samples(questions: Sequence[Values], metric: str) -> Floats:
    """The figure in each sample, of shape (SAMPLES,); nan where no question drawn has a value."""
    sums = np.array([sum(values.get(metric, ())) for values in questions])
    counts = np.array([len(values.get(metric, ())) for values in questions])
    drawn = draws(len(questions))
    if np.count_nonzero(counts) < FEWEST:
        return np.full(SAMPLES, np.nan)
    with np.errstate(invalid="ignore"):
        return np.asarray((drawn @ sums) / (drawn @ counts))


def interval(sampled: Floats) -> Interval | None:
    """The interval of these samples; None where fewer than half of them have a value."""
    known = sampled[~np.isnan(sampled)]
    if len(known) * 2 < len(sampled) or not len(known):
        return None
    low, high = np.quantile(known, _ENDS)
    return Interval(float(low), float(high))


def percentile_interval(values: Sequence[float], share: float) -> Interval | None:
    """The interval of the percentile at `share` (metrics.percentile) of one value a question."""
    if len(values) < FEWEST:
        return None
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(draws(len(values))[:, order], axis=1)
    place = np.minimum(np.floor(share * len(values)), len(values) - 1)
    at = np.argmax(reached > place, axis=1)
    return interval(np.asarray(values, dtype=np.float64)[order][at])
