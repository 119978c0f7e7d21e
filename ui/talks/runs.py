"""Answers being written: each in a thread of its own, which outlives the page that asked."""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from corpus.errors import AssistantError
from ui.conversation import Conversation, Exchange, begun, respond, stopped
from ui.talks.kept import Kept, State

if TYPE_CHECKING:
    from assistant.assistant import Assistant
    from assistant.choices import Choices
    from assistant.retrieve import Filters
    from ui.talks.store import Talks

AT_ONCE = 16
"""Answers written at the same time; further questions wait for their turn."""
_SHOWN_SECONDS = 300.0  # that an ended run can still be followed to its end

_log = logging.getLogger(__name__)


class Run:
    """One answer on its way; `exchange` is how far it is."""

    def __init__(self, owner: str, talk: str, exchange: Exchange, unkept: str) -> None:
        self.owner, self.talk, self.exchange = owner, talk, exchange
        self.unkept = unkept
        """Why the exchange isn't kept; "" where it is."""
        self.done = threading.Event()
        self.ended = 0.0
        self._settled = False
        self._lock = threading.Lock()

    def grow(self, exchange: Exchange) -> bool:
        """Whether the exchange was taken up; one that has been stopped grows no more."""
        with self._lock:
            if not self._settled:
                self.exchange = exchange
            return not self._settled

    def settle(self, *, stop: bool = False) -> bool:
        """Whether this call ended the run: the first one does, the writer's or the reader's."""
        with self._lock:
            first, self._settled = not self._settled, True
            if first and stop:
                self.exchange = stopped(self.exchange)
            return first


class Runs:
    """The answers that are being written in this process; a conversation has one at most."""

    def __init__(self, talks: Talks) -> None:
        self._talks = talks
        self._runs: dict[tuple[str, str], Run] = {}
        self._lock = threading.Lock()
        self._free = threading.Semaphore(AT_ONCE)

    def of(self, owner: str, talk: str) -> Run | None:
        """The newest run of the conversation, if it is going on or ended a moment ago."""
        with self._lock:
            return self._runs.get((owner, talk))

    def begin(
        self,
        assistant: Assistant,
        owner: str,
        conversation: Conversation,
        question: str,
        *,
        filters: Filters | None = None,
        choices: Choices | None = None,
    ) -> Run | None:
        """The run that answers the question; None while the conversation has one that isn't done."""
        with self._lock:
            self._forget()
            known = self._runs.get((owner, conversation.id))
            if conversation.id and known and not known.done.is_set():
                return None
            run = self._begun(assistant.collection.name, owner, conversation, question)
            self._runs[owner, run.talk] = run
        growing = respond(*(assistant, conversation, question, filters), start=run.exchange, choices=choices)
        threading.Thread(target=self._write, args=(run, growing), name="run", daemon=True).start()
        return run

    def stop(self, owner: str, talk: str) -> Run | None:
        """The conversation's run, which has ended; what was written until now is kept."""
        run = self.of(owner, talk)
        if run and run.settle(stop=True):
            self._end(run, "stopped")
        return run

    def _begun(self, collection: str, owner: str, conversation: Conversation, question: str) -> Run:
        talk, turn = conversation.id or secrets.token_urlsafe(16), conversation.next_turn
        unkept = "" if owner else "This conversation isn't kept: the browser gives no place for its id."
        if owner:
            try:
                talk, turn = self._talks.begin(
                    owner, conversation.id, question, collection=collection, at_least=conversation.next_turn
                )
            except AssistantError as error:
                unkept = str(error)
        return Run(owner, talk, begun(turn, question), unkept)

    def _write(self, run: Run, growing: Iterator[Exchange]) -> None:
        with self._free:
            if not run.exchange.halt.is_set():
                for exchange in growing:
                    if not run.grow(exchange):
                        break
        if run.settle():
            self._end(run, "answered" if run.exchange.answer else "failed")

    def _end(self, run: Run, state: State) -> None:
        """Nothing; the exchange is kept, and then those who follow it learn that it is done."""
        exchange = run.exchange
        turn = Kept(
            *(exchange.turn, exchange.question, time.time(), state),
            text=exchange.text,
            fault=exchange.fault,
            answer=exchange.answer,
        )
        try:
            if not run.unkept:
                self._talks.end(run.owner, run.talk, turn)
        except AssistantError as error:
            run.unkept = str(error)
        except Exception:
            _log.exception("The answer can't be kept")
            run.unkept = "The answer isn't kept because of a fault in the program; its log says where."
        run.ended = time.monotonic()
        run.done.set()

    def _forget(self) -> None:
        before = time.monotonic() - _SHOWN_SECONDS
        self._runs = {
            key: run for key, run in self._runs.items() if not run.done.is_set() or run.ended > before
        }
