"""Evaluation of the assistant, or of a file of answers, on a test set."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from assistant import __version__
from assistant.answer import Answer, failed
from assistant.evaluation import report
from assistant.evaluation.comparison import Comparison, Limit, compare, parse_limit, read_baseline
from assistant.evaluation.scoring import Row, Scored, score, table
from assistant.evaluation.testset import Case, read_testset
from assistant.lines import read_answers
from corpus.errors import AssistantError, InputError

if TYPE_CHECKING:
    from assistant.assistant import Assistant

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Fault:
    """What breaks the contract, and in the answer to which question."""

    case_id: str
    reason: str


@dataclass(frozen=True)
class EvaluationResult:
    """What an evaluation found; `results` are the questions, the worst first."""

    testset: str
    collection: str
    collection_version: str
    version: str
    models: tuple[str, ...]
    prompt_hashes: tuple[str, ...]
    rows: tuple[Row, ...]
    results: tuple[Scored, ...]
    missing: tuple[str, ...]
    comparison: Comparison | None
    breached: tuple[Limit, ...]

    @property
    def failed(self) -> bool:
        """True when a figure broke its `fail_under` limit."""
        return bool(self.breached)

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Each fault against the contract, by question."""
        found = [Fault(result.case.id, reason) for result in self.results for reason in result.faults]
        found += [Fault(case_id, "no answer") for case_id in self.missing]
        return tuple(sorted(found, key=lambda fault: fault.case_id))


def run(
    testset: Path,
    *,
    assistant: Assistant,
    out: Path | None = None,
    answers: Path | None = None,
    split: str | None = None,
    baseline: Path | None = None,
    fail_under: Sequence[str] = (),
    workers: int = 1,
    progress: Progress | None = None,
) -> EvaluationResult:
    """Scores of the assistant's answers to a test set, or of those in the file `answers`.

    Only the questions of `split` are asked where it is given.
    `out` is the folder for the reports, `baseline` that of an earlier run; `fail_under` holds limits
    like "must=0.8" or "number.must=0.9". Raises InputError before the first question is asked when
    a file or a limit can't be used.
    """
    limits = [parse_limit(text) for text in fail_under]
    before = read_baseline(baseline) if baseline else None
    papers = assistant.collection.papers()
    cases = read_testset(testset, papers, split=split)
    given = read_answers(answers) if answers else None
    if given is not None and not any(case.id in given for case in cases):
        raise InputError(
            f"{str(answers)!r} answers none of the {len(cases)} questions of {str(testset)!r}: "
            "check that both files have the same ids"
        )
    if out:
        _make_folder(out)
    by_id = {name: paper for paper in papers for name in (*paper.aliases, paper.id)}
    answered = _given(cases, given) if given is not None else _ask(cases, assistant, workers, progress)
    results = tuple(score(case, answer, by_id) for case, answer in answered)
    found = {result.case.id for result in results}
    missing = tuple(case.id for case in cases if case.id not in found)
    rows = table(results, len(missing))
    result = EvaluationResult(
        testset=testset.name,
        collection=assistant.collection.name,
        collection_version=assistant.collection.version,
        version=__version__,
        models=tuple(sorted({r.answer.model or "none" for r in results})),
        prompt_hashes=tuple(sorted({r.answer.prompt_hash for r in results if r.answer.prompt_hash})),
        rows=rows,
        results=tuple(sorted(results, key=_badness)),
        missing=missing,
        comparison=compare(before, rows, results) if before else None,
        breached=tuple(limit for limit in limits if limit.broken_by(rows)),
    )
    if out:
        report.write(result, out)
    return result


def _given(cases: Sequence[Case], answers: Mapping[str, Answer]) -> Iterator[tuple[Case, Answer]]:
    return ((case, answers[case.id]) for case in cases if case.id in answers)


def _ask(
    cases: Sequence[Case], assistant: Assistant, workers: int, progress: Progress | None
) -> Iterator[tuple[Case, Answer]]:
    with ThreadPoolExecutor(max_workers=max(workers, 1)) as pool:
        asked = pool.map(lambda case: _answer(case, assistant), cases)
        for number, (case, answer) in enumerate(zip(cases, asked, strict=True), 1):
            if progress:
                progress("questions", number, len(cases))
            yield case, answer


def _answer(case: Case, assistant: Assistant) -> Answer:
    # One question that fails must not cost the run the others.
    try:
        return assistant.ask(case.question, history=case.history, id=case.id)
    except AssistantError as fault:
        return failed(case.id, case.question, fault)


def _badness(result: Scored) -> tuple[float, int, str]:
    return result.quality, -len(result.faults), result.case.id


def _make_folder(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise InputError(
            f"the folder {str(out)!r} can't be made: {fault.strerror}; choose another"
        ) from fault
