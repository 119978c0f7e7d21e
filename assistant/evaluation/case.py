"""Case: one question of a test set, whatever file it came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from assistant.answer import Turn

CaseType = Literal["lookup", "number", "explain", "compare", "list", "aggregate", "followup", "unanswerable"]
UNANSWERABLE = "unanswerable"
GOLD, OPTIONAL = 2, 1
"""The relevance of papers that a test set calls gold and optional."""


@dataclass(frozen=True)
class Case:
    """One question of a test set; `gold` and `gold_optional` are paper ids. No gold: not answerable.

    `split` is the part of the set that it belongs to ("dev", "test"), `phrasing` how it is worded ("typos");
    `judged` is the relevance that qrels give to papers, None where there are no qrels; `draft` says that
    nobody has looked at it yet.
    """

    id: str
    question: str
    type: str
    history: tuple[Turn, ...] = ()
    gold: tuple[str, ...] = ()
    gold_optional: tuple[str, ...] = ()
    answer: str | None = None
    must: tuple[tuple[str, ...], ...] = ()
    must_not: tuple[str, ...] = ()
    split: str | None = None
    phrasing: str | None = None
    draft: bool = False
    judged: Mapping[str, int] | None = field(default=None, hash=False)

    @property
    def answerable(self) -> bool:
        """True when the collection holds the answer."""
        return self.type != UNANSWERABLE

    @property
    def grades(self) -> Mapping[str, int]:
        """Paper id -> relevance, for nDCG: what the qrels say, else 2 for gold and 1 for optional."""
        if self.judged is not None:
            return self.judged
        return {**dict.fromkeys(self.gold_optional, OPTIONAL), **dict.fromkeys(self.gold, GOLD)}
