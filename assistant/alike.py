"""Which papers say nearly the same: versions of one text that a list shows as one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from corpus.collection import Sentence
    from corpus.papers import Paper

SAME_SENTENCE = 0.93
"""Cosine from which two sentences say the same."""
SAME_TEXT = 0.7
"""The share of the shorter abstract's sentences that the other has to say too."""


def grouped(papers: Sequence[Paper], sentences: Mapping[str, Sequence[Sentence]]) -> list[list[Paper]]:
    """The papers in their order, each with those after it whose abstracts say nearly the same."""
    groups: list[list[Paper]] = []
    for paper in papers:
        mine = sentences.get(paper.id, ())
        same = next((one for one in groups if _alike(sentences.get(one[0].id, ()), mine)), None)
        if same:
            same.append(paper)
        else:
            groups.append([paper])
    return groups


def _alike(one: Sequence[Sentence], other: Sequence[Sentence]) -> bool:
    if not one or not other:
        return False
    shorter, longer = sorted((one, other), key=len)
    near = np.stack([s.vector for s in shorter]) @ np.stack([s.vector for s in longer]).T
    return float((near.max(axis=1) >= SAME_SENTENCE).mean()) >= SAME_TEXT
