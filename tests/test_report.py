from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from assistant.answer import Answer, Turn
from assistant.evaluation.comparison import Comparison, FigureChange, Limit, QuestionChange
from assistant.evaluation.html_page import as_html
from assistant.evaluation.intervals import Interval
from assistant.evaluation.markdown_page import as_markdown
from assistant.evaluation.report import as_json, write
from assistant.evaluation.run import EvaluationResult
from assistant.evaluation.scoring import score, table
from assistant.evaluation.setup import Setup
from assistant.evaluation.shown import HEADLINE, cells, headline, summary
from assistant.evaluation.testset import Case

NASTY = '<script>alert(1)</script> a | b\n\n# not a heading & "quotes"'


def result(texts: dict[str, str], **fields: object) -> EvaluationResult:
    scored = []
    for case_id, text in texts.items():
        case = Case(case_id, f"question {case_id}?", "lookup", (Turn("user", "before?"),), ("p1",), (), "ref")
        scored.append(score(case, Answer(case_id, "q", "q", "lookup", "answered", text), {}))
    known = {
        "setup": Setup(
            testset="set.jsonl",
            testset_hash="12ab",
            split=None,
            collection="shelf",
            collection_version="7",
            collection_hash="34cd",
            papers=5,
            answers=None,
            models=("none",),
            prompt_hashes=(),
            judge=None,
            settings={"llm": "none"},
            versions={"python": "3.11"},
        ),
        "rows": table(scored),
        "results": tuple(scored),
        "missing": (),
        "comparison": None,
        "breached": (),
    }
    return EvaluationResult(**{**known, **fields})  # type: ignore[arg-type]


class Reader(HTMLParser):
    """What an HTML page holds: its tags, and the addresses it names."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.addresses: list[str] = []
        self.words = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href", "action", "data")]

    def handle_data(self, data: str) -> None:
        self.words += data


def test_all_three_reports_are_written(tmp_path: Path) -> None:
    write(result({"a": "text"}), tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["report.html", "report.json", "report.md"]
    assert (
        json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["setup"]["testset"] == "set.jsonl"
    )


def test_a_row_has_a_cell_for_each_column() -> None:
    rows = result({"a": "two words"}).rows
    assert [row.kind for row in rows] == ["lookup", "ALL"]
    assert "must" not in headline(rows)
    assert "cite_recall" in headline(rows)
    shown = dict(zip(("", "n", *HEADLINE), cells(rows[0], HEADLINE), strict=True))
    assert (shown[""], shown["n"], shown["words"], shown["cite_recall"]) == ("lookup", "1", "2.0", "0.000")
    assert shown["must"] == "–"


def test_the_summary_says_refusals_latency_and_faults() -> None:
    assert summary(result({"a": "text [4]"})) == (
        "unanswerable refused – · answerable refused 0.000 · F1 of refusing – · "
        "p50 0.0 ms, p95 0.0 ms · contract faults 1"
    )


def test_the_json_has_scores_by_kind_and_metric() -> None:
    document = as_json(result({"a": "text [4]"}))
    assert document["scores"]["lookup"]["n"] == 1
    assert document["scores"]["ALL"]["faults"] == 1.0
    assert document["faults"] == [["a", "marker [4] without a citation"]]
    assert document["questions"][0]["missed"] == ["gold not cited: p1"]
    json.dumps(document, allow_nan=False)


def test_the_page_asks_for_nothing_and_runs_nothing() -> None:
    page = as_html(result({"a": NASTY}))
    read = Reader(page)
    assert read.addresses == []
    assert not {"script", "link", "img", "iframe"} & set(read.tags)
    assert "url(" not in page
    assert "<script>alert(1)</script>" in read.words


@pytest.mark.parametrize("page", [as_html, as_markdown])
def test_pages_show_question_answer_reference_and_what_was_missed(page: object) -> None:
    shown = page(result({"a": "my answer"}))  # type: ignore[operator]
    for words in ("question a?", "before?", "my answer", "ref", "gold not cited: p1"):
        assert words in shown


def test_markdown_keeps_an_answer_inside_its_quotation() -> None:
    page = as_markdown(result({"a": NASTY}))
    assert not re.search(r"^# not a heading", page, re.M)
    assert "> # not a heading" in page


def test_limits_changes_and_faults_are_listed() -> None:
    changed = Comparison(
        (
            FigureChange("ALL", "must", 0.5, 0.25, Interval(-0.4, -0.1), 9),
            FigureChange("ALL", "confused", 0.0, 0.1, Interval(0.01, 0.2), 3),
            FigureChange("ALL", "mrr", 0.5, 0.55, Interval(-0.1, 0.2)),
        ),
        (QuestionChange("a", 1.0, 0.0, "question a?", "what it said before", "what it says now"),),
        only_now=("z",),
    )
    broken = result({"a": "x [9]"}, comparison=changed, breached=(Limit("ALL", "must", 0.9),))
    for page in (as_html(broken), as_markdown(broken)):
        assert "ALL: must had to keep 0.9" in page
        worse, chance = page.index("Surely worse"), page.index("Changed within what chance gives")
        assert worse < page.index("ALL: must 0.500 → 0.250 (difference −0.400 to −0.100)") < chance
        assert chance < page.index("ALL: mrr 0.500 → 0.550")
        assert chance < page.index("ALL: confused 0.000 → 0.100"), "three questions prove nothing"
        assert "1.00 → 0.00" in page
        assert "what it said before" in page
        assert "what it says now" in page
        assert "1 only now: z" in page
        assert "a: marker [9] without a citation" in page
    assert as_json(broken)["failed"] == ["ALL.must=0.9"]
    assert as_json(broken)["changes"]["questions"] == [["a", 1.0, 0.0]]


def test_a_run_without_an_answer_is_reported_too(tmp_path: Path) -> None:
    write(result({}, missing=("a",)), tmp_path)
    assert "a: no answer" in (tmp_path / "report.md").read_text(encoding="utf-8")
