"""Questions understood: kind, names, authors, and what leans on the talk before."""

from __future__ import annotations

from dataclasses import replace

import pytest
from made import Library

from assistant.answer import Kind, Turn
from assistant.question import NAMED, Question, understand


def ask(library: Library, text: str, *before: str) -> Question:
    return understand(text, [Turn("user", one) for one in before], library.collection)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Which paper merges micro-tiles?", "lookup"),
        ("Who built a scheduler for serverless functions?", "lookup"),
        ("What speedup does TileFlow reach over TVM?", "number"),
        ("How many bees were tracked?", "number"),
        ("By how much does RouteWise lower dropped tokens?", "number"),
        ("How does Quokka save checkpoints?", "explain"),
        ("Why do gradients explode?", "explain"),
        ("What is TileFlow?", "explain"),
        ("Compare TileFlow and Ferrite", "compare"),
        ("TileFlow vs Ferrite", "compare"),
        ("Which papers are about mixture of experts?", "list"),
        ("How many papers are about mixture of experts?", "aggregate"),
    ],
)
def test_kinds(library: Library, text: str, kind: Kind) -> None:
    assert ask(library, text).kind == kind


@pytest.mark.parametrize(
    ("text", "papers"),
    [
        ("What does TileFlow merge?", {"tileflow"}),
        ("what does quokka write", {"quokka"}),
        ("what does Tile-Flow merge?", {"tileflow"}),
        ("TileFlow's speed?", {"tileflow"}),
        ("How does Nexo shard?", {"nexo"}),
        ("How does Nexo++ quantize?", {"nexo-plus"}),
        ("How fast is Lumen?", {"lumen-camera", "lumen-server"}),
        ("What is PLAIN?", {"plain"}),
        ("Is the plain code slower?", set()),
        ("How does QUOKKA recover?", {"quokka"}),
        ("Are Mixtures mixed?", set()),
        ("What about the beekeeping records of the northern valleys?", {"bare"}),
    ],
)
def test_named_papers(library: Library, text: str, papers: set[str]) -> None:
    question = ask(library, text)
    assert {one for name in question.named for one in name.paper_ids} == papers


def test_a_named_paper_outranks_everything(library: Library) -> None:
    question = ask(library, "What does TileFlow have to do with bees, rivers and honey?")
    assert question.boosts["tileflow"] >= NAMED
    found = library.retriever.retrieve(question.query, boosts=question.boosts)
    assert found.ids[0] == "tileflow"


@pytest.mark.parametrize(
    "text",
    [
        "How fast is Ferrite over TileFlow?",
        "Is Ferrite faster than TileFlow?",
        "What does Ferrite gain against TileFlow?",
        "How much faster is Ferrite compared to TileFlow?",
    ],
)
def test_what_is_measured_against_is_no_subject(library: Library, text: str) -> None:
    question = ask(library, text)
    if question.kind == "compare":
        question = replace(question, kind="number")
    assert [name.text for name in question.subjects] == ["Ferrite"]
    assert question.boosts["ferrite"] > question.boosts["tileflow"] > 0


@pytest.mark.parametrize(
    ("text", "papers"),
    [
        ("What did Ada Moreau write?", {"tileflow", "quokka"}),
        ("Anything by Moreau?", {"tileflow", "quokka"}),
        ("papers by Okafor and Duarte", {"bees", "mfu", "recommender"}),
        ("What did ada see?", set()),
        ("What comes from Lakeside-Lab?", {"tileflow"}),
    ],
)
def test_authors_and_organisations(library: Library, text: str, papers: set[str]) -> None:
    question = ask(library, text)
    assert {one for name in question.credits for one in name.paper_ids} == papers


def test_unknown_names_are_told_from_words_and_mentions(library: Library) -> None:
    assert ask(library, "What speedup does HyperGraphX reach?").unknown == ("HyperGraphX",)
    assert ask(library, "Does TileFlow beat GizmoNet?").unknown == ("GizmoNet",)
    assert ask(library, "Does TileFlow beat TVM?").mentioned == ("TVM",)
    for text in ("What does TileFlow merge?", "Which bees fly?", "how many gpus, 8 or 16?", "Why?"):
        assert ask(library, text).unknown == ()


def test_a_follow_up_leans_on_the_talk(library: Library) -> None:
    question = ask(library, "And how many GPUs did it use?", "How does Quokka recover?")
    assert question.leans
    assert [one for name in question.recalled for one in name.paper_ids] == ["quokka"]
    assert "Quokka" in question.query
    assert question.boosts["quokka"] > 0


def test_the_latest_name_counts(library: Library) -> None:
    question = ask(library, "How fast is it?", "How does Quokka recover?", "What is TileFlow?")
    assert [one for name in question.recalled for one in name.paper_ids] == ["tileflow"]


@pytest.mark.parametrize(
    "text",
    [
        "What share of dropped tokens does RouteWise leave after balancing?",
        "Different topic: which insects were tracked by radar over kilometres?",
    ],
)
def test_a_question_of_its_own_does_not_lean(library: Library, text: str) -> None:
    question = ask(library, text, "How does Quokka recover?")
    assert not question.leans
    assert "quokka" not in question.boosts
    assert "Quokka" not in question.query


def test_what_the_assistant_said_is_no_question(library: Library) -> None:
    history = [Turn("user", "How does Quokka recover?"), Turn("assistant", "Like TileFlow.")]
    question = understand("And how many GPUs did it use?", history, library.collection)
    assert "TileFlow" not in question.query
    assert "tileflow" not in question.boosts


@pytest.mark.parametrize("text", ["?", "...", "   x   ", "a" * 5000, "[1] ** | `", "\u202e⚡", "Who?"])
def test_odd_questions_are_understood_as_something(library: Library, text: str) -> None:
    question = ask(library, text)
    assert question.text == text
    assert ask(library, text, "How does Quokka recover?").text == text
