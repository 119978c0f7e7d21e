"""OpenAI's protocol as values: requests read, answers written, the list of references."""

from __future__ import annotations

import json
from typing import Any

import pytest
from browser import HOSTILE, PIT, SCALER, ScriptedAssistant, cite

from assistant.answer import LONGEST_QUESTION, Turn, Usage
from ui.programs.references import references, with_references, without_references
from ui.programs.wire import Refused, chunk, completion, extras, read_request

HEAD = {"id": "chatcmpl-1", "created": 1, "model": "mine"}


def request(**fields: Any) -> bytes:
    return json.dumps(
        {"model": "mine", "messages": [{"role": "user", "content": "What is PIT?"}], **fields}
    ).encode()


def test_a_whole_talk_is_read() -> None:
    parts = [
        {"type": "text", "text": "And on"},
        {"type": "image_url", "image_url": {"url": "x"}},
        {"type": "text", "text": "A100?"},
    ]
    messages = [
        {"role": "system", "content": "Be a pirate."},
        {"role": "developer", "content": "Be brief."},
        {"role": "user", "content": "What is PIT?"},
        {"role": "assistant", "content": "A compiler [1].\n\n[1] PIT. Ningxin Zheng (2023)."},
        {"role": "tool", "content": "x", "tool_call_id": "1"},
        {"role": "user", "content": parts},
    ]
    asked = read_request(request(messages=messages, stream=True, stream_options={"include_usage": True}, n=1))
    assert asked.question == "And on\nA100?"
    assert asked.history == (Turn("user", "What is PIT?"), Turn("assistant", "A compiler [1]."))
    assert (asked.model, asked.stream, asked.with_usage) == ("mine", True, True)
    plain = read_request(request(temperature=0.1, tools=[], user="me"))
    assert (plain.stream, plain.with_usage, plain.history) == (False, False, ())


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", "isn't JSON"),
        (b"\xff{}", "isn't JSON"),
        (b"[" * 100_000, "isn't JSON"),
        (b"[]", "JSON object"),
        (request(model=None), "'model'"),
        (request(model=3), "'model'"),
        (request(n=2), "'n' can only be 1"),
        (request(messages=None), "list"),
        (request(messages=[]), "list"),
        (request(messages=["hello"]), r"messages\[0\]"),
        (request(messages=[{"content": "x"}]), r"messages\[0\]"),
        (request(messages=[{"role": "user", "content": 3}]), r"messages\[0\]\.content"),
        (request(messages=[{"role": "user"}]), r"messages\[0\]\.content"),
        (request(messages=[{"role": "user", "content": " \n"}]), "empty"),
        (request(messages=[{"role": "user", "content": []}]), "empty"),
        (request(messages=[{"role": "system", "content": "x"}]), "user's"),
        (
            request(messages=[{"role": "user", "content": "x"}, {"role": "assistant", "content": "y"}]),
            "user's",
        ),
        (request(messages=[{"role": "user", "content": "x" * (LONGEST_QUESTION + 1)}]), "4,001 characters"),
    ],
)
def test_what_cannot_be_answered_is_refused(body: bytes, said: str) -> None:
    with pytest.raises(Refused, match=said) as refused:
        read_request(body)
    assert refused.value.status == 400
    assert refused.value.body["error"]["type"] == "invalid_request_error"


def test_half_a_character_is_no_fault() -> None:
    assert read_request(request(messages=[{"role": "user", "content": "a\ud800"}])).question == "a?"


def test_the_references() -> None:
    text = "**PIT** reaches 5.9x [1]. SuperScaler trains [2]. Costs [3]."
    answer = cite("q", text, [(PIT, "5.9x"), (SCALER, "3.5x"), (HOSTILE, "$5")])
    lines = references(answer, ScriptedAssistant(lambda _: answer))  # type: ignore[arg-type]
    assert lines[0] == "[1] PIT. Ningxin Zheng, Huiqiang Jiang, Quanlu Zhang (2023). https://example.org/pit"
    assert lines[1] == "[2] SuperScaler. Zhiqi Lin, Youshan Miao."
    assert lines[2] == '[3] \\<img src=x onerror="window.hit=1">. \\<svg onload=window.hit=4>.'
    whole = with_references(text, lines)
    assert whole.startswith(f"{text}\n\n[1] PIT.")
    assert without_references(whole) == text


@pytest.mark.parametrize(
    "text", ["", "Words.", "Words\n[1] right below are no list.", "[1] alone", "A.\n\n- [1] b"]
)
def test_other_texts_are_left_as_they_are(text: str) -> None:
    assert without_references(text) == text
    assert with_references(text, []) == text


def test_completions() -> None:
    answer = cite("q", "PIT [1].", [(PIT, "5.9x")], usage=Usage(1, 70, 9))
    whole = completion(answer, "PIT [1].", HEAD)
    assert whole["usage"] == {"prompt_tokens": 70, "completion_tokens": 9, "total_tokens": 79}
    message = whole["choices"][0]["message"]
    assert message["citations"][0]["quotes"][0]["text"] == "5.9x"
    assert message["answer"]["status"] == "answered"
    assert message["answer"]["support"] == [
        {"text": "PIT [1].", "support": "verbatim", "score": 1.0, "reasons": []}
    ]
    piece = chunk(HEAD, extras(answer), "stop")
    assert piece["object"] == "chat.completion.chunk"
    assert piece["choices"][0]["finish_reason"] == "stop"
    json.dumps([whole, piece])
