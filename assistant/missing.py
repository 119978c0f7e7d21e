"""Missing: why there is no answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corpus.papers import Paper


@dataclass(frozen=True)
class Missing:
    """Why there is no answer, as one sentence in Markdown; `about` is the paper that it speaks of, if any.

    `word` is what that paper is quoted for, where it speaks of that at all.
    """

    reason: str
    about: Paper | None = None
    word: str | None = None
