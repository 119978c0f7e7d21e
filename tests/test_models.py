"""Calls of a language model over real sockets: each way in which they fail, in its time, told in one line."""

from __future__ import annotations

import _thread
import json
import logging
import socket
import threading
import time
import traceback
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import fault_server
import pytest
from fault_server import FaultServer, Reaction, breaks, drops, fails, hangs, never_ends, says, sends

from assistant.address import Address
from assistant.attempt import Patience
from assistant.config import Settings
from assistant.endpoint import EndpointModel
from assistant.models import Completion, Message, ModelError, Schema, open_model
from assistant.retries import Retries

KEY = "sk-test-0123456789abcdefghij"
PROMPT = [Message("system", "Answer."), Message("user", "What is PIT?")]
SETTINGS = Settings(Path("/nowhere"), "default", "openai:some-model", "local", None, context_window=4000)
PATIENT = Patience(connect=10.0, first_token=30.0, between_tokens=30.0, end=0.3)
SOON = replace(PATIENT, connect=0.4, first_token=0.5, between_tokens=0.4)
AT_ONCE = Retries(2, 20.0, 0.01)


@pytest.fixture
def server() -> Iterator[FaultServer]:
    """An endpoint; a test tells it how to fail."""
    with fault_server.running() as running:
        yield running


@pytest.fixture(scope="module", autouse=True)
def imported() -> None:
    """Nothing; what the first call imports isn't what the tests time."""
    with fault_server.running() as running:
        running.will(says("Yes."))
        _model(running).complete(PROMPT)


def _model(
    server: FaultServer | str, *, key: str = KEY, settings: Settings = SETTINGS, patience: Patience = PATIENT
) -> EndpointModel:
    url = server if isinstance(server, str) else server.url
    return EndpointModel(
        settings.llm, Address(url, key), settings=settings, patience=patience, retries=AT_ONCE
    )


def _fault(model: EndpointModel, **options: Any) -> ModelError:
    with pytest.raises(ModelError) as caught:
        model.complete(PROMPT, **options)
    assert "\n" not in str(caught.value)
    assert "; " in str(caught.value)
    return caught.value


def test_an_answer_comes_in_pieces_and_then_whole(server: FaultServer) -> None:
    server.will(says("PIT is ", "a compiler [1]."))
    parts = list(_model(server).stream(PROMPT, max_tokens=50))
    assert parts == [
        "PIT is ",
        "a compiler [1].",
        Completion("PIT is a compiler [1].", 11, 7, "stop", 1),
    ]
    [request] = server.requests
    assert request.headers["Authorization"] == f"Bearer {KEY}"
    assert request.body["messages"] == [
        {"role": "system", "content": "Answer."},
        {"role": "user", "content": "What is PIT?"},
    ]
    asked = {name: request.body[name] for name in ("model", "temperature", "max_tokens", "stream")}
    assert asked == {"model": "some-model", "temperature": 0.0, "max_tokens": 50, "stream": True}


def test_the_server_also_answers_whole() -> None:
    with fault_server.running() as server:
        server.will(says("Whole."))
        request = urllib.request.Request(server.url + "/chat/completions", b"{}")
        with urllib.request.urlopen(request, timeout=5) as response:
            assert json.load(response)["choices"][0]["message"]["content"] == "Whole."


def test_the_output_limit_is_no_error(server: FaultServer) -> None:
    server.will(says("PIT is", finish="length"))
    assert _model(server).complete(PROMPT).finish == "length"


def test_tokens_are_counted_here_where_the_endpoint_does_not(server: FaultServer) -> None:
    server.will(says("PIT is a compiler.", usage=None))
    model = _model(server)
    completion = model.complete(PROMPT)
    assert completion.prompt_tokens == model.count(PROMPT)
    assert 3 < completion.completion_tokens < 10


def test_a_model_of_openai_gets_the_parameters_of_its_kind(server: FaultServer) -> None:
    server.will(says("Yes."))
    settings = replace(SETTINGS, llm="openai:gpt-5.4-mini")
    assert _model(server, settings=settings).complete(PROMPT, max_tokens=20).text == "Yes."
    assert server.requests[0].body["max_completion_tokens"] == 20
    assert "max_tokens" not in server.requests[0].body


def test_a_parameter_that_is_not_taken_is_left_out(server: FaultServer) -> None:
    def refused(name: str, code: str) -> Reaction:
        return fails(400, {"message": f"no {name}", "code": code, "param": name})

    model = _model(server)
    server.will(
        refused("max_tokens", "unsupported_parameter"),
        refused("temperature", "unsupported_value"),
        says("A."),
    )
    assert model.complete(PROMPT, max_tokens=20).attempts == 3
    body = server.requests[-1].body
    assert body["max_completion_tokens"] == 20
    assert not {"max_tokens", "temperature"} & set(body)
    assert model.complete(PROMPT).attempts == 1
    server.will(refused("messages", "unsupported_parameter"))
    assert _fault(model).kind == "invalid"


SHAPE = Schema("shape", {"type": "object", "properties": {"yes": {"type": "boolean"}}})


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, {"message": "no", "code": "unsupported_parameter", "param": "response_format"}),
        (400, {"message": "no", "code": "unsupported_value", "param": "response_format.type"}),
        (400, {"message": "'response_format' of type 'json_schema' is not supported with this model."}),
        (400, {"message": "This model does not support response format `json_schema`."}),
        (400, {"message": "Structured outputs are not available"}),
        (
            422,
            '{"detail": [{"loc": ["body", "response_format", "type"], "msg": "Input should be \'text\'"}]}',
        ),
        (400, '{"error": "\'response_format.type\' must be text"}'),
    ],
)
def test_a_schema_that_is_not_taken_is_left_out_for_good(
    server: FaultServer, status: int, error: object
) -> None:
    model = _model(server)
    server.will(fails(status, error), says("{}"))
    assert model.complete(PROMPT, schema=SHAPE).attempts == 2
    assert model.complete(PROMPT, schema=SHAPE).attempts == 1
    assert ["response_format" in request.body for request in server.requests] == [True, False, False]


def test_a_schema_is_sent_where_one_is_given(server: FaultServer) -> None:
    server.will(says("{}"))
    for settings in (SETTINGS, replace(SETTINGS, llm="openai:gpt-5.4-mini")):
        model = _model(server, settings=settings)
        model.complete(PROMPT)
        model.complete(PROMPT, schema=SHAPE)
    sent = [request.body.get("response_format") for request in server.requests]
    shape = {"name": "shape", "schema": SHAPE.content, "strict": True}
    assert sent == [None, {"type": "json_schema", "json_schema": shape}] * 2


def test_another_fault_that_speaks_of_schemas_is_what_its_status_says(server: FaultServer) -> None:
    for status, kind in ((401, "key"), (500, "server")):
        server.will(fails(status, {"message": "json_schema: out of order"}))
        assert _fault(_model(server), schema=SHAPE).kind == kind
    assert all("response_format" in request.body for request in server.requests)


def test_an_endpoint_that_always_speaks_of_schemas_is_not_asked_for_ever(server: FaultServer) -> None:
    server.will(fails(400, {"message": "response_format is wrong"}))
    assert _fault(_model(server)).kind == "invalid"
    assert _fault(_model(server), schema=SHAPE).kind == "invalid"
    assert len(server.requests) == 3


OVERFLOWS = [
    {"message": "This model's maximum context length is 4096 tokens.", "code": "context_length_exceeded"},
    {
        "message": "request (12031 tokens) exceeds the available context size",
        "type": "exceed_context_size_error",
    },
    {"message": "the prompt is too long: 9000 > 8192"},
]


@pytest.mark.parametrize(
    ("reaction", "kind", "calls", "words"),
    [
        (fails(401, {"message": "bad key"}), "key", 1, "refuses the key (401): bad key; set OPENAI_API_KEY"),
        (fails(403), "key", 1, "(403)"),
        (fails(404, {"message": "model 'x' not found"}), "not_found", 1, "'x' not found; check"),
        (fails(404, "<html>"), "not_found", 1, "check ASSISTANT_LLM and OPENAI_BASE_URL"),
        (fails(403, {"message": "no", "code": "model_not_found"}), "not_found", 1, "check ASSISTANT_LLM"),
        (fails(400, {"message": "odd"}), "invalid", 1, "refuses the request (400): odd"),
        (fails(408), "timeout", 3, "took too long"),
        (fails(429), "rate_limit", 3, "too many requests (429)"),
        (fails(429, {"message": "pay", "code": "insufficient_quota"}), "rate_limit", 1, "quota is used up"),
        (fails(429, retry_after="3600"), "rate_limit", 1, "asks to wait 3600 s"),
        (fails(500), "server", 3, "(500)"),
        (fails(502, "<html>bad gateway</html>"), "server", 3, "(502)"),
        (fails(503, retry_after="0"), "server", 3, "(503)"),
        (fails(529), "server", 3, "(529)"),
        *[(fails(400, error), "overflow", 1, "too long") for error in OVERFLOWS],
        (fails(400, {"message": "filtered", "code": "content_filter"}), "refusal", 1, "refuses to answer"),
        (sends('data: {"error": {"message": "out of memory"}}'), "server", 3, "out of memory"),
        (sends('data: {"error": {"message": "context size exceeded"}}'), "overflow", 1, "too long"),
        (sends('data: {"choices": [{"del'), "invalid", 1, "isn't a chat completion"),
        (sends("data: 5"), "invalid", 1, "isn't a chat completion"),
        (sends('data: {"choices": null}'), "invalid", 1, "isn't a chat completion"),
        (sends('data: {"choices": [{"delta": {"content": 5}}]}'), "invalid", 1, "isn't a chat completion"),
        (sends("<html>Please log in</html>", kind="text/html"), "invalid", 1, "check OPENAI_BASE_URL"),
        (sends('{"choices": []}', kind="application/json"), "invalid", 1, "isn't a chat completion"),
        (sends("hello"), "cut_off", 3, "cut off"),
        (says(), "empty", 1, "sent an empty answer"),
        (says(" \n"), "empty", 1, "sent an empty answer"),
        (says(thinks=["Hm", "m"], finish="length"), "empty", 1, "wrote 7 tokens; raise ASSISTANT_MAX_OUTPUT"),
        (says("Well", finish="content_filter"), "refusal", 1, "content filter"),
        (drops, "connection", 3, "can't be reached"),
        (hangs(), "timeout", 3, "sent nothing for 0.5 s"),
        (hangs(pings=True), "timeout", 3, "sent nothing for 0.5 s"),
        (hangs("PIT", " is"), "timeout", 1, "sent no further token for 0.4 s"),
        (breaks(how="close"), "cut_off", 3, "cut off"),
        (breaks("PIT is", how="close"), "cut_off", 1, "cut off in the middle"),
        (breaks("PIT is", how="reset"), "cut_off", 1, "cut off"),
        (breaks("PIT is", how="eof"), "cut_off", 1, "cut off"),
        (breaks("PIT is", how="done"), "cut_off", 1, "cut off"),
        (never_ends("I am sorry. "), "repetition", 1, "repeats itself without end"),
        (never_ends(*(f"word{i} " for i in range(997))), "repetition", 1, "doesn't end"),
    ],
)  # fmt: skip
def test_each_fault_has_its_kind_and_its_number_of_calls(
    server: FaultServer, reaction: Reaction, kind: str, calls: int, words: str
) -> None:
    server.will(reaction)
    told: list[str] = []
    patience = SOON if kind == "timeout" else PATIENT
    began = time.monotonic()
    fault = _fault(_model(server, patience=patience), notify=told.append, max_tokens=100)
    assert (fault.kind, len(server.requests)) == (kind, calls)
    assert words in str(fault)
    assert len(told) == calls - 1
    assert all("trying again in" in line and "\n" not in line for line in told)
    assert time.monotonic() - began < 8


def test_a_refusal_in_words_of_its_own(server: FaultServer) -> None:
    def refuse(handler: fault_server.Handler) -> None:
        handler.begin()
        handler.delta(refusal="I can't ")
        handler.delta(refusal="help.")
        handler.delta("stop")
        handler.end()

    server.will(refuse)
    fault = _fault(_model(server))
    assert fault.kind == "refusal"
    assert "I can't help." in str(fault)


@pytest.mark.parametrize("ending", ["hangs", "breaks"])
def test_what_fails_after_the_last_token_takes_nothing_back(server: FaultServer, ending: str) -> None:
    def react(handler: fault_server.Handler) -> None:
        handler.begin()
        handler.delta("stop", content="Whole.")
        if ending == "hangs":
            handler.wait_for_the_client()
        handler.reset()

    server.will(react)
    assert _model(server).complete(PROMPT).text == "Whole."


@pytest.mark.parametrize(
    "first", [fails(503), fails(429, retry_after="0.05"), drops, breaks(how="close"), hangs()]
)
def test_a_second_try_helps(server: FaultServer, first: Reaction) -> None:
    server.will(first, says("Now."))
    told: list[str] = []
    completion = _model(server, patience=replace(PATIENT, first_token=1.5)).complete(
        PROMPT, notify=told.append
    )
    assert (completion.text, completion.attempts, len(told)) == ("Now.", 2, 1)


def test_the_pause_asked_for_is_kept(server: FaultServer) -> None:
    moment = format_datetime(datetime.now(UTC) + timedelta(seconds=2), usegmt=True)
    for wait in ("0.5", moment):
        server.will(fails(429, retry_after=wait), says("Now."))
        began = time.monotonic()
        assert _model(server).complete(PROMPT).attempts == 2
        assert 0.45 < time.monotonic() - began < 4


def test_after_the_first_token_nothing_is_asked_twice(server: FaultServer) -> None:
    server.will(breaks("PIT is", how="close"), says("Other."))
    parts = _model(server).stream(PROMPT)
    assert next(parts) == "PIT is"
    with pytest.raises(ModelError, match="cut off"):
        next(parts)
    assert len(server.requests) == 1


def test_a_server_that_is_not_there() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        fault = _fault(_model(f"http://127.0.0.1:{unused.getsockname()[1]}/v1"))
    assert fault.kind == "connection"
    assert "start the server or check OPENAI_BASE_URL" in str(fault)


def test_a_server_that_does_not_take_the_connection() -> None:
    with socket.socket() as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        others = [socket.socket() for _ in range(3)]
        for other in others:
            other.setblocking(False)
            other.connect_ex(full.getsockname())
        began = time.monotonic()
        fault = _fault(_model(f"http://127.0.0.1:{full.getsockname()[1]}/v1", patience=SOON))
        for other in others:
            other.close()
    assert fault.kind == "timeout"
    assert time.monotonic() - began < 4


def test_a_prompt_too_long_is_not_sent(server: FaultServer) -> None:
    model = _model(server)
    with pytest.raises(ModelError, match="takes 4000 with the answer") as caught:
        model.complete([Message("user", "word " * 5000)])
    assert caught.value.kind == "overflow"
    assert server.requests == []


def test_the_output_limit_keeps_to_the_window(server: FaultServer) -> None:
    server.will(says("Yes."))
    _model(server).complete([Message("user", "word " * 2600)], max_tokens=3000)
    assert 16 <= server.requests[0].body["max_tokens"] < 1000


def _echo(status: int) -> Reaction:
    """A server that says back what it was sent, the key in several forms too."""

    def react(handler: fault_server.Handler) -> None:
        sent = handler.headers["Authorization"]
        words = f"got {sent!r}, key={KEY[:14]}..., {KEY[8:]} and sk-{'*' * 8}ghij"
        if status == 200:
            handler.begin()
            handler.delta(refusal=words)
            handler.delta("stop")
            handler.end()
        elif status == 201:
            handler.begin()
            handler.send(f"data: {json.dumps({'error': {'message': words}})}\n\n")
            handler.end()
        else:
            handler.json(status, {"error": {"message": words}})

    return react


@pytest.mark.parametrize("status", [200, 201, 400, 401, 404, 429, 500])
def test_the_key_is_never_shown(server: FaultServer, status: int, caplog: pytest.LogCaptureFixture) -> None:
    server.will(_echo(status))
    model = _model(server)
    told: list[str] = []
    with caplog.at_level(logging.DEBUG):
        fault = _fault(model, notify=told.append)
    trace = "".join(traceback.format_exception(fault))
    texts = [str(model), repr(model), str(fault), repr(fault), trace, caplog.text, *told]
    for secret in (KEY, KEY[:14], KEY[8:]):
        assert all(secret not in text for text in texts)


def test_a_password_in_the_address_is_never_shown(server: FaultServer) -> None:
    server.will(fails(500, {"message": "user hunter2hunter2 failed"}))
    model = _model(server.url.replace("http://", "http://user:hunter2hunter2@") + "?token=secret-token")
    shown = f"{model!r} {_fault(model)}"
    assert "hunter2" not in shown
    assert "secret-token" not in shown


def test_the_environment_names_the_endpoint(server: FaultServer, monkeypatch: pytest.MonkeyPatch) -> None:
    server.will(says("Yes."))
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    model = open_model(SETTINGS)
    assert model is not None
    assert model.name == "openai:some-model"
    assert model.complete(PROMPT).text == "Yes."
    assert server.requests[0].headers["Authorization"] == "Bearer none"


@pytest.mark.parametrize(
    ("variables", "kind", "words"),
    [
        ({}, "key", "OPENAI_API_KEY isn't set; set it, or OPENAI_BASE_URL"),
        ({"OPENAI_API_KEY": "sk-secret one"}, "key", "copy the key again"),
        ({"OPENAI_API_KEY": "sk-sécret"}, "key", "copy the key again"),
        ({"OPENAI_BASE_URL": "localhost:8080"}, "connection", "starts with http://"),
        ({"OPENAI_BASE_URL": "http://[/v1"}, "connection", "starts with http://"),
    ],
)
def test_an_environment_that_names_none(
    variables: dict[str, str], kind: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(ModelError) as caught:
        open_model(SETTINGS)
    assert caught.value.kind == kind
    assert words in str(caught.value)
    assert "cret" not in str(caught.value)


@pytest.mark.parametrize("pieces", [(), ("PIT", " is")])
def test_stop_closes_the_connection(server: FaultServer, pieces: tuple[str, ...]) -> None:
    server.will(hangs(*pieces))
    stop = threading.Event()
    timer = threading.Timer(0.3, stop.set)
    timer.start()
    began = time.monotonic()
    assert _fault(_model(server), stop=stop).kind == "stopped"
    assert server.disconnected.wait(1)
    assert 0.25 < time.monotonic() - began < 1.5
    timer.join()


def test_stop_ends_a_pause(server: FaultServer) -> None:
    server.will(fails(429, retry_after="15"))
    stop = threading.Event()
    began = time.monotonic()
    assert _fault(_model(server), stop=stop, notify=lambda _: stop.set()).kind == "stopped"
    assert time.monotonic() - began < 2


def test_stop_before_the_call_sends_nothing(server: FaultServer) -> None:
    stop = threading.Event()
    stop.set()
    assert _fault(_model(server), stop=stop).kind == "stopped"
    assert server.requests == []


def test_a_reader_that_has_enough_closes_the_connection(server: FaultServer) -> None:
    server.will(hangs("PIT"))
    with closing(_model(server).stream(PROMPT)) as parts:
        assert next(parts) == "PIT"
    assert server.disconnected.wait(1)


@pytest.mark.parametrize("pieces", [(), ("PIT",)])
def test_an_interrupt_closes_the_connection(server: FaultServer, pieces: tuple[str, ...]) -> None:
    server.will(hangs(*pieces))
    timer = threading.Timer(0.4, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        _model(server).complete(PROMPT)
    assert server.disconnected.wait(1)
    timer.join()


def test_closing_the_model_ends_its_calls(server: FaultServer) -> None:
    server.will(hangs())
    model = _model(server)
    timer = threading.Timer(0.2, model.close)
    timer.start()
    assert _fault(model).kind == "stopped"
    assert server.disconnected.wait(1)
    timer.join()
    assert _fault(model).kind == "stopped"
    model.close()


def test_eight_threads_share_a_model(server: FaultServer) -> None:
    def react(handler: fault_server.Handler) -> None:
        handler.begin()
        barrier.wait(5)
        for piece in ("one ", "two ", "three"):
            handler.delta(content=piece)
        handler.delta("stop")
        handler.end()

    barrier = threading.Barrier(8)
    server.will(react)
    model = _model(server)
    with ThreadPoolExecutor(8) as pool:
        texts = list(pool.map(lambda _: model.complete(PROMPT).text, range(8)))
    assert texts == ["one two three"] * 8


PROPS = {"default_generation_settings": {"n_ctx": 3000}}


def _pages(**pages: Any) -> dict[str, Any]:
    return {"/v1/models": {"data": pages.get("models", [])}} | (
        {"/props": pages["props"]} if "props" in pages else {}
    )


@pytest.mark.parametrize(
    ("pages", "window"),
    [
        (_pages(models=[{"id": "other"}, {"id": "some-model", "max_model_len": 16384}]), 16384),
        (_pages(models=[{"id": "x.gguf", "meta": {"n_ctx": 9000, "n_ctx_train": 6000}}]), 6000),
        (_pages(models=[{"id": "a"}, {"id": "b"}], props=PROPS), 3000),
        (_pages(models=[{"id": "some-model", "max_model_len": "many"}]), 8192),
        (_pages(props=[]), 8192),
        ({"/v1/models": lambda handler: handler.wait_for_the_client(3)}, 8192),
        ({"/v1/models": lambda handler: handler.json(200, "<html>")}, 8192),
        ({}, 8192),
    ],
)  # fmt: skip
def test_the_window_is_what_the_endpoint_says(
    server: FaultServer, pages: dict[str, Any], window: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.limits._ASK_SECONDS", 0.5)
    server.pages = pages
    model = _model(server, settings=replace(SETTINGS, context_window=None))
    assert (model.context_window, model.max_output) == (window, 1024)
    assert model.context_window == window
    assert server.asked.count("/v1/models") == 1


@pytest.mark.parametrize(
    ("llm", "given", "limits"),
    [
        ("openai:gpt-4.1-mini", {}, (1047576, 4096)),
        ("openai:gpt-4.1-mini", {"context_window": 900}, (900, 450)),
        ("openai:new-model", {"max_output": 77}, (8192, 77)),
    ],
)
def test_the_window_of_openai_is_known(llm: str, given: dict[str, int], limits: tuple[int, int]) -> None:
    settings = replace(SETTINGS, llm=llm, **({"context_window": None} | given))
    model = _model("https://api.openai.com/v1", settings=settings)
    assert (model.context_window, model.max_output) == limits


def test_threads_do_not_outlive_their_calls(server: FaultServer) -> None:
    server.will(hangs())
    _fault(_model(server, patience=SOON))
    until = time.monotonic() + 2
    while _callers() and time.monotonic() < until:
        time.sleep(0.02)
    assert not _callers()


def _callers() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "assistant-llm"]


def test_what_is_no_fault_of_vendors_keeps_its_traceback(
    server: FaultServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def bug(*_: object, **__: object) -> Callable[[], None]:
        raise RuntimeError("a bug")

    monkeypatch.setattr("assistant.vendor._language_model", bug)
    with pytest.raises(RuntimeError, match="a bug"):
        _model(server).complete(PROMPT)
