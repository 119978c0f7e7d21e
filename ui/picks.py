"""The papers that a reader has picked: the next questions are asked of them alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any, Protocol

from assistant.retrieve import Filters
from corpus.papers import Paper

MOST = 50
"""Papers that can be picked."""
_LONGEST_LABEL = 60


class Holds(Protocol):
    """What a collection is asked for."""

    def papers(self, ids: list[str]) -> list[Paper]: ...


@dataclass(frozen=True)
class Picks:
    """The picked papers as id and label, in the order of picking."""

    papers: tuple[tuple[str, str], ...] = ()

    @property
    def filters(self) -> Filters | None:
        """What narrows a question to them; None where none is picked."""
        return Filters(papers=tuple(id for id, _ in self.papers)) if self.papers else None

    def after(self, wish: Mapping[str, Any], collection: Holds) -> Picks:
        """The picks once the page's wish is met: {"paper": id, "on": bool}, or {"none": True}.

        Only a paper of the collection can be picked; what isn't a wish changes nothing.
        """
        id = wish.get("paper")
        if wish.get("none") is True:
            return Picks()
        if not isinstance(id, str) or len(id) > 200:
            return self
        rest = tuple(one for one in self.papers if one[0] != id)
        found = collection.papers([id]) if wish.get("on") is True and len(rest) < MOST else []
        return Picks(rest + tuple((paper.id, paper.label) for paper in found[:1]))

    def within(self, collection: Holds) -> Picks:
        """Those of the picks that the collection holds."""
        if not self.papers:
            return self
        found = {paper.id for paper in collection.papers([id for id, _ in self.papers])}
        return Picks(tuple(one for one in self.papers if one[0] in found))


def picks_html(picks: Picks) -> str:
    """A chip for each picked paper, which takes it away; "" without any."""
    if not picks.papers:
        return ""
    chips = "".join(
        f'<li><button type="button" class="picked" data-do="unpick" data-paper="{escape(id)}" '
        f'aria-label="Stop using only {escape(label)}"><span>{escape(_short(label))}</span></button></li>'
        for id, label in picks.papers
    )
    more = '<li><button type="button" class="all" data-do="unpick-all">Use all papers</button></li>'
    return (
        f'<div class="picks" role="group" aria-label="Papers that are asked"><span>Asking only</span>'
        f"<ul>{chips}{more}</ul></div>"
    )


def _short(label: str) -> str:
    return label if len(label) <= _LONGEST_LABEL else label[: _LONGEST_LABEL - 1].rstrip() + "…"
