"""Vectors as places on a plane: neighbours stay neighbours. Deterministic, in numpy alone."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float32]

LANDMARKS = 1200
"""Papers that are laid out by their neighbourhoods; more are placed among these."""
_PERPLEXITY = 25.0
_STEPS = 300
_EXAGGERATED = 90
_NEAR = 8  # landmarks that a further paper lies among


def lay_out(vectors: Matrix, *, step: Callable[[int, int], None] | None = None) -> Matrix:
    """A place (x, y) in [0, 1] for each row: t-SNE (van der Maaten & Hinton 2008), begun at the main axes."""
    count = len(vectors)
    if count < 5:
        angles = 2 * np.pi * np.arange(count) / max(count, 1)
        spread = 0.35 if count > 1 else 0.0
        return np.stack([0.5 + spread * np.cos(angles), 0.5 + spread * np.sin(angles)], 1).astype(np.float32)
    return _framed(_descend(_neighbourhoods(_unit(vectors)), principal(vectors), step))


def place_among(vectors: Matrix, landmarks: Matrix, places: Matrix) -> Matrix:
    """A place for each row among those of the landmarks that are nearest to it."""
    likeness = _unit(vectors) @ _unit(landmarks).T
    near = min(_NEAR, likeness.shape[1])
    best = np.argpartition(-likeness, near - 1, axis=1)[:, :near]
    close = np.take_along_axis(likeness, best, 1)
    weights = np.exp((close - close.max(1, keepdims=True)) * 12)
    found = (places[best] * (weights / weights.sum(1, keepdims=True))[:, :, None]).sum(1)
    return np.asarray(found, np.float32)


def principal(vectors: Matrix) -> Matrix:
    """The rows along the two axes in which they differ most; of an axis' two directions always the same."""
    centred = vectors - vectors.mean(0)
    _, axes = np.linalg.eigh((centred.T @ centred).astype(np.float64))
    first = axes[:, [-1, -2]]
    largest = first[np.abs(first).argmax(0), [0, 1]]
    return np.asarray(centred @ (first * np.where(largest < 0, -1, 1)), np.float32)


def _neighbourhoods(vectors: Matrix) -> Matrix:
    """How much of a neighbour each row is of each other one, symmetric, summing to 1."""
    count = len(vectors)
    distances = np.maximum(0, 2 - 2 * vectors @ vectors.T)
    np.fill_diagonal(distances, np.inf)
    goal = np.log(min(_PERPLEXITY, (count - 1) / 3))
    precision, low, high = np.ones(count), np.zeros(count), np.full(count, np.inf)
    finite = np.where(np.isinf(distances), 0, distances)
    shifted = distances - distances.min(1, keepdims=True)
    for _ in range(40):
        weights = np.exp(-shifted * precision[:, None])
        sums = weights.sum(1)
        lowest = finite.min(1, where=~np.isinf(distances), initial=np.inf)
        entropy = np.log(sums) + precision * ((finite * weights).sum(1) / sums - lowest)
        wide = entropy > goal
        low, high = np.where(wide, precision, low), np.where(wide, high, precision)
        precision = np.where(np.isinf(high), precision * 2, (low + high) / 2)
    given = weights / weights.sum(1, keepdims=True)
    joint = (given + given.T) / (2 * count)
    return np.asarray(np.maximum(joint, 1e-12), np.float32)


def _descend(joint: Matrix, start: Matrix, step: Callable[[int, int], None] | None) -> Matrix:
    """The places after the steps of a gradient descent with momentum and gains."""
    count = len(joint)
    places = start / (start[:, 0].std() + 1e-12) * 1e-2
    moved, gains = np.zeros_like(places), np.ones_like(places)
    pull, forces = np.empty_like(joint), np.empty_like(joint)
    rate = max(count / 12 / 4, 50.0)
    for turn in range(_STEPS):
        early = turn < _EXAGGERATED
        squares = (places**2).sum(1)
        np.matmul(places, places.T, out=pull)
        pull *= -2
        pull += squares[:, None]
        pull += squares + 1
        np.maximum(pull, 1, out=pull)
        np.reciprocal(pull, out=pull)
        np.fill_diagonal(pull, 0)
        np.multiply(pull, -1 / float(pull.sum()), out=forces)
        forces += joint * 12 if early else joint
        forces *= pull
        gradient = 4 * (forces.sum(1)[:, None] * places - forces @ places)
        turned = np.sign(gradient) != np.sign(moved)
        gains = np.maximum(np.where(turned, gains + 0.2, gains * 0.8), 0.01)
        moved = (0.5 if early else 0.8) * moved - rate * gains * gradient
        places = (places + moved).astype(np.float32)
        places -= places.mean(0)
        if step and turn % 10 == 0:
            step(turn, _STEPS)
    return np.asarray(places, np.float32)


def _framed(places: Matrix) -> Matrix:
    """The places in [0, 1], the middle kept in the middle; stray ones don't press the others together."""
    middle = np.median(places, 0)
    reach = float(np.quantile(np.abs(places - middle).max(1), 0.995)) or 1.0
    return np.asarray(np.clip(0.5 + 0.48 * (places - middle) / reach, 0, 1), np.float32)


def _unit(vectors: Matrix) -> Matrix:
    return np.asarray(vectors / (np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-9), np.float32)
