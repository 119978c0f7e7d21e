"""What is measured of a claim against a source: a row for each word of the claim, and one for the whole."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assistant.verify.alignment import Alignment, align, lowest
from assistant.verify.columns import FIGURE_FAULTS
from assistant.verify.figures import Fit, fit_numbers
from assistant.verify.marks import Marks, marks_of
from assistant.verify.names import missing_names
from assistant.verify.polarity import is_direction, is_negator
from assistant.verify.senses import senses_of
from assistant.verify.texts import Source, Text, Vectors, unit
from assistant.words import FUNCTION_WORDS

_QUALIFIERS = frozenset(
    "up to at least most more than less over under about around nearly almost average averages peak only "
    "exactly roughly approximately some best".split()
)
_SHARPNESS = 12.0
"""How sharply a word's vector in the source is that of the likest word there."""
_LENGTH = 40
"""Words of a long sentence: lengths are given in these."""


@dataclass(frozen=True)
class Compared:
    """A claim against a source: `words` has a row for each word of the claim, `whole` is one row.

    `fits` are its figures, `strangers` the names that the source hasn't, `denied` and `turned` the words that
    the source denies or turns. `best` and `second` are the sentences that cover it best, `gain` what the
    second adds, `covered` how much both cover.
    """

    words: Vectors
    whole: Vectors
    fits: tuple[Fit, ...]
    strangers: tuple[str, ...]
    denied: tuple[str, ...]
    turned: tuple[str, ...]
    best: int
    second: int
    gain: float
    covered: float


def compare(claim: Text, source: Source, rarity: Mapping[str, float], reduce: Vectors) -> Compared:
    """The claim's rows; `rarity` by stem is 0 to 1, `reduce` projects vectors for the words' rows."""
    beside = align(claim, source)
    fits = tuple(fit_numbers(claim.text, source.text))
    strangers = tuple(missing_names(claim.text, f"{source.record} {source.text}"))
    marks = marks_of(claim, source, fits=fits, strangers=strangers, context=beside.context)
    scalars = np.stack(
        [np.asarray(one, dtype=np.float32) for one in _scalars(claim, source, beside, rarity)], axis=1
    )
    mine, other = claim.vectors @ reduce, _counterparts(source, beside) @ reduce
    parts = (
        scalars, marks.faults, marks.fit, marks.flags, mine, other, mine * other, np.abs(mine - other),
    )  # fmt: skip
    return Compared(
        words=np.concatenate(parts, axis=1, dtype=np.float32),
        whole=_whole(claim, beside, fits, strangers),
        fits=fits,
        strangers=strangers,
        denied=_flagged(claim, marks, 0),
        turned=_flagged(claim, marks, 1),
        best=beside.best,
        second=beside.second,
        gain=float(beside.pair.mean() - beside.single.mean()),
        covered=float(beside.pair.mean()),
    )


def _whole(claim: Text, beside: Alignment, fits: Sequence[Fit], strangers: Sequence[str]) -> Vectors:
    """Counts of faults, then how near the sentences are and how well they cover the claim."""
    likest = beside.likeness.max(axis=1)
    counts = [sum(fit.fault == fault for fit in fits) for fault in FIGURE_FAULTS]
    return np.array(
        [
            *counts, len(strangers), beside.near.max(), beside.near[beside.best], beside.single.mean(),
            beside.pair.mean(), likest.mean(), lowest(beside.pair, 4), lowest(beside.pair, 7),
            lowest(likest, 4), len(claim.words) / _LENGTH,
        ],
        dtype=np.float32,
    )  # fmt: skip


def _flagged(claim: Text, marks: Marks, column: int) -> tuple[str, ...]:
    return tuple(word for word, flag in zip(claim.words, marks.flags[:, column], strict=True) if flag)


def _counterparts(source: Source, beside: Alignment) -> Vectors:
    """For each word of the claim the mean of the source's words, those that are like it weighing most."""
    likest = beside.likeness.max(axis=1, keepdims=True)
    weights = np.exp(_SHARPNESS * (beside.likeness - likest))
    return unit((weights / weights.sum(axis=1, keepdims=True)) @ source.vectors)


def _scalars(
    claim: Text, source: Source, beside: Alignment, rarity: Mapping[str, float]
) -> list[Vectors | list[bool] | list[float]]:
    """The columns SCALARS, in order."""
    count, likeness, context = len(claim.words), beside.likeness, beside.context
    ranked, likest = np.sort(likeness, axis=1), likeness.argmax(axis=1)
    same = np.array([[one == other for other in source.stems] for one in claim.stems], dtype=bool)
    in_best, in_second = (source.of == one for one in (beside.best, beside.second))
    return [
        ranked[:, -1], ranked[:, -2] if ranked.shape[1] > 1 else ranked[:, -1],
        np.where(same, likeness, 0).max(axis=1), same.any(axis=1), (same & in_best).any(axis=1),
        (same & (in_best | in_second)).any(axis=1), [rarity[one] for one in claim.stems],
        *_kinds(claim),
        context[np.arange(count), likest], np.where(same, context, 0).max(axis=1), beside.single,
        source.of[likest] == beside.best, np.abs(np.diff(likest, prepend=likest[:1])).clip(0, 20) / 20,
        np.full(count, beside.near.max()), np.full(count, beside.single.mean()),
        np.full(count, beside.pair.mean()), np.arange(count) / count, np.full(count, count / _LENGTH),
        *senses_of(claim, source, beside),
    ]  # fmt: skip


def _kinds(claim: Text) -> list[list[bool]]:
    """The columns number, name, negator, direction, qualifier and function."""
    lower = [word.lower() for word in claim.words]
    return [
        [word[0].isdigit() for word in lower],
        [bool(re.search("[A-Z]", w[1:])) or (w[0].isupper() and i > 0) for i, w in enumerate(claim.words)],
        [is_negator(word) for word in lower],
        [is_direction(one) for one in claim.stems],
        [word in _QUALIFIERS for word in lower],
        [word in FUNCTION_WORDS for word in lower],
    ]
