"""The command `testset`, and `evaluate` with splits and BEIR folders: what goes where, and bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from test_cli import assert_one_line, call

from assistant import feedback
from assistant.answer import Answer, Citation, Quote
from corpus.layout import BUILT_IN, FEEDBACK, Layout

BUILTIN = ("--collection", BUILT_IN)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the built-in collection."""
    folder = tmp_path_factory.mktemp("home")
    assert call(folder, *BUILTIN, "papers").returncode == 0
    return folder


def lines(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


def paper_ids(home: Path) -> list[str]:
    return [str(one["id"]) for one in lines(call(home, *BUILTIN, "papers", "--json").stdout)]


def rate(home: Path, question: str, *cited: str, verdict: str = "down", **fields: object) -> None:
    quote = Quote("abstract", 0, 1, "x")
    citations = tuple(Citation(n, paper, paper, (quote,)) for n, paper in enumerate(cited, 1))
    status = "answered" if cited else "not_found"
    answer = Answer("a", question, question, "lookup", status, "It [1].", citations=citations)  # type: ignore[arg-type]
    layout = Layout(home, BUILT_IN)
    feedback.append(layout, answer, verdict, conversation="c", **fields)  # type: ignore[arg-type]


def test_wrong_usage(tmp_path: Path) -> None:
    for arguments in (
        ["testset"],
        ["testset", "unknown"],
        ["testset", "new"],
        ["testset", "check"],
        ["testset", "draft", "--n", "0"],
        ["testset", "draft", "--seed", "-1"],
        ["evaluate", "x.jsonl", "--split", " "],
    ):
        done = call(tmp_path, *arguments)
        assert done.returncode == 2, arguments
        assert "usage: assistant" in done.stderr


def test_drafts_go_to_stdout_or_a_new_file(home: Path, tmp_path: Path) -> None:
    done = call(home, *BUILTIN, "testset", "draft", "--n", "10", "--seed", "3")
    assert (done.returncode, done.stderr) == (0, "")
    drafts = lines(done.stdout)
    assert len(drafts) == 10
    assert all(one["draft"] is True and one["from"] and one["question"] for one in drafts)
    out = tmp_path / "drafts.jsonl"
    command = ("testset", "draft", "--n", "10", "--seed", "3", "--out", str(out))
    done = call(home, *command, *BUILTIN)
    assert (done.returncode, done.stdout) == (0, "")
    assert "10 drafts in" in done.stderr
    assert lines(out.read_text(encoding="utf-8")) == drafts
    assert_one_line(call(home, *BUILTIN, *command), f"{str(out)!r} exists already")


def test_a_collection_without_names_and_figures_gives_no_drafts(tmp_path: Path) -> None:
    page = tmp_path / "page.txt"
    page.write_text("Pupils learn fractions late. " * 10, encoding="utf-8")
    assert call(tmp_path, "ingest", str(page)).returncode == 0
    done = call(tmp_path, "testset", "draft")
    assert (done.returncode, done.stdout) == (1, "")
    assert "nothing can be drafted" in done.stderr


def test_check_counts_types_and_splits(home: Path, tmp_path: Path) -> None:
    first, second, *_ = paper_ids(home)
    path = tmp_path / "set.jsonl"
    cases = [
        {"id": "1", "question": "q", "type": "lookup", "gold": [first], "split": "dev", "draft": True},
        {"id": "2", "question": "q", "type": "lookup", "gold": [second], "split": "test"},
        {"id": "3", "question": "q", "gold": [], "split": "test"},
        {"id": "4", "question": "q", "gold": [first]},
    ]
    path.write_text("".join(json.dumps(one) + "\n" for one in cases), encoding="utf-8")
    done = call(home, *BUILTIN, "testset", "check", str(path))
    assert done.returncode == 0
    assert [line.split("\t") for line in done.stdout.splitlines()] == [
        ["type", "questions", "dev", "test", "no split"],
        ["lookup", "2", "1", "1", "0"],
        ["unanswerable", "1", "0", "1", "0"],
        ["untyped", "1", "0", "0", "1"],
        ["ALL", "4", "1", "2", "1"],
    ]
    assert "1 are drafts still" in done.stderr
    assert json.loads(call(home, *BUILTIN, "testset", "check", str(path), "--json").stdout) == {
        "questions": 4,
        "types": {"lookup": 2, "unanswerable": 1, "untyped": 1},
        "splits": {"dev": 1, "test": 2, "": 1},
        "drafts": 1,
        "faults": [],
    }


def test_check_names_every_fault(home: Path, tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text(
        "".join(json.dumps({"id": str(n), "question": "q", "gold": ["nowhere"]}) + "\n" for n in range(8)),
        encoding="utf-8",
    )
    done = call(home, *BUILTIN, "testset", "check", str(path))
    assert done.returncode == 1
    assert [line.split(":")[0] for line in done.stdout.splitlines()] == [f"line {n}" for n in range(1, 9)]
    assert done.stderr == f"assistant: {str(path)!r} has 8 faults; mend them and check again\n"
    done = call(home, *BUILTIN, "testset", "check", str(path), "--json")
    assert done.returncode == 1
    assert len(json.loads(done.stdout)["faults"]) == 8
    assert_one_line(
        call(home, *BUILTIN, "testset", "check", "nowhere.jsonl"), "'nowhere.jsonl' can't be read"
    )


def test_the_built_in_test_set_has_no_fault(home: Path) -> None:
    from corpus.builtin import QUESTIONS

    done = call(home, *BUILTIN, "testset", "check", str(QUESTIONS), "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["questions"] == len(QUESTIONS.read_text(encoding="utf-8").splitlines())


def test_feedback_becomes_cases(home: Path, tmp_path: Path) -> None:
    (home / BUILT_IN / FEEDBACK).unlink(missing_ok=True)
    first, second, *_ = paper_ids(home)
    new = (*BUILTIN, "testset", "new", "--from-feedback")
    assert_one_line(call(home, *new), f"nobody has rated an answer of the collection '{BUILT_IN}' down")
    rate(home, "good?", first, verdict="up")
    assert_one_line(call(home, *new), "down; --all takes the 1 rated up")
    rate(home, "bad?", first, second, reason="missed a paper")
    rate(home, "none?", second, reason="should have refused", note="no such thing")
    assert [(one["question"], one["type"], one["gold"]) for one in lines(call(home, *new).stdout)] == [
        ("bad?", "lookup", [first, second]),
        ("none?", "unanswerable", []),
    ]
    out = tmp_path / "cases.jsonl"
    assert call(home, *new, "--all", "--out", str(out)).returncode == 0
    cases = lines(out.read_text(encoding="utf-8"))
    assert [one["question"] for one in cases] == ["good?", "bad?", "none?"]
    assert all(one["draft"] is True and one["note"] for one in cases)
    assert call(home, *BUILTIN, "testset", "check", str(out)).returncode == 0


def test_a_case_that_lacks_its_gold_is_a_fault_until_it_is_filled_in(home: Path, tmp_path: Path) -> None:
    (home / BUILT_IN / FEEDBACK).unlink(missing_ok=True)
    first, *_ = paper_ids(home)
    rate(home, "which?", first, reason="citation doesn't say it")
    out = tmp_path / "cases.jsonl"
    assert call(home, *BUILTIN, "testset", "new", "--from-feedback", "--out", str(out)).returncode == 0
    done = call(home, *BUILTIN, "testset", "check", str(out))
    assert done.returncode == 1
    assert "line 1: a draft whose gold is still to be filled in" in done.stdout
    [case] = lines(out.read_text(encoding="utf-8"))
    out.write_text(json.dumps({**case, "gold": [first]}), encoding="utf-8")
    assert call(home, *BUILTIN, "testset", "check", str(out)).returncode == 0


def test_evaluate_takes_a_split(home: Path, tmp_path: Path) -> None:
    first, *_ = paper_ids(home)
    path = tmp_path / "set.jsonl"
    cases = [
        {"id": str(n), "question": "what is PIT?", "gold": [first], "split": split}
        for n, split in enumerate(("dev", "test", "test"))
    ]
    path.write_text("".join(json.dumps(one) + "\n" for one in cases), encoding="utf-8")
    done = call(home, *BUILTIN, "evaluate", str(path), "--split", "test")
    assert done.returncode == 0
    assert done.stdout.splitlines()[-2].split("\t")[:2] == ["ALL", "2"]
    done = call(home, *BUILTIN, "evaluate", str(path), "--split", "train")
    assert_one_line(done, "is of the split 'train': there are 'dev' (1), 'test' (2)")


def test_a_beir_folder_is_ingested_and_evaluated(tmp_path: Path) -> None:
    folder = tmp_path / "beir"
    (folder / "qrels").mkdir(parents=True)
    corpus = [
        {"_id": "d1", "title": "Wings", "text": "The lift of a wing grows with the angle of its attack."},
        {"_id": "d2", "title": "Plates", "text": "The drag of a plate depends on the flow along it."},
    ]
    (folder / "corpus.jsonl").write_text("\n".join(map(json.dumps, corpus)), encoding="utf-8")
    query = {"_id": "q1", "text": "what does the lift of a wing depend on?"}
    (folder / "queries.jsonl").write_text(json.dumps(query), encoding="utf-8")
    (folder / "qrels" / "test.tsv").write_text(
        "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\n", encoding="utf-8"
    )
    assert call(tmp_path, "--collection", "wings", "ingest", str(folder / "corpus.jsonl")).returncode == 0
    done = call(tmp_path, "--collection", "wings", "evaluate", str(folder), "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["scores"]["ALL"]["recall@8"] == 1.0
    assert call(tmp_path, "--collection", "wings", "remove", "d2").returncode == 0
    done = call(tmp_path, "--collection", "wings", "evaluate", str(folder))
    assert_one_line(done, "1 of the 2 papers of")
    assert "assistant --collection NAME ingest" in done.stderr
