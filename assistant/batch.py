"""Many questions at once: a file of questions into a file of answers, in the same order."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, Field, StringConstraints, ValidationError

from assistant.ahead import mapped
from assistant.answer import Answer, Turn, failed
from assistant.lines import LinesError, answer_of, first_fault, json_lines, read_text
from corpus.errors import AssistantError, InputError, ModelError
from corpus.papers import storable

_Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
_ROLES = ("user", "assistant")
Ask = Callable[["Question"], Answer]


@dataclass(frozen=True)
class Question:
    """One line of a file of questions."""

    id: str
    text: str
    history: tuple[Turn, ...]


class _Line(BaseModel, coerce_numbers_to_str=True):
    id: _Words
    question: _Words
    history: list[Any] = Field(default=[])


def read_questions(path: Path) -> tuple[Question, ...]:
    """The questions of a JSON Lines file. Raises LinesError with a message for each faulty line."""
    problems, questions, seen = list[str](), list[Question](), set[str]()
    for number, fields in json_lines(read_text(path), problems):
        try:
            line = _Line.model_validate(fields)
        except ValidationError as fault:
            problems.append(f"line {number}: {first_fault(fault)}")
            continue
        faults = [found for number, item in enumerate(line.history, 1) if (found := _fault(number, item))]
        if faults:
            problems.append(f"line {number}: history {faults[0]}")
            continue
        if line.id in seen:
            problems.append(f"line {number}: a second question with the id {line.id!r}")
        seen.add(line.id)
        history = tuple(_turn(item) for item in line.history)
        questions.append(Question(line.id, line.question, history))
    if problems:
        raise LinesError(path, problems)
    if not questions:
        raise InputError(f"{str(path)!r} holds no question; give one JSON object a line with id and question")
    return tuple(questions)


def read_history(path: Path) -> tuple[Turn, ...]:
    """The conversation so far, from a JSON list of questions or of objects with role and content."""
    expected = 'a JSON list of {"role": "user" or "assistant", "content": "..."}'
    try:
        items = json.loads(read_text(path))
    except (ValueError, RecursionError) as fault:
        raise InputError(f"{str(path)!r} isn't JSON: {fault}; give {expected}") from fault
    if not isinstance(items, list):
        raise InputError(f"{str(path)!r} isn't a history: it holds no list; give {expected}")
    for number, item in enumerate(items, 1):
        if found := _fault(number, item):
            raise InputError(f"{str(path)!r} isn't a history: {found}; give {expected}")
    return tuple(_turn(item) for item in items)


def _fault(number: int, item: Any) -> str:
    """What is wrong with an entry of a history, "" where nothing is."""
    where = f"entry {number}"
    if isinstance(item, str):
        return "" if item.strip() else f"{where} is an empty question"
    if not isinstance(item, dict):
        return f"{where} is {repr(item)[:60]}, no question and no object"
    if item.get("role") not in _ROLES:
        return f"{where} has the role {repr(item.get('role'))[:60]}, not 'user' or 'assistant'"
    if not isinstance(item.get("content"), str):
        return f"{where} has the content {repr(item.get('content'))[:60]}, no text"
    return ""


def _turn(item: Any) -> Turn:
    if isinstance(item, str):
        return Turn("user", storable(item.strip()))
    return Turn(item["role"], storable(item["content"]))


def answer_all(
    questions: Sequence[Question],
    ask: Ask,
    out: Path | None = None,
    *,
    workers: int = 1,
    resume: bool = False,
    fits: Callable[[Answer], bool] = lambda answer: True,
) -> Iterator[Answer]:
    """The answers in the order of the questions, each written to `out` before it is given.

    A question that fails gives an Answer with status "error" and costs the others nothing; one that was
    stopped ends it all with its ModelError. With `resume`
    the answers at the start of `out` that belong to these questions, in this order, are kept, up to the first
    that failed or doesn't fit.
    """
    if out is None:
        yield from _answers(questions, ask, workers)
        return
    kept = 0
    if resume:
        for answer in _keep_answers(out, questions, fits):
            kept += 1
            yield answer
    with out.open("a" if resume else "w", encoding="utf-8") as file:
        for answer in _answers(questions[kept:], ask, workers):
            file.write(json.dumps(answer.to_dict(), ensure_ascii=False) + "\n")
            file.flush()
            yield answer


def _answers(questions: Sequence[Question], ask: Ask, workers: int) -> Iterator[Answer]:
    return mapped(lambda question: _answer(question, ask), questions, workers)


def _answer(question: Question, ask: Ask) -> Answer:
    try:
        return ask(question)
    except AssistantError as fault:
        if isinstance(fault, ModelError) and fault.kind == "stopped":
            raise
        return failed(question.id, question.text, fault)


def _keep_answers(
    out: Path, questions: Sequence[Question], fits: Callable[[Answer], bool]
) -> Iterator[Answer]:
    """The answers at the start of the file that are kept; what follows, such as a torn line, is cut off."""
    if not out.exists():
        return
    end = 0
    with out.open("rb+") as file:
        for question, line in zip(questions, file, strict=False):
            answer = _answer_in(line) if line.endswith(b"\n") else None
            if answer is None or not _is_answer_to(answer, question) or not fits(answer):
                break
            end += len(line)
            yield answer
        file.truncate(end)


def _answer_in(line: bytes) -> Answer | None:
    try:
        return answer_of(json.loads(line))
    except ValueError:
        return None


def _is_answer_to(answer: Answer, question: Question) -> bool:
    return (answer.id, answer.question) == (question.id, question.text) and answer.status != "error"
