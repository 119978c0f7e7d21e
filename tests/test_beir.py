"""Folders in BEIR's form: read, ingested, and evaluated on."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from assistant.evaluation.beir import read_beir
from assistant.evaluation.metrics import ndcg_at_k
from assistant.evaluation.testset import read_testset
from assistant.lines import LinesError
from corpus.cleaning import paper_from
from corpus.errors import InputError
from corpus.papers import Paper
from corpus.readers import read_path
from corpus.readers.records import Record

CORPUS = [
    {
        "_id": "d1",
        "title": "On wings",
        "text": "Lift of a wing grows with its angle, \\textbf{up to} a point.",
    },
    {
        "_id": "d2",
        "title": "On drag",
        "text": "Drag of a plate depends on the flow along it.",
        "metadata": {},
    },
    {"_id": "3", "title": "A note without words", "text": ""},
    {"_id": "empty", "title": "", "text": ""},
    {"_id": "d5", "title": "On heat", "text": "Heat flows through a slab of two materials."},
]
QUERIES = [
    {"_id": "q1", "text": "what lifts a wing?"},
    {"_id": "q2", "text": "what slows a plate?", "metadata": {"from": "nobody"}},
    {"_id": "q3", "text": "what does nobody judge?"},
]
QRELS = "query-id\tcorpus-id\tscore\nq1\td1\t3\nq1\td2\t1\nq1\td5\t0\nq1\t3\t-1\nq2\td2\t2\nq2\tempty\t1\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A BEIR folder with judgements of two splits."""
    folder = tmp_path / "beir"
    (folder / "qrels").mkdir(parents=True)
    write(folder / "corpus.jsonl", CORPUS)
    write(folder / "queries.jsonl", QUERIES)
    (folder / "qrels" / "test.tsv").write_text(QRELS, encoding="utf-8")
    (folder / "qrels" / "dev.tsv").write_text("query-id\tcorpus-id\tscore\nq3\td5\t1\n", encoding="utf-8")
    return folder


def write(path: Path, lines: list[dict[str, object]]) -> None:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def ingested(folder: Path) -> list[Paper]:
    """The papers that `ingest` makes of the corpus."""
    made = [
        paper_from(one, one.file) for one in read_path(folder / "corpus.jsonl") if isinstance(one, Record)
    ]
    return [one for one in made if isinstance(one, Paper)]


def test_a_corpus_is_ingested_with_its_ids(folder: Path) -> None:
    papers = ingested(folder)
    assert [paper.id for paper in papers] == ["d1", "d2", "3", "d5"]
    assert papers[0].abstract == "Lift of a wing grows with its angle, up to a point."
    assert papers[0].title == "On wings"
    assert (papers[2].abstract, papers[2].title) == (None, "A note without words")
    assert papers[3].sources[0].record == 5


def test_queries_and_judgements_are_no_papers(folder: Path) -> None:
    assert not [
        made
        for one in read_path(folder / "queries.jsonl")
        if isinstance(one, Record) and isinstance(made := paper_from(one, one.file), Paper)
    ]
    [bad] = [one for one in read_path(folder / "qrels" / "test.tsv") if not isinstance(one, Record)]
    assert "relevance judgements" in bad.reason


def test_a_folder_is_a_test_set(folder: Path) -> None:
    cases = read_testset(folder, ingested(folder))
    assert [(case.id, case.question, case.gold) for case in cases] == [
        ("q1", "what lifts a wing?", ("d1", "d2")),
        ("q2", "what slows a plate?", ("d2",)),
    ]
    assert cases[0].grades == {"d1": 3, "d2": 1, "d5": 0, "3": -1}
    assert [(case.type, case.split, case.answerable) for case in cases] == [("untyped", "test", True)] * 2


def test_grades_count_in_ndcg(folder: Path) -> None:
    grades = read_beir(folder, ingested(folder))[0].grades
    assert ndcg_at_k(["d1", "d2", "d5", "3"], grades) == 1.0
    assert ndcg_at_k(["d2", "d1"], grades) == pytest.approx((1 + 7 / 1.584962501) / (7 + 1 / 1.584962501))
    assert ndcg_at_k(["3", "d5"], grades) == 0.0


def test_papers_are_found_by_their_text_whatever_their_ids(folder: Path) -> None:
    papers = [replace(paper, id=f"other-{paper.id}", title=None) for paper in ingested(folder)]
    papers = [paper if paper.abstract else replace(paper, title="A Note: without words") for paper in papers]
    assert read_beir(folder, papers)[0].gold == ("other-d1", "other-d2")


def test_papers_of_one_text_are_told_apart_by_their_titles(folder: Path) -> None:
    papers = ingested(folder)
    twin = replace(papers[0], id="twin", title="On other wings")
    assert read_beir(folder, [twin, *papers])[0].gold == ("d1", "d2")
    unknown = [replace(one, title=None) for one in (twin, *papers) if one.abstract]
    note = Paper(id="3", label="x", abstract=None, title="A note without words")
    assert read_beir(folder, [*unknown, note])[0].gold == ("twin", "d1", "d2")


def test_a_split_names_its_judgements(folder: Path) -> None:
    papers = ingested(folder)
    assert [case.id for case in read_testset(folder, papers, split="dev")] == ["q3"]
    with pytest.raises(InputError, match=r"no qrels of the split 'train': there are dev, test"):
        read_testset(folder, papers, split="train")
    (folder / "qrels" / "test.tsv").rename(folder / "qrels" / "train.tsv")
    with pytest.raises(InputError, match=r"choose with --split among dev, train"):
        read_testset(folder, papers)
    (folder / "qrels" / "dev.tsv").unlink()
    assert [case.split for case in read_testset(folder, papers)] == ["train", "train"]


def test_papers_that_are_not_here_are_one_error(folder: Path) -> None:
    with pytest.raises(InputError) as fault:
        read_testset(folder, ingested(folder)[1:2])
    assert "3 of the 4 papers of" in str(fault.value)
    assert "(d1, 3, d5)" in str(fault.value)
    assert "ingest" in str(fault.value)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("q9\td1\t1", "line 8: the query 'q9' isn't in queries.jsonl"),
        ("q1\td9\t1", "line 8: 'd9' isn't in corpus.jsonl"),
        ("q1\td1", "line 8: query-id, corpus-id"),
        ("q1\td1\thigh", "line 8: query-id, corpus-id"),
        ("q1 d1 1", "line 8: query-id, corpus-id"),
    ],
)
def test_a_faulty_judgement_is_named_with_its_line(folder: Path, line: str, message: str) -> None:
    (folder / "qrels" / "test.tsv").write_text(f"{QRELS}{line}\n", encoding="utf-8")
    with pytest.raises(LinesError) as fault:
        read_testset(folder, ingested(folder))
    assert [problem[: len(message)] for problem in fault.value.problems] == [message]


@pytest.mark.parametrize(
    ("name", "line", "message"),
    [
        ("corpus.jsonl", {"title": "x", "text": "y"}, "line 6: no '_id'"),
        ("corpus.jsonl", {"_id": "d1", "title": "x", "text": "y"}, "line 6: a second line with the id 'd1'"),
        ("corpus.jsonl", {"_id": "d7", "title": 7, "text": "y"}, "line 6: 'title' is 7"),
        ("queries.jsonl", {"_id": "q1", "text": "again"}, "line 4: a second query with the id 'q1'"),
        ("queries.jsonl", {"_id": "q7", "text": " "}, "line 4: 'text' is ' '"),
    ],
)
def test_a_faulty_line_is_named(folder: Path, name: str, line: dict[str, object], message: str) -> None:
    papers = ingested(folder)
    with (folder / name).open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")
    with pytest.raises(LinesError) as fault:
        read_testset(folder, papers)
    assert [problem[: len(message)] for problem in fault.value.problems] == [message]


def test_judgements_without_a_header_and_ids_that_are_numbers(folder: Path) -> None:
    papers = ingested(folder)
    write(folder / "queries.jsonl", [{"_id": 7, "text": "what lifts a wing?"}])
    (folder / "qrels" / "test.tsv").write_text("7\t3\t1\n7\td1\t2\n", encoding="utf-8")
    [case] = read_testset(folder, papers)
    assert (case.id, case.gold) == ("7", ("3", "d1"))


def test_a_folder_without_judgements_is_named(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(InputError, match=r"is no test set.*qrels/\*\.tsv"):
        read_testset(tmp_path, [])
    (folder / "qrels" / "test.tsv").write_text("q1\td1\t0\n", encoding="utf-8")
    with pytest.raises(InputError, match="no paper relevant"):
        read_testset(folder, ingested(folder))
