"""Refusals: what the collection doesn't hold isn't answered, what it holds is."""

from __future__ import annotations

import pytest
from made import Library

from assistant.answer import Answer
from assistant.answerable import missing
from assistant.assistant import Assistant
from assistant.question import understand
from corpus.collection import open_collection
from corpus.embedder import LocalEmbedder


def refused(library: Library, question: str) -> Answer:
    answer = library.assistant.ask(question)
    assert answer.status == "not_found", answer.text
    return answer


ABSENT = [
    # facets of a named paper
    ("How many percent does MergeMoE lose?", "MergeMoE", "percentage"),
    ("What speedup does Lumen give on phones?", "Lumen", "speedup"),
    ("Is there a link to the code of Quokka?", "Quokka", "web address"),
    ("Which conference published Quokka?", "Quokka", "venue"),
    ("Who wrote MergeMoE?", "MergeMoE", "author"),
    # what is counted
    ("How many steps does TileFlow take?", "TileFlow", "steps"),
    ("How many languages does Quokka support?", "Quokka", "languages"),
    # what is asked for by name
    ("What MFU does TileFlow reach?", "TileFlow", "MFU"),
    ("What perplexity does RouteWise have?", "RouteWise", "perplexity"),
    # names that no abstract holds
    ("What speedup does HyperGraphX reach?", "HyperGraphX", ""),
    ("Does TileFlow beat GizmoNet?", "GizmoNet", ""),
    ("How many GPUs does Quokka need on FluxCluster9?", "Quokka", "FluxCluster9"),
    # nothing at all
    ("What is the capital of France?", "", ""),
    ("qwrtz plmokn", "", ""),
]


@pytest.mark.parametrize(("question", "name", "lacking"), ABSENT)
def test_what_is_not_there_is_refused(library: Library, question: str, name: str, lacking: str) -> None:
    first = refused(library, question).text.split("\n\n")[0]
    assert name in first
    assert lacking in first


HELD = [
    ("How many steps does Quokka wait between checkpoints?", "quokka", "30"),
    ("What MFU does Quokka reach?", "quokka", "41%"),
    ("what mfu does quokka keep", "quokka", "41%"),
    ("What speedup does TileFlow reach over TVM?", "tileflow", "5.9x"),
    ("By how many percent does Lumen cut latency?", "lumen-server", "63%"),
    ("How many parameters do the models of RouteWise have?", "routewise", "7B"),
    ("How many machines does Quokka write to?", "quokka", "neighbouring machines"),
    ("How long does recovery take with Quokka?", "quokka", "9"),
    ("How many hours of speech were collected?", "speech", "1,200"),
    ("In which year was TileFlow published?", "tileflow", "2023"),
    ("Which venue published TileFlow?", "tileflow", "Made-up Systems"),
    ("How do bees find their way home?", "bees", "landmarks"),
    ("Is Ferrite faster than TileFlow?", "ferrite", "1.8x"),
]


@pytest.mark.parametrize(("question", "paper", "said"), HELD)
def test_what_is_there_is_answered(library: Library, question: str, paper: str, said: str) -> None:
    answer = library.assistant.ask(question)
    assert answer.status == "answered", answer.text
    assert said in answer.text.replace("*", "")
    assert paper in [citation.paper_id for citation in answer.citations]


def test_a_refusal_says_what_the_named_paper_does_say(library: Library) -> None:
    answer = refused(library, "What MFU does TileFlow reach?")
    assert [citation.paper_id for citation in answer.citations] == ["tileflow"]
    assert answer.sentences
    assert "tileflow" not in [paper.paper_id for paper in answer.related]


def test_an_empty_collection_refuses_everything(tmp_path_factory: pytest.TempPathFactory) -> None:
    embedder = LocalEmbedder()
    empty = open_collection(tmp_path_factory.mktemp("empty"), "none", embedder)
    answer = Assistant(empty, embedder).ask("How do bees find their way home?")
    assert (answer.status, answer.citations, answer.retrieved) == ("not_found", (), ())
    assert answer.text


def test_nothing_is_missing_from_what_is_held(library: Library) -> None:
    for text in ("What speedup does TileFlow reach?", "Compare TileFlow and Ferrite"):
        question = understand(text, (), library.collection)
        retrieval = library.retriever.retrieve(question.query, boosts=question.boosts)
        papers = library.collection.papers(retrieval.ids)
        assert missing(question, retrieval, papers, library.collection) is None
    lack = missing(question, retrieval, [], library.collection)
    assert lack is not None
    assert lack.about is None
