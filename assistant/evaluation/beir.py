"""Folders in BEIR's form: `corpus.jsonl`, `queries.jsonl`, `qrels/*.tsv`.

Source of the form: Thakur et al. 2021, BEIR. A corpus line is the paper of the collection that has its text.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, Field, StringConstraints, ValidationError

from assistant.evaluation.case import Case
from assistant.lines import LinesError, first_fault, json_lines, read_text
from corpus.cleaning import clean_text
from corpus.errors import InputError
from corpus.papers import Paper, text_key

CORPUS, QUERIES, QRELS = "corpus.jsonl", "queries.jsonl", "qrels"
PREFERRED = "test"
"""The qrels that are taken where none are asked for."""
_SHOWN = 3

_Id = Annotated[
    str,
    BeforeValidator(lambda given: str(given) if type(given) is int else given),
    StringConstraints(strip_whitespace=True, min_length=1),
]


class _Document(BaseModel):
    id: _Id = Field(alias="_id")
    title: str | None = None
    text: str | None = None


class _Query(BaseModel):
    id: _Id = Field(alias="_id")
    text: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


@dataclass(frozen=True)
class _Judgement:
    """One line of qrels."""

    line: int
    query: str
    document: str
    score: int


def read_beir(folder: Path, papers: Iterable[Paper], *, split: str | None = None) -> tuple[Case, ...]:
    """A case for each query that has a relevant paper in the qrels of `split`, in the order of the queries.

    Scores over 0 are gold, and kept as grades; 0 and less are judged not relevant. Raises InputError where
    papers of the corpus aren't in the collection: a search among fewer papers would be an easier one.
    """
    qrels = _qrels_file(folder, split)
    documents = _documents(folder / CORPUS, papers)
    queries = _queries(folder / QUERIES)
    graded: dict[str, dict[str, int]] = defaultdict(dict)
    problems: list[str] = []
    for one in _judgements(qrels, problems):
        if one.query not in queries:
            problems.append(f"line {one.line}: the query {one.query!r} isn't in {QUERIES}")
        elif one.document in documents:
            for paper in documents[one.document]:
                graded[one.query][paper] = max(one.score, graded[one.query].get(paper, one.score))
        elif one.score > 0:
            problems.append(f"line {one.line}: {one.document!r} isn't in {CORPUS}")
    if problems:
        raise LinesError(qrels, problems)
    cases = [_case(query, text, graded[query], qrels.stem) for query, text in queries.items()]
    found = tuple(case for case in cases if case.gold)
    if not found:
        raise InputError(f"{str(qrels)!r} calls no paper relevant to any query; take other qrels by --split")
    return found


def _case(query: str, text: str, grades: Mapping[str, int], split: str) -> Case:
    gold = tuple(paper for paper, grade in grades.items() if grade > 0)
    return Case(id=query, question=text, type="untyped", gold=gold, split=split, judged=dict(grades))


def _qrels_file(folder: Path, split: str | None) -> Path:
    files = {path.stem: path for path in sorted((folder / QRELS).glob("*.tsv"))}
    there = ", ".join(files)
    if not files:
        raise InputError(
            f"{str(folder)!r} is no test set: a folder has to be in BEIR's form, with {QRELS}/*.tsv, "
            f"{QUERIES} and {CORPUS}"
        )
    if split is not None:
        if split not in files:
            raise InputError(f"{str(folder)!r} has no qrels of the split {split!r}: there are {there}")
        return files[split]
    if PREFERRED not in files and len(files) > 1:
        raise InputError(f"{str(folder)!r} has qrels of several splits: choose with --split among {there}")
    return files.get(PREFERRED) or next(iter(files.values()))


def _documents(path: Path, papers: Iterable[Paper]) -> dict[str, tuple[str, ...]]:
    """Each id of the corpus with the papers that have its text; a line without words can be none."""
    index: dict[str, list[Paper]] = defaultdict(list)
    for paper in papers:
        index[text_key(paper.abstract or paper.title or "")].append(paper)
    found: dict[str, tuple[str, ...]] = {}
    missing, problems = list[str](), list[str]()
    for number, fields in json_lines(read_text(path), problems):
        try:
            line = _Document.model_validate(fields)
        except ValidationError as fault:
            problems.append(f"line {number}: {first_fault(fault)}")
            continue
        if line.id in found:
            problems.append(f"line {number}: a second line with the id {line.id!r}")
        title, text = clean_text(line.title or ""), clean_text(line.text or "")
        if not text_key(text or title):
            found[line.id] = ()
            continue
        alike = index.get(text_key(text or title), [])
        # Papers of one text are kept apart by an id of their own, and told apart by their titles.
        alike = [paper for paper in alike if text_key(paper.title or "") == text_key(title)] or alike
        found[line.id] = tuple(paper.id for paper in alike)
        if not alike:
            missing.append(line.id)
    if problems:
        raise LinesError(path, problems)
    _check_all_there(path, missing, sum(map(bool, found.values())) + len(missing))
    return found


def _check_all_there(path: Path, missing: Sequence[str], whole: int) -> None:
    if not whole:
        raise InputError(f"{str(path)!r} holds no paper; check that it is the corpus of a BEIR folder")
    if missing:
        shown = ", ".join(missing[:_SHOWN]) + (", …" if len(missing) > _SHOWN else "")
        raise InputError(
            f"{len(missing)} of the {whole} papers of {str(path)!r} aren't in the collection ({shown}): "
            f"put them there first, best into one of their own: `assistant --collection NAME ingest {path}`"
        )


def _queries(path: Path) -> dict[str, str]:
    found: dict[str, str] = {}
    problems: list[str] = []
    for number, fields in json_lines(read_text(path), problems):
        try:
            line = _Query.model_validate(fields)
        except ValidationError as fault:
            problems.append(f"line {number}: {first_fault(fault)}")
            continue
        if line.id in found:
            problems.append(f"line {number}: a second query with the id {line.id!r}")
        found[line.id] = line.text
    if problems:
        raise LinesError(path, problems)
    return found


def _judgements(path: Path, problems: list[str]) -> Iterator[_Judgement]:
    """The lines of qrels; a message for one that is none goes to `problems`. The first may be a header."""
    for number, line in enumerate(read_text(path).splitlines(), 1):
        if not line.strip():
            continue
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) == 3 and re.fullmatch(r"[+-]?\d+", cells[2]) and cells[0] and cells[1]:
            yield _Judgement(number, cells[0], cells[1], int(cells[2]))
        elif number > 1 or len(cells) != 3:
            problems.append(
                f"line {number}: query-id, corpus-id and a whole score have to stand here with tabs between, "
                f"not {line[:40]!r}"
            )
