"""Language models: what a call takes and gives, and the one way to open one."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from assistant.config import Settings
from assistant.prices import cost_usd
from corpus.errors import ModelError

__all__ = ["Completion", "Message", "Model", "ModelError", "Notify", "Schema", "cost_usd", "open_model"]

Notify = Callable[[str], None]
"""Takes one plain line for people: what is being waited for."""


@dataclass(frozen=True)
class Message:
    """One message of a prompt; `role` is "system", "user" or "assistant"."""

    role: str
    content: str


@dataclass(frozen=True)
class Schema:
    """The shape that an answer has to have: a JSON Schema of an object, and a name for it."""

    name: str
    content: Mapping[str, Any]

    @property
    def text(self) -> str:
        """The schema as JSON, its keys in their order."""
        return json.dumps(self.content)


@dataclass(frozen=True)
class Completion:
    """What came of one call, when it is whole.

    `finish` is "stop", or "length" where the output limit cut it. `attempts` counts the calls made, retries
    included. The tokens are the endpoint's own count where it gives one, ours where it doesn't.
    """

    text: str
    prompt_tokens: int
    completion_tokens: int
    finish: str
    attempts: int


class Model(Protocol):
    """A language model. One is shared by all threads."""

    @property
    def name(self) -> str:
        """As in the settings: "openai:MODEL" or "gguf:FILE", the file without its folder."""

    @property
    def context_window(self) -> int:
        """Tokens that prompt and answer may have together."""

    @property
    def max_output(self) -> int:
        """Tokens that an answer may have; a call may ask for fewer."""

    def count(self, messages: Sequence[Message]) -> int:
        """The prompt's tokens; rather too many than too few where the model's own tokenizer isn't known."""

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
        """The answer in pieces as they come, a Completion last; raises ModelError.

        The request is closed when `stop` is set, when the iterator is closed and when its reader fails.
        With a `schema` the endpoint is told to keep to it; one that can't is asked without, so that the
        prompt should name the shape too, and what comes may have another.
        """

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
        """The whole answer; otherwise as `stream`."""

    def close(self) -> None:
        """Nothing; calls that still run end with a ModelError, and what was started for the model stops."""


def open_model(settings: Settings) -> Model | None:
    """The model of the settings, None for "none"; ModelError where it can't be used at all.

    Vendors' packages are imported here, not before. Nothing is sent to an endpoint yet. A GGUF file
    is loaded, which takes seconds; no other thread of Python runs meanwhile.
    """
    if settings.llm == "none":
        return None
    if settings.llm.startswith("gguf:"):
        from assistant.gguf import open_gguf

        return open_gguf(settings)
    from assistant.endpoint import open_endpoint

    return open_endpoint(settings)
