"""A model behind an endpoint that speaks OpenAI's protocol: calls, their limits, retries."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing

from assistant.address import Address, address_from_environment
from assistant.attempt import POLL, Patience, pieces_of
from assistant.config import Settings
from assistant.faults import UnwantedParameter
from assistant.limits import Limits, limits_of
from assistant.models import Completion, Message, Notify, Schema
from assistant.reply import Reply
from assistant.retries import Retries
from assistant.tokens import count_text, count_tokens
from assistant.vendor import Call, Request
from corpus.errors import ModelError

_CONNECT = 10.0
_REPLACEABLE = {"max_tokens", "temperature", "stream_options", "response_format"}


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
        self._asking = threading.Lock()
        self._limits: Limits | None = None
        self._omit: frozenset[str] = frozenset()
        self._closed = threading.Event()
        self._calls: set[Call] = set()

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
        schema: Schema | None = None,
    ) -> Completion:
        """The whole answer."""
        parts = self.stream(
            messages,
            stop=stop,
            notify=notify,
            temperature=temperature,
            max_tokens=max_tokens,
            schema=schema,
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
        schema: Schema | None = None,
    ) -> Generator[str | Completion]:
        """The pieces of the answer, a Completion last."""
        stop = stop or threading.Event()
        prompt = self.count(messages)
        limit = self._known_limits().room(prompt, max_tokens, self.name)
        made, failed, waited = 0, 0, 0.0
        while True:
            request = Request(self._model, messages, temperature, limit, self._omit, schema)
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
        """Nothing; running calls have ended."""
        with self._lock:
            first = not self._closed.is_set()
            self._closed.set()
            calls = self._calls
        for call in calls:
            call.cut()
        # What is closed next may wait for its connections to end, and keep every thread waiting with it.
        for call in calls:
            call.join(_CONNECT)
        with self._asking:
            if first and self._when_closed:
                self._when_closed()

    def _attempt(
        self, request: Request, stop: threading.Event, *, prompt: int, made: int
    ) -> Generator[str | Completion, None, None]:
        reply = Reply(self._address, request.max_tokens)
        call = self._start(request, stop)
        try:
            for piece in pieces_of(
                call,
                reply,
                self._address,
                patience=self._patience,
                check_stop=lambda: self._check_stop(stop),
            ):
                if text := reply.add(piece):
                    yield text
            yield reply.completion((prompt, count_text(reply.text)), made)
        finally:
            call.cut()

    def _start(self, request: Request, stop: threading.Event) -> Call:
        with self._lock:
            self._check_stop(stop)
            patience = self._patience
            call = Call(self._address, request, connect=patience.connect, patience=patience.longest)
            self._calls = {*filter(Call.running, self._calls), call}
            return call

    def _check_stop(self, stop: threading.Event) -> None:
        if stop.is_set() or self._closed.is_set():
            raise ModelError("the answer was stopped; ask again", "stopped")

    def _wait(self, seconds: float, stop: threading.Event) -> None:
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self._check_stop(stop)
            stop.wait(min(left, POLL))

    def _leave_out(self, fault: UnwantedParameter, request: Request) -> None:
        name = str(fault)
        unsent = name == "response_format" and request.schema is None
        if name not in _REPLACEABLE or name in request.omit or unsent:
            raise ModelError(
                f"{self._address.shown} takes no {name!r} for {self._model!r}; choose another model",
                "invalid",
            ) from None
        with self._lock:
            self._omit |= {name}

    def _known_limits(self) -> Limits:
        with self._asking:
            if self._limits is None:
                self._limits = limits_of(self._model, self._address, self._settings)
            return self._limits
