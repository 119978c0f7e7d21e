"""A kept conversation as the page shows it: its answers rendered again over the collection of today."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from corpus.errors import AssistantError
from ui.conversation import KEPT, Conversation, Exchange, answered, begun, cut_off, failed, stopped

if TYPE_CHECKING:
    from assistant.assistant import Assistant
    from ui.conversation import Choose
    from ui.talks.kept import Kept
    from ui.talks.store import Talks

_ON_THE_WAY = ("running", "elsewhere")


def refreshed(choose: Choose, talks: Talks, owner: str, conversation: Conversation) -> Conversation:
    """The conversation with what was asked in it since, by another page or another process."""
    last = conversation.exchanges[-1].turn if conversation.exchanges else 0
    for turn in talks.turns(owner, conversation.id, after=last, top=KEPT):
        if turn.state in _ON_THE_WAY:
            break
        conversation = conversation.plus(exchange_of(that_answered(choose, turn), turn))
    return conversation


def reopened(choose: Choose, talks: Talks, owner: str, talk: str) -> Conversation | None:
    """The finished exchanges of a kept conversation; None where this owner has none of that id."""
    if not talk or talks.talk(owner, talk) is None:
        return None
    return refreshed(choose, talks, owner, Conversation(id=talk))


def written_elsewhere(talks: Talks, owner: str, conversation: Conversation) -> Exchange | None:
    """The exchange after the conversation's last that another process is writing, if there is one."""
    last = conversation.exchanges[-1].turn if conversation.exchanges else 0
    waiting = [turn for turn in talks.turns(owner, conversation.id, after=last) if turn.state == "elsewhere"]
    return begun(waiting[0].number, waiting[0].question) if waiting else None


def that_answered(choose: Choose, turn: Kept) -> Assistant:
    """The assistant over the collection that was asked; the first one where that is gone."""
    first = choose("")
    if turn.collection in ("", first.collection.name):
        return first
    try:
        return choose(turn.collection)
    except AssistantError:
        return first


def exchange_of(assistant: Assistant, turn: Kept) -> Exchange:
    """A kept question with what came of it; quotes are those of then, whatever became of their papers."""
    exchange = Exchange(turn.number, turn.question, text=turn.text)
    if turn.state == "cut":
        return cut_off(exchange)
    if turn.answer is not None:
        return answered(assistant, exchange, turn.answer)
    if turn.state == "failed":
        return failed(exchange, turn.fault)
    # An answer that this version can't read is shown as far as its text goes, as one that was stopped is.
    return replace(stopped(exchange), failed=turn.state != "stopped")
