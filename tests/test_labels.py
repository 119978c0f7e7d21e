"""What papers are called: labels, all names, and how namesakes are told apart."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made import RECORDS

from corpus.cleaning import paper_from
from corpus.labels import distinct_labels, find_label, names_of
from corpus.papers import Paper, text_key
from corpus.topics import topic_of

PAPERS = [paper for record in RECORDS if isinstance(paper := paper_from(record, record.file), Paper)]
BY_ID = {paper.id: paper for paper in PAPERS}


@pytest.mark.parametrize(
    ("paper_id", "label"),
    [
        ("tileflow", "TileFlow"),
        ("quokka", "Quokka"),
        ("routewise", "RouteWise"),
        ("expert-merge", "MergeMoE"),
        ("lumen-camera", "Lumen"),
        ("nexo", "Nexo"),
        ("nexo-plus", "Nexo++"),
        ("plain", "PLAIN"),
        ("ferrite", "Ferrite"),
        ("protein", "FoldFast"),
        ("bare", "Beekeeping records of the northern valleys"),
        ("mfu", "Reports of training efficiency are hard to compare…"),
        ("education", "Pupils learn fractions late. In a trial with…"),
    ],
)
def test_labels_of_the_made_up_papers(paper_id: str, label: str) -> None:
    assert BY_ID[paper_id].label == label


@pytest.mark.parametrize(
    ("title", "abstract", "label"),
    [
        ("TileFlow: merging tiles", None, "TileFlow"),
        ("Merging tiles: a study", None, "Merging tiles: a study"),
        ("TileFlow merges tiles", "We present TileFlow, a compiler.", "TileFlow"),
        ("Merging tiles", "Our TileFlow code is open.", "Merging tiles"),
        (
            "Scans of the liver",
            "Endoscopic imaging (EIM) helps. EIM shows all. EIM is new.",
            "Scans of the liver",
        ),
        ("Fast kernels", "We present TileFlow, a compiler. TileFlow merges tiles.", "TileFlow"),
        (
            None,
            "Purpose: To test. Purpose matters. Most trials end. Most do not.",
            "Purpose: To test. Purpose matters. Most trials end…",
        ),
        (None, "Kernels are slow. Ferrite is a compiler. Ferrite fuses.", "Ferrite"),
        (None, "Short.", "Short"),
        (None, None, "untitled"),
        ("", "", "untitled"),
    ],
)
def test_title_and_abstract(title: str | None, abstract: str | None, label: str) -> None:
    assert find_label(title, abstract) == label


def test_names_hold_everything_that_a_reader_may_say() -> None:
    names = names_of(
        Paper(
            id="x",
            label="TileFlow (sparse tiles)",
            title="TileFlow: merging tiles",
            abstract="We present TileFlow, a compiler with a runtime called TurboTile.",
            authors=("Ada de Moreau", "et al."),
            organisations=("lakeside-lab",),
        )
    )
    for name in ("TileFlow", "TileFlow: merging tiles", "TurboTile", "author Ada de Moreau", "author Moreau"):
        assert name in names
    assert "organisation lakeside-lab" in names
    assert not [name for name in names if "et al" in name]
    keys = [text_key(name) for name in names]
    assert len(set(keys)) == len(keys)


def test_namesakes_get_topics_that_only_they_have() -> None:
    labels = distinct_labels(PAPERS)
    camera, server = labels["lumen-camera"], labels["lumen-server"]
    assert camera != server
    for label, own, other in (
        (camera, "lumen-camera", "lumen-server"),
        (server, "lumen-server", "lumen-camera"),
    ):
        assert label.startswith("Lumen (")
        topic = label.removeprefix("Lumen (").removesuffix(")")
        assert topic in (BY_ID[own].abstract or "").lower()
        assert topic not in (BY_ID[other].abstract or "").lower()
    assert labels["nexo"] == "Nexo"
    assert labels["nexo-plus"] == "Nexo++ (quantizes)" or labels["nexo-plus"].startswith("Nexo++")


def test_a_told_apart_label_is_told_apart_anew() -> None:
    once = distinct_labels(PAPERS)
    again = distinct_labels([replace(paper, label=once[paper.id]) for paper in PAPERS])
    assert again == once


def test_one_that_lost_its_namesake_has_its_bare_label_again() -> None:
    labels = distinct_labels([replace(BY_ID["lumen-camera"], label="Lumen (low light)")])
    assert labels == {"lumen-camera": "Lumen"}


def test_keywords_are_the_first_choice_of_a_topic() -> None:
    one = replace(BY_ID["lumen-camera"], keywords=("night photography",))
    assert topic_of(one, [BY_ID["lumen-server"]]) == "night photography"
    shared = replace(BY_ID["lumen-server"], keywords=("night photography",))
    assert topic_of(one, [shared]) not in (None, "night photography")


@pytest.mark.parametrize("paper", [paper for paper in PAPERS if paper.abstract], ids=lambda paper: paper.id)
def test_topics_are_phrases_of_the_abstract_that_do_not_begin_or_end_like_verbs(paper: Paper) -> None:
    topic = topic_of(paper, [])
    if topic is None:
        return
    assert topic in f"{', '.join(paper.keywords)} {paper.abstract}".lower()
    first, last = topic.split()[0], topic.split()[-1]
    assert not first.endswith(("ly", "ing"))
    assert not last.endswith(("ly", "ed"))


WORDS = st.sampled_from(
    "sparse tiles of the router for experts in a memory cache with noise and rivers".split()
)


@given(st.lists(st.lists(WORDS, max_size=12).map(" ".join), min_size=1, max_size=8))
def test_labels_of_namesakes_always_differ(abstracts: list[str]) -> None:
    papers = [Paper(id=f"p{n}", label="Lumen", abstract=text) for n, text in enumerate(abstracts)]
    labels = distinct_labels(papers)
    assert set(labels) == {paper.id for paper in papers}
    assert len(set(labels.values())) == len(papers)


@pytest.mark.parametrize("unit", ["A-", "A ", "A.", "Aa-", "A'", "A: "])
def test_a_text_without_an_end_takes_no_longer_than_others(unit: str) -> None:
    """Of what costs more than the square of a text's length, this would take hours."""
    text = unit * 20_000
    assert find_label(text, None)
    assert find_label(None, text)
