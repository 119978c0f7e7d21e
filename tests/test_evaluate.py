from __future__ import annotations

import json
import random
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from assistant.answer import Answer, Citation, Mark, Quote, Retrieved, Statement, Timings, Turn
from assistant.assistant import Assistant
from assistant.config import load_settings
from assistant.evaluation.folder import held
from assistant.evaluation.run import run
from assistant.evaluation.testset import read_testset
from corpus.embedder import LocalEmbedder
from corpus.errors import InputError, ModelError
from corpus.papers import Paper, new_id
from corpus.readers import read_path
from corpus.sync import ingest

SHARED = Path(__file__).parents[2] / "shared"
PAPERS = [
    Paper(id=f"p{n}", label=f"System{n}", abstract=f"We present System{n}. It runs {n}00 steps on GPUs.")
    for n in range(1, 6)
]


@dataclass(frozen=True)
class Shelf:
    """A collection that holds papers and nothing else."""

    held: Sequence[Paper] = tuple(PAPERS)
    name: str = "shelf"
    version: str = "7"

    def papers(self) -> list[Paper]:
        return list(self.held)


@dataclass
class Scripted:
    """An assistant that gives the answers written for it and notes what it was asked."""

    replies: Mapping[str, Answer]
    collection: Shelf = field(default_factory=Shelf)
    asked: list[tuple[str, tuple[Turn, ...]]] = field(default_factory=list)

    def ask(self, question: str, *, history: Sequence[Turn] = (), id: str = "", **_: Any) -> Answer:
        self.asked.append((question, tuple(history)))
        if id not in self.replies:
            raise ModelError("the model is away")
        return replace(self.replies[id], question=question)


def answer(case_id: str, text: str, cited: Sequence[str] = (), **fields: Any) -> Answer:
    whole = Answer(
        id=case_id,
        question="",
        standalone_question="q",
        kind="lookup",
        status="answered",
        text=text,
        citations=tuple(
            Citation(n, paper, paper, (Quote("abstract", 0, 10, "We present"),))
            for n, paper in enumerate(cited, 1)
        ),
        retrieved=tuple(Retrieved(paper.id, 1.0) for paper in PAPERS),
        timings_ms=Timings(total=10.0),
    )
    return replace(whole, **fields)


CASES = [
    {"id": "a", "question": "who runs 100 steps?", "type": "number", "gold": ["p1"],
     "must": [["100"], ["GPU"]]},
    {"id": "b", "question": "and System4?", "type": "followup", "gold": ["p4"], "history": ["who?"],
     "must": [["400"]], "must_not": ["500"]},
    {"id": "c", "question": "System9?", "type": "unanswerable", "gold": []},
]  # fmt: skip
REPLIES = {
    "a": answer("a", "System1 runs **100** steps on GPUs [1].", ["p1"]),
    "b": answer("b", "System5 runs 500 steps [1].", ["p5"]),
    "c": answer("c", "Not in this collection.", status="not_found"),
}


@pytest.fixture
def testset(tmp_path: Path) -> Path:
    path = tmp_path / "set.jsonl"
    path.write_text("".join(json.dumps(case) + "\n" for case in CASES), encoding="utf-8")
    return path


def test_a_run_by_hand(testset: Path) -> None:
    seen: list[tuple[str, int, int]] = []
    assistant = Scripted(REPLIES)
    result = run(testset, assistant=assistant, progress=lambda *step: seen.append(step))
    assert assistant.asked == [
        ("who runs 100 steps?", ()),
        ("and System4?", (Turn("user", "who?"),)),
        ("System9?", ()),
    ]
    assert seen == [("questions", n, 3) for n in (1, 2, 3)]
    rows = {row.kind: row for row in result.rows}
    assert list(rows) == ["number", "followup", "unanswerable", "ALL"]
    assert [row.n for row in result.rows] == [1, 1, 1, 3]
    number = {f.metric: f.value for f in rows["number"].figures}
    assert number["must"] == number["recall@5"] == number["cite_precision"] == number["mrr"] == 1.0
    assert number["confused"] is None
    followup = {f.metric: f.value for f in rows["followup"].figures}
    assert (followup["must"], followup["confused"], followup["cite_recall"]) == (0.0, 1.0, 0.0)
    assert (followup["hit@1"], followup["mrr"], followup["refused"]) == (0.0, 0.25, 0.0)
    overall = {f.metric: f.value for f in rows["ALL"].figures}
    assert (overall["must"], overall["refused"], overall["refused_unanswerable"]) == (0.5, 0.0, 1.0)
    assert (overall["ms_p50"], overall["faults"]) == (10.0, 0.0)
    assert not result.failed


def test_a_split_alone_is_asked(testset: Path) -> None:
    lines = [{**case, "split": "test" if case["id"] == "a" else "dev"} for case in CASES]
    testset.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    assistant = Scripted(REPLIES)
    result = run(testset, assistant=assistant, split="dev")
    assert [row.n for row in result.rows] == [1, 1, 2]
    assert sorted(one.case.id for one in result.results) == ["b", "c"]
    assert len(assistant.asked) == 2
    with pytest.raises(InputError, match="'train'"):
        run(testset, assistant=assistant, split="train")


def test_the_worst_questions_come_first_with_what_they_missed(testset: Path) -> None:
    result = run(testset, assistant=Scripted(REPLIES))
    assert [scored.case.id for scored in result.results] == ["b", "a", "c"]
    assert result.results[0].missed == (
        "must: 400",
        "must not: 500",
        "gold not cited: System4 (p4)",
        "cited, not gold: System5 (p5)",
    )
    assert result.results[1].missed == result.results[2].missed == ()


def test_false_answers_and_false_refusals_are_worst(testset: Path) -> None:
    replies = {
        "a": answer("a", "Not here.", status="not_found"),
        "b": answer("b", "System4 runs 400 steps [1].", ["p4"]),
        "c": answer("c", "System5 [1].", ["p5"]),
    }
    result = run(testset, assistant=Scripted(replies))
    assert [(s.case.id, s.quality) for s in result.results] == [("a", 0.0), ("c", 0.0), ("b", 1.0)]
    assert result.rows[-1].value("refused") == 0.5
    assert result.rows[-1].value("refused_unanswerable") == 0.0
    assert result.results[1].missed == ("answered, though the collection doesn't hold it",)


def test_every_fault_against_the_contract_is_listed(testset: Path) -> None:
    quotes = (Quote("abstract", 0, 9, "We present"), Quote("title", 0, 1, "x"), Quote("id", 0, 2, "p1"))
    replies = {
        **REPLIES,
        "a": answer("a", "System1 [3].", citations=(Citation(1, "p1", "System1", quotes),)),
        "c": answer("c", "Not here [1].", ["p99"], status="not_found"),
    }
    result = run(testset, assistant=Scripted(replies))
    assert [(fault.case_id, fault.reason) for fault in result.faults] == [
        ("a", "marker [3] without a citation"),
        ("a", "a quote of [1] isn't p1.abstract[0:9]"),
        ("a", "a quote of [1] isn't p1.title[0:1]"),
        ("a", "a quote of [1] isn't p1.id[0:2]"),
        ("a", "citation [1] not used in the text"),
        ("c", "a quote of [1] isn't p99.abstract[0:10]"),
    ]
    assert result.rows[-1].value("faults") == 6.0


def test_a_question_that_fails_costs_no_other(testset: Path) -> None:
    result = run(testset, assistant=Scripted({k: v for k, v in REPLIES.items() if k != "a"}))
    assert result.results[0].case.id == "a"
    assert result.results[0].status == "error"
    assert "not answered: the model is away" in result.results[0].missed
    assert result.rows[-1].n == 3


def test_several_workers_give_the_same_result(testset: Path) -> None:
    assert run(testset, assistant=Scripted(REPLIES), workers=4) == run(testset, assistant=Scripted(REPLIES))


def test_a_file_of_answers_is_scored_without_asking(testset: Path, tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(json.dumps(REPLIES[k].to_dict()) + "\n" for k in "cba"), encoding="utf-8")
    nobody = Scripted({})
    scored = run(testset, assistant=nobody, answers=path)
    asked = run(testset, assistant=Scripted(REPLIES))
    assert scored.setup.answers == "answers.jsonl"
    assert replace(scored, setup=asked.setup) == asked
    assert nobody.asked == []


def test_an_answer_that_is_not_in_the_file_is_a_fault(testset: Path, tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text(json.dumps(REPLIES["a"].to_dict()), encoding="utf-8")
    result = run(testset, assistant=Scripted({}), answers=path)
    assert result.missing == ("b", "c")
    assert [fault.reason for fault in result.faults] == ["no answer", "no answer"]
    assert result.rows[-1].value("faults") == 2.0


@pytest.mark.parametrize(
    ("limit", "failed"),
    [
        ("must=0.5", False),
        ("must=0.51", True),
        ("number.must=1", False),
        ("followup.must=0.1", True),
        ("ALL.refused_unanswerable=1", False),
        ("refused=0", False),
        ("followup.confused=0.5", True),
        ("faults=0", False),
        ("ms_p95=9.9", True),
        # Nothing of that kind was asked, so that nothing keeps the limit.
        ("aggregate.must=0", True),
    ],
)
def test_a_limit_that_is_broken_fails_the_run(testset: Path, limit: str, failed: bool) -> None:
    result = run(testset, assistant=Scripted(REPLIES), fail_under=[limit])
    assert result.failed is failed
    assert len(result.breached) == failed


@pytest.mark.parametrize("limit", ["must", "must=", "must=high", "must=nan", "mist=0.5", "odd.must=1", "=1"])
def test_a_limit_that_means_nothing_is_an_error_before_the_first_question(testset: Path, limit: str) -> None:
    assistant = Scripted(REPLIES)
    with pytest.raises(InputError, match=repr(limit)):
        run(testset, assistant=assistant, fail_under=[limit])
    assert assistant.asked == []


def test_a_baseline_shows_what_changed(testset: Path, tmp_path: Path) -> None:
    run(testset, assistant=Scripted(REPLIES), out=tmp_path / "one")
    better = {**REPLIES, "b": answer("b", "System4 runs 400 steps [1].", ["p4"])}
    result = run(testset, assistant=Scripted(better), baseline=tmp_path / "one")
    assert result.comparison is not None
    (turned,) = result.comparison.questions
    assert (turned.case_id, turned.before, turned.now) == ("b", 0.0, 1.0)
    assert (turned.text_before, turned.text_now) == (
        "System5 runs 500 steps [1].",
        "System4 runs 400 steps [1].",
    )
    changed = {(c.kind, c.metric): (c.before, c.now) for c in result.comparison.figures}
    assert changed["ALL", "must"] == (0.5, 1.0)
    assert ("number", "must") not in changed
    same = run(testset, assistant=Scripted(REPLIES), baseline=tmp_path / "one")
    assert same.comparison is not None
    assert (same.comparison.figures, same.comparison.questions) == ((), ())


@pytest.mark.parametrize("content", [None, "{", "[]", '{"scores": 1}'])
def test_a_baseline_without_a_report_is_an_error(testset: Path, tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / "report.json").write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=r"report\.json"):
        run(testset, assistant=Scripted(REPLIES), baseline=tmp_path)


def test_an_output_folder_that_is_a_file_is_an_error(testset: Path) -> None:
    with pytest.raises(InputError, match="can't be made"):
        run(testset, assistant=Scripted(REPLIES), out=testset)


def test_a_question_that_has_no_answer_is_told_of_and_fails_a_limit(testset: Path, tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    other = replace(REPLIES["b"], question="another question")
    path.write_text(
        "".join(json.dumps(one.to_dict()) + "\n" for one in (REPLIES["c"], other)), encoding="utf-8"
    )
    result = run(testset, assistant=Scripted({}), answers=path)
    assert result.missing == ("a", "b"), "an answer to another question is none"


def test_answers_of_a_system_that_names_no_ranking_have_no_recall(testset: Path) -> None:
    replies = {name: replace(one, retrieved=()) for name, one in REPLIES.items()}
    result = run(testset, assistant=Scripted(replies))
    assert result.rows[-1].value("recall@8") is None
    assert not any("first 20" in missed for one in result.results for missed in one.missed)


def test_quotes_that_stand_in_for_a_model_count_as_failed(testset: Path) -> None:
    replies = {**REPLIES, "a": replace(REPLIES["a"], error="the model is away")}
    result = run(testset, assistant=Scripted(replies))
    assert result.rows[0].value("failed") == 1.0
    assert (
        "the language model failed: the model is away"
        in next(one for one in result.results if one.case.id == "a").missed
    )


def test_resuming_asks_only_what_is_missing_or_failed(testset: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with pytest.raises(KeyboardInterrupt):
        run(testset, assistant=Scripted(REPLIES), out=out, progress=interrupt_after(2))
    assert not (out / "report.json").exists()
    rest = Scripted(REPLIES)
    result = run(testset, assistant=rest, out=out, resume=True)
    assert len(rest.asked) == 1
    assert result.rows == run(testset, assistant=Scripted(REPLIES)).rows
    assert (out / "report.json").exists()
    failed = (out / "answers.jsonl").read_text(encoding="utf-8").replace('"error": null', '"error": "away"')
    (out / "answers.jsonl").write_text(failed, encoding="utf-8")
    again = Scripted(REPLIES)
    run(testset, assistant=again, out=out, resume=True)
    assert len(again.asked) == 3
    changed = Scripted(REPLIES, Shelf(version="8"))
    run(testset, assistant=changed, out=out, resume=True)
    assert len(changed.asked) == 3, "answers over another collection don't count"


def interrupt_after(count: int) -> Callable[[str, int, int], None]:
    def progress(_: str, done: int, __: int) -> None:
        if done == count:
            raise KeyboardInterrupt

    return progress


def test_two_runs_in_one_folder_are_refused(testset: Path, tmp_path: Path) -> None:
    with held(tmp_path), pytest.raises(InputError, match="another run is writing"):
        run(testset, assistant=Scripted(REPLIES), out=tmp_path)
    run(testset, assistant=Scripted(REPLIES), out=tmp_path)


def test_a_baseline_of_other_questions_is_an_error_before_the_first_question(
    testset: Path, tmp_path: Path
) -> None:
    run(testset, assistant=Scripted(REPLIES), out=tmp_path / "one")
    lines = [{**case, "question": f"{case['question']} Really?"} for case in CASES]
    other = tmp_path / "other.jsonl"
    other.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    assistant = Scripted(REPLIES)
    with pytest.raises(InputError, match="none of these 3 questions"):
        run(other, assistant=assistant, baseline=tmp_path / "one")
    assert assistant.asked == []
    with pytest.raises(InputError, match="name another folder"):
        run(testset, assistant=assistant, baseline=tmp_path / "one", out=tmp_path / "one")


def test_two_runs_write_the_same_bytes_but_for_time(testset: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        run(testset, assistant=Scripted(REPLIES), out=tmp_path / name, workers=3)
    for page in ("report.json", "report.md", "report.html", "answers.jsonl"):
        assert (tmp_path / "one" / page).read_bytes() == (tmp_path / "two" / page).read_bytes(), page


@pytest.mark.shared_data
def test_the_figures_equal_those_of_the_contracts_scorer(tmp_path: Path) -> None:
    papers = _seed_papers()
    questions = [
        line
        for line in (SHARED / "testsets" / "seeds-dev.jsonl").read_text(encoding="utf-8").splitlines()
        # The beginning of its gold differs from another abstract's by capitals alone, which the scorer folds.
        if json.loads(line)["id"] != "002-110"
    ]
    testset = tmp_path / "set.jsonl"
    testset.write_text("\n".join(questions), encoding="utf-8")
    answers = tmp_path / "answers.jsonl"
    random_answers = _random_answers(testset, papers)
    answers.write_text("".join(json.dumps(a.to_dict()) + "\n" for a in random_answers), encoding="utf-8")
    listed = tmp_path / "papers.jsonl"
    listed.write_text("".join(json.dumps(p.to_dict()) + "\n" for p in papers), encoding="utf-8")
    command = [sys.executable, SHARED / "score.py", testset, answers, listed, "--json"]
    theirs = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    result = run(testset, assistant=Scripted({}, Shelf(papers)), answers=answers)
    ours = {row.kind: {f.metric: f.value for f in row.figures} | {"n": row.n} for row in result.rows}
    for kind, figures in theirs["scores"].items():
        for metric, value in figures.items():
            rounded = value if value is None else pytest.approx(value, abs=0.000501)
            assert ours[kind][metric] == rounded, (kind, metric)
    assert len(result.faults) == theirs["scores"]["ALL"]["faults"] > 50


def _seed_papers() -> list[Paper]:
    blocks = [
        block.strip()
        for path in sorted((SHARED / "seeds").glob("*.txt"))
        for block in path.read_text(encoding="utf-8").split("\n\n")
    ]
    return [
        Paper(id=new_id(text), label=text.split()[0], abstract=text, year=2024, authors=("Ann A.", "Bo B."))
        for text in dict.fromkeys(blocks)
        if len(text) > 200
    ]


def _random_answers(testset: Path, papers: Sequence[Paper]) -> list[Answer]:
    dice, by_id, answers = random.Random(5), {paper.id: paper for paper in papers}, []
    for case in read_testset(testset, papers):
        if dice.random() < 0.05:
            continue
        near = [*case.gold, *case.gold_optional, *(p.id for p in dice.sample(papers, 25))]
        dice.shuffle(near)
        cited = dice.sample(near[:6], dice.randint(0, 3))
        quoted = []
        for number, paper_id in enumerate(cited, 1):
            text = by_id[paper_id].abstract or ""
            start = dice.randint(0, 50)
            end = start + 80 + (dice.random() < 0.1)
            quoted.append(
                Citation(number, paper_id, "x", (Quote("abstract", start, end, text[start : start + 80]),))
            )
        sentences = tuple(
            Statement(
                f"{(by_id[c.paper_id].abstract or '')[:300]} {dice.randint(0, 30)} [{c.marker}]",
                (Mark(c.marker, (0,)),),
                dice.choice(("verbatim", "unsupported")),
                1.0,
            )
            for c in quoted
        )
        said = [dice.choice(entry) for entry in case.must if dice.random() < 0.7] + list(case.must_not[:1])
        marked = "".join(f" [{c.marker + (dice.random() < 0.1)}]" for c in quoted)
        answers.append(
            answer(
                case.id,
                f"**{' '.join(said)}** {case.question}{marked}",
                status=dice.choice(("answered", "answered", "not_found")),
                citations=tuple(quoted),
                sentences=sentences,
                retrieved=tuple(Retrieved(paper_id, 0.5) for paper_id in dict.fromkeys(near)),
                timings_ms=Timings(total=dice.random() * 100),
            )
        )
    return answers


def test_the_real_assistant_answers_and_keeps_the_contract(tmp_path: Path) -> None:
    papers = tmp_path / "papers.jsonl"
    papers.write_text("".join(json.dumps({"abstract": p.abstract}) + "\n" for p in PAPERS), encoding="utf-8")
    ingest(tmp_path, "small", read_path(papers), LocalEmbedder())
    assistant = Assistant.open(load_settings(home=tmp_path, collection="small", llm="none"))
    ids = {paper.label: paper.id for paper in assistant.collection.papers()}
    testset = tmp_path / "set.jsonl"
    cases = [
        {
            "id": n,
            "question": f"how many steps does System{n} run?",
            "type": "number",
            "gold": [ids[f"System{n}"]],
        }
        for n in "135"
    ]
    testset.write_text("".join(json.dumps(case) + "\n" for case in cases), encoding="utf-8")
    result = run(testset, assistant=assistant, workers=2, fail_under=["recall@5=1", "hit@1=1", "faults=0"])
    assert not result.failed
    assert (result.setup.collection, result.setup.papers, result.setup.models) == ("small", 5, ("none",))
    assert {scored.case.id for scored in result.results} == {"1", "3", "5"}


def test_a_stopped_evaluation_scores_what_was_answered(testset: Path, tmp_path: Path) -> None:
    stop = threading.Event()

    class Stopping(Scripted):
        def ask(self, question: str, **options: Any) -> Answer:
            assert options["stop"] is stop
            if len(self.asked) == 1:
                stop.set()
                raise ModelError("the model was stopped", "stopped")
            return super().ask(question, **options)

    result = run(testset, assistant=Stopping(REPLIES), out=tmp_path / "o", stop=stop)
    assert [scored.case.id for scored in result.results] == ["a"]
    assert result.unasked == len(CASES) - 1
    assert result.missing == ()
    assert len((tmp_path / "o" / "answers.jsonl").read_text().splitlines()) == 1
    assert "It was stopped" in (tmp_path / "o" / "report.md").read_text()
    report = json.loads((tmp_path / "o" / "report.json").read_text())
    assert report["unasked"] == len(CASES) - 1


def test_an_evaluation_stopped_before_its_first_answer_is_none(testset: Path) -> None:
    class Stopped(Scripted):
        def ask(self, question: str, **options: Any) -> Answer:
            options["stop"].set()
            raise ModelError("the model was stopped", "stopped")

    with pytest.raises(InputError, match="before its first answer"):
        run(testset, assistant=Stopped({}))
