"""Files of one JSON object a line, read so that every fault names its line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from assistant.answer import Answer
from corpus.errors import InputError

_SHOWN = 5


class LinesError(InputError):
    """A file of questions or answers with faulty lines; `problems` has one message for each fault."""

    def __init__(self, path: Path, problems: Sequence[str]) -> None:
        shown = "; ".join(problems[:_SHOWN])
        more = f"; and {len(problems) - _SHOWN} more" if len(problems) > _SHOWN else ""
        super().__init__(f"{str(path)!r} can't be used: {shown}{more}. Mend these lines and run again")
        self.problems = tuple(problems)


def answer_of(fields: Any) -> Answer:
    """The answer in a JSON object; `id`, `status` and `text` are a must. Raises ValueError saying why."""
    if not isinstance(fields, dict):
        raise ValueError("no JSON object")
    missing = [name for name in ("id", "status", "text") if name not in fields]
    if missing:
        raise ValueError(f"no {missing[0]!r}")
    question = fields.get("question", "")
    whole = {"question": question, "standalone_question": question, "kind": "lookup", **fields}
    try:
        return _answers().validate_python(whole)
    except ValidationError as fault:
        raise ValueError(first_fault(fault)) from fault


@cache
def _answers() -> TypeAdapter[Answer]:
    return TypeAdapter(Answer)


def read_answers(path: Path) -> Iterator[Answer]:
    """The answers of a JSON Lines file, one by one. Raises LinesError at the end where lines are faulty."""
    problems, seen = list[str](), set[str]()
    for number, fields in json_lines(read_text(path), problems):
        try:
            answer = answer_of(fields)
        except ValueError as fault:
            problems.append(f"line {number}: {fault}")
            continue
        if answer.id in seen:
            problems.append(f"line {number}: a second answer with the id {answer.id!r}")
            continue
        seen.add(answer.id)
        yield answer
    if problems:
        raise LinesError(path, problems)


def read_text(path: Path) -> str:
    """The text of a UTF-8 file, without a byte order mark. Raises InputError."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as fault:
        raise InputError(f"{str(path)!r} can't be read: {fault.strerror}; check the path") from fault
    except UnicodeDecodeError as fault:
        raise InputError(
            f"{str(path)!r} isn't UTF-8 at byte {fault.start}; save it as UTF-8 and run again"
        ) from fault


def json_lines(text: str, problems: list[str]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Each line's number, from 1, and its object; a message for a line without one goes to `problems`."""
    # splitlines would also cut at the line separators that JSON allows inside a string.
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            fields = json.loads(line)
        except (ValueError, RecursionError) as fault:
            problems.append(f"line {number}: no JSON: {fault}")
            continue
        if isinstance(fields, dict):
            yield number, fields
        else:
            problems.append(f"line {number}: a JSON object has to stand here, not {line.strip()[:40]!r}")


def first_fault(fault: ValidationError) -> str:
    """The first thing that a validation found, in a few words that name field and value."""
    first = fault.errors(include_url=False)[0]
    where = ".".join(str(part) for part in first["loc"][:2])
    if first["type"] == "missing":
        return f"no {where!r}"
    return f"{where!r} is {repr(first['input'])[:60]}: {first['msg'][0].lower()}{first['msg'][1:]}"
