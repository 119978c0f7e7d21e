"""Answers being written: without the page that asked, stopped, refused, many at once, and not kept."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from browser import PIT, SCALER, ScriptedAssistant, ScriptedCollection, cite

from assistant.answer import Answer, Turn
from corpus.errors import InputError, ModelError
from ui.conversation import Conversation
from ui.talks import runs as runs_module
from ui.talks.kept import owner_of
from ui.talks.reopened import refreshed, reopened
from ui.talks.runs import Run, Runs
from ui.talks.store import Talks

ME = owner_of(None, "a" * 32)


def answered(question: str) -> Answer | Exception:
    if "fail" in question:
        return ModelError("The endpoint refused; check the key.")
    return cite(question, f"**PIT** reaches 5.9x [1]: {question}", [(PIT, "5.9x")])


class OfOne(Runs):
    """Runs that ask one assistant."""

    def __init__(self, assistant: ScriptedAssistant, talks: Talks) -> None:
        super().__init__(talks)
        self.assistant: Any = assistant

    def ask(self, owner: str, conversation: Conversation, question: str) -> Run | None:
        return self.begin(self.assistant, owner, conversation, question)


def choose(assistant: ScriptedAssistant) -> Any:
    """What gives this assistant, whichever collection is asked for."""
    return lambda name: assistant


def made(gate: threading.Event | None = None) -> tuple[ScriptedAssistant, Talks, OfOne]:
    assistant, talks = ScriptedAssistant(answered, gate=gate), Talks.passing()
    return assistant, talks, OfOne(assistant, talks)


def asked(runs: OfOne, question: str, conversation: Conversation | None = None, owner: str = ME) -> Run:
    run = runs.ask(owner, conversation or Conversation(), question)
    assert run is not None
    return run


def until(holds: Callable[[], object]) -> None:
    """Nothing, once it holds."""
    pause = threading.Event()
    for _ in range(6000):
        if holds():
            return
        pause.wait(0.01)
    raise AssertionError("it never came about")


def test_an_answer_is_kept_whoever_watches() -> None:
    assistant, talks, runs = made()
    run = asked(runs, "What speedup?")
    assert run.done.wait(60)
    conversation = reopened(choose(assistant), talks, ME, run.talk)
    assert conversation is not None
    (exchange,) = conversation.exchanges
    assert exchange == run.exchange
    assert exchange.answer is not None
    assert 'href="#source-1-1"' in exchange.html
    assert "<mark" in exchange.sources
    assert conversation.history()[0] == Turn("user", "What speedup?")


def test_a_stopped_answer_keeps_what_was_written() -> None:
    gate = threading.Event()
    assistant, talks, runs = made(gate)
    run = asked(runs, "What speedup?")
    until(lambda: run.exchange.text)
    assert talks.turns(ME, run.talk)[0].state == "running"
    assert runs.ask(ME, Conversation(id=run.talk), "Too early?") is None
    assert runs.stop(ME, run.talk) is run
    assert run.done.is_set()
    gate.set()
    (turn,) = talks.turns(ME, run.talk)
    assert turn.state == "stopped"
    assert turn.text.startswith("**PIT**")
    again = reopened(choose(assistant), talks, ME, run.talk)
    assert again is not None
    assert "Stopped." in again.html
    until(lambda: not any(thread.name == "run" for thread in threading.enumerate()))
    assert assistant.finished == []
    assert talks.turns(ME, run.talk) == (turn,)


def test_others_cannot_stop_or_see_it() -> None:
    gate = threading.Event()
    _, talks, runs = made(gate)
    run = asked(runs, "What speedup?")
    other = owner_of(None, "b" * 32)
    assert runs.of(other, run.talk) is None
    assert runs.stop(other, run.talk) is None
    gate.set()
    assert run.done.wait(60)
    assert talks.turns(ME, run.talk)[0].state == "answered"


def test_a_fault_is_kept_as_one_line() -> None:
    assistant, talks, runs = made()
    run = asked(runs, "please fail")
    assert run.done.wait(60)
    again = reopened(choose(assistant), talks, ME, run.talk)
    assert again is not None
    assert "The endpoint refused; check the key." in again.html
    assert again.history() == []


def test_more_than_can_be_written_at_once_are_all_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs_module, "AT_ONCE", 4)
    gate = threading.Event()
    assistant, talks, runs = made(gate)
    begun = [asked(runs, f"question {number}", owner=f"reader {number}") for number in range(20)]
    until(lambda: len(assistant.asked) == 4)
    waiting = begun[-1]
    runs.stop(waiting.owner, waiting.talk)
    gate.set()
    assert all(run.done.wait(60) for run in begun)
    for number, run in enumerate(begun[:-1]):
        (turn,) = talks.turns(f"reader {number}", run.talk)
        assert f"question {number}" in turn.text
    assert "question 19" not in [question for question, _ in assistant.asked]


def test_two_pages_of_a_conversation_lose_nothing() -> None:
    assistant, talks, runs = made()
    first = asked(runs, "first")
    assert first.done.wait(60)
    one = two = reopened(choose(assistant), talks, ME, first.talk)
    assert one is not None
    assert two is not None
    for question, page in (("by one", one), ("by two", two)):
        run = asked(runs, question, page)
        assert run.done.wait(60)
    assert [turn.question for turn in talks.turns(ME, first.talk)] == ["first", "by one", "by two"]
    assert [turn.number for turn in talks.turns(ME, first.talk)] == [1, 2, 3]
    seen = refreshed(choose(assistant), talks, ME, one)
    assert [exchange.question for exchange in seen.exchanges] == ["first", "by one", "by two"]


def test_what_cannot_be_kept_is_answered_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    _, talks, runs = made()

    def refuse(*_: object, **__: object) -> None:
        raise InputError("There are too many.")

    monkeypatch.setattr(talks, "begin", refuse)
    run = asked(runs, "What speedup?")
    assert run.done.wait(60)
    assert run.unkept == "There are too many."
    assert run.exchange.answer is not None
    nobody = asked(runs, "And nobody?", owner="")
    assert nobody.done.wait(60)
    assert "isn't kept" in nobody.unkept
    assert talks.listed("").total == 0


def test_a_paper_that_is_gone_or_changed_leaves_its_quotes() -> None:
    assistant, talks, runs = made()
    run = asked(runs, "What speedup?")
    assert run.done.wait(60)
    assistant.collection = ScriptedCollection("mine", [SCALER])
    gone = reopened(choose(assistant), talks, ME, run.talk)
    assistant.collection = ScriptedCollection("mine", [replace(PIT, abstract="Rewritten.")])
    changed = reopened(choose(assistant), talks, ME, run.talk)
    assert gone is not None
    assert changed is not None
    assert "no longer in the collection" in gone.sources
    assert "has changed since" in changed.sources
    for conversation in (gone, changed):
        assert ">5.9x</blockquote>" in conversation.sources


def test_each_answer_is_reopened_over_the_collection_that_was_asked() -> None:
    mine, talks, runs = made()
    other = ScriptedAssistant(answered, ScriptedCollection("other", [SCALER]))
    other.replies = lambda question: cite(question, "It is 3.5x faster [1].", [(SCALER, "3.5x")])
    first = asked(runs, "What speedup?")
    assert first.done.wait(60)
    runs.assistant = other
    second = runs.ask(ME, Conversation((first.exchange,), first.talk), "And here?")
    assert second is not None
    assert second.done.wait(60)
    by_name = {"": mine, "mine": mine, "other": other}

    def chosen(name: str) -> Any:
        if name not in by_name:
            raise InputError(f"There is no collection {name!r} any more.")
        return by_name[name]

    conversation = reopened(chosen, talks, ME, first.talk)
    assert conversation is not None
    assert [one.layout and one.layout.name for one in conversation.exchanges] == ["mine", "other"]
    assert SCALER.abstract[:40] in conversation.exchanges[1].sources
    del by_name["other"]
    conversation = reopened(chosen, talks, ME, first.talk)
    assert conversation is not None
    assert [one.layout and one.layout.name for one in conversation.exchanges] == ["mine", "mine"]
