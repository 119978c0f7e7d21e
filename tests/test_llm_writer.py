"""Answers of a scripted language model: what it is asked, and what becomes of what it says."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from contract import check_contract
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from made import Library
from scripted_model import Reply, ScriptedModel

from assistant import models
from assistant.answer import Answer, Notice, Turn
from assistant.assistant import Assistant
from assistant.choices import Choices
from assistant.config import Settings
from assistant.markers import Renumbering
from assistant.unspoken import SENTINEL, Unspoken, spoken
from corpus.embedder import LocalEmbedder
from corpus.errors import ModelError
from ui.conversation import Conversation, respond

SPEED = "What speedup does TileFlow reach over TVM?"
SAYS = "TileFlow runs sparse inference 5.9x faster than TVM [1]."
FALSE = "TileFlow runs sparse inference 8.8x faster than TVM [1]."


@pytest.fixture
def over(library: Library, embedder: LocalEmbedder, monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
    """What makes an assistant over the made-up library with a model."""
    settings = Settings(Path("/nowhere"), "made", "openai:scripted", "local", None, trace=False, repair=False)

    def make(model: ScriptedModel, **changes: object) -> Assistant:
        monkeypatch.setattr(models, "open_model", lambda _: model)
        return Assistant(library.collection, embedder, settings=replace(settings, **changes))

    return make


def _model(*replies: Reply, **limits: int) -> ScriptedModel:
    return ScriptedModel(list(replies), name="openai:gpt-4o-mini", **limits)


def _ask(over, *replies: Reply, question: str = SPEED, **changes) -> tuple[Answer, ScriptedModel]:
    model = _model(*replies)
    return over(model, **changes).ask(question), model


def _pieces(assistant: Assistant, question: str = SPEED) -> tuple[list[str], Answer]:
    *pieces, last = assistant.stream(question)
    assert isinstance(last, Answer)
    return [piece for piece in pieces if isinstance(piece, str)], last


def _sources(prompt: str) -> list[str]:
    return re.findall(r"^\[\d+\] .*$", prompt, re.M)


def test_the_prompt_holds_numbered_sources_with_labels(over, library: Library) -> None:
    answer, model = _ask(over, SAYS)
    [prompt] = model.prompts
    sources = _sources(prompt)
    assert [int(one[1 : one.index("]")]) for one in sources] == [1, 2, 3, 4, 5, 6]
    abstract = library.collection.papers(["tileflow"])[0].abstract
    assert sources[0] == f"[1] TileFlow: {abstract}"
    assert prompt.endswith(f"Question: {SPEED}")
    assert SENTINEL in prompt
    assert (answer.model, answer.usage.llm_calls) == ("openai:gpt-4o-mini", 1)
    assert answer.prompt_hash
    check_contract(answer, library.collection)


def test_whole_sources_are_left_out_from_the_last(over) -> None:
    whole = _sources(_ask(over, SAYS)[1].prompts[0])
    seen = set()
    for window in range(400, 800, 20):
        model = _model(SAYS, context_window=window)
        assert over(model).ask(SPEED).status == "answered"
        sources = _sources(model.prompts[0])
        assert sources == whole[: len(sources)] != []
        assert len(sources) == 1 or len(model.prompts[0].split()) + 200 <= window
        seen.add(len(sources))
    assert len(seen) > 3


def test_a_source_that_was_left_out_cannot_be_cited(over) -> None:
    model = _model("Lumen gains 1.7 dB [2]. " + SAYS, context_window=380)
    pieces, answer = _pieces(over(model))
    assert len(_sources(model.prompts[0])) == 1
    assert "[2]" not in "".join(pieces)
    assert [one.paper_id for one in answer.citations] == ["tileflow"]
    assert answer.sentences[0].support == "unsupported"


@pytest.mark.parametrize(
    "reply",
    [
        SENTINEL,
        f"{SENTINEL}.",
        f"  **{SENTINEL}**\n",
        "NOT\\_IN\\_SOURCES",
        SENTINEL.lower(),
        f"{SENTINEL}\n\nNone of the sources gives the height of the Eiffel tower.",
        f"The height of the tower is given nowhere: {SENTINEL}",
        f"<think>Hm, {SENTINEL}?</think>{SENTINEL}",
    ],
)
def test_what_the_sources_do_not_hold_is_not_found(over, library: Library, reply: str) -> None:
    pieces, answer = _pieces(over(_model(list(reply))))
    assert answer.status == "not_found"
    assert answer.related
    assert answer.citations == ()
    shown = "".join(pieces)
    assert shown.strip() == "" or reply.startswith(shown.rstrip("*_ "))
    assert not re.search(r"not\W?_in|eiffel|hm", shown + answer.text, re.I)
    assert (answer.model, answer.usage.llm_calls) == ("openai:gpt-4o-mini", 1)
    check_contract(answer, library.collection)


def test_an_answer_beside_the_sentinel_stays(over) -> None:
    answer, _ = _ask(over, f"{SAYS} {SENTINEL}")
    assert (answer.status, len(answer.sentences)) == ("answered", 1)


REPLIES = [
    f"It is fast [3]. {SAYS}",
    f"{SENTINEL}",
    f"A. {SENTINEL} B [2, 99][3].",
    "<think>a [1] b</think>\n\nYes [4]; no [99], [4][2] and [1-3].",
    "**Bold** words_with_lines, NOT_IN and <thin> [5].",
    "a <think> tag is text [1]",
    "<think>never ends [1]",
]


@pytest.mark.parametrize("reply", REPLIES)
def test_nothing_is_shown_in_halves_wherever_a_reply_is_split(reply: str) -> None:
    def shown(pieces: list[str]) -> list[str]:
        unspoken, renumbering = Unspoken(), Renumbering([1, 2, 3, 4, 5])
        found = [renumbering.feed(unspoken.feed(piece)) for piece in pieces]
        return [*found, renumbering.feed(unspoken.rest()) + renumbering.rest()]

    whole = "".join(shown([reply]))
    assert SENTINEL not in whole
    assert "[99]" not in whole
    assert "never" not in whole
    for first in range(len(reply)):
        for second in range(first, len(reply), 3):
            pieces = shown([reply[:first], reply[first:second], reply[second:]])
            assert "".join(pieces) == whole
            assert not any(re.search(r"\[\d*$|^\d+\]", piece) for piece in pieces)
    assert "".join(shown(list(reply))) == whole


def test_markers_are_renumbered_and_unknown_ones_gone(over, library: Library) -> None:
    first = _model(SAYS)
    over(first).ask(SPEED)
    labels = [re.sub(r"^\[\d+\] ([^:]*):.*", r"\1", one) for one in _sources(first.prompts[0])]
    ferrite = labels.index("Ferrite") + 1
    reply = (
        f"Ferrite is 1.8x faster than TileFlow [{ferrite}][77]. {SAYS} TileFlow needs no preprocessing [55]."
    )
    pieces, answer = _pieces(over(_model([reply[:37], reply[37:]])))
    assert [one.label for one in answer.citations] == ["Ferrite", "TileFlow"]
    assert [[mark.marker for mark in one.citations] for one in answer.sentences] == [[1], [2], [2]]
    assert "".join(pieces).startswith("Ferrite is 1.8x faster than TileFlow [1]. TileFlow runs")
    assert "77" not in "".join(pieces) + answer.text
    check_contract(answer, library.collection)


def test_a_sentence_that_a_source_says_gets_its_marker(over, library: Library) -> None:
    answer, _ = _ask(over, "TileFlow runs sparse inference 5.9x faster than TVM.")
    assert answer.citations[0].paper_id == "tileflow"
    assert answer.citations[0].quotes[0].text.startswith("TileFlow runs sparse inference 5.9x")
    assert answer.sentences[0].support in ("verbatim", "supported")
    check_contract(answer, library.collection)


def test_what_is_not_supported_is_shown_with_its_reason(over, library: Library) -> None:
    answer, model = _ask(over, f"{SAYS} {FALSE}")
    assert [one.support == "unsupported" for one in answer.sentences] == [False, True]
    assert "8.8" in answer.sentences[1].text in answer.text
    assert any("8.8" in reason for reason in answer.sentences[1].reasons)
    assert len(model.prompts) == 1
    check_contract(answer, library.collection)


def test_what_is_not_supported_is_dropped_where_the_setting_says_so(over, library: Library) -> None:
    answer, _ = _ask(over, f"{SAYS} {FALSE}", unsupported="drop")
    assert len(answer.sentences) == 1
    assert "8.8" not in answer.text
    check_contract(answer, library.collection)
    answer, _ = _ask(over, FALSE, unsupported="drop")
    assert "nothing of what it wrote stands in the abstracts" in (answer.error or "")
    assert "5.9x" in answer.text
    assert (answer.usage.llm_calls, answer.model) == (1, None)
    check_contract(answer, library.collection)


def test_an_answer_that_nothing_backs_gives_way_to_quotes(over, library: Library) -> None:
    pieces, answer = _pieces(over(_model("The moon is made of green cheese.")))
    assert pieces == ["The moon is made of green cheese."]
    assert "cheese" not in answer.text
    assert answer.error
    assert answer.citations[0].paper_id == "tileflow"
    check_contract(answer, library.collection)


def test_a_false_sentence_is_repaired_once(over, library: Library) -> None:
    answer, model = _ask(over, f"{SAYS} {FALSE}", f"1: {SAYS}", repair=True)
    assert len(model.prompts) == 2
    assert "1: TileFlow runs sparse inference 8.8x faster than TVM. [1]" in model.prompts[1]
    assert {one.support for one in answer.sentences} <= {"verbatim", "supported"}
    assert "8.8" not in answer.text
    assert answer.usage.llm_calls == 2
    assert answer.usage.completion_tokens == len(f"{SAYS} {FALSE} 1: {SAYS}".split())
    assert answer.usage.prompt_tokens == sum(len(prompt.split()) for prompt in model.prompts)
    assert answer.usage.cost_usd
    assert answer.usage.cost_usd > 0
    check_contract(answer, library.collection)


@pytest.mark.parametrize(
    "repair",
    [
        "1: " + FALSE,
        "1: " + SENTINEL,
        "2: " + SAYS,
        "0: " + SAYS,
        "²: " + SAYS,
        "1" * 5000 + ": " + SAYS,
        "1: In summary:",
        f"1: {SAYS} {FALSE}",
        "I can't do that.",
        ModelError("it is tired; try again later", "server"),
    ],
)
def test_a_repair_that_mends_nothing_changes_nothing(over, library: Library, repair: Reply) -> None:
    answer, model = _ask(over, f"{SAYS} {FALSE}", repair, repair=True)
    assert len(model.prompts) == 2
    assert [one.support == "unsupported" for one in answer.sentences] == [False, True]
    assert "8.8" in answer.text
    check_contract(answer, library.collection)


@pytest.mark.parametrize("repair", [True, False])
def test_nothing_is_repaired_that_needs_none(over, repair: bool) -> None:
    answer, model = _ask(over, SAYS, repair=repair)
    assert len(model.prompts) == answer.usage.llm_calls == 1


@pytest.mark.parametrize(
    "reply", [f"<think>Is it 8.8x? [2]</think>\n{SAYS}", f"8.8x? Hm.\n</think>\n\n{SAYS}"]
)
def test_a_thought_is_never_part_of_an_answer(over, reply: str) -> None:
    answer, _ = _ask(over, reply)
    assert "8.8" not in answer.text
    assert "think" not in answer.text
    assert len(answer.sentences) == 1


def test_a_thought_that_does_not_end_is_no_answer(over, library: Library) -> None:
    pieces, answer = _pieces(over(_model("<think>", "It says ", SAYS)))
    assert pieces == []
    assert "raise ASSISTANT_MAX_OUTPUT" in (answer.error or "")
    check_contract(answer, library.collection)


@hypothesis_settings(deadline=None)
@given(st.text(alphabet="<thinkTHINK_NOSURCE/>*`\\ \n[1]", max_size=60), st.data())
def test_any_text_comes_out_the_same_in_pieces(text: str, data: st.DataObject) -> None:
    text = text.replace("t", "<think>").replace("S", SENTINEL).replace("/", "</think>")
    whole, pieces = Unspoken(), Unspoken()
    expected = whole.feed(text) + whole.rest()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    parts = [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    assert "".join(pieces.feed(part) for part in parts) + pieces.rest() == expected
    assert SENTINEL not in expected
    assert SENTINEL not in spoken(text)[0]


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        (
            "Compare TileFlow and Ferrite: how fast are they?",
            f"{SAYS} Ferrite is 1.8x faster than TileFlow [2].",
        ),
        ("Which paper reports the largest speedup?", "FoldFast is 60 times faster than earlier predictors."),
    ],
)
def test_the_table_of_quotes_stays_below_the_text(over, library: Library, question: str, reply: str) -> None:
    quotes = library.assistant.ask(question)
    answer, _ = _ask(over, reply, question=question)
    assert answer.error is None
    assert answer.table
    assert quotes.table
    assert answer.table.columns == quotes.table.columns
    assert [row.aspect for row in answer.table.rows] == [row.aspect for row in quotes.table.rows]
    assert answer.text.index(reply[:8]) == 0 < answer.text.index("| |")
    check_contract(answer, library.collection)


def test_a_side_that_is_not_here_is_still_said(over, library: Library) -> None:
    answer, _ = _ask(over, SAYS, question="Compare TileFlow and HyperGraphX")
    assert "HyperGraphX" in answer.text.partition("\n")[0]
    assert SAYS[:30] in answer.text
    check_contract(answer, library.collection)


@pytest.mark.parametrize(
    "question",
    ["Who wrote TileFlow?", "In which year was TileFlow published?", "What is the capital of France?"],
)
def test_what_no_abstract_can_say_costs_no_call(over, library: Library, question: str) -> None:
    answer, model = _ask(over, SENTINEL, question=question)
    assert model.prompts == []
    assert answer.usage.llm_calls == 0
    assert answer.text == library.assistant.ask(question).text


def test_a_follow_up_is_first_made_to_stand_alone(over, library: Library) -> None:
    model = _model("How many GPUs does Quokka use?", "Quokka runs on 256 GPUs [1].")
    history = [Turn("user", "How does Quokka recover?"), Turn("assistant", "In 9 seconds [1].")]
    answer = over(model).ask("And how many GPUs did it use?", history=history)
    assert answer.standalone_question == "How many GPUs does Quokka use?"
    assert answer.question == "And how many GPUs did it use?"
    assert [one.paper_id for one in answer.citations] == ["quokka"]
    assert (answer.usage.llm_calls, answer.usage.completion_tokens) == (2, 12)
    assert "How does Quokka recover?" in model.prompts[0]
    assert "recover?" not in model.prompts[1]
    check_contract(answer, library.collection)


def test_a_call_that_was_paid_for_is_counted_where_the_next_fails(over, library: Library) -> None:
    model = _model("How many GPUs does Quokka use?", ModelError("it fell over; ask again", "server"))
    history = [Turn("user", "How does Quokka recover?")]
    answer = over(model).ask("And how many GPUs did it use?", history=history)
    assert answer.usage.llm_calls == 1
    assert answer.error == (
        "The language model didn't answer: it fell over; ask again. These are the abstracts' own words."
    )
    assert "256" in answer.text
    check_contract(answer, library.collection)


@pytest.mark.parametrize("reply", [SAYS, SENTINEL, ModelError("no; wait", "server")])
def test_the_chat_ends_with_the_checked_answer(over, reply: Reply) -> None:
    shown = list(respond(over(_model(reply)), Conversation(), SPEED))
    assert 'class="answer writing"' not in shown[-1].html
    assert not shown[-1].failed
    assert 'href="#' in shown[-1].html


def test_a_stopped_answer_raises_and_says_so(over) -> None:
    stop = threading.Event()
    pieces = over(_model(["TileFlow ", "is ", "fast."])).stream(SPEED, stop=stop)
    stop.set()
    with pytest.raises(ModelError, match="stopped"):
        list(pieces)


def test_closing_an_assistant_closes_its_model(over) -> None:
    model = _model(SAYS)
    assistant = over(model)
    assert model.closed == 0
    assistant.ask(SPEED)
    assistant.close()
    assistant.close()
    assert model.closed == 1


def test_notices_are_no_part_of_the_text(over) -> None:
    assert not [one for one in over(_model(SAYS)).stream(SPEED) if isinstance(one, Notice)]


def test_one_readers_choices_are_kept_to_and_touch_no_other(over, library: Library) -> None:
    model = _model(f"{SAYS} {FALSE}", f"{SAYS} {FALSE}", SAYS)
    assistant = over(model)
    quotes = assistant.ask(SPEED, choices=Choices(model=False))
    assert quotes.model is None
    assert quotes.text == library.assistant.ask(SPEED).text
    assert model.calls == []
    dropped = assistant.ask(SPEED, choices=Choices(unsupported="drop"))
    shown = assistant.ask(SPEED)
    assert "8.8x" not in dropped.text
    assert "8.8x" in shown.text
    assistant.ask(SPEED, choices=Choices(sources=2))
    listed = [re.findall(r"^\[(\d+)\]", prompt, re.M) for prompt in model.prompts]
    assert [len(one) for one in listed] == [6, 6, 2]
