"""A cited text: where its references are, and which papers they mean."""

from __future__ import annotations

from dataclasses import replace

import pytest
from made import Library

from assistant.cited_text import Finder, read_cited
from corpus.papers import Paper


@pytest.fixture(scope="module")
def papers(library: Library) -> list[Paper]:
    found = library.collection.papers()
    titles = {
        "TileFlow": "Merging tiles for dynamic sparsity",
        "Ferrite": "Merging tiles for dynamic sparsity in attention",
    }
    return [replace(paper, title=titles.get(paper.label, paper.title)) for paper in found]


def label(paper: Paper | None) -> str | None:
    return paper.label if paper else None


def test_references_are_read_and_kept_out_of_the_text(papers: list[Paper]) -> None:
    quokka = next(paper for paper in papers if paper.label == "Quokka")
    cited = read_cited(
        "TileFlow is fast [1].\n\nQuokka saves time [2].\n\n## Sources\n\n[1] TileFlow\n"
        "    Ada Moreau, 2023\n"
        f"- [2]: {quokka.id}\n[3] Something that nobody wrote\n\n",
        papers,
    )
    assert {number: label(paper) for number, paper in cited.references.items()} == {
        1: "TileFlow",
        2: "Quokka",
        3: None,
    }
    texts = [one.text for part in cited.paragraphs for one in part.sentences]
    assert texts == ["TileFlow is fast.", "Quokka saves time."]


def test_a_text_without_references(papers: list[Paper]) -> None:
    cited = read_cited("TileFlow is fast [1].\n[2] is the other.\nMore words.", papers)
    assert cited.references == {}
    assert len(cited.paragraphs) == 3
    assert read_cited("", papers).paragraphs == ()


def test_each_form_of_a_reference(papers: list[Paper]) -> None:
    finder = Finder(papers)
    by_label = {paper.label: paper for paper in papers}
    routewise = by_label["RouteWise"]
    for ref in (
        routewise.id,
        "RouteWise",
        "routewise",
        f"RouteWise ({routewise.id})",
        "RouteWise (2025)",
        (routewise.abstract or "")[:60],
    ):
        assert label(finder.find(ref)) == "RouteWise", ref


def test_titles_are_found_in_longer_references(papers: list[Paper]) -> None:
    finder = Finder(papers)
    assert label(finder.find("Moreau et al. Merging tiles for dynamic sparsity. 2023.")) == "TileFlow"
    assert label(finder.find("Merging tiles for dynamic sparsity in attention, 2024")) == "Ferrite"
    assert label(finder.find("Merging tiles for dynamic sparsity")) == "TileFlow"
    assert label(finder.find("Beekeeping recrds of the northern valleys")) is not None


@pytest.mark.parametrize(
    "ref",
    [
        "",
        "a",
        "of",
        "the",
        "Lumen",
        "Merging tiles",
        "tiles for dynamic",
        "Nobody wrote this paper",
        "x" * 10**6,
    ],
)
def test_what_means_none_or_several_is_none(papers: list[Paper], ref: str) -> None:
    assert Finder(papers).find(ref) is None


def test_long_references_are_read(papers: list[Paper]) -> None:
    for unit in ("  ", "(", "( ", "a ", "\u0660"):
        assert Finder(papers).find(f"Nobody wrote{unit * 200_000}x") is None
