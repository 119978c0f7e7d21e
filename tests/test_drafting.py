"""Drafted questions: what is taken from sentences, and how it is chosen."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from made import Library

from assistant.drafting.absent import lacking
from assistant.drafting.choice import SHARES, Drafted, draft_cases
from assistant.drafting.explanations import explanations, plain_explanations
from assistant.drafting.lookups import described, question_for
from assistant.drafting.material import Material
from assistant.drafting.numbers import must_of, numbered
from assistant.drafting.wording import article, base_form
from assistant.evaluation.drafts import as_lines, write_drafts
from assistant.evaluation.metrics import must_part
from assistant.evaluation.testset import read_testset
from assistant.figures import figures_of
from corpus.builtin import open_builtin
from corpus.collection import Collection
from corpus.errors import InputError
from corpus.papers import Paper
from corpus.sentences import sentence_spans


@pytest.fixture(scope="module")
def builtin(tmp_path_factory: pytest.TempPathFactory) -> Collection:
    return open_builtin(tmp_path_factory.mktemp("home"))


@pytest.fixture(scope="module")
def drafted(builtin: Collection) -> Drafted:
    return draft_cases(builtin, 50)


def material(text: str, label: str = "Nimbus", *roles: str, title: str | None = None) -> Material:
    """A paper's material; sentences past the last role have that role."""
    sentences = tuple(text[start:end] for start, end in sentence_spans(text))
    given = [*roles, *[roles[-1]] * len(sentences)] if roles else ["result"] * len(sentences)
    paper = Paper(id=f"p-{label}", label=label, abstract=text, title=title)
    return Material(paper, sentences, tuple(given[: len(sentences)]))  # type: ignore[arg-type]


def questions(text: str, label: str = "Nimbus") -> list[str]:
    return [one.question for one in numbered(material(text, label), ["Rival", "Other Net"])]


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Nimbus is 2.4x faster than TVM.", ["How much faster is Nimbus than TVM?"]),
        ("Nimbus reaches a speedup of 3x.", ["What speedup does Nimbus reach?"]),
        (
            "Nimbus is up to 5.9x faster than TVM and 2.4x faster on average.",
            ["How much faster is Nimbus at best than TVM?", "How much faster is Nimbus on average than TVM?"],
        ),
        ("Nimbus reduces memory use by 43%.", ["By how much does Nimbus cut memory use?"]),
        ("Nimbus reaches 81.3% accuracy on ImageNet.", ["What accuracy does Nimbus reach on ImageNet?"]),
        ("Experiments on 17 datasets show it ahead.", ["On how many datasets is Nimbus evaluated?"]),
        ("It outperforms the dense ViT by 3.4%.", ["By how much does Nimbus outperform the dense ViT?"]),
        # Somebody else's figure, or nobody's.
        ("Rival reaches 81.3% accuracy on ImageNet.", []),
        ("Existing systems reach 81.3% accuracy on ImageNet.", []),
        ("Nimbus beats the baseline at 70% accuracy with such as 75% sparsity.", []),
        # Two figures that one question would mean.
        ("Nimbus is 2.4x faster in training. Nimbus is 3.1x faster in inference.", []),
        ("On dozens of datasets, experiments show it ahead.", []),
        (
            "On LLaMA-7B at 70% sparsity, Nimbus reaches 81% accuracy on ImageNet.",
            ["What accuracy does Nimbus reach on ImageNet?"],
        ),
        ("Nimbus reaches 70% sparsity.", ["What sparsity does Nimbus reach?"]),
    ],
)
def test_figures_are_asked_for(text: str, asked: list[str]) -> None:
    assert questions(f"{text} We call it Nimbus.") == asked


def test_a_paper_without_a_name_is_asked_for_no_figure() -> None:
    text = "It is 2.4x faster than TVM."
    assert questions(text, label="It is 2.4x faster than TVM.") == []
    assert questions(f"Nimbus models. {text}", label="Nimbus models") == []
    assert questions(f"The Nimbus tree. {text}", label="Nimbus tree") == [
        "How much faster is the Nimbus tree than TVM?"
    ]


@pytest.mark.parametrize(
    ("sentence", "holds", "lacks"),
    [
        ("It is 5.9x faster.", ["5.9x", "5.9 times", "a factor of 5.9", "5.9-fold"], ["59x", "5x"]),
        ("It saves 43% of memory.", ["43 %", "43%", "43 percent"], ["34%"]),
        ("It uses 12 GB of memory.", ["12 GB", "12GB"], ["1 GB"]),
        ("It is 13x - 42x faster.", ["from 13 to 42 times"], ["13x", "42x"]),
        ("Memory halves.", ["memory halves"], ["memory"]),
        ("It is three orders of magnitude faster.", ["three orders of magnitude"], ["3x"]),
        ("Perplexity changes by -0.4 perplexity.", ["0.4", "-0.4"], ["0.5"]),
    ],
)
def test_must_is_the_figure_in_its_ways_of_writing(sentence: str, holds: list[str], lacks: list[str]) -> None:
    figure = figures_of(sentence)[0]
    must = must_of(figure, sentence[figure.start : figure.end])
    assert [must_part(must, text) for text in holds] == [1.0] * len(holds)
    assert all(must_part(must, text) < 1.0 for text in lacks)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (
            "We propose Nimbus, a novel router that balances the load of experts with one bias.",
            "a router that balances the load of experts with one bias",
        ),
        (
            "Nimbus is an efficient allocator (GPU) that plans memory ahead from one trace, so it runs.",
            "an allocator that plans memory ahead from one trace",
        ),
        (
            "We present a compiler that merges scattered tiles while models run, called Nimbus.",
            "a compiler that merges scattered tiles while models run",
        ),
        (
            "Nimbus writes whole checkpoints to the memory of neighbouring machines.",
            "writes whole checkpoints to the memory of neighbouring machines",
        ),
        (
            "We introduce a simple but effective method to train large language models asynchronously.",
            "a method to train large language models asynchronously",
        ),
        # It leans on the sentence before, gives the name away, or says too little.
        ("Nimbus is a compiler for such dynamic sparsity in deep models.", None),
        ("Nimbus is a Nimbus-style compiler that merges scattered tiles of models.", None),
        ("Nimbus is a fast method.", None),
        ("Nimbus reaches the best accuracy of all methods on many data sets.", None),
    ],
)
def test_what_a_paper_proposes_is_taken_without_its_name(text: str, what: str | None) -> None:
    found = list(described(material(text, "Nimbus", "approach")))
    assert [one.what for one in found] == ([what] if what else [])
    for one in found:
        for choice in range(4):
            question = question_for(one, choice)
            assert what is not None
            assert what in question
            assert "Nimbus" not in question
            assert question.endswith("?")


def test_how_a_system_works_is_asked_for() -> None:
    text = "Training is costly. Nimbus is a planner. It reduces network traffic by compressing gradients."
    one = material(text, "Nimbus", "problem", "approach")
    assert list(explanations(one, None)) == [("How does Nimbus reduce network traffic?", one.sentences[2])]
    assert dict(plain_explanations(one)) == {
        "How does Nimbus work?": one.sentences[1],
        "What is the idea behind Nimbus?": one.sentences[1],
        "What problem does Nimbus address?": one.sentences[0],
    }
    leaning = material(
        "Training is costly. Nimbus addresses this challenge.", "Nimbus", "problem", "approach"
    )
    assert list(plain_explanations(leaning)) == []


def test_a_figure_that_only_neighbours_give_is_not_answerable() -> None:
    lacks = material("Nimbus is a new optimizer for tables.", "Nimbus", "approach")
    near = [material(f"{name} cuts energy use by {n}%.", name) for name, n in (("Alto", 30), ("Cirrus", 40))]
    [found] = lacking(lacks, lambda: near)
    assert found.question == "By how much does Nimbus cut energy use?"
    assert found.sentence == "Alto cuts energy use by 30%."
    assert "Alto and Cirrus" in found.note
    assert lacking(lacks, lambda: near[:1]) == []
    # The abstract speaks of energy, or has a figure of a kind that nobody knows.
    for more in ("It saves energy.", "It gives 40%."):
        assert lacking(material(f"Nimbus is a new optimizer. {more}", "Nimbus"), lambda: near) == []


@pytest.mark.parametrize(
    ("verb", "base"),
    [
        ("reduces", "reduce"),
        ("applies", "apply"),
        ("compresses", "compress"),
        ("does", "do"),
        ("searches", "search"),
    ],
)
def test_verbs_lose_their_ending(verb: str, base: str) -> None:
    assert base_form(verb) == base


def test_articles_follow_the_sound() -> None:
    words = ("router", "allocator", "unified way", "LLM", "GPU kernel")
    assert [article(one) for one in words] == ["a", "an", "a", "an", "a"]


def test_drafts_are_spread_over_papers_and_kinds(drafted: Drafted) -> None:
    drafts = drafted.drafts
    assert Counter(one.type for one in drafts) == {k: round(share * 50) for k, share in SHARES.items()}
    assert len({one.question for one in drafts}) == len({one.id for one in drafts}) == 50
    assert max(Counter(paper for one in drafts for paper in one.gold).values()) == 1
    assert drafted.notices == ()


def test_drafts_say_where_they_come_from(drafted: Drafted, builtin: Collection) -> None:
    papers = {paper.id: paper for paper in builtin.papers()}
    for one in drafted.drafts:
        assert re.fullmatch(r"[A-Z][^\n{}]*\?", one.question)
        assert "  " not in one.question
        if one.type == "unanswerable":
            assert not one.gold
            assert one.note
            assert any(one.source in (paper.abstract or "") for paper in papers.values())
            continue
        [gold] = one.gold
        assert one.source in (papers[gold].abstract or "")
        if one.type == "number":
            assert must_part(one.must, one.source) == 1.0
            assert must_part(one.must, one.question) < 1.0
        if one.type == "lookup":
            assert all(variant not in one.question for entry in one.must for variant in entry)


def test_the_same_seed_drafts_the_same(drafted: Drafted, builtin: Collection) -> None:
    assert draft_cases(builtin, 50) == drafted
    other = draft_cases(builtin, 50, seed=1)
    assert len({one.id for one in other.drafts} - {one.id for one in drafted.drafts}) > 25


def test_drafts_are_a_test_set(drafted: Drafted, builtin: Collection, tmp_path: Path) -> None:
    path = tmp_path / "drafts.jsonl"
    write_drafts(drafted.drafts, path)
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert all(line["draft"] is True and line["from"] for line in lines)
    cases = read_testset(path, builtin.papers())
    assert [(c.id, c.question, c.type, c.gold, c.must) for c in cases] == [
        (d.id, d.question, d.type, d.gold, d.must) for d in drafted.drafts
    ]
    with pytest.raises(InputError, match="exists already"):
        write_drafts(drafted.drafts[:1], path)
    assert path.read_text(encoding="utf-8") == as_lines(drafted.drafts)


def test_what_cannot_be_drafted_is_said(library: Library) -> None:
    found = draft_cases(library.collection, 200)
    assert {one.type for one in found.drafts} >= {"number", "lookup", "explain"}
    asked = Counter(one.type for one in found.drafts)
    assert found.notices == tuple(
        f"{round(share * 200) - asked[kind]} {kind} questions left out: "
        "the collection has no further sentence to draft one from"
        for kind, share in SHARES.items()
    )
    assert draft_cases(library.collection, 1).notices == ()
    # The same thing isn't asked twice in other words.
    told = [(one.gold, one.source, one.must) for one in found.drafts if one.type != "unanswerable"]
    assert len(set(told)) == len(told)
