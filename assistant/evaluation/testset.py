"""Test sets, read and checked line by line."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, Field, StringConstraints, ValidationError

from assistant.answer import Turn
from assistant.evaluation.beir import read_beir
from assistant.evaluation.case import Case as Case
from assistant.evaluation.case import CaseType as CaseType
from assistant.evaluation.metrics import fold
from assistant.evaluation.splits import cases_of_split
from assistant.lines import LinesError, first_fault, json_lines, read_text
from assistant.refs import RefIndex
from corpus.errors import InputError
from corpus.papers import Paper

_Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


def _not_blank(text: str) -> str:
    if not fold(text).strip():
        raise ValueError("nothing is left of it when texts are compared")
    return text


# Blanks at the ends of these count: " 3 " is not found in "13".
_Variant = Annotated[str, AfterValidator(_not_blank)]
_Variants = Annotated[list[_Variant], Field(min_length=1)]


class _Message(BaseModel):
    role: Literal["user", "assistant"]
    content: str


class _Line(BaseModel):
    id: _Words
    question: _Words
    gold: list[_Words]
    type: CaseType | None = None
    history: list[_Words | _Message] = []
    gold_optional: list[_Words] = []
    gold_optional_other_files: list[Any] = []
    answer: str | None = None
    must: list[_Variants | _Variant] = []
    must_not: list[_Variant] = []
    split: _Words | None = None
    phrasing: _Words | None = None
    draft: bool = False


def read_testset(path: Path, papers: Iterable[Paper], *, split: str | None = None) -> tuple[Case, ...]:
    """The cases of a test set, every REF resolved to the id of one of `papers`; with `split`, those of it.

    JSON Lines and CSV are files, BEIR is a folder. Raises LinesError, with a message for each faulty line,
    when any line can't be used, be it of another split; InputError when no case is of the split.
    """
    if path.is_dir():
        return read_beir(path, papers, split=split)
    return cases_of_split(_read_file(path, RefIndex(papers)), split, path)


def _read_file(path: Path, refs: RefIndex) -> tuple[Case, ...]:
    cases, problems = list[Case](), list[str]()
    seen: dict[str, int] = {}
    text = read_text(path)
    is_json = text.lstrip()[:1] in ("{", "[")
    for number, fields in json_lines(text, problems) if is_json else _csv_lines(text, refs, path):
        try:
            line = _Line.model_validate(fields)
        except ValidationError as fault:
            problems.append(f"line {number}: {first_fault(fault)}")
            continue
        if line.id in seen:
            problems.append(f"line {number}: the id {line.id!r} stands on line {seen[line.id]} already")
        seen.setdefault(line.id, number)
        case, faults = _case(line, refs)
        cases.append(case)
        problems += [f"line {number}: {fault}" for fault in faults]
    if problems:
        raise LinesError(path, problems)
    if not cases:
        raise InputError(f"{str(path)!r} holds no question; give JSON Lines or CSV with question,answer,gold")
    return tuple(cases)


def _case(line: _Line, refs: RefIndex) -> tuple[Case, list[str]]:
    faults: list[str] = []
    case = Case(
        id=line.id,
        question=line.question,
        type=line.type or "untyped",
        history=tuple(
            Turn("user", turn) if isinstance(turn, str) else Turn(turn.role, turn.content)
            for turn in line.history
        ),
        gold=_resolve(line.gold, refs, "gold", faults),
        gold_optional=_resolve(line.gold_optional, refs, "gold_optional", faults)
        + _known(line.gold_optional_other_files, refs),
        answer=line.answer,
        must=tuple(tuple([entry] if isinstance(entry, str) else entry) for entry in line.must),
        must_not=tuple(line.must_not),
        split=line.split,
        phrasing=line.phrasing,
        draft=line.draft,
    )
    faults += _contradictions(case)
    if not line.gold:
        if line.draft and line.type not in (None, "unanswerable"):
            faults.append(
                "a draft whose gold is still to be filled in; name its papers, or make it unanswerable"
            )
        case = replace(case, type="unanswerable")
    elif line.type == "unanswerable":
        faults.append("'unanswerable' with a gold paper; empty the gold or change the type")
    return case, faults


def _contradictions(case: Case) -> Iterator[str]:
    """What no answer could do: to hold every variant's words and none of `must_not`."""
    banned = [fold(words) for words in case.must_not]
    for number, entry in enumerate(case.must, 1):
        if all(any(words in fold(variant) for words in banned) for variant in entry):
            yield f"entry {number} of must, {' | '.join(entry)!r}, holds what must_not forbids"


def _resolve(given: Sequence[str], refs: RefIndex, field: str, faults: list[str]) -> tuple[str, ...]:
    found: list[str] = []
    for ref in given:
        papers = refs.find(ref)
        if not papers:
            faults.append(f"{field} {ref!r} is no paper of the collection")
        elif len(papers) > 1:
            faults.append(f"{field} {ref!r} may mean {' or '.join(papers)}; give an id or a longer prefix")
        else:
            found.append(papers[0])
    return tuple(dict.fromkeys(found))


def _known(given: Sequence[Any], refs: RefIndex) -> tuple[str, ...]:
    # These are papers of other files than the question's own, so that they may well not be here.
    return tuple(paper for ref in given if isinstance(ref, str) for paper in refs.find(ref))


def _csv_lines(text: str, refs: RefIndex, path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    columns = [(name or "").strip().casefold() for name in reader.fieldnames or ()]
    if not {"question", "gold"} <= set(columns):
        raise InputError(
            f"{str(path)!r} is no test set: its first line is {','.join(columns)[:80]!r}; "
            "give JSON Lines, or CSV with the columns question,answer,gold"
        )
    reader.fieldnames = columns
    try:
        for count, row in enumerate(reader, 1):
            fields = {
                name: row[name]
                for name in ("id", "type", "answer", "question", "split", "phrasing")
                if row.get(name)
            }
            yield (
                reader.line_num,
                {"id": str(count), **fields, "gold": _csv_gold(row.get("gold") or "", refs)},
            )
    except csv.Error as fault:
        raise LinesError(path, [f"line {reader.line_num}: no CSV: {fault}"]) from fault


def _csv_gold(cell: str, refs: RefIndex) -> list[str]:
    # A beginning of an abstract may itself hold a semicolon.
    if refs.find(cell):
        return [cell]
    return [ref.strip() for ref in cell.replace("\n", ";").split(";") if ref.strip()]
