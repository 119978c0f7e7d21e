"""A language model that says what a test wrote down, and keeps what it was asked."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field

from assistant.models import Completion, Message, Notify, Schema
from corpus.errors import ModelError

Reply = str | list[str] | Completion | Exception | Callable[[str], str]
"""A text, a text in pieces, a call's outcome, a fault, or what makes a text of the prompt."""


@dataclass
class ScriptedModel:
    """Hands out `replies` in order, an exception by raising it; `calls` holds the messages of each call."""

    replies: list[Reply]
    name: str = "scripted:model"
    context_window: int = 8_192
    max_output: int = 1_024
    calls: list[list[Message]] = field(default_factory=list)
    schemas: list[Schema | None] = field(default_factory=list)
    closed: int = 0

    @property
    def prompts(self) -> list[str]:
        """The last message of each call."""
        return [call[-1].content for call in self.calls]

    def count(self, messages: Sequence[Message]) -> int:
        return sum(len(one.content.split()) for one in messages)

    def stream(
        self,
        messages: Sequence[Message],
        *,
        stop: threading.Event | None = None,
        notify: Notify | None = None,
        temperature: float = 0.0,
        max_tokens: int | None = None,
        schema: Schema | None = None,
    ) -> Generator[str | Completion, None, None]:
        reply = self._taken(messages, schema)
        pieces = reply if isinstance(reply, list) else _text(reply).splitlines(keepends=True)
        for piece in pieces:
            if stop is not None and stop.is_set():
                raise ModelError("the answer was stopped; ask again", "stopped")
            yield piece
        yield self._completion(reply, messages)

    def complete(
        self,
        messages: Sequence[Message],
        *,
        stop: threading.Event | None = None,
        notify: Notify | None = None,
        temperature: float = 0.0,
        max_tokens: int | None = None,
        schema: Schema | None = None,
    ) -> Completion:
        return self._completion(self._taken(messages, schema), messages)

    def close(self) -> None:
        self.closed += 1

    def _taken(self, messages: Sequence[Message], schema: Schema | None) -> str | list[str] | Completion:
        self.calls.append(list(messages))
        self.schemas.append(schema)
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply(messages[-1].content) if callable(reply) else reply

    def _completion(self, reply: str | list[str] | Completion, messages: Sequence[Message]) -> Completion:
        if isinstance(reply, Completion):
            return reply
        return Completion(_text(reply), self.count(messages), len(_text(reply).split()), "stop", 1)


def _text(reply: str | list[str] | Completion) -> str:
    if isinstance(reply, Completion):
        return reply.text
    return reply if isinstance(reply, str) else "".join(reply)
