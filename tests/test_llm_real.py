"""Whole questions with a real language model, small and weak: what it gets wrong never passes for right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from contract import check_contract
from made import Library
from small_model import model_file

from assistant.answer import Answer, Turn
from assistant.assistant import Assistant
from assistant.config import Settings
from assistant.models import Model, open_model
from corpus.embedder import LocalEmbedder

QUESTIONS = [
    "What speedup does TileFlow reach over TVM?",
    "How many GPUs does Quokka use?",
    "By how much does Lumen cut the 99th percentile latency?",
    "From what to what does RouteWise lower the share of dropped tokens?",
]


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Settings that name the small model."""
    return Settings(
        tmp_path_factory.mktemp("home"),
        "made",
        f"gguf:{model_file()}",
        "local",
        None,
        context_window=704,
        max_output=64,
        repair=False,
    )


@pytest.fixture(scope="module")
def model(settings: Settings) -> Iterator[Model]:
    """The small model, loaded once."""
    opened = open_model(settings)
    assert opened is not None
    yield opened
    opened.close()


@pytest.fixture
def over(library: Library, embedder: LocalEmbedder, settings: Settings, model: Model, monkeypatch) -> object:
    """What makes an assistant over the made-up library with the model."""
    monkeypatch.setattr("assistant.models.open_model", lambda _: model)

    def make(**changes: object) -> Assistant:
        return Assistant(library.collection, embedder, settings=replace(settings, **changes))

    return make


def _check(answer: Answer, library: Library) -> None:
    """What holds however weak a model is."""
    check_contract(answer, library.collection)
    if answer.status == "answered":
        assert answer.model or answer.error
    papers = {paper.id: paper for paper in library.collection.papers()}
    by_marker = {one.marker: papers[one.paper_id] for one in answer.citations}
    for sentence in answer.sentences:
        if sentence.support not in ("verbatim", "supported") or not sentence.citations:
            continue
        cited = [by_marker[mark.marker] for mark in sentence.citations]
        held = " ".join(f"{paper.label} {paper.abstract} {paper.title}" for paper in cited)
        figures = set(re.findall(r"\d+(?:[.,]\d+)*", sentence.text))
        assert figures <= set(re.findall(r"\d+(?:[.,]\d+)*", held)), sentence.text


def test_eight_questions_at_once(over, library: Library) -> None:
    assistant = over()
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(assistant.ask, QUESTIONS * 2))
    for question, answer in zip(QUESTIONS * 2, answers, strict=True):
        assert answer.question == question
        assert answer.usage.llm_calls == 1
        assert 0 < answer.usage.completion_tokens <= 64
        _check(answer, library)


def test_an_explanation_in_words_of_its_own(over, library: Library) -> None:
    *pieces, answer = over().stream("What is RouteWise?")
    assert isinstance(answer, Answer)
    assert len(pieces) > 5
    assert not re.search(r"\[\d*$", "".join(map(str, pieces)))
    assert answer.usage.prompt_tokens < 1000
    _check(answer, library)


def test_a_follow_up(over, library: Library) -> None:
    talk = [Turn("user", "How does Quokka recover?"), Turn("assistant", "Within 9 seconds.")]
    answer = over(repair=True).ask("And how many GPUs did it use?", history=talk)
    assert answer.usage.llm_calls in (2, 3)
    assert "Quokka" in answer.standalone_question
    assert "GPUs" in answer.standalone_question
    _check(answer, library)


def test_repair(over, library: Library) -> None:
    answer = over(repair=True, max_output=32).ask(QUESTIONS[2])
    assert answer.usage.llm_calls in (1, 2)
    _check(answer, library)
