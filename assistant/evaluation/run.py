"""Evaluation of the assistant, or of a file of answers, on a test set."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from assistant.ahead import mapped
from assistant.answer import Answer
from assistant.batch import Question, answer_all
from assistant.evaluation import report
from assistant.evaluation.comparison import Comparison, Limit, compare, parse_limit, read_baseline
from assistant.evaluation.judged import item_of
from assistant.evaluation.scoring import Row, Scored, score, table
from assistant.evaluation.setup import Setup, hash_file, hash_papers, shown_settings, versions
from assistant.evaluation.testset import Case, read_testset
from assistant.lines import read_answers
from corpus.errors import InputError, ModelError

if TYPE_CHECKING:
    from assistant.assistant import Assistant
    from assistant.choices import Choices
    from assistant.config import Settings
    from assistant.evaluation.judge import Judge, Judgement
    from assistant.evaluation.measures import Supports
    from corpus.papers import Paper

Progress = Callable[[str, int, int], None]
_T = TypeVar("_T")
ANSWERS = "answers.jsonl"
"""The file of answers in the folder of a run: what `resume` goes on from, and what can be scored again."""


@dataclass(frozen=True)
class Fault:
    """What breaks the contract, and in the answer to which question."""

    case_id: str
    reason: str


@dataclass(frozen=True)
class EvaluationResult:
    """What an evaluation found; `results` are the questions, the worst first.

    `unasked` is the number of questions that weren't asked any more when it was stopped.
    """

    setup: Setup
    rows: tuple[Row, ...]
    results: tuple[Scored, ...]
    missing: tuple[str, ...]
    comparison: Comparison | None
    breached: tuple[Limit, ...]
    unasked: int = 0

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
    supports: Supports | None = None,
    judge: Judge | None = None,
    settings: Settings | None = None,
    workers: int = 1,
    resume: bool = False,
    progress: Progress | None = None,
    choices: Choices | None = None,
    stop: threading.Event | None = None,
) -> EvaluationResult:
    """Scores of the assistant's answers to a test set, or of those in the file `answers`.

    Only the questions of `split` are asked where it is given. `out` is the folder for the reports and the
    answers (with `resume` those there are kept), `baseline` that of an earlier run; `fail_under` holds limits
    like "must=0.8" or "number.must=0.9". `supports` judges whether sentences are borne out, as does `judge`,
    a language model; `settings` are named in the report. `choices` is how the questions are answered. Setting
    `stop` ends it: what was answered until then is scored and kept. Raises InputError before the first
    question is asked when a file or a limit can't be used, and where it was stopped before the first answer.
    """
    stop = stop or threading.Event()
    limits = [parse_limit(text) for text in fail_under]
    before = read_baseline(baseline) if baseline else None
    papers = assistant.collection.papers()
    cases = read_testset(testset, papers, split=split)
    if out:
        _make_folder(out)
    by_name = {name: paper for paper in papers for name in (*paper.aliases, paper.id)}
    given = (
        read_answers(answers) if answers else _asked(cases, assistant, out, workers, resume, choices, stop)
    )
    models, prompts = set[str](), set[str]()
    results = []
    for case, answer, judgement in _until(
        stop, _judged(_paired(cases, given), judge, by_name, workers, stop)
    ):
        models.add(answer.model or "none")
        prompts.update([answer.prompt_hash] if answer.prompt_hash else [])
        results.append(score(case, answer, by_name, supports, judgement))
        if progress:
            progress("questions", len(results), len(cases))
    if not results and stop.is_set():
        raise InputError("the evaluation was stopped before its first answer; run it again")
    if not results:
        raise InputError(
            f"{str(answers)!r} answers none of the {len(cases)} questions of {str(testset)!r}: "
            "check that both files have the same ids"
        )
    order = {case.id: number for number, case in enumerate(cases)}
    results.sort(key=lambda result: order[result.case.id])
    found = {result.case.id for result in results}
    missing = tuple(case.id for case in cases if case.id not in found)
    unasked, missing = (len(missing), ()) if stop.is_set() else (0, missing)
    rows = table(results, len(missing))
    result = EvaluationResult(
        setup=Setup(
            testset=testset.name,
            testset_hash=hash_file(testset),
            split=split,
            collection=assistant.collection.name,
            collection_version=assistant.collection.version,
            collection_hash=hash_papers(papers),
            papers=len(papers),
            answers=answers.name if answers else None,
            models=tuple(sorted(models)),
            prompt_hashes=tuple(sorted({*prompts, *([judge.prompt_hash] if judge else [])})),
            judge=judge.name if judge else None,
            settings=shown_settings(settings),
            versions=versions(),
        ),
        rows=rows,
        results=tuple(sorted(results, key=_badness)),
        missing=missing,
        comparison=compare(before, results) if before else None,
        breached=tuple(limit for limit in limits if limit.broken_by(rows)),
        unasked=unasked,
    )
    if out:
        report.write(result, out)
    return result


def _asked(
    cases: Sequence[Case],
    assistant: Assistant,
    out: Path | None,
    workers: int,
    resume: bool,
    choices: Choices | None,
    stop: threading.Event,
) -> Iterator[Answer]:
    """The assistant's answers; those of an interrupted run count while the collection is the same."""
    histories = {case.id: case.history for case in cases}
    version = assistant.collection.version
    return answer_all(
        [Question(case.id, case.question, case.history) for case in cases],
        lambda item: assistant.ask(
            item.text, history=histories[item.id], id=item.id, stop=stop, choices=choices
        ),
        out / ANSWERS if out else None,
        workers=workers,
        resume=resume,
        fits=lambda answer: answer.collection_version == version,
    )


def _until(stop: threading.Event, work: Iterator[_T]) -> Iterator[_T]:
    """The work's results until `stop` is set; what a model was stopped in gives none."""
    try:
        for one in work:
            yield one
            if stop.is_set():
                return
    except ModelError as fault:
        if fault.kind != "stopped":
            raise
    finally:
        if isinstance(work, Generator):
            work.close()


def _paired(cases: Sequence[Case], answers: Iterable[Answer]) -> Iterator[tuple[Case, Answer]]:
    """Each case that has an answer, with it, in the order of the answers."""
    by_id = {case.id: case for case in cases}
    return ((case, answer) for answer in answers if (case := by_id.get(answer.id)))


def _judged(
    pairs: Iterable[tuple[Case, Answer]],
    judge: Judge | None,
    papers: Mapping[str, Paper],
    workers: int,
    stop: threading.Event,
) -> Iterator[tuple[Case, Answer, Judgement | None]]:
    """Each case and answer with what the judge says of it."""
    if judge is None:
        return ((case, answer, None) for case, answer in pairs)
    return mapped(lambda pair: (*pair, judge.judge(item_of(*pair, papers), stop=stop)), pairs, workers)


def _badness(result: Scored) -> tuple[float, int, str]:
    return result.quality, -len(result.faults), result.case.id


def _make_folder(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise InputError(
            f"the folder {str(out)!r} can't be made: {fault.strerror}; choose another"
        ) from fault
