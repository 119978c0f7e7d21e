"""Questions to ask next: of the answer's papers, not asked already, and answered by the collection."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from browser import PIT, SCALER, cite, related

from assistant.assistant import Assistant
from assistant.config import Settings
from assistant.suggest import next_questions
from corpus.papers import Paper

PAPERS = {"p1": PIT, "p2": SCALER}
ASKED = (
    "What speedup does PIT reach over state-of-the-art compilers?",
    "How does FlashAttention-2 raise GPU utilization?",
    "Compare PIT and FlashAttention-2",
    "Which papers are about quantization of large language models?",
    "What MFU does ByteScale reach?",
    "Which system reaches the highest speedup?",
)


def test_what_the_answer_does_not_show_is_asked_for_first() -> None:
    answer = cite("Who made PIT?", "Ningxin Zheng [1], and another [2].", [(PIT, "PIT"), (SCALER, "3.5x")])
    first, second, third = next_questions(answer, PAPERS)
    assert first == "What speedup does PIT reach?"
    assert second == "Compare PIT and SuperScaler"
    assert third == "How does PIT work?"


def test_a_figure_that_is_shown_is_not_asked_for() -> None:
    answer = cite("q", "It reaches 5.9x and 2.43x [1].", [(PIT, "5.9x")])
    assert next_questions(answer, PAPERS) == ("How does PIT work?", "Which other papers are like PIT?")


def test_the_question_itself_is_not_suggested() -> None:
    answer = cite("how does pit work", "5.9x and 2.43x [1].", [(PIT, "5.9x")])
    assert "How does PIT work?" not in next_questions(answer, PAPERS)
    explained = replace(answer, kind="explain", question="?", standalone_question="?")
    assert "How does PIT work?" not in next_questions(explained, PAPERS)


def test_a_comparison_is_not_suggested_after_one() -> None:
    answer = cite("q", "5.9x, 2.43x, 3.5x [1][2].", [(PIT, "5.9x"), (SCALER, "3.5x")], kind="compare")
    assert not any(question.startswith("Compare") for question in next_questions(answer, PAPERS))


def test_where_nothing_was_found_the_nearest_are_asked() -> None:
    answer = cite("q", "Not here.", [], status="not_found", related=related(PIT))
    assert all("PIT" in question for question in next_questions(answer, PAPERS))
    assert next_questions(answer, PAPERS)


def test_a_paper_without_a_name_to_say_is_left_out() -> None:
    for label in ("What is this? A question", "One. Two sentences", "w" * 80):
        paper = replace(PIT, label=label)
        assert next_questions(cite("q", "x [1]", [(paper, "5.9x")]), {"p1": paper}) == ()
    assert next_questions(cite("q", "x [1]", [(PIT, "5.9x")]), {}) == ()
    silent = Paper("p1", "PIT", None)
    assert next_questions(cite("q", "x", [], related=related(silent)), {"p1": silent}) == ()


@pytest.fixture(scope="module")
def built_in(tmp_path_factory: pytest.TempPathFactory) -> Assistant:
    home = tmp_path_factory.mktemp("home")
    return Assistant.open(Settings(Path(home), "efficient-ml", "none", "local", None))


@pytest.mark.parametrize("asked", ASKED)
def test_each_suggestion_is_answered(built_in: Assistant, asked: str) -> None:
    answer = built_in.ask(asked)
    ids = [one.paper_id for one in (*answer.citations, *answer.related)]
    questions = next_questions(answer, {paper.id: paper for paper in built_in.collection.papers(ids)})
    assert 2 <= len(questions) <= 3
    assert [question for question in questions if built_in.ask(question).status != "answered"] == []
