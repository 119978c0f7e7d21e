"""Picked papers, and verdicts as the page asks to keep them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from browser import HOSTILE, PIT, ScriptedAssistant, ScriptedCollection, cite
from test_render import safe

from assistant.feedback import read
from corpus.layout import Layout
from ui.conversation import Conversation, respond
from ui.picks import MOST, Picks, picks_html
from ui.verdicts import kept_html

COLLECTION = ScriptedCollection("mine", [PIT, HOSTILE])


def test_a_paper_is_picked_once_and_taken_away() -> None:
    picks = Picks()
    for _ in range(2):
        picks = picks.after({"paper": "p1", "on": True}, COLLECTION)
    picks = picks.after({"paper": "p3", "on": True}, COLLECTION)
    assert picks.filters is not None
    assert sorted(picks.filters.papers) == ["p1", "p3"]
    assert picks.after({"paper": "p3", "on": False}, COLLECTION).papers == (("p1", "PIT"),)
    assert picks.after({"none": True}, COLLECTION) == Picks()
    assert Picks().filters is None


def test_in_another_collection_only_its_own_papers_stay_picked() -> None:
    picks = Picks((("p1", "PIT"), ("p3", "hostile")))
    assert picks.within(ScriptedCollection("other", [PIT])) == Picks((("p1", "PIT"),))
    assert picks.within(COLLECTION) == picks
    assert picks.within(ScriptedCollection("empty", [])) == Picks()


@pytest.mark.parametrize(
    "wish", [{}, {"paper": 5, "on": True}, {"paper": ["p1"], "on": True}, {"paper": "other", "on": True}]
)
def test_what_is_no_wish_picks_nothing(wish: dict[str, Any]) -> None:
    assert Picks().after(wish, COLLECTION) == Picks()


def test_no_more_than_a_list_can_be_picked() -> None:
    crowd = ScriptedCollection("mine", [replace(PIT, id=f"p{n}") for n in range(MOST + 5)])
    picks = Picks()
    for n in range(MOST + 5):
        picks = picks.after({"paper": f"p{n}", "on": True}, crowd)
    assert len(picks.papers) == MOST


def test_chips_are_text() -> None:
    html = picks_html(Picks((("p3", HOSTILE.label), ('"><b>', "w" * 500))))
    assert safe(html)
    assert "<img" not in html
    assert "w" * 100 not in html.replace("w" * 500, "", 1)
    assert picks_html(Picks()) == ""


@pytest.fixture
def talk(tmp_path: Path) -> Conversation:
    """A conversation of one answer and one fault."""
    collection = ScriptedCollection("mine", [PIT])
    collection.layout = Layout(tmp_path, "mine")
    assistant = ScriptedAssistant(
        lambda q: cite(q, "5.9x [1].", [(PIT, "5.9x")]) if q != "bad" else KeyError("x"), collection
    )
    conversation = Conversation()
    for question in ("first?", "second?", "bad"):
        conversation = conversation.plus(list(respond(assistant, conversation, question))[-1])
    return conversation


def test_a_verdict_is_kept_with_what_was_said_before(talk: Conversation, tmp_path: Path) -> None:
    wish = {"turn": 2, "verdict": "down", "reason": "wrong figure", "note": " it is 2.43x "}
    assert 'data-verdict="down"' in kept_html(talk, wish, "me")
    (kept,) = read(Layout(tmp_path, "mine"))
    assert (kept.question, kept.verdict, kept.reason, kept.note) == (
        "second?",
        "down",
        "wrong figure",
        "it is 2.43x",
    )
    assert [turn.content for turn in kept.history] == ["first?", "5.9x [1]."]
    assert kept.conversation == "me"
    assert kept.answer.citations[0].paper_id == "p1"


def test_who_changes_their_mind_is_heard(talk: Conversation, tmp_path: Path) -> None:
    kept_html(talk, {"turn": 1, "verdict": "down", "reason": "no such reason", "note": 7}, "me")
    kept_html(talk, {"turn": 1, "verdict": "up", "reason": "wrong figure", "note": "x"}, "me")
    (kept,) = read(Layout(tmp_path, "mine"))
    assert (kept.verdict, kept.reason, kept.note) == ("up", None, "")


@pytest.mark.parametrize(
    "wish",
    [
        {},
        {"turn": 9, "verdict": "up"},
        {"turn": 3, "verdict": "up"},
        {"turn": 1, "verdict": "sideways"},
        {"turn": "1", "verdict": "up"},
        {"turn": [1], "verdict": ["up"]},
    ],
)
def test_what_is_no_verdict_is_not_kept(talk: Conversation, tmp_path: Path, wish: dict[str, Any]) -> None:
    assert kept_html(talk, wish, "me") == ""
    assert read(Layout(tmp_path, "mine")) == ()


def test_a_folder_that_cannot_be_written_is_said(talk: Conversation, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("a file where the folder should be")
    html = kept_html(talk, {"turn": 1, "verdict": "up"}, "me")
    assert 'data-verdict=""' in html
    assert "Feedback can&#x27;t be kept" in html or "be kept in" in html
