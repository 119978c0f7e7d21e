"""A whole question with a language model that fails over real sockets: the reader always gets an answer."""

from __future__ import annotations

import logging
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import fault_server
import pytest
from contract import check_contract
from fault_server import FaultServer, Handler, Reaction, breaks, fails, hangs, never_ends, says, sends
from made import Library

from assistant import endpoint
from assistant.answer import Answer, Notice, Turn
from assistant.assistant import Assistant
from assistant.cli import main
from assistant.config import Settings
from assistant.retries import Retries
from corpus.embedder import LocalEmbedder
from corpus.errors import ModelError

KEY = "sk-test-0123456789abcdefghij"
SPEED = "What speedup does TileFlow reach over TVM?"
SAYS = "TileFlow runs sparse inference 5.9x faster than TVM [1]."
FALSE = "TileFlow runs sparse inference 8.8x faster than TVM [1]."


@pytest.fixture(scope="module", autouse=True)
def imported() -> None:
    """Nothing; what the first call imports isn't what the tests time."""
    import assistant.vendor  # noqa: F401


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FaultServer]:
    """An endpoint, and an environment that names it; pauses before a retry are short."""
    monkeypatch.setattr(endpoint, "Retries", lambda: Retries(2, 20.0, 0.02))
    with fault_server.running() as running:
        monkeypatch.setenv("OPENAI_BASE_URL", running.url)
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        running.will(says(SAYS))
        yield running


@pytest.fixture
def make(library: Library, embedder: LocalEmbedder, tmp_path: Path) -> Iterator[object]:
    """What makes an assistant over the made-up library with the model of the environment."""
    opened: list[Assistant] = []

    def made(**changes: object) -> Assistant:
        given = {"llm_timeout": 0.2, "context_window": 8000, **changes}
        settings = Settings(tmp_path, "made", "openai:test", "local", None, **given)
        opened.append(Assistant(library.collection, embedder, settings=settings))
        return opened[-1]

    yield made
    for one in opened:
        one.close()


def test_an_answer_of_the_model(server: FaultServer, make, library: Library) -> None:
    answer = make().ask(SPEED)
    assert (answer.model, answer.error) == ("openai:test", None)
    assert (answer.usage.llm_calls, answer.usage.prompt_tokens, answer.usage.completion_tokens) == (1, 11, 7)
    assert len(server.requests) == 1
    check_contract(answer, library.collection)


FAULTS: dict[str, tuple[Reaction, str]] = {
    "refused key": (fails(401, {"message": f"Incorrect API key: {KEY}"}), "refuses the key (401)"),
    "no such model": (fails(404, {"message": "model 'test' not found"}), "doesn't know the model"),
    "too many": (fails(429, retry_after="0.1"), "too many requests (429)"),
    "too many for long": (fails(429, retry_after="3600"), "asks to wait 3600 s"),
    "fault": (fails(500), "has a fault of its own (500)"),
    "silence": (hangs(), "sent nothing for 0.8 s"),
    "silence between": (hangs("TileFlow ", "runs "), "sent no further token for 0.2 s"),
    "cut off": (breaks("TileFlow runs ", how="close"), "cut off in the middle"),
    "reset": (breaks("TileFlow runs ", how="reset"), "cut off in the middle"),
    "no JSON": (sends("hello", kind="application/json"), "isn't a chat completion"),
    "no events": (sends('data: {"choices": [{"del'), "isn't a chat completion"),
    "a page": (sends("<html>Log in</html>", kind="text/html"), "isn't a chat completion"),
    "empty": (says(""), "sent an empty answer"),
    "refusal": (says("I", finish="content_filter"), "refuses to answer this"),
    "repetition": (never_ends("I am sorry. "), "repeats itself without end"),
    "no end": (never_ends(*(f"word{i} " for i in range(997))), "doesn't end"),
    "overflow": (fails(400, {"message": "no", "code": "context_length_exceeded"}), "prompt is too long"),
    "nonsense": (says("Bananas are yellow and grow on trees [3]. " * 2), "stands in the abstracts"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_whatever_fails_there_are_quotes_and_one_line_that_says_why(
    server: FaultServer, make, library: Library, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    reaction, words = FAULTS[name]
    server.will(reaction)
    told: list[str] = []
    began = time.monotonic()
    with caplog.at_level(logging.DEBUG):
        answer = make(unsupported="drop", repair=False).ask(SPEED, notify=told.append)
    assert time.monotonic() - began < 10
    assert words in (answer.error or "")
    assert (answer.error or "").startswith("The language model didn't answer: ")
    assert (answer.error or "").endswith(". These are the abstracts' own words.")
    assert (answer.status, answer.model, answer.prompt_hash) == ("answered", None, None)
    assert answer.text == library.assistant.ask(SPEED).text
    assert len(told) == len(server.requests) - 1
    check_contract(answer, library.collection)
    seen = f"{answer.to_dict()}{told}{caplog.text}"
    assert KEY not in seen
    assert KEY[8:] not in seen


def test_a_server_that_is_not_there(make, library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoint, "Retries", lambda: Retries(2, 20.0, 0.02))
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{unused.getsockname()[1]}/v1")
        answer = make().ask(SPEED)
    assert "can't be reached" in (answer.error or "")
    check_contract(answer, library.collection)


def test_no_key_at_all(make, library: Library) -> None:
    answer = make().ask(SPEED)
    assert "OPENAI_API_KEY isn't set" in (answer.error or "")
    check_contract(answer, library.collection)


def test_a_question_too_long_for_the_model(server: FaultServer, make, library: Library) -> None:
    answer = make(context_window=300).ask(SPEED)
    assert "takes 300 with the answer" in (answer.error or "")
    assert server.requests == []
    check_contract(answer, library.collection)


def test_a_fault_in_one_question_is_none_in_the_next(server: FaultServer, make) -> None:
    assistant = make()
    server.will(fails(401), says(SAYS))
    assert assistant.ask(SPEED).error
    assert assistant.ask(SPEED).error is None


def test_a_retry_is_told_of(server: FaultServer, make) -> None:
    assistant = make()
    server.will(fails(503), says(SAYS), fails(503), says(SAYS))
    told: list[str] = []
    assert assistant.ask(SPEED, notify=told.append).error is None
    notices = [one.text for one in assistant.stream(SPEED) if isinstance(one, Notice)]
    for [line] in (told, notices):
        assert "a fault of its own (503)" in line
        assert "trying again in" in line


def test_a_first_turn_is_one_call_a_follow_up_two_a_repair_one_more(server: FaultServer, make) -> None:
    talk = [Turn("user", SPEED), Turn("assistant", "5.9x [1].")]
    condensed = says("Does TileFlow need preprocessing?")
    after = says("TileFlow needs no preprocessing [1].")
    assistant = make()
    for script, question, history, calls in (
        ([says(SAYS)], SPEED, [], 1),
        ([condensed, after], "does it need preprocessing?", talk, 2),
        ([says(FALSE), says(f"1: {SAYS}")], SPEED, [], 2),
        ([condensed, says(FALSE), says("1: TileFlow needs no preprocessing [1].")], "does it?", talk, 3),
    ):
        before = len(server.requests)
        server.will(*script)
        answer = assistant.ask(question, history=history)
        assert answer.error is None
        assert len(server.requests) - before == answer.usage.llm_calls == calls
        assert answer.usage.prompt_tokens == 11 * calls
        assert "8.8" not in answer.text


@pytest.mark.parametrize(("how", "begun"), [("stop", True), ("stop", False), ("close", True)])
def test_who_stops_closes_the_request(server: FaultServer, make, how: str, begun: bool) -> None:
    server.will(hangs(*["TileFlow runs "][: int(begun)]))
    stop = threading.Event()
    stream = make(llm_timeout=9.0).stream(SPEED, stop=stop)
    if begun:
        assert next(stream) == "TileFlow runs"
    if how == "close":
        stream.close()
    else:
        threading.Timer(0.2, stop.set).start()
        with pytest.raises(ModelError, match="stopped"):
            list(stream)
    assert server.disconnected.wait(3)


def test_a_stream_that_is_whole_leaves_stop_alone(server: FaultServer, make) -> None:
    stop = threading.Event()
    *_, last = make().stream(SPEED, stop=stop)
    assert isinstance(last, Answer)
    assert not stop.is_set()


def test_the_talks_of_two_users_never_meet(server: FaultServer, make, library: Library) -> None:
    names = {"Quokka": "quokka", "Ferrite": "ferrite", "FoldFast": "protein", "MergeMoE": "expert-merge"}

    def script(handler: Handler) -> None:
        text = handler.body["messages"][-1]["content"]
        if "The talk, oldest first" in text:
            told = text.partition("The talk, oldest first:")[2]
            [name] = [one for one in names if one in told]
            says(f"What is {name}?")(handler)
            return
        name = text.rpartition("What is ")[2].rstrip("?")
        source = next(line for line in text.splitlines() if f"] {name}: " in line)
        number, _, body = source.partition("] ")
        says(f"{body.partition(': ')[2].split('. ')[1].rstrip('.')} {number}].")(handler)

    server.will(script)
    assistant = make(llm_timeout=5.0)

    def ask(name: str) -> Answer:
        return assistant.ask("What is it?", history=[Turn("user", f"Tell me of {name}")])

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(ask, [*names] * 4))
    for name, answer in zip([*names] * 4, answers, strict=True):
        assert answer.error is None
        assert answer.standalone_question == f"What is {name}?"
        assert [one.paper_id for one in answer.citations] == [names[name]]
        assert answer.usage.llm_calls == 2
    for request in server.requests:
        prompt = request.body["messages"][-1]["content"]
        if "The talk" in prompt:
            assert sum(f"Tell me of {name}" in prompt for name in names) == 1
        else:
            assert "Tell me of" not in prompt


@pytest.mark.parametrize("command", ["ask", "answer"])
def test_an_interrupted_command_closes_its_model(
    command: str, library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[str] = []

    def interrupted(*_: object, **__: object) -> Answer:
        raise KeyboardInterrupt

    monkeypatch.setattr(Assistant, "ask", interrupted)
    monkeypatch.setattr(Assistant, "close", lambda _: closed.append("model"))
    monkeypatch.setenv("ASSISTANT_HOME", str(library.home))
    monkeypatch.setenv("ASSISTANT_COLLECTION", "made")
    questions, out = tmp_path / "q.jsonl", tmp_path / "a.jsonl"
    questions.write_text('{"id": "1", "question": "What is TileFlow?"}')
    given = (
        ["ask", "What is TileFlow?"] if command == "ask" else ["answer", str(questions), "--out", str(out)]
    )
    assert main(given) == 130
    assert closed == ["model"]
