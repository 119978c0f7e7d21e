"""Training of the classifier of roles: a conditional random field over clues, in plain numpy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assistant.role_cues import clues_of
from assistant.roles import ROLES

STEPS = 150
SHRINK = 8.0
"""The weight of the squared norm."""
FEWEST = 4
"""A clue that fewer sentences give is left out."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Abstract:
    """One abstract: the sentences, their roles as numbers in `ROLES`, their vectors."""

    half: str
    texts: tuple[str, ...]
    roles: tuple[int, ...]
    vectors: Floats


def name_rows(abstracts: Sequence[Abstract]) -> dict[str, int]:
    """Clue -> row, for the clues that enough sentences give."""
    counts = Counter(
        name for one in abstracts for clues in clues_of(one.texts) for name in {clue.name for clue in clues}
    )
    return {name: row for row, name in enumerate(sorted(n for n, count in counts.items() if count >= FEWEST))}


def design(abstract: Abstract, rows: dict[str, int], *, vectors: bool) -> Floats:
    """The sentences as the rows of a matrix: clues, a constant one, the vector if wanted."""
    matrix = np.zeros((len(abstract.texts), len(rows) + 1))
    matrix[:, -1] = 1
    for line, clues in zip(matrix, clues_of(abstract.texts), strict=True):
        for clue in clues:
            if (row := rows.get(clue.name)) is not None:
                line[row] = clue.weight
    return np.hstack([matrix, 2 * abstract.vectors]) if vectors else matrix


def train(
    inputs: Sequence[Floats], roles: Sequence[Sequence[int]], *, chained: bool
) -> tuple[Floats, Floats]:
    """The weights of clues, and of one role following another; by Adam (Kingma and Ba 2015)."""
    longest, kinds = max(map(len, roles)), len(ROLES)
    x = np.zeros((len(inputs), longest, inputs[0].shape[1]))
    truth = np.zeros((len(inputs), longest, kinds))
    for number, (matrix, told) in enumerate(zip(inputs, roles, strict=True)):
        x[number, : len(told)] = matrix
        truth[number, np.arange(len(told)), list(told)] = 1
    mask = np.asarray(truth.any(axis=2))
    pairs = np.einsum("nlk,nlj->kj", truth[:, :-1], truth[:, 1:])
    weights = [np.zeros((x.shape[2], kinds)), np.zeros((kinds, kinds))]
    first, second = [0 * w for w in weights], [0 * w for w in weights]
    for step in range(1, STEPS + 1):
        expected, expected_pairs = expectations(x @ weights[0], weights[1], mask)
        slopes = [np.einsum("nld,nlk->dk", x, expected - truth), (expected_pairs - pairs) * chained]
        for k, slope in enumerate(slopes):
            slope = (slope + SHRINK * weights[k]) / mask.sum()
            first[k] = 0.9 * first[k] + 0.1 * slope
            second[k] = 0.999 * second[k] + 0.001 * slope**2
            rate = 0.05 * (1 - 0.9 * step / STEPS) / (1 - 0.9**step)
            weights[k] = weights[k] - rate * first[k] / (np.sqrt(second[k] / (1 - 0.999**step)) + 1e-8)
    return weights[0], weights[1]


def expectations(scores: Floats, follows: Floats, mask: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """How likely each role of each sentence is, and how often one follows another (forward-backward)."""
    forward, backward = np.zeros_like(scores), np.zeros_like(scores)
    forward[:, 0] = scores[:, 0]
    length = scores.shape[1]
    for at in range(1, length):
        reached = log_sum(forward[:, at - 1, :, None] + follows, 1) + scores[:, at]
        forward[:, at] = np.where(mask[:, at, None], reached, forward[:, at - 1])
    for at in range(length - 2, -1, -1):
        left = log_sum(follows + (scores[:, at + 1] + backward[:, at + 1])[:, None, :], 2)
        backward[:, at] = np.where(mask[:, at + 1, None], left, 0)
    total = log_sum(forward[:, -1], 1)[:, None, None]
    each = np.where(mask[..., None], np.exp(np.minimum(forward + backward - total, 0)), 0)
    pairs = np.zeros_like(follows)
    for at in range(1, length):
        path = forward[:, at - 1, :, None] + follows + (scores[:, at] + backward[:, at])[:, None, :] - total
        pairs += (np.exp(np.minimum(path, 0)) * mask[:, at, None, None]).sum(axis=0)
    return each, pairs


def log_sum(values: Floats, axis: int) -> Floats:
    """The logarithm of the sum of exponentials along an axis."""
    top = values.max(axis=axis, keepdims=True)
    return np.asarray(np.log(np.exp(values - top).sum(axis=axis)) + top.squeeze(axis))
