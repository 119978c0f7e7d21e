"""A conversation as values, and the way from a question to its exchange. Nothing here knows Gradio."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from assistant.answer import LONGEST_QUESTION, Answer, Notice, Turn
from corpus.errors import AssistantError
from ui.pieces import bundled
from ui.render import answer_html, fault_html, partial_html, question_html
from ui.sources import sources_html
from ui.under import again_html, under_html

if TYPE_CHECKING:
    from assistant.assistant import Assistant
    from assistant.choices import Choices
    from assistant.retrieve import Filters
    from corpus.layout import Layout

KEPT = 50
"""Exchanges on the page; it and the history stay of a bounded size."""

Choose = Callable[[str], "Assistant"]
"""Gives the assistant over a collection by name, the first one for ""; AssistantError where it is gone."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Exchange:
    """A question and what came of it, ready for the page."""

    turn: int
    question: str
    text: str = ""
    html: str = ""
    sources: str = ""
    failed: bool = False
    fault: str = ""
    answer: Answer | None = None  # the whole answer, once it is there
    layout: Layout | None = None  # of the collection that answered
    halt: threading.Event = field(default_factory=threading.Event, compare=False)  # ends the writing


@dataclass(frozen=True)
class Conversation:
    """The finished exchanges of one conversation, oldest first; `id` is "" until the first is asked."""

    exchanges: tuple[Exchange, ...] = ()
    id: str = ""

    def plus(self, exchange: Exchange) -> Conversation:
        """This conversation with one more exchange, or with that exchange as it is now."""
        others = (known for known in self.exchanges if known.turn != exchange.turn)
        return replace(self, exchanges=(*others, exchange)[-KEPT:])

    def before(self, turn: int) -> Conversation:
        """This conversation as it was when exchange `turn` was asked."""
        return replace(self, exchanges=tuple(one for one in self.exchanges if one.turn < turn))

    def exchange(self, turn: object) -> Exchange | None:
        """The exchange of that number, None where there is none."""
        return next((one for one in self.exchanges if one.turn == turn), None)

    @property
    def next_turn(self) -> int:
        """The number of the next exchange, from 1."""
        return self.exchanges[-1].turn + 1 if self.exchanges else 1

    @property
    def html(self) -> str:
        """All exchanges, one under the other."""
        return "".join(exchange.html for exchange in self.exchanges)

    @property
    def sources(self) -> str:
        """The sources of all exchanges; the page shows one exchange's at a time, the newest first."""
        return "".join(exchange.sources for exchange in self.exchanges)

    def history(self) -> list[Turn]:
        """What was said so far, for the assistant; failed exchanges said nothing."""
        turns = []
        for exchange in self.exchanges:
            if exchange.text and not exchange.failed:
                turns += [Turn("user", exchange.question), Turn("assistant", exchange.text)]
        return turns


def refusal(question: str) -> str | None:
    """Why the question can't be asked as it stands, or None."""
    if len(question) > LONGEST_QUESTION:
        return (
            f"The question has {len(question):,} characters; at most {LONGEST_QUESTION:,} can be asked. "
            "Shorten it to what you want to know."
        )
    return None


def begun(turn: int, question: str) -> Exchange:
    """The exchange before the first word of its answer."""
    return _shown(Exchange(turn, question), partial_html(""))


def respond(
    assistant: Assistant,
    conversation: Conversation,
    question: str,
    filters: Filters | None = None,
    *,
    start: Exchange | None = None,
    choices: Choices | None = None,
) -> Iterator[Exchange]:
    """The exchange as it grows: once at the start, with each piece of the answer, and when it is done."""
    exchange = start or begun(conversation.next_turn, question)
    yield exchange
    try:
        stream = assistant.stream(
            question,
            history=conversation.history(),
            filters=filters,
            stop=exchange.halt,
            choices=choices,
        )
        for pieces in bundled(stream, exchange.halt):
            text = exchange.text + "".join(piece for piece in pieces if isinstance(piece, str))
            told = [piece.text for piece in pieces if isinstance(piece, Notice)]
            exchange = _shown(
                replace(exchange, text=text), partial_html(text, notice=told[-1] if told else "")
            )
            if isinstance(pieces[-1], Answer):
                exchange = answered(assistant, exchange, pieces[-1])
            else:
                yield exchange
    except AssistantError as error:
        exchange = failed(exchange, str(error))
    except Exception:
        _log.exception("The answer failed")
        exchange = failed(
            exchange, "The answer failed because of a fault in the program; its log says where."
        )
    yield exchange


def failed(exchange: Exchange, message: str) -> Exchange:
    """The exchange ended by a fault, in one plain line."""
    shown = _shown(exchange, fault_html(message) + again_html(exchange.turn))
    return replace(shown, failed=True, fault=message)


def stopped(exchange: Exchange) -> Exchange:
    """The exchange as far as it came; whatever is still writing it is told to end."""
    exchange.halt.set()
    body = partial_html(exchange.text, writing=False) if exchange.text else ""
    return _shown(exchange, body + '<p class="stopped">Stopped.</p>' + again_html(exchange.turn))


def cut_off(exchange: Exchange) -> Exchange:
    """The exchange of a question whose answer was never done: the program ended before."""
    note = '<p class="stopped">Cut off: the program ended before the answer was written.</p>'
    return replace(_shown(exchange, note + again_html(exchange.turn)), failed=True)


def answered(assistant: Assistant, exchange: Exchange, answer: Answer) -> Exchange:
    """The exchange with its answer, and its sources as the collection has them now."""
    ids = [citation.paper_id for citation in answer.citations] + [paper.paper_id for paper in answer.related]
    collection, turn = assistant.collection, exchange.turn
    papers = {id: paper for paper in collection.papers(ids) for id in (paper.id, *paper.aliases)}
    if answer.status == "error":
        return failed(replace(exchange, text=answer.text), answer.error or answer.text)
    whole = replace(
        exchange,
        text=answer.text,
        sources=sources_html(answer, papers, turn),
        answer=answer,
        layout=collection.layout,
    )
    return _shown(whole, answer_html(answer, turn) + under_html(answer, papers, turn))


def _shown(exchange: Exchange, body: str) -> Exchange:
    html = (
        f'<div class="exchange" id="exchange-{exchange.turn}">{question_html(exchange.question)}{body}</div>'
    )
    return replace(exchange, html=html)
