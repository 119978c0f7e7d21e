"""What the reader does to the list of conversations: search, rename, delete, bring back, export."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import gradio as gr

from corpus.errors import AssistantError
from ui.talks.export import Parcel, as_json, as_markdown, cited_ids
from ui.talks.kept import Talk, owner_of
from ui.talks.listing import SHOWN, listing_html, unkept_html
from ui.talks.reopened import that_answered

if TYPE_CHECKING:
    from corpus.papers import Paper
    from ui.conversation import Choose
    from ui.talks.pane import Pane
    from ui.talks.store import Talks

Update = dict[Any, Any]


@dataclass(frozen=True)
class Asked:
    """Who looks at the list, and how: the owner, the open conversation, the words searched, how many.

    `picked` is the collection that is asked, "" for the first one.
    """

    owner: str
    talk: str
    words: str = ""
    top: int = SHOWN
    picked: str = ""

    @classmethod
    def by(
        cls,
        request: gr.Request,
        browser: Any,
        talk: Any,
        words: Any = "",
        top: Any = SHOWN,
        picked: Any = "",
    ) -> Asked:
        """The list as this request's reader wants it; what comes from the page may be anything."""
        return cls(
            owner_of(getattr(request, "username", None), browser),
            talk if isinstance(talk, str) else "",
            words if isinstance(words, str) else "",
            min(max(top, SHOWN), 10_000) if isinstance(top, int) else SHOWN,
            picked if isinstance(picked, str) else "",
        )


@dataclass(frozen=True)
class Act:
    """What was chosen, for which conversation; `title` is a new name."""

    name: str
    talk: str
    title: str = ""

    @classmethod
    def of(cls, event: gr.EventData) -> Act:
        """The act in an event of the page, which may hold anything."""
        data = event._data if isinstance(event._data, dict) else {}
        name, talk, title = (value if isinstance(value := data.get(key), str) else "" for key in _KEYS)
        return cls(name, talk, title)


_KEYS = ("act", "talk", "title")


def shown(pane: Pane, talks: Talks, asked: Asked, *, undo: Talk | None = None) -> Update:
    """The list as it stands."""
    try:
        listing = talks.listed(asked.owner, asked.words, top=asked.top)
    except AssistantError as error:
        return {pane.listing: unkept_html(str(error))}
    html = listing_html(listing, chosen=asked.talk, searched=asked.words, undo=undo, trouble=talks.trouble)
    return {pane.listing: html}


def changed(pane: Pane, choose: Choose, talks: Talks, asked: Asked, act: Act) -> Update:
    """The list after what was done to it, and the file that was asked for."""
    if act.name == "further":
        further = replace(asked, top=asked.top + SHOWN)
        return shown(pane, talks, further) | {pane.top: further.top}
    if act.name in ("markdown", "json"):
        parcel = exported(choose, talks, asked.owner, act)
        return {pane.parcel: parcel.to_json()} if parcel else shown(pane, talks, asked)
    if act.name == "rename":
        talks.rename(asked.owner, act.talk, act.title)
    elif act.name == "restore":
        talks.restore(asked.owner, act.talk)
    return shown(pane, talks, asked)


def exported(choose: Choose, talks: Talks, owner: str, act: Act) -> Parcel | None:
    """The conversation as a file; None where this owner has none of that id."""
    talk = talks.talk(owner, act.talk)
    if talk is None:
        return None
    turns = talks.turns(owner, act.talk)
    if act.name == "json":
        return as_json(talk, turns)
    papers: dict[str, Paper] = {}
    for turn in turns:
        found = that_answered(choose, turn).collection.papers(cited_ids([turn]))
        papers |= {name: paper for paper in found for name in (paper.id, *paper.aliases)}
    return as_markdown(talk, turns, papers)
