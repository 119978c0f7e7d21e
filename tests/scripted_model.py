"""A language model that says what a test wrote down, and keeps what it was asked."""

from __future__ import annotations

import threading
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field

from assistant.models import Completion, Message, Notify


@dataclass
class ScriptedModel:
    """Hands out `replies` in order, an exception by raising it; `calls` holds the messages of each call."""

    replies: list[str | Completion | Exception]
    name: str = "scripted:model"
    context_window: int = 8_192
    max_output: int = 1_024
    calls: list[list[Message]] = field(default_factory=list)

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
    ) -> Generator[str | Completion, None, None]:
        done = self.complete(messages, stop=stop, notify=notify)
        yield from done.text.splitlines(keepends=True)
        yield done

    def complete(
        self,
        messages: Sequence[Message],
        *,
        stop: threading.Event | None = None,
        notify: Notify | None = None,
        temperature: float = 0.0,
        max_tokens: int | None = None,
    ) -> Completion:
        self.calls.append(list(messages))
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        if isinstance(reply, Completion):
            return reply
        return Completion(reply, self.count(messages), len(reply.split()), "stop", 1)

    def close(self) -> None:
        pass
