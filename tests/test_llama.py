"""Calls of a real language model: a llama.cpp server in this process, with a small model of a package."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from small_model import model_file

from assistant.config import Settings
from assistant.models import Completion, Message, Model, ModelError, open_model
from corpus.builtin import PAPERS

PROMPT = [Message("user", "Write a long story about a fox who learns to sail.")]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Model]:
    """SmolLM2 with 135 million parameters, loaded once."""
    home = tmp_path_factory.mktemp("home")
    settings = Settings(home, "default", f"gguf:{model_file()}", "local", None, context_window=1024)
    opened = open_model(settings)
    assert opened is not None
    yield opened
    opened.close()


def test_the_model_says_what_it_is(model: Model) -> None:
    assert model.name == f"gguf:{model_file().name}"
    assert (model.context_window, model.max_output) == (1024, 512)


def test_an_answer_comes_in_pieces(model: Model) -> None:
    *pieces, last = model.stream(PROMPT, max_tokens=16)
    assert isinstance(last, Completion)
    assert len(pieces) > 8
    assert "".join(map(str, pieces)) == last.text
    assert (last.finish, last.completion_tokens, last.attempts) == ("length", 16, 1)


def test_the_same_answer_comes_whole(model: Model) -> None:
    first, second = (model.complete(PROMPT, max_tokens=16) for _ in range(2))
    assert first.text == second.text != ""


def test_tokens_are_counted_on_the_safe_side(model: Model) -> None:
    for line in PAPERS.read_text(encoding="utf-8").splitlines()[:2]:
        messages = [Message("system", "Answer."), Message("user", line)]
        prompt = model.complete(messages, max_tokens=1).prompt_tokens
        assert prompt <= model.count(messages) <= 2 * prompt + 40


def test_stop_in_the_middle(model: Model) -> None:
    stop = threading.Event()
    pieces = model.stream(PROMPT, stop=stop)
    next(pieces)
    stop.set()
    began = time.monotonic()
    with pytest.raises(ModelError, match="stopped"):
        list(pieces)
    assert time.monotonic() - began < 1
    # Its slot is free again.
    assert model.complete(PROMPT, max_tokens=4).completion_tokens == 4


def test_a_short_prompt_does_not_wait_until_a_long_one_is_read(model: Model) -> None:
    ended: list[str] = []

    def ask(name: str, prompt: str) -> None:
        # Whether it has anything to say to that isn't asked.
        with suppress(ModelError):
            model.complete([Message("user", prompt)], max_tokens=1)
        ended.append(name)

    long = threading.Thread(target=ask, args=("long", "fox and sail " * 240))
    long.start()
    ask("short", "foxes")
    long.join()
    assert ended == ["short", "long"]


def test_eight_at_once(model: Model) -> None:
    def ask(number: int) -> Completion:
        return model.complete([Message("user", f"Tell me about the number {number}.")], max_tokens=8)

    with ThreadPoolExecutor(8) as pool:
        assert all(completion.text for completion in pool.map(ask, range(8)))


def test_a_prompt_too_long_for_the_server(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(model), "count", lambda *_: 10)
    with pytest.raises(ModelError, match="too long") as caught:
        model.complete([Message("user", "colour and sound " * 900)])
    assert caught.value.kind == "overflow"


def test_a_damaged_file(tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.gguf"
    damaged.write_bytes(model_file().read_bytes()[:100_000])
    with pytest.raises(ModelError, match="can't be loaded: the file is damaged") as caught:
        open_model(Settings(tmp_path, "default", f"gguf:{damaged}", "local", None))
    assert caught.value.kind == "invalid"


def test_a_file_that_is_none(tmp_path: Path) -> None:
    settings = Settings(tmp_path, "default", f"gguf:{tmp_path}/gone.gguf", "local", None)
    with pytest.raises(ModelError, match="there is no file"):
        open_model(settings)
    (tmp_path / "page.gguf").write_text("<html>")
    with pytest.raises(ModelError, match="isn't a GGUF file"):
        open_model(replace(settings, llm=f"gguf:{tmp_path}/page.gguf"))
    with pytest.raises(ModelError, match="can't be read"):
        open_model(replace(settings, llm=f"gguf:{tmp_path}"))


def test_closing_ends_what_runs_and_what_waits() -> None:
    settings = Settings(
        Path("/nowhere"), "default", f"gguf:{model_file()}", "local", None, context_window=512
    )
    model = open_model(settings)
    assert model is not None
    begun = threading.Event()
    ends: dict[int, str] = {}

    def ask(number: int) -> None:
        try:
            for _ in model.stream(PROMPT):
                begun.set()
            ends[number] = "whole"
        except ModelError as error:
            ends[number] = error.kind

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    assert begun.wait(30)
    model.close()
    for thread in threads:
        thread.join(5)
    assert set(ends) == set(range(6))
    assert "stopped" in set(ends.values()) <= {"stopped", "whole"}
    with pytest.raises(ModelError, match="stopped"):
        model.complete([Message("user", "Hello")])
