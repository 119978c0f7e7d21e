"""The door to llama-index, openai and httpx: one request for a chat completion, in a thread of its own."""

from __future__ import annotations

import queue
import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any

import httpx
import openai
from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.llms.openai import OpenAI
from llama_index.llms.openai.utils import (
    ALL_AVAILABLE_MODELS,
    is_chat_model,
    is_chatcomp_api_supported,
)
from llama_index.llms.openai_like import OpenAILike

from assistant.address import Address
from assistant.models import Message, Schema

_WHOLE = ("text/html", "application/json")


@dataclass(frozen=True)
class Request:
    """What is asked for; `omit` names parameters that the endpoint doesn't take."""

    model: str
    messages: Sequence[Message]
    temperature: float
    max_tokens: int
    omit: frozenset[str] = frozenset()
    schema: Schema | None = None


@dataclass(frozen=True)
class Piece:
    """What came at one time; `alive`: the model made something, if only a thought that isn't shown."""

    text: str = ""
    refusal: str = ""
    finish: str | None = None
    usage: tuple[int, int] | None = None
    alive: bool = False


@dataclass(frozen=True)
class Ended:
    """The response is over: properly where `error` is None."""

    error: BaseException | None = None


def known_window(model: str) -> int | None:
    """The context window of a chat model of OpenAI's that llama-index knows, None for others."""
    known = is_chat_model(model) and is_chatcomp_api_supported(model)
    return ALL_AVAILABLE_MODELS[model] if known else None


class Call:
    """One request under way. It can be abandoned at any moment, also while nothing has come yet."""

    def __init__(self, address: Address, request: Request, *, connect: float, patience: float) -> None:
        """`connect` seconds to reach the endpoint; the thread gives up after `patience` without a byte."""
        self._address = address
        self._request = request
        self._timeout = httpx.Timeout(patience, connect=connect)
        self._events: queue.SimpleQueue[Piece | Ended] = queue.SimpleQueue()
        self._sockets: list[socket.socket] = []
        self._cut = threading.Event()
        self.begun = False
        self._thread = threading.Thread(target=self._run, name="assistant-llm", daemon=True)
        self._thread.start()

    def next(self, seconds: float) -> Piece | Ended | None:
        """What comes next, None where nothing has come within the seconds."""
        try:
            return self._events.get(timeout=seconds) if seconds > 0 else self._events.get_nowait()
        except queue.Empty:
            return None

    def cut(self) -> None:
        """Nothing; the connection is closed, whatever its thread is waiting for."""
        self._cut.set()
        for connection in self._sockets:
            _shut(connection)

    def running(self) -> bool:
        """Whether its thread hasn't ended; that may be a moment after its last piece."""
        return self._thread.is_alive()

    def join(self, seconds: float) -> None:
        """Nothing; its thread has ended, or the seconds are over."""
        self._thread.join(seconds)

    def _run(self) -> None:
        try:
            for piece in self._pieces():
                self._events.put(piece)
                if self._cut.is_set():
                    return
        # The thread hands every exception to the reader; left here it would only be printed.
        except BaseException as error:
            self._events.put(Ended(error))
        else:
            self._events.put(Ended())

    def _pieces(self) -> Iterator[Piece]:
        hooks: dict[str, list[Callable[..., Any]]] = {"request": [self._trace], "response": [self._check]}
        with httpx.Client(
            verify=_ssl_context(),
            timeout=self._timeout,
            trust_env=self._address.proxies,
            follow_redirects=True,
            event_hooks=hooks,
        ) as client:
            model = _language_model(self._address, self._request, client)
            messages = [
                ChatMessage(role=MessageRole(m.role), content=m.content) for m in self._request.messages
            ]
            for response in model.stream_chat(messages):
                yield _piece(response.raw)

    def _trace(self, request: httpx.Request) -> None:
        request.extensions["trace"] = self._follow

    def _follow(self, event: str, info: Mapping[str, Any]) -> None:
        """Nothing; the connection's socket is kept, since closing it is all that ends a read under way."""
        ask: Callable[[str], Any] | None = getattr(info.get("return_value"), "get_extra_info", None)
        if ask and (connection := ask("socket")):
            self._sockets.append(connection)
            if self._cut.is_set():
                _shut(connection)

    def _check(self, response: httpx.Response) -> None:
        """Nothing; ValueError for a success that isn't a stream, such as a page that asks to log in."""
        kind = response.headers.get("content-type", "")
        if response.is_success and kind.startswith(_WHOLE):
            raise ValueError(f"the response is {kind!r}")
        self.begun = response.is_success


def _language_model(address: Address, request: Request, client: httpx.Client) -> OpenAI:
    extra: dict[str, Any] = {"stream_options": {"include_usage": True}}
    if request.schema:
        shape = {"name": request.schema.name, "schema": dict(request.schema.content), "strict": True}
        extra["response_format"] = {"type": "json_schema", "json_schema": shape}
    for name in request.omit:
        extra[name] = openai.omit
    if "max_tokens" in request.omit:
        extra["max_completion_tokens"] = request.max_tokens
    shared: dict[str, Any] = {
        "model": request.model,
        "temperature": request.temperature,
        "max_tokens": request.max_tokens,
        "api_key": address.sent_key,
        "api_base": address.url,
        "additional_kwargs": extra,
        "max_retries": 0,
        "http_client": client,
        "timeout": client.timeout.read,
    }
    if known_window(request.model):
        return OpenAI(**shared)
    other: OpenAI = OpenAILike(**shared, is_chat_model=True, context_window=8192)
    return other


def _piece(chunk: Any) -> Piece:
    usage = getattr(chunk, "usage", None)
    counts = (usage.prompt_tokens, usage.completion_tokens) if usage else None
    if not chunk.choices:
        return Piece(usage=counts)
    choice = chunk.choices[0]
    delta = choice.delta
    text, refusal = delta.content or "", getattr(delta, "refusal", None) or ""
    thought = getattr(delta, "reasoning_content", None) or getattr(delta, "reasoning", None)
    alive = bool(text or refusal or thought or choice.finish_reason)
    return Piece(text, refusal, choice.finish_reason, counts, alive)


@cache
def _ssl_context() -> ssl.SSLContext:
    # Reading the certificates takes longer than all the rest of a request's making.
    return httpx.create_ssl_context()


def _shut(connection: socket.socket) -> None:
    # Not SSLSocket's own shutdown: it changes what the reading thread is using.
    with suppress(OSError):
        socket.socket.shutdown(connection, socket.SHUT_RDWR)
