"""Hit: what a search in one index gives back."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Hit:
    """A paper found, and how well it matches; scores of different searches aren't comparable."""

    paper_id: str
    score: float
