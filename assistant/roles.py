"""The role of each sentence of an abstract: problem, approach, result, setting or availability.

A linear-chain conditional random field (Lafferty et al. 2001) over clues in the words. `benchmarks/roles.py`
trains it; docs/roles.md says how it was measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from assistant.role_cues import Clue, clues_of

if TYPE_CHECKING:
    from corpus.collection import Sentence

Role = Literal["problem", "approach", "result", "setting", "availability"]
ROLES: tuple[Role, ...] = get_args(Role)
WEIGHTS = Path(__file__).with_name("roles.npz")


@dataclass(frozen=True)
class Chain:
    """What a clue says for each role, its row found by name, and how well one role follows another.

    `clues` is (n + 1, 5), the last row counting for every sentence; `follows` (5, 5), from row to column.
    """

    rows: dict[str, int]
    clues: NDArray[np.float32]
    follows: NDArray[np.float32]

    def scores(self, sentence: Sequence[Clue]) -> NDArray[np.float32]:
        """What the clues of a sentence say for each role, (5,); clues without a row say nothing."""
        known = [(row, clue.weight) for clue in sentence if (row := self.rows.get(clue.name)) is not None]
        rows = [row for row, _ in known]
        weights = np.array([weight for _, weight in known], dtype=np.float32)
        return np.asarray(weights @ self.clues[rows] + self.clues[-1], dtype=np.float32)

    def best(self, scores: Sequence[NDArray[np.float32]]) -> list[int]:
        """The likeliest roles in a row (Viterbi 1967), as numbers in `ROLES`."""
        reached, origins = scores[0], []
        for score in scores[1:]:
            paths = reached[:, None] + self.follows
            origins.append(paths.argmax(axis=0))
            reached = paths.max(axis=0) + score
        path = [int(reached.argmax())]
        for origin in reversed(origins):
            path.append(int(origin[path[-1]]))
        return path[::-1]


def roles_of(sentences: Sequence[Sentence]) -> list[Role]:
    """The role of each sentence of one abstract, given in order.

    Only the words are read, so that the roles don't depend on the embedder: its vectors add nothing on other
    authors' wording.
    """
    if not sentences:
        return []
    chain = _trained()
    scores = [chain.scores(clues) for clues in clues_of([sentence.text for sentence in sentences])]
    return [ROLES[number] for number in chain.best(scores)]


@cache
def _trained() -> Chain:
    with np.load(WEIGHTS) as data:
        names = data["names"].tobytes().decode().split("\n")
        return Chain(
            {name: row for row, name in enumerate(names)},
            data["clues"].astype(np.float32),
            data["follows"].astype(np.float32),
        )
