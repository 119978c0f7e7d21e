"""A model behind an endpoint that speaks OpenAI's protocol: calls, their limits, retries."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

from assistant.address import Address, address_from_environment
from assistant.config import Settings
from assistant.faults import UnwantedParameter, may_be_shown, translated
from assistant.limits import Limits, limits_of
from assistant.models import Completion, Message, Notify
from assistant.reply import Reply
from assistant.retries import Retries
from assistant.tokens import count_text, count_tokens
from assistant.vendor import Call, Ended, Piece, Request
from corpus.errors import ModelError

_POLL = 0.1
_CONNECT = 10.0
_LEAST_OUTPUT = 16
_REPLACEABLE = {"max_tokens", "temperature", "stream_options"}


@dataclass(frozen=True)
class Patience:
    """Seconds to wait: for a connection, for the first token, between two tokens, for what ends an answer."""

    connect: float
    first_token: float
    between_tokens: float
    end: float = 5.0


def open_endpoint(settings: Settings) -> EndpointModel:
    """The model of the settings behind the endpoint of the environment; nothing is sent yet."""
    address = address_from_environment()
    # A prompt of some thousand tokens takes a processor without a graphics card minutes to read.
    patience = Patience(_CONNECT, 4 * settings.llm_timeout, settings.llm_timeout)
    return EndpointModel(settings.llm, address, settings=settings, patience=patience)


class EndpointModel:
    """One model; see `assistant.models.Model`. Each call has a connection and a thread of its own."""

    def __init__(
        self,
        name: str,
        address: Address,
        *,
        settings: Settings,
        patience: Patience,
        retries: Retries | None = None,
        closed: Callable[[], None] | None = None,
    ) -> None:
        """`closed` is called once, when the model is closed."""
        self.name = name
        self._model = name.partition(":")[2]
        self._address = address
        self._settings = settings
        self._patience = patience
        self._retries = retries or Retries()
        self._when_closed = closed
        self._lock = threading.Lock()
        self._limits: Limits | None = None
        self._omit: frozenset[str] = frozenset()
        self._closed = threading.Event()

    def __repr__(self) -> str:
        return f"EndpointModel({self.name!r}, {self._address.shown!r})"

    @property
    def context_window(self) -> int:
        """Tokens of prompt and answer together; the endpoint is asked at the first use."""
        return self._known_limits().context_window

    @property
    def max_output(self) -> int:
        """Tokens of an answer."""
        return self._known_limits().max_output

    def count(self, messages: Sequence[Message]) -> int:
        """The prompt's tokens."""
        return count_tokens(self._model, messages)

    def complete(
        self,
        messages: Sequence[Message],
        *,
        stop: threading.Event | None = None,
        notify: Notify | None = None,
        temperature: float = 0.0,
        max_tokens: int | None = None,
    ) -> Completion:
        """The whole answer."""
        parts = self.stream(
            messages, stop=stop, notify=notify, temperature=temperature, max_tokens=max_tokens
        )
        with closing(parts):
            return next(part for part in parts if isinstance(part, Completion))

    def stream(
        self,
        messages: Sequence[Message],
        *,
        stop: threading.Event | None = None,
        notify: Notify | None = None,
        temperature: float = 0.0,
        max_tokens: int | None = None,
    ) -> Generator[str | Completion]:
        """The pieces of the answer, a Completion last."""
        stop = stop or threading.Event()
        prompt = self.count(messages)
        limit = self._room(prompt, max_tokens)
        made, failed, waited = 0, 0, 0.0
        while True:
            request = Request(self._model, messages, temperature, limit, self._omit)
            made, begun = made + 1, False
            try:
                for part in self._attempt(request, stop, prompt=prompt, made=made):
                    begun = True
                    yield part
                return
            except UnwantedParameter as fault:
                self._leave_out(fault, request)
                continue
            except ModelError as fault:
                pause = None if begun else self._retries.pause(fault, made=failed, waited=waited)
                if pause is None:
                    raise
                if notify:
                    notify(f"{str(fault).partition('; ')[0]}; trying again in {pause:.1f} s")
            self._wait(pause, stop)
            failed, waited = failed + 1, waited + pause

    def close(self) -> None:
        """Nothing; running calls end within a moment."""
        with self._lock:
            first = not self._closed.is_set()
            self._closed.set()
        if first and self._when_closed:
            self._when_closed()

    def _attempt(
        self, request: Request, stop: threading.Event, *, prompt: int, made: int
    ) -> Iterator[str | Completion]:
        self._check_stop(stop)
        patience = max(self._patience.first_token, self._patience.between_tokens) + 1
        reply = Reply(self._address, request.max_tokens)
        call = Call(self._address, request, connect=self._patience.connect, patience=patience)
        try:
            for piece in self._pieces(call, reply, stop):
                if text := reply.add(piece):
                    yield text
            yield reply.completion((prompt, count_text(reply.text)), made)
        finally:
            call.cut()

    def _pieces(self, call: Call, reply: Reply, stop: threading.Event) -> Iterator[Piece]:
        """What comes of a call until it ends, each thing within its own limit of time."""
        limit = self._patience.first_token
        since = time.monotonic()
        while True:
            self._check_stop(stop)
            left = since + limit - time.monotonic()
            event = call.next(min(left, _POLL))
            if event is None and left > 0:
                continue
            # Nothing that fails after the last token can take it back.
            if reply.finish and not isinstance(event, Piece):
                return
            if event is None:
                raise self._too_slow(limit)
            if isinstance(event, Ended):
                self._raise(event, call)
                return
            yield event
            if event.alive:
                since = time.monotonic()
                limit = self._patience.end if reply.finish else self._patience.between_tokens

    def _raise(self, ended: Ended, call: Call) -> None:
        if ended.error is not None:
            fault = translated(ended.error, self._address, begun=call.begun)
            if fault is ended.error:
                raise fault
            raise fault from (ended.error if may_be_shown(ended.error, self._address) else None)

    def _too_slow(self, limit: float) -> ModelError:
        what = "nothing" if limit == self._patience.first_token else "no further token"
        return ModelError(
            f"{self._address.shown} sent {what} for {limit:g} s; "
            "try again later, or set ASSISTANT_LLM_TIMEOUT to more seconds",
            "timeout",
            again=True,
        )

    def _check_stop(self, stop: threading.Event) -> None:
        if stop.is_set() or self._closed.is_set():
            raise ModelError("the answer was stopped; ask again", "stopped")

    def _wait(self, seconds: float, stop: threading.Event) -> None:
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self._check_stop(stop)
            stop.wait(min(left, _POLL))

    def _leave_out(self, fault: UnwantedParameter, request: Request) -> None:
        name = str(fault)
        if name not in _REPLACEABLE or name in request.omit:
            raise ModelError(
                f"{self._address.shown} takes no {name!r} for {self._model!r}; choose another model",
                "invalid",
            ) from None
        with self._lock:
            self._omit |= {name}

    def _room(self, prompt: int, wanted: int | None) -> int:
        """The output limit of a call; ModelError where the prompt leaves no room for an answer."""
        limits = self._known_limits()
        left = limits.context_window - prompt
        wanted = min(wanted or limits.max_output, limits.max_output)
        if left < min(wanted, _LEAST_OUTPUT):
            raise ModelError(
                f"the prompt has about {prompt} tokens, and {self.name} takes {limits.context_window} with "
                "the answer; ask about fewer papers, or set ASSISTANT_CONTEXT_WINDOW to what it takes",
                "overflow",
            )
        return min(wanted, left)

    def _known_limits(self) -> Limits:
        with self._lock:
            if self._limits is None:
                self._limits = limits_of(self._model, self._address, self._settings)
            return self._limits
