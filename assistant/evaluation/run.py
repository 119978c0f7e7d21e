"""Evaluation of the assistant, or of a file of answers, on a test set."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from assistant.ahead import mapped
from assistant.answer import Answer
from assistant.batch import Question, answer_all
from assistant.evaluation import report
from assistant.evaluation.comparison import (
    Baseline,
    Comparison,
    Limit,
    check_common,
    compare,
    parse_limit,
    read_baseline,
)
from assistant.evaluation.folder import ANSWERS, begin, held
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
    if baseline and out and baseline.resolve() == out.resolve():
        raise InputError(f"--baseline and --out are both {str(out)!r}; name another folder for this run")
    before = read_baseline(baseline) if baseline else None
    papers = assistant.collection.papers()
    cases = read_testset(testset, papers, split=split)
    if before:
        check_common(before, cases)
    by_name = {name: paper for paper in papers for name in (*paper.aliases, paper.id)}
    setup = Setup(
        testset=testset.name,
        testset_hash=hash_file(testset),
        split=split,
        collection=assistant.collection.name,
        collection_version=assistant.collection.version,
        collection_hash=hash_papers(papers),
        papers=len(papers),
        answers=answers.name if answers else None,
        models=(),
        prompt_hashes=(),
        judge=f"{judge.name} (prompt {judge.prompt_hash})" if judge else None,
        settings=shown_settings(settings),
        versions=versions(),
    )
    with held(out) if out else nullcontext():
        keeps = begin(out, setup.made_with, resume=resume) if out and not answers else False
        ask = partial(assistant.ask, stop=stop, choices=choices)
        given = read_answers(answers) if answers else _asked(cases, ask, out, workers, keeps)
        judged = _until(stop, _judged(_paired(cases, given), judge, by_name, workers, stop))
        scores, setup = _score_all(judged, by_name, supports, setup, len(cases), progress)
        if not scores and stop.is_set():
            raise InputError("the evaluation was stopped before its first answer; run it again")
        if not scores:
            raise InputError(
                f"{str(answers)!r} answers none of the {len(cases)} questions of {str(testset)!r}: "
                "check that both files have the same ids and questions"
            )
        result = _result(cases, scores, setup, before, limits, stopped=stop.is_set())
        if out:
            report.write(result, out)
    return result


def _score_all(
    judged: Iterable[tuple[Case, Answer, Judgement | None]],
    papers: Mapping[str, Paper],
    supports: Supports | None,
    setup: Setup,
    total: int,
    progress: Progress | None,
) -> tuple[list[Scored], Setup]:
    """The scores of all answers, and the set-up with the models and prompts that made them."""
    models, prompts, scores = set[str](), set[str](), list[Scored]()
    for case, answer, judgement in judged:
        models.add(answer.model or "none")
        prompts.update([answer.prompt_hash] if answer.prompt_hash else [])
        scores.append(score(case, answer, papers, supports, judgement))
        if progress:
            progress("questions", len(scores), total)
    return scores, replace(setup, models=tuple(sorted(models)), prompt_hashes=tuple(sorted(prompts)))


def _result(
    cases: Sequence[Case],
    scores: Sequence[Scored],
    setup: Setup,
    before: Baseline | None,
    limits: Sequence[Limit],
    *,
    stopped: bool,
) -> EvaluationResult:
    order = {case.id: number for number, case in enumerate(cases)}
    results = sorted(scores, key=lambda result: order[result.case.id])
    found = {result.case.id for result in results}
    missing = tuple(case.id for case in cases if case.id not in found)
    unasked, missing = (len(missing), ()) if stopped else (0, missing)
    rows = table(results, len(missing))
    return EvaluationResult(
        setup=setup,
        rows=rows,
        results=tuple(sorted(results, key=_badness)),
        missing=missing,
        comparison=compare(before, results) if before else None,
        breached=tuple(limit for limit in limits if limit.broken_by(rows)),
        unasked=unasked,
    )


def _asked(
    cases: Sequence[Case], ask: Callable[..., Answer], out: Path | None, workers: int, keeps: bool
) -> Iterator[Answer]:
    """The assistant's answers; those of an interrupted run stay where `keeps` says so, up to a failed one."""
    histories = {case.id: case.history for case in cases}
    return answer_all(
        [Question(case.id, case.question, case.history) for case in cases],
        lambda item: ask(item.text, history=histories[item.id], id=item.id),
        out / ANSWERS if out else None,
        workers=workers,
        resume=keeps,
        fits=lambda answer: answer.error is None,
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
    """Each case that has an answer, with it, in the order of the answers; one to another question is none."""
    by_id = {case.id: case for case in cases}
    return (
        (case, answer)
        for answer in answers
        if (case := by_id.get(answer.id)) and answer.question.strip() in ("", case.question.strip())
    )


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
