"""What comes of one call, each thing within its own limit of time; what fails, as an error of ours."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from assistant.address import Address
from assistant.faults import may_be_shown, translated
from assistant.reply import Reply
from assistant.vendor import Call, Ended, Piece
from corpus.errors import ModelError

POLL = 0.1
"""Seconds between two looks at whether the answer is to be stopped."""


@dataclass(frozen=True)
class Patience:
    """Seconds to wait: for a connection, for the first token, between two tokens, for what ends an answer."""

    connect: float
    first_token: float
    between_tokens: float
    end: float = 5.0

    @property
    def longest(self) -> float:
        """More than any wait for a byte of the response; by then nobody waits any longer."""
        return max(self.first_token, self.between_tokens) + 1


def pieces_of(
    call: Call, reply: Reply, address: Address, *, patience: Patience, check_stop: Callable[[], None]
) -> Iterator[Piece]:
    """The pieces of a call until it ends; ModelError where it fails. `check_stop` raises to end it."""
    limit = patience.first_token
    since = time.monotonic()
    while True:
        check_stop()
        left = since + limit - time.monotonic()
        event = call.next(min(left, POLL))
        if event is None and left > 0:
            continue
        if isinstance(event, Ended):
            check_stop()
        # Nothing that fails after the last token can take it back.
        if reply.finish and not isinstance(event, Piece):
            return
        if event is None:
            raise _too_slow(address, limit, begun=reply.begun)
        if isinstance(event, Ended):
            _raise(event, call, address)
            return
        yield event
        if event.alive:
            since = time.monotonic()
            limit = patience.end if reply.finish else patience.between_tokens


def _raise(ended: Ended, call: Call, address: Address) -> None:
    if ended.error is not None:
        fault = translated(ended.error, address, begun=call.begun)
        if fault is ended.error:
            raise fault
        raise fault from (ended.error if may_be_shown(ended.error, address) else None)


def _too_slow(address: Address, limit: float, *, begun: bool) -> ModelError:
    return ModelError(
        f"{address.shown} sent {'no further token' if begun else 'nothing'} for {limit:g} s; "
        "try again later, or set ASSISTANT_LLM_TIMEOUT to more seconds",
        "timeout",
        again=True,
    )
