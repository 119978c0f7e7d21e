"""From the words of a claim to the claim: what the network for the whole is shown."""

from __future__ import annotations

import numpy as np

from assistant.verify.alignment import highest
from assistant.verify.columns import COLUMN, FAULTS, FIT, FLAGS, SENSES
from assistant.verify.texts import Vectors

_RUNS = (2, 3, 5, 8)
_KINDS = ("number", "name", "negator", "direction", "qualifier")


def pooled(wrong: Vectors, rows: Vectors, whole: Vectors) -> Vectors:
    """One row for the claim, of all its words.

    `wrong` is each word's probability of being wrong, `rows` what was measured of it, `whole` what was
    measured of the claim.
    """
    ranked = np.concatenate([np.sort(wrong)[::-1], np.zeros(4)])[:4]
    kinds = [rows[:, COLUMN[kind]] > 0 for kind in _KINDS]
    other = ~np.logical_or.reduce(kinds)
    fit, senses, flags = rows[:, FIT], rows[:, SENSES], rows[:, FLAGS]
    numbers, names = fit[:, 0] > 0, fit[:, 2] > 0
    agree = senses[:, 0] * (senses[:, 1] > 0.5)
    denial = np.sort(senses[:, 2])
    return np.array(
        [
            *ranked, wrong.mean(), *(highest(wrong, size) for size in _RUNS),
            *(wrong[kind].max(initial=0.0) for kind in (*kinds, other)),
            _least(fit[numbers, 1], 0.1), _least(fit[numbers, 0], 0.7),
            _least(fit[names, 3], 0.1), _least(fit[names, 2], 0.7),
            senses[:, 0].min(), agree.min(), denial[-1], denial[0], denial[-2:].sum(),
            *flags.sum(axis=0), *(flags.max(axis=0)), *(wrong[flag > 0].max(initial=0.0) for flag in flags.T),
            *rows[:, FAULTS].max(axis=0), *whole,
        ],
        dtype=np.float32,
    )  # fmt: skip


def _least(values: Vectors, otherwise: float) -> float:
    return float(values.min()) if len(values) else otherwise
