"""A conversation: how an exchange grows, what is remembered, and how it fails."""

from __future__ import annotations

import logging

import pytest
from browser import PIT, ScriptedAssistant, cite

from assistant.answer import LONGEST_QUESTION, Answer, Turn
from corpus.errors import ModelError
from ui.conversation import Conversation, Exchange, refusal, respond, stopped


def answered(question: str) -> Answer:
    return cite(question, "**PIT** reaches 5.9x [1].", [(PIT, "5.9x")])


def test_an_exchange_starts_with_the_question_and_ends_with_links() -> None:
    grown = list(respond(ScriptedAssistant(answered), Conversation(), "What speedup?"))
    assert "What speedup?" in grown[0].html
    assert 'aria-busy="true"' in grown[0].html
    assert 'href="#source-1-1"' in grown[-1].html
    assert "<mark" in grown[-1].sources
    assert not grown[-1].failed


def test_the_history_holds_what_was_said() -> None:
    assistant, conversation = ScriptedAssistant(answered), Conversation()
    for question in ("first?", "second?"):
        conversation = conversation.plus(list(respond(assistant, conversation, question))[-1])
    said = [Turn("user", "first?"), Turn("assistant", "**PIT** reaches 5.9x [1].")]
    assert assistant.asked == [("first?", []), ("second?", said)]
    assert 'id="source-2-1"' in conversation.sources


def test_a_fault_that_a_person_can_mend_is_one_line_and_not_remembered() -> None:
    assistant = ScriptedAssistant(lambda _: ModelError("The endpoint 'x' refused; check the key."))
    last = list(respond(assistant, Conversation(), "q"))[-1]
    assert last.failed
    assert "The endpoint &#x27;x&#x27; refused; check the key." in last.html
    assert Conversation((last, Exchange(2, "q", text="Half an", failed=True))).history() == []


def test_a_fault_of_the_program_is_logged_and_its_words_are_not_shown(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.ERROR):
        last = list(respond(ScriptedAssistant(lambda _: KeyError("inner")), Conversation(), "q"))[-1]
    assert last.failed
    assert "inner" not in last.html
    assert caplog.records[0].exc_info is not None


def test_a_stopped_exchange_keeps_what_was_written() -> None:
    exchange = stopped(Exchange(1, "q", text="Half an **answer**"))
    assert "Half an <strong>answer</strong>" in exchange.html
    assert "Stopped." in exchange.html
    assert "aria-busy" not in exchange.html
    assert "Stopped." in stopped(Exchange(1, "q")).html


def test_a_long_conversation_stays_bounded() -> None:
    conversation = Conversation()
    for number in range(1, 201):
        conversation = conversation.plus(Exchange(number, "q", text="a"))
    assert conversation.next_turn == 201
    assert len(conversation.history()) == 100


def test_only_a_question_of_a_sensible_length_is_asked() -> None:
    assert refusal("q" * LONGEST_QUESTION) is None
    reason = refusal("q" * 1_000_000)
    assert reason is not None
    assert "1,000,000 characters" in reason
