"""Exports of a conversation, and the list as HTML."""

from __future__ import annotations

import json
from datetime import date, datetime

from browser import HOSTILE, PIT, cite

from assistant.lines import answer_of
from ui.prose import read_prose
from ui.talks.export import as_json, as_markdown
from ui.talks.kept import Kept, Listing, Talk
from ui.talks.listing import listing_html

NOON = datetime(2026, 11, 30, 12).timestamp()
TALK = Talk("id", "PIT & <b>co</b>: # 1", NOON, NOON)
ANSWER = cite("What speedup?", "**PIT** reaches **5.9x** [1].", [(PIT, "reach 5.9x and average 2.43x.")])
TURNS = (
    Kept(1, "What speedup?", NOON, "answered", "mine", ANSWER.text, answer=ANSWER),
    Kept(2, "# And [x](javascript:1)?", NOON, "stopped", "mine", "Half an"),
    Kept(3, "fail", NOON, "failed", "mine", "", "The endpoint refused."),
)
MARKDOWN = r"""# PIT & \<b>co\</b>: # 1

30 November 2026 · collection mine

## What speedup?

**PIT** reaches **5.9x** [1].

- \[1\] PIT. PIT: a deep learning compiler for sparsity known only at runtime. Ningxin Zheng, Huiqiang Jiang, Quanlu Zhang (2023). SOSP. <https://example.org/pit>

  > reach 5.9x and average 2.43x.


## \# And \[x\](javascript:1)?

Half an

*Stopped.*

## fail

*The endpoint refused.*
"""  # noqa: E501


def test_markdown_has_the_papers_below_each_answer() -> None:
    parcel = as_markdown(TALK, TURNS, {PIT.id: PIT})
    assert parcel.text == MARKDOWN
    assert parcel.name == "pit-b-co-b-1.md"


def test_markdown_says_which_papers_are_gone() -> None:
    text = as_markdown(TALK, TURNS[:1], {}).text
    assert r"- \[1\] PIT (no longer in the collection)." in text
    assert "> reach 5.9x" in text


def test_hostile_words_are_words_in_markdown() -> None:
    answer = cite("q", "Cheap [1].", [(HOSTILE, HOSTILE.abstract or "")])
    turn = Kept(1, HOSTILE.title or "", NOON, "answered", answer=answer, text=answer.text)
    html = read_prose(as_markdown(TALK, [turn], {HOSTILE.id: HOSTILE}).text).html(lambda *_: "")
    for tag in ("<img", "<script", "<svg", "<b ", 'href="javascript'):
        assert tag not in html


def test_json_holds_whole_answers() -> None:
    parcel = as_json(TALK, TURNS)
    whole = json.loads(parcel.text)
    assert whole["title"] == TALK.title
    assert [turn["state"] for turn in whole["turns"]] == ["answered", "stopped", "failed"]
    assert answer_of(whole["turns"][0]["answer"]) == ANSWER
    assert whole["turns"][2]["fault"] == "The endpoint refused."
    assert parcel.name == "pit-b-co-b-1.json"
    assert as_json(Talk("id", "名前", NOON, NOON), ()).name == "conversation.json"


def test_the_list_is_by_day_and_escaped() -> None:
    days = [datetime(2026, 11, day, 12).timestamp() for day in (30, 29, 25, 1)]
    talks = tuple(Talk(f"id{n}", f"<i>{n}", at, at, running=n == 1) for n, at in enumerate(days))
    html = listing_html(Listing(talks, 60, 7), chosen="id2", today=date(2026, 11, 30))
    order = ["Today", "<i>0", "Yesterday", "<i>1", "Last seven days", "<i>2", "November 2026", "<i>3"]
    places = [html.index(words.replace("<i>", "&lt;i&gt;")) for words in order]
    assert places == sorted(places)
    assert "<i>" not in html
    assert html.count('aria-current="true"') == html.count("being answered") == 1
    assert 'data-version="7"' in html
    assert "56 left" in html


def test_an_empty_list_says_why() -> None:
    empty = Listing((), 0, 0)
    assert "No conversations yet." in listing_html(empty)
    assert "No conversation holds these words." in listing_html(empty, searched="x")
    assert "Deleted “PIT &amp; &lt;b&gt;co" in listing_html(empty, undo=TALK)
    assert "&lt;damaged&gt;" in listing_html(empty, trouble="<damaged>")
