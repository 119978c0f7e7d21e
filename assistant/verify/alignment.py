"""Which words of a source a claim's words are like, in which context, and which sentences cover the claim."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from assistant.verify.texts import Source, Text, Vectors


@dataclass(frozen=True)
class Alignment:
    """A claim laid beside a source.

    `likeness` and `context` have a row for each word of the claim and a column for each of the source: how
    like the words are, and how like their neighbours. `near` is how near each sentence is to the claim,
    `by_sentence` (a row a sentence) how well it covers each word. `best` and `second` are the sentences that
    cover most.
    """

    likeness: Vectors
    context: Vectors
    near: Vectors
    by_sentence: Vectors
    best: int
    second: int

    @cached_property
    def single(self) -> Vectors:
        """How well the best sentence covers each word of the claim."""
        return np.asarray(self.by_sentence[self.best], dtype=np.float32)

    @cached_property
    def pair(self) -> Vectors:
        """How well the best two sentences together cover each word of the claim."""
        return np.asarray(np.maximum(self.single, self.by_sentence[self.second]), dtype=np.float32)


def align(claim: Text, source: Source) -> Alignment:
    """The claim beside the source."""
    likeness = claim.vectors @ source.vectors.T
    near = source.sentence_vectors @ claim.mean
    by_sentence = np.stack([likeness[:, source.of == i].max(axis=1, initial=0.0) for i in range(len(near))])
    best = int(by_sentence.mean(axis=1).argmax())
    second = int(np.maximum(by_sentence, by_sentence[best]).mean(axis=1).argmax())
    return Alignment(likeness, _context(likeness), near, by_sentence, best, second)


def _context(likeness: Vectors) -> Vectors:
    """For each pair of words how like their neighbours are: three on each side, within four there."""
    padded = np.pad(likeness, ((3, 3), (4, 4)), constant_values=0.0)
    pooled = sliding_window_view(padded, 9, axis=1).max(axis=2)
    count = sliding_window_view(np.pad(np.ones(len(likeness)), 3), 7).sum(axis=1) - 1
    total = sliding_window_view(pooled, 7, axis=0).sum(axis=2) - pooled[3:-3]
    return np.asarray(total / np.maximum(count, 1)[:, None], dtype=np.float32)


def lowest(values: Vectors, size: int) -> float:
    """The lowest mean over a run of so many words."""
    return float(_runs(values, size).min())


def highest(values: Vectors, size: int) -> float:
    """The highest mean over a run of so many words."""
    size = min(size, len(values))
    return float(np.convolve(values, np.ones(size) / size, "valid").max())


def _runs(values: Vectors, size: int) -> Vectors:
    return np.asarray(sliding_window_view(values, min(size, len(values))).mean(axis=1))
