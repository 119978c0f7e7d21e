from __future__ import annotations

import json
from pathlib import Path

import pytest

from assistant.answer import Turn
from assistant.evaluation.testset import Case, read_testset
from assistant.lines import LinesError, read_answers
from assistant.refs import RefIndex
from corpus.errors import InputError
from corpus.papers import Paper

SHARED = "Large language models (LLMs) have demonstrated remarkable success"
PAPERS = [
    Paper(id="p1", label="PIT", doi="10.1145/3600006.3613139", arxiv_id="2301.10936v2", aliases=("old1",),
          abstract="Dynamic sparsity, where the sparsity patterns are unknown; and more."),
    Paper(id="p2", label="Two", abstract=f"{SHARED} as foundational models."),
    Paper(id="p3", label="Three", abstract=f"{SHARED.title()} across various domains."),
    Paper(id="p4", label="Four", abstract=f"{SHARED} across all domains."),
    Paper(id="p5", label="Short", abstract="A short one."),
    Paper(id="p6", label="None", abstract=None),
]  # fmt: skip


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "set.jsonl"


def write(file: Path, *lines: object) -> Path:
    file.write_text("\n".join(x if isinstance(x, str) else json.dumps(x) for x in lines), encoding="utf-8")
    return file


def case(**fields: object) -> dict[str, object]:
    return {"id": "1", "question": "what is PIT?", "gold": ["p1"], **fields}


@pytest.mark.parametrize(
    ("ref", "found"),
    [
        ("p1", ("p1",)),
        ("old1", ("p1",)),
        ("10.1145/3600006.3613139", ("p1",)),
        ("https://doi.org/10.1145/3600006.3613139", ("p1",)),
        ("DOI: 10.1145/3600006.3613139", ("p1",)),
        ("2301.10936", ("p1",)),
        ("arXiv:2301.10936v1", ("p1",)),
        ("https://arxiv.org/abs/2301.10936", ("p1",)),
        ("Dynamic sparsity, where the sparsity patterns are unknown; an", ("p1",)),
        ("dynamic  SPARSITY where the sparsity patterns are", ("p1",)),
        # Cleaning changed what stands near the cut.
        ("Dynamic sparsity, where the sparsity patterns are 2.4tim", ("p1",)),
        (f"{SHARED} as found", ("p2",)),
        # Only the capitals tell these apart.
        (SHARED.title(), ("p3",)),
        (SHARED, ("p2", "p4")),
        ("A short one.", ("p5",)),
        ("A short", ()),
        ("Dynamic", ()),
        ("", ()),
        ("...", ()),
        ("10.9999/unknown", ()),
    ],
)
def test_a_ref_finds_its_papers(ref: str, found: tuple[str, ...]) -> None:
    assert RefIndex(PAPERS).find(ref) == found


def test_a_whole_line_is_read(file: Path) -> None:
    write(
        file,
        case(
            type="number",
            history=["first?", {"role": "assistant", "content": "yes"}],
            gold_optional=["2301.10936", "p5"],
            gold_optional_other_files=["p4", "not here", None],
            answer="fast",
            must=[["5.9x", "590%"], "1024"],
            must_not=["slow"],
            split="dev",
            phrasing="typos",
            draft=True,
            note="kept out",
        ),
    )
    assert read_testset(file, PAPERS) == (
        Case(
            id="1",
            question="what is PIT?",
            type="number",
            history=(Turn("user", "first?"), Turn("assistant", "yes")),
            gold=("p1",),
            gold_optional=("p1", "p5", "p4"),
            answer="fast",
            must=(("5.9x", "590%"), ("1024",)),
            must_not=("slow",),
            split="dev",
            phrasing="typos",
            draft=True,
        ),
    )


def test_gold_and_optional_are_graded(file: Path) -> None:
    write(file, case(gold=["p1", "p2"], gold_optional=["p2", "p5"]), case(id="2", gold=[]))
    first, none = read_testset(file, PAPERS)
    assert first.grades == {"p1": 2, "p2": 2, "p5": 1}
    assert none.grades == {}


def test_a_split_is_read_alone(file: Path) -> None:
    write(file, case(split="dev"), case(id="2", split=" test "), case(id="3", split="dev"), case(id="4"))
    assert [one.id for one in read_testset(file, PAPERS, split="dev")] == ["1", "3"]
    assert [one.id for one in read_testset(file, PAPERS, split="test")] == ["2"]
    assert [one.split for one in read_testset(file, PAPERS)] == ["dev", "test", "dev", None]
    with pytest.raises(InputError, match=r"split 'train': there are 'dev' \(2\), 'test' \(1\)$"):
        read_testset(file, PAPERS, split="train")


def test_a_test_set_without_splits_says_so(file: Path) -> None:
    write(file, case())
    with pytest.raises(InputError, match=r"says its split, so none is of 'dev': leave --split out"):
        read_testset(file, PAPERS, split="dev")


def test_faults_of_other_splits_count(file: Path) -> None:
    write(file, case(split="dev"), case(id="2", split="test", gold=["nowhere"]))
    with pytest.raises(LinesError, match="line 2"):
        read_testset(file, PAPERS, split="dev")


def test_what_no_paper_says_may_be_asked_for(file: Path) -> None:
    write(
        file,
        case(must=[["words of no abstract"]], must_not=["words"], gold_optional=[]),
        case(id="2", must=[]),
    )
    with pytest.raises(
        LinesError, match=r"line 1: entry 1 of must, 'words of no abstract', holds what must_not"
    ):
        read_testset(file, PAPERS)
    write(
        file,
        case(must=[["words of no abstract"]]),
        case(id="2", must=[], must_not=[], split=None, answer=None),
    )
    assert [one.must for one in read_testset(file, PAPERS)] == [(("words of no abstract",),), ()]


def test_a_draft_may_lack_its_gold_only_where_nothing_is_to_be_found(file: Path) -> None:
    write(file, case(gold=[], type="unanswerable", draft=True), case(id="2", gold=[], draft=True))
    assert [one.draft for one in read_testset(file, PAPERS)] == [True, True]
    write(file, case(gold=[], type="number", draft=True, **{"from": "a sentence"}))
    with pytest.raises(LinesError, match="line 1: a draft whose gold is still to be filled in"):
        read_testset(file, PAPERS)


def test_no_gold_means_not_answerable(file: Path) -> None:
    write(file, case(gold=[]), case(id="2", gold=[], type="lookup"), case(id="3"))
    read = read_testset(file, PAPERS)
    assert [c.type for c in read] == ["unanswerable", "unanswerable", "untyped"]
    assert [c.answerable for c in read] == [False, False, True]


def test_a_byte_order_mark_blank_lines_and_line_separators_do_no_harm(file: Path) -> None:
    raw = json.dumps(case(question="a\u2028b"), ensure_ascii=False)
    file.write_bytes(b"\xef\xbb\xbf" + f"\n{raw}\r\n\n".encode())
    assert read_testset(file, PAPERS)[0].question == "a\u2028b"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (case(gold=["nowhere"]), "line 2: gold 'nowhere' is no paper"),
        (case(gold=[SHARED]), "may mean p2 or p4"),
        (case(gold_optional=["nowhere"]), "gold_optional 'nowhere'"),
        (case(must=[[]]), "line 2: 'must.0'"),
        (case(must=[["**"]]), "nothing is left"),
        (case(must=[[" "]]), "nothing is left"),
        (case(must_not=[""]), "'must_not.0'"),
        (case(must=[["fast", ""]]), "line 2: 'must.0'"),
        (case(must=None), "line 2: 'must' is None"),
        (case(must=[["5.9x", "5.9 times"], ["a"]], must_not=["5.9"]), "entry 1 of must, '5.9x | 5.9 times'"),
        (case(split=" "), "line 2: 'split'"),
        (case(split=["dev"]), "line 2: 'split'"),
        (case(phrasing=3), "line 2: 'phrasing' is 3"),
        (case(type="numbers"), "line 2: 'type' is 'numbers'"),
        (case(type="unanswerable"), "'unanswerable' with a gold paper"),
        (case(question="  "), "line 2: 'question' is"),
        (case(gold="p1"), "line 2: 'gold' is 'p1'"),
        ({"id": "1", "question": "q"}, "line 2: no 'gold'"),
        ({"question": "q", "gold": []}, "line 2: no 'id'"),
        (case(id="0"), "line 2: the id '0' stands on line 1 already"),
        (case(history=[{"role": "system", "content": "x"}]), "line 2: 'history.0'"),
        ("{bad", "line 2: no JSON"),
        ("[1]", "line 2: a JSON object has to stand here"),
    ],
)
def test_a_faulty_line_is_named_with_its_fault(file: Path, line: object, message: str) -> None:
    write(file, case(id="0"), line)
    with pytest.raises(LinesError) as fault:
        read_testset(file, PAPERS)
    assert message in str(fault.value)
    assert file.name in str(fault.value)
    assert "\n" not in str(fault.value)
    assert len(fault.value.problems) == 1


def test_all_faulty_lines_are_collected(file: Path) -> None:
    write(file, *(case(id=str(n), gold=["nowhere"]) for n in range(8)))
    with pytest.raises(LinesError, match="and 3 more") as fault:
        read_testset(file, PAPERS)
    assert [p.split(":")[0] for p in fault.value.problems] == [f"line {n}" for n in range(1, 9)]


@pytest.mark.parametrize("content", [b"", b"\n\n", b"just words\n", b"\xff\xfe{}", b"a,b\n1,2\n"])
def test_a_file_that_is_no_test_set_is_an_error_that_names_it(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    with pytest.raises(InputError, match=r"set\.jsonl"):
        read_testset(file, PAPERS)


def test_a_missing_file_is_an_error_that_names_it(file: Path) -> None:
    with pytest.raises(InputError, match=r"set\.jsonl.*No such file"):
        read_testset(file, PAPERS)


def test_csv_is_read(file: Path) -> None:
    file.write_text(
        "question,answer,gold\n"
        '"how fast, really?",fast,"Dynamic sparsity, where the sparsity patterns are unknown; an"\n'
        '"two\nlines",,p1; p2\nnone,no,\n',
        encoding="utf-8",
    )
    read = read_testset(file, PAPERS)
    assert [c.id for c in read] == ["1", "2", "3"]
    assert [c.gold for c in read] == [("p1",), ("p1", "p2"), ()]
    assert [c.answer for c in read] == ["fast", None, "no"]
    assert read[1].question == "two\nlines"
    assert not read[2].answerable


def test_csv_has_splits(file: Path) -> None:
    file.write_text("question,gold,split,phrasing\nq,p1,dev,\nr,p2,,short\n", encoding="utf-8")
    read = read_testset(file, PAPERS)
    assert [(one.split, one.phrasing) for one in read] == [("dev", None), (None, "short")]


def test_a_faulty_csv_line_is_named(file: Path) -> None:
    file.write_text("Question,Answer,Gold,type\nq,a,p1,\nq,a,nowhere,\nq,a,p1,odd\n", encoding="utf-8")
    with pytest.raises(LinesError) as fault:
        read_testset(file, PAPERS)
    assert [p.split(":")[0] for p in fault.value.problems] == ["line 3", "line 4"]


def test_answers_need_id_status_and_text_alone(file: Path) -> None:
    write(file, {"id": "1", "status": "answered", "text": "x [1]", "unknown": 1})
    (answer,) = read_answers(file)
    assert (answer.text, answer.citations, answer.timings_ms.total) == ("x [1]", (), 0.0)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"id": "1", "text": "x"}, "line 1: no 'status'"),
        ({"id": "1", "status": "done", "text": "x"}, "line 1: 'status' is 'done'"),
        ({"id": "1", "status": "answered", "text": None}, "line 1: 'text' is None"),
        ({"id": "1", "status": "answered", "text": "x", "citations": [{}]}, "line 1: no 'citations.0'"),
        ("nonsense", "line 1: no JSON"),
    ],
)
def test_a_faulty_answer_is_named_with_its_line(file: Path, line: object, message: str) -> None:
    write(file, line)
    with pytest.raises(LinesError) as fault:
        list(read_answers(file))
    assert message in str(fault.value)


def test_two_answers_of_one_id_are_a_fault(file: Path) -> None:
    line = {"id": "1", "status": "answered", "text": "x"}
    write(file, line, line)
    with pytest.raises(LinesError, match="line 2: a second answer"):
        list(read_answers(file))
