"""Feedback: a line a verdict, whatever happens to the file, and the cases made of it."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from assistant import feedback
from assistant.answer import Answer, Citation, Quote, Turn
from assistant.evaluation.feedback_cases import cases_of
from assistant.feedback import REASONS, Feedback
from corpus import builtin
from corpus.errors import StoreError
from corpus.layout import BUILT_IN, FEEDBACK, Layout

QUOTE = Quote("abstract", 0, 2, "We")
IDS = {"p1": "p1", "p2": "p2", "old": "p2"}


def answer(question: str, *cited: str, text: str = "It is **fast** [1].", **fields: object) -> Answer:
    citations = tuple(Citation(n, paper, paper, (QUOTE,)) for n, paper in enumerate(cited, 1))
    whole = Answer("a", question, question, "number", "answered", text, citations=citations)
    return replace(whole, **fields)  # type: ignore[arg-type]


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    return Layout(tmp_path, "mine")


def test_what_is_written_is_read(layout: Layout) -> None:
    assert feedback.read(layout) == ()
    history = (Turn("user", "which one?"), Turn("assistant", "PIT [1]."))
    given = answer("how fast?", "p1", "p2")
    written = feedback.append(
        layout, given, "down", conversation="c1", history=history, reason="wrong figure", note=" 5.9x \n"
    )
    assert feedback.read(layout) == (written,)
    assert written.answer == given
    [line] = (layout.folder / FEEDBACK).read_text(encoding="utf-8").splitlines()
    assert list(json.loads(line)) == [
        *("time", "conversation", "question", "history", "answer", "verdict", "reason", "note"),
    ]
    assert json.loads(line)["answer"] == json.loads(json.dumps(given.to_dict()))
    assert json.loads(line)["note"] == "5.9x"


def test_the_last_verdict_on_a_question_of_a_talk_counts(layout: Layout) -> None:
    for conversation, question, verdict in (
        ("c1", "a", "down"),
        ("c1", "b", "down"),
        ("c2", "a", "down"),
        ("c1", "a", "up"),
    ):
        feedback.append(layout, answer(question), verdict, conversation=conversation)  # type: ignore[arg-type]
    read = [(one.conversation, one.question, one.verdict) for one in feedback.read(layout)]
    assert read == [("c1", "a", "up"), ("c1", "b", "down"), ("c2", "a", "down")]
    assert len((layout.folder / FEEDBACK).read_bytes().splitlines()) == 4


@pytest.mark.parametrize(
    "torn", [b'{"time": "20', b'{"time": "\xc3', b"[1]\n", b"\x00\xff\n", b"\n\n", b'{"verdict": "up"}']
)
def test_a_torn_line_costs_itself_alone(layout: Layout, torn: bytes) -> None:
    feedback.append(layout, answer("a"), "up", conversation="c")
    with (layout.folder / FEEDBACK).open("ab") as file:
        file.write(torn)
    feedback.append(layout, answer("b"), "down", conversation="c")
    assert [one.question for one in feedback.read(layout)] == ["a", "b"]


def test_any_text_is_kept(layout: Layout) -> None:
    text = "half \udcff, line \u2028 and\nnew, ü, \U0001f41d"
    feedback.append(layout, answer(text), "down", conversation="c", note=text)
    assert [(one.question, one.note) for one in feedback.read(layout)] == [(text, text)]


def test_processes_at_once_lose_nothing(layout: Layout) -> None:
    code = (
        "import sys; from pathlib import Path; from assistant import feedback\n"
        "from assistant.answer import Answer; from corpus.layout import Layout\n"
        "for number in range(40):\n"
        "    answer = Answer('a', f'q{number}', 'q', 'lookup', 'answered', 'long ' * 5000)\n"
        "    feedback.append(Layout(Path(sys.argv[1]), 'mine'), answer, 'up', conversation=sys.argv[2])\n"
    )
    command = [sys.executable, "-c", code, str(layout.home)]
    root = Path(__file__).parents[1]
    running = [subprocess.Popen([*command, name], cwd=root) for name in ("one", "two", "three")]
    assert [process.wait(timeout=120) for process in running] == [0, 0, 0]
    lines = (layout.folder / FEEDBACK).read_bytes().splitlines()
    assert len(lines) == len(feedback.read(layout)) == 120


def test_words_that_are_no_verdict_or_reason_are_refused(layout: Layout) -> None:
    with pytest.raises(ValueError, match="'meh' is no verdict"):
        feedback.append(layout, answer("a"), "meh", conversation="c")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="'ugly' is no reason"):
        feedback.append(layout, answer("a"), "down", conversation="c", reason="ugly")  # type: ignore[arg-type]
    assert feedback.read(layout) == ()


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("a file", encoding="utf-8")
    with pytest.raises(StoreError, match="Feedback can't be kept in"):
        feedback.append(Layout(tmp_path, "mine"), answer("a"), "up", conversation="c")


def test_feedback_outlives_a_new_release_of_the_built_in_papers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    builtin.install(tmp_path)
    layout = Layout(tmp_path, BUILT_IN)
    feedback.append(layout, answer("a"), "down", conversation="c")
    monkeypatch.setattr(builtin, "_origin", lambda: "another")
    builtin.install(tmp_path)
    assert builtin._installed(layout) == "another"
    assert [one.question for one in feedback.read(layout)] == ["a"]


def rated(given: Answer, verdict: str = "down", **fields: object) -> Feedback:
    whole = Feedback("2026-01-01", "c1", given.question, (), given, "down")
    return replace(whole, verdict=verdict, **fields)  # type: ignore[arg-type]


def test_each_reason_makes_its_case() -> None:
    given = answer("how fast?", "p1", "old", "gone")
    drafts = {reason: cases_of([rated(given, reason=reason)], IDS)[0] for reason in REASONS}
    assert {reason: (draft.type, draft.gold) for reason, draft in drafts.items()} == {
        "wrong figure": ("number", ("p1", "p2")),
        "citation doesn't say it": ("number", ()),
        "missed a paper": ("number", ("p1", "p2")),
        "should have refused": ("unanswerable", ()),
        "other": ("number", ("p1", "p2")),
    }
    assert "right figure into must" in drafts["wrong figure"].note
    assert "cited and no longer here: gone" in drafts["wrong figure"].note
    assert "name the papers in gold" in drafts["citation doesn't say it"].note
    assert "missed to gold" in drafts["missed a paper"].note
    assert all(draft.answer is None and draft.to_dict()["draft"] is True for draft in drafts.values())


def test_a_question_in_a_talk_is_a_followup_with_its_history() -> None:
    history = (Turn("user", "which?"), Turn("assistant", "PIT."))
    [draft] = cases_of([rated(answer("and it?", "p1"), history=history, note="no\nsense")], IDS)
    assert draft.type == "followup"
    assert draft.to_dict()["history"] == [
        {"role": "user", "content": "which?"},
        {"role": "assistant", "content": "PIT."},
    ]
    assert draft.note == (
        "rated down: no reason given; say in must what the answer has to hold; check gold; "
        'they said: "no sense"'
    )


def test_a_refusal_rated_down_asks_for_its_papers() -> None:
    [draft] = cases_of([rated(answer("how?", status="not_found"), reason="missed a paper")], IDS)
    assert (draft.type, draft.gold) == ("number", ())
    assert "nothing was cited: name the papers in gold" in draft.note


def test_praised_answers_make_cases_only_when_asked_for() -> None:
    good = rated(answer("good?", "p1", text="**Fast** [1], not \\[2]."), "up")
    right = rated(answer("none?", status="not_found", text="Not here."), "up")
    bad = rated(answer("bad?", "p1"))
    assert [draft.question for draft in cases_of([good, bad, right], IDS)] == ["bad?"]
    drafts = cases_of([good, bad, right], IDS, praised=True)
    assert [(one.type, one.gold, one.answer) for one in drafts] == [
        ("number", ("p1",), "**Fast**, not \\[2]."),
        ("number", ("p1",), None),
        ("unanswerable", (), "Not here."),
    ]
    assert len({draft.id for draft in drafts}) == 3
