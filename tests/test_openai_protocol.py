"""The official openai client against the really served chat."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import openai
import pytest
from browser import PIT, SCALER, ScriptedAssistant, cite, served

from assistant.answer import Answer, Turn, Usage
from corpus.errors import BusyError, InputError

pytestmark = [
    pytest.mark.filterwarnings("ignore:.*no_silent_downcasting"),
    pytest.mark.filterwarnings("ignore:The copy keyword is deprecated"),
]
TEXT = "**PIT** reaches **5.9x** [1]. SuperScaler speeds up training [2]."
LIST = (
    "[1] PIT. Ningxin Zheng, Huiqiang Jiang, Quanlu Zhang (2023). https://example.org/pit  \n"
    "[2] SuperScaler. Zhiqi Lin, Youshan Miao."
)


def reply(question: str) -> Answer | Exception:
    if "busy" in question:
        return BusyError("Another process is writing; try again.")
    if "wrong" in question:
        return InputError("That can't be asked.")
    if "crash" in question:
        return RuntimeError("secret internals")
    if "failed" in question:
        return replace(cite(question, "", []), status="error", error="The answer failed.")
    return cite(question, TEXT, [(PIT, "5.9x"), (SCALER, "3.5x")], usage=Usage(1, 70, 9), kind="number")


@pytest.fixture(scope="module")
def assistant() -> ScriptedAssistant:
    return ScriptedAssistant(reply)


@pytest.fixture(scope="module")
def client(assistant: ScriptedAssistant) -> Iterator[openai.OpenAI]:
    with (
        served(assistant, users="ada:secret1", programs=True) as url,
        openai.OpenAI(api_key="secret1", base_url=f"{url}v1", timeout=60, max_retries=0) as made,
    ):
        yield made


def ask(client: openai.OpenAI, question: str = "What is PIT?", **more: Any) -> Any:
    more = {"model": "mine", "messages": [{"role": "user", "content": question}], **more}
    return client.chat.completions.create(**more)


def test_models(client: openai.OpenAI) -> None:
    assert [model.id for model in client.models.list()] == ["mine"]
    assert client.models.retrieve("mine").owned_by == "abstracts-assistant"
    with pytest.raises(openai.NotFoundError, match="does not exist"):
        client.models.retrieve("gpt-5")


def test_an_answer(client: openai.OpenAI) -> None:
    whole = ask(client)
    choice = whole.choices[0]
    assert choice.message.content == f"{TEXT}\n\n{LIST}"
    assert (choice.finish_reason, choice.message.role, whole.model) == ("stop", "assistant", "mine")
    assert whole.usage.total_tokens == 79
    assert [one["paper_id"] for one in choice.message.citations] == ["p1", "p2"]
    quote = choice.message.citations[0]["quotes"][0]
    assert (PIT.abstract or "")[quote["start"] : quote["end"]] == quote["text"] == "5.9x"
    assert choice.message.answer["status"] == "answered"
    assert choice.message.answer["kind"] == "number"
    assert choice.message.answer["support"][0]["support"] == "verbatim"


def test_a_streamed_answer(client: openai.OpenAI) -> None:
    chunks = list(ask(client, stream=True, stream_options={"include_usage": True}))
    assert chunks[0].choices[0].delta.role == "assistant"
    assert len({chunk.id for chunk in chunks}) == 1
    texts = [chunk.choices[0].delta.content or "" for chunk in chunks[:-1]]
    assert "".join(texts) == f"{TEXT}\n\n{LIST}"
    assert len([text for text in texts if text]) > 5
    last, usage = chunks[-2], chunks[-1]
    assert [chunk.choices[0].finish_reason for chunk in chunks[:-1]] == [None] * (len(chunks) - 2) + ["stop"]
    assert [one["label"] for one in last.choices[0].delta.citations] == ["PIT", "SuperScaler"]
    assert last.choices[0].delta.answer["status"] == "answered"
    assert (usage.choices, usage.usage.prompt_tokens, usage.usage.completion_tokens) == ([], 70, 9)
    assert [chunk.usage for chunk in ask(client, stream=True)] == [None] * (len(chunks) - 1)


def test_the_clients_own_stream_reader(client: openai.OpenAI) -> None:
    messages: Any = [{"role": "user", "content": "What is PIT?"}]
    with client.chat.completions.stream(model="mine", messages=messages) as stream:
        whole = stream.get_final_completion()
    assert whole.choices[0].message.content == f"{TEXT}\n\n{LIST}"


def test_the_history_is_what_was_said(client: openai.OpenAI, assistant: ScriptedAssistant) -> None:
    said = ask(client).choices[0].message.content
    messages = [
        {"role": "system", "content": "Be a pirate."},
        {"role": "user", "content": "What is PIT?"},
        {"role": "assistant", "content": said},
        {"role": "user", "content": [{"type": "text", "text": "And the second?"}]},
    ]
    ask(client, messages=messages)
    assert assistant.asked[-1] == ("And the second?", [Turn("user", "What is PIT?"), Turn("assistant", TEXT)])


@pytest.mark.parametrize(
    ("question", "kind", "status", "said"),
    [
        ("busy", "InternalServerError", 503, "Another process"),
        ("wrong", "BadRequestError", 400, "can't be asked"),
        ("crash", "InternalServerError", 500, "its log says where"),
        ("failed", "InternalServerError", 500, "The answer failed"),
        (" ", "BadRequestError", 400, "empty"),
        ("x" * 4001, "BadRequestError", 400, "4,001"),
    ],
)
def test_faults(client: openai.OpenAI, question: str, kind: str, status: int, said: str) -> None:
    with pytest.raises(getattr(openai, kind), match=said) as caught:
        ask(client, question)
    assert caught.value.status_code == status
    assert "secret internals" not in str(caught.value)


@pytest.mark.parametrize("question", ["busy", "wrong", "crash", "failed"])
def test_faults_within_a_stream(client: openai.OpenAI, question: str) -> None:
    with pytest.raises(openai.APIError) as caught:
        list(ask(client, question, stream=True))
    assert "secret internals" not in str(caught.value)


def test_other_faults(client: openai.OpenAI) -> None:
    with pytest.raises(openai.NotFoundError, match="there are mine") as caught:
        ask(client, model="gpt-5")
    assert caught.value.code == "model_not_found"
    with pytest.raises(openai.NotFoundError, match="There is no such address"):
        client.embeddings.create(model="mine", input="x")
    with pytest.raises(openai.AuthenticationError):
        ask(client.with_options(api_key="wrong"))


def test_twenty_at_once_are_all_answered(client: openai.OpenAI) -> None:
    def one(number: int) -> str:
        question = f"Question {number}?"
        if number % 2:
            return "".join(c.choices[0].delta.content or "" for c in ask(client, question, stream=True))
        return str(ask(client, question).choices[0].message.content)

    with ThreadPoolExecutor(20) as pool:
        assert list(pool.map(one, range(20))) == [f"{TEXT}\n\n{LIST}"] * 20


def test_a_models_draft_is_no_answer() -> None:
    drafting = ScriptedAssistant(reply, llm="openai:small")
    with (
        served(drafting, programs=True) as url,
        openai.OpenAI(api_key="x", base_url=f"{url}v1", timeout=60) as client,
    ):
        chunks = list(ask(client, stream=True))
        drafts = [getattr(chunk.choices[0].delta, "reasoning_content", None) or "" for chunk in chunks]
        assert "".join(drafts).strip() == TEXT
        assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks) == f"{TEXT}\n\n{LIST}"


@pytest.mark.parametrize("stream", [True, False])
def test_a_client_that_goes_stops_the_work(stream: bool) -> None:
    begun, ended = threading.Event(), threading.Event()

    class Endless(ScriptedAssistant):
        def stream(self, question: str, *, history: Any = (), stop: Any = None) -> Iterator[Any]:
            try:
                begun.set()
                while not stop.wait(0.01):
                    yield "word "
            finally:
                ended.set()

    with served(Endless(reply, llm="openai:small"), programs=True) as url:
        client = openai.OpenAI(api_key="x", base_url=f"{url}v1", timeout=60, max_retries=0)
        with client:
            if stream:
                with ask(client, stream=True) as chunks:
                    assert next(chunks).choices[0].delta.role == "assistant"
                    next(chunks)
            else:
                with pytest.raises(openai.APITimeoutError):
                    ask(client, timeout=2)
            assert begun.wait(60)
            assert ended.wait(60)
