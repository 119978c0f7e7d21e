"""Files of questions into files of answers: order, faults, resuming."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assistant.answer import Answer, Turn
from assistant.batch import Question, answer_all, read_history, read_questions
from corpus.errors import InputError, ModelError


def _answer(question: Question, text: str = "text") -> Answer:
    return Answer(question.id, question.text, question.text, "lookup", "answered", text)


def _questions(count: int) -> list[Question]:
    return [Question(str(number), f"question {number}", ()) for number in range(count)]


def _lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_questions_and_their_histories(tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    history = ["first?", {"role": "assistant", "content": "yes"}]
    lines = [
        {"id": "a", "question": " what? "},
        {"id": 5, "question": "why?", "history": history, "gold": []},
    ]
    path.write_text("\n\n".join(json.dumps(line) for line in lines))
    assert read_questions(path) == (
        Question("a", "what?", ()),
        Question("5", "why?", (Turn("user", "first?"), Turn("assistant", "yes"))),
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no question"),
        ('{"id": "a"}', "line 1: no 'question'"),
        ('{"id": "a", "question": " "}', "line 1: 'question' is ' '"),
        (
            '{"id": "a", "question": "x"}\n{"id": "a", "question": "y"}',
            "line 2: a second question with the id 'a'",
        ),
        ('{"id": "a", "question": "x"}\n\n{oops', "line 3: no JSON"),
        (
            '{"id": "a", "question": "x", "history": [{"role": "system", "content": "x"}]}',
            "line 1: history entry 1 has the role 'system'",
        ),
    ],
)
def test_faulty_questions_name_their_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_questions(path)


def test_history_file(tmp_path: Path) -> None:
    path = tmp_path / "history.json"
    path.write_text('[{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}, "c"]')
    assert read_history(path) == (Turn("user", "a"), Turn("assistant", "b"), Turn("user", "c"))
    with pytest.raises(InputError, match="can't be read"):
        read_history(tmp_path / "nowhere.json")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("oops", "isn't JSON: .* give a JSON list"),
        ("[" * 100_000, "isn't JSON"),
        ('{"role": "user"}', "isn't a history: it holds no list; give a JSON list"),
        ('["  "]', "entry 1 is an empty question"),
        ('["a", 1]', "entry 2 is 1, no question and no object"),
        ('[{"content": "x"}]', "entry 1 has the role None, not 'user' or 'assistant'"),
        ('[{"role": "user", "content": 5}]', "entry 1 has the content 5, no text"),
    ],
)
def test_a_faulty_history_is_told_in_our_words(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "history.json"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_history(path)


def test_half_characters_are_a_fault_in_a_question_and_replaced_in_its_history(tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text(r'{"id": "1", "question": "what \udcff?"}')
    with pytest.raises(InputError, match="line 1: 'question' is"):
        read_questions(path)
    path.write_text(r'{"id": "1", "question": "what?", "history": ["a \ud83d"]}')
    assert read_questions(path)[0].history == (Turn("user", "a ?"),)


@pytest.mark.parametrize("workers", [1, 4])
def test_answers_are_in_the_order_of_the_questions(tmp_path: Path, workers: int) -> None:
    out = tmp_path / "out.jsonl"
    written = []
    for answer in answer_all(_questions(20), _answer, out, workers=workers):
        assert _lines(out)[-1]["id"] == answer.id, "each answer is on the disk before it is given"
        written.append(answer.id)
    assert written == [line["id"] for line in _lines(out)] == [str(number) for number in range(20)]


@pytest.mark.parametrize("workers", [1, 4])
def test_only_a_few_answers_are_made_ahead(workers: int) -> None:
    asked: list[str] = []

    def ask(question: Question) -> Answer:
        asked.append(question.id)
        return _answer(question)

    answers = answer_all(_questions(100), ask, workers=workers)
    next(answers)
    answers.close()  # type: ignore[attr-defined]
    assert 1 <= len(asked) <= 4 * workers + 1


def test_a_question_that_fails_costs_itself_only(tmp_path: Path) -> None:
    def ask(question: Question) -> Answer:
        if question.id == "1":
            raise ModelError("the endpoint is down; start it")
        return _answer(question)

    out = tmp_path / "out.jsonl"
    assert [answer.status for answer in answer_all(_questions(3), ask, out)] == [
        "answered",
        "error",
        "answered",
    ]
    assert [line["status"] for line in _lines(out)] == ["answered", "error", "answered"]
    assert _lines(out)[1]["error"] == "the endpoint is down; start it"


def test_resuming_asks_only_what_is_missing(tmp_path: Path) -> None:
    out, asked = tmp_path / "out.jsonl", list[str]()

    def ask(question: Question) -> Answer:
        asked.append(question.id)
        return _answer(question)

    list(answer_all(_questions(6), ask, out))
    whole = out.read_bytes()
    for cut in (0, 1, len(whole) // 2, len(whole) - 1, len(whole)):
        out.write_bytes(whole[:cut])
        asked.clear()
        kept = whole[:cut].count(b"\n")
        assert len(list(answer_all(_questions(6), ask, out, resume=True))) == 6
        assert out.read_bytes() == whole
        assert asked == [str(number) for number in range(kept, 6)]


def test_resuming_asks_again_what_failed_or_changed(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    list(answer_all(_questions(3), _answer, out))
    changed = [*_questions(2), Question("2", "another question", ())]
    list(answer_all(changed, lambda question: _answer(question, "new"), out, resume=True))
    assert [line["text"] for line in _lines(out)] == ["text", "text", "new"]
    list(answer_all(_questions(1), _answer, tmp_path / "new.jsonl", resume=True))
    assert len(_lines(tmp_path / "new.jsonl")) == 1


def test_resuming_asks_again_from_the_first_answer_that_no_longer_fits(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    list(answer_all(_questions(4), _answer, out))
    again = answer_all(
        _questions(4),
        lambda question: _answer(question, "new"),
        out,
        resume=True,
        fits=lambda answer: answer.id != "2",
    )
    assert [answer.text for answer in again] == ["text", "text", "new", "new"]
    assert [line["text"] for line in _lines(out)] == ["text", "text", "new", "new"]
