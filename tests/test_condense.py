"""A question made to stand alone by a model: what is sent, and what of the reply is trusted."""

from __future__ import annotations

import pytest
from scripted_model import ScriptedModel

from assistant.answer import Turn
from assistant.condense import condensed
from assistant.models import Completion
from corpus.errors import ModelError

TALK = [Turn("user", "What is TileFlow?"), Turn("assistant", "TileFlow is a compiler, 5.9x faster than TVM.")]


def condense(reply: str | Completion, question: str = "Who wrote it?", known: str = "") -> str | None:
    return condensed(ScriptedModel([reply]), question, TALK, known)[0]


def test_the_model_sees_the_talk_and_the_question() -> None:
    model = ScriptedModel(["Who wrote TileFlow?"])
    long = [Turn("user", f"turn {n} " + "x" * 2_000) for n in range(9)]
    text, done = condensed(model, "Who\nwrote  it?", [*long, *TALK], "")
    assert (text, done.finish) == ("Who wrote TileFlow?", "stop")
    ((message,),) = model.calls
    assert message.role == "user"
    assert "Last question: Who wrote it?" in message.content
    assert "assistant: TileFlow is a compiler, 5.9x faster than TVM." in message.content
    assert "turn 4" not in message.content
    assert len(message.content) < 4_000


@pytest.mark.parametrize(
    "reply",
    [
        "Who wrote TileFlow?",
        "\n  Who wrote TileFlow?  \n",
        "Standalone question: Who wrote TileFlow?",
        "question: “Who wrote TileFlow?”".replace("“", '"').replace("”", '"'),
    ],
)
def test_a_plain_line_is_taken(reply: str) -> None:
    assert condense(reply) == "Who wrote TileFlow?"


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "  \n ",
        "?",
        "Who wrote TileFlow?\nThe authors are named in the abstract.",
        "Who wrote TileFlow " + "and why " * 80 + "?",
        "Who wrote FlashAttention?",
        "Who wrote TileFlow in 2019?",
        Completion("Who wrote TileFlow?", 1, 1, "length", 1),
    ],
)
def test_what_can_not_be_trusted_is_left(reply: str | Completion) -> None:
    assert condense(reply) is None


def test_names_of_the_question_and_of_the_last_answer_may_be_used() -> None:
    assert condense("Is Quokka like TileFlow?", "Is Quokka like it?") == "Is Quokka like TileFlow?"
    assert condense("Is MergeMoE like it?") is None
    assert condense("Is MergeMoE like it?", known="MergeMoE") == "Is MergeMoE like it?"


def test_a_fault_of_the_model_is_the_callers() -> None:
    with pytest.raises(ModelError):
        condensed(ScriptedModel([ModelError("gone", "timeout")]), "Who wrote it?", TALK, "")
