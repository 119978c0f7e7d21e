"""Papers as JSON Lines, named as in `assistant papers --json`."""

from __future__ import annotations

import json

from corpus.papers import Paper


def line(paper: Paper, own: str, key: str) -> str:
    """The paper as one line; `assistant` holds what would be read otherwise than it stands."""
    return json.dumps(paper.to_dict() | ({"assistant": own} if own else {}), ensure_ascii=False) + "\n"
