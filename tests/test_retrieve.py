"""Which papers a question is about: the searches together, over real stores."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made import RECORDS, Library

from assistant.retrieve import CANDIDATES, WEIGHTS, Filters, Retriever, Vector, fuse, topical
from corpus.collection import Collection, open_collection
from corpus.embedder import LocalEmbedder
from corpus.hits import Hit
from corpus.papers import Paper

QUERIES = [
    ("Which compiler merges micro-tiles of sparse models?", "tileflow"),
    ("checkpoints in the memory of other machines", "quokka"),
    ("balancing the load of experts", "routewise"),
    ("noise in photos taken in the dark", "lumen-camera"),
    ("cold starts of serverless functions", "lumen-server"),
    ("how do insects navigate", "bees"),
    ("forecasting the weather with a neural net", "weather"),
    ("reccomendation of what users liked", "recommender"),
    ("recommendersystem", "recommender"),
    ("mammograms", "imaging"),
    ("Okafor honey bees", "bees"),
    ("emissions of datacenters", "energy"),
]


@pytest.mark.parametrize(("query", "paper"), QUERIES)
def test_the_paper_meant_comes_first(library: Library, query: str, paper: str) -> None:
    assert library.retriever.retrieve(query).ids[0] == paper


@pytest.mark.parametrize(
    ("query", "paper"),
    [
        ("reccomender", "recommender"),
        ("quantisaton", "quantization"),
        ("serverles", "lumen-server"),
        ("mamogram", "imaging"),
    ],
)
def test_slips_find_what_the_word_index_misses(library: Library, query: str, paper: str) -> None:
    assert library.collection.lexical(query, 5) == []
    assert paper in [hit.paper_id for hit in library.collection.spelled(query, 2)]
    assert paper in library.retriever.retrieve(query).ids[:3]


def test_a_paper_without_an_abstract_is_found_by_its_title(library: Library) -> None:
    assert "bare" in library.retriever.retrieve("beekeeping records of the valleys").ids[:2]


class Watched:
    """The collection, noting the vectors that its nearest papers are asked for."""

    def __init__(self, collection: Collection) -> None:
        self._collection = collection
        self.asked: list[Vector] = []

    def nearest(self, vector: Vector, top_k: int) -> list[Hit]:
        self.asked.append(vector)
        return self._collection.nearest(vector, top_k)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._collection, name)


def test_the_vectors_are_asked_again_nearer_to_the_best_papers(
    library: Library, embedder: LocalEmbedder
) -> None:
    watched = Watched(library.collection)
    found = Retriever(watched, embedder).retrieve("how do insects navigate")
    first, again = watched.asked
    assert found.ids[0] == "bees"
    assert np.linalg.norm(again) == pytest.approx(1, abs=1e-3)
    centre = np.mean([one.vector for one in found.sentences["bees"]], axis=0)
    assert again @ centre > first @ centre


@pytest.mark.parametrize("query", ["qxzv wvkj", "?!", "ΔΩ", "的 是", "the of and"])
def test_nonsense_gives_all_papers_and_no_error(library: Library, query: str) -> None:
    found = library.retriever.retrieve(query)
    assert len(found.ids) == len(set(found.ids)) == len(RECORDS)
    assert all(np.isfinite(one.score) for one in found.candidates)


def test_results_are_best_first_with_their_sentences(library: Library) -> None:
    found = library.retriever.retrieve("sparse compilers")
    scores = [one.score for one in found.candidates]
    assert scores == sorted(scores, reverse=True)
    assert len(scores) <= CANDIDATES
    assert set(found.sentences) == set(found.ids)
    for one in found.candidates:
        cosines = [float(sentence.vector @ found.vector) for sentence in found.sentences[one.paper_id]]
        assert one.cosine == pytest.approx(max(cosines, default=0.0))
    again = library.retriever.retrieve("sparse compilers")
    assert (again.ids, [one.score for one in again.candidates]) == (found.ids, scores)


def test_a_boost_moves_a_paper_up_and_no_other(library: Library) -> None:
    plain = library.retriever.retrieve("sparse compilers")
    boosted = library.retriever.retrieve("sparse compilers", boosts={"bees": 50.0})
    assert boosted.ids == ["bees", *(one for one in plain.ids if one != "bees")]


@pytest.mark.parametrize(
    ("filters", "papers"),
    [
        (Filters(years=(2017, 2018)), {"bees", "education"}),
        (Filters(authors=("duarte",)), {"mfu", "bees"}),
        (Filters(authors=("Duarte", "okafor")), {"bees"}),
        (Filters(papers=("nexo", "plain", "nobody")), {"nexo", "plain"}),
        (Filters(years=(2024, 2024), authors=("Chen",)), {"quokka"}),
        (Filters(years=(1990, 1991)), set()),
    ],
)
def test_filters_let_only_their_papers_through(library: Library, filters: Filters, papers: set[str]) -> None:
    assert set(library.retriever.retrieve("sparse compilers", filters=filters).ids) == papers


def test_no_filter_is_none() -> None:
    assert not Filters()
    assert Filters(years=(2000, 2001))
    paper = Paper(id="p", label="p", abstract="", aliases=("old",))
    assert Filters().allow(paper)
    assert Filters(papers=("old",)).allow(paper)
    assert not Filters(years=(1, 3000)).allow(paper)


def test_an_empty_collection_finds_nothing(tmp_path: Path, embedder: LocalEmbedder) -> None:
    empty = Retriever(open_collection(tmp_path, "none", embedder), embedder)
    assert empty.retrieve("sparse compilers").ids == []
    assert empty.retrieve("sparse compilers", filters=Filters(years=(1, 2))).ids == []


def test_topical_words() -> None:
    assert topical("Which paper is about the tiles of GPUs?") == "tiles gpus"
    assert topical("Which is it?") == "Which is it?"


def test_parts_of_a_query_are_unit_vectors_of_one_pass(embedder: LocalEmbedder) -> None:
    parts = embedder.embed_parts("a compiler that merges scattered micro-tiles into dense ones")
    assert parts.whole == pytest.approx(
        embedder.embed_query("a compiler that merges scattered micro-tiles into dense ones")
    )
    assert np.linalg.norm(parts.parts, axis=1) == pytest.approx(1.0, abs=1e-5)
    assert len(parts.parts) > 3
    assert embedder.embed_parts("tiles").parts.shape == (2, 384)
    assert np.isfinite(embedder.embed_parts("").parts).all()
    assert np.isfinite(embedder.embed_parts("word " * 2000).parts).all()


IDS = [f"p{n}" for n in range(6)]
SIGNALS = st.lists(
    st.dictionaries(st.sampled_from(IDS), st.floats(0.01, 30), max_size=6),
    min_size=len(WEIGHTS),
    max_size=len(WEIGHTS),
)


@given(SIGNALS)
def test_fused_scores_are_centred_and_do_not_depend_on_a_signals_scale(
    signals: Sequence[dict[str, float]],
) -> None:
    scores = fuse(IDS, signals)
    assert list(scores) == IDS
    assert sum(scores.values()) == pytest.approx(0, abs=1e-4)
    scaled = fuse(IDS, [{one: 7 * score for one, score in signals[0].items()}, *signals[1:]])
    assert list(scaled.values()) == pytest.approx(list(scores.values()), abs=1e-3)


@given(SIGNALS, st.permutations(IDS))
def test_fused_scores_do_not_depend_on_the_order_of_papers(
    signals: Sequence[dict[str, float]], mixed: Sequence[str]
) -> None:
    there, here = fuse(mixed, signals), fuse(IDS, signals)
    assert [there[one] for one in IDS] == pytest.approx([here[one] for one in IDS], abs=1e-6)


@given(SIGNALS, st.sampled_from(IDS))
def test_a_paper_that_every_search_finds_best_is_best(signals: Sequence[dict[str, float]], best: str) -> None:
    raised = [{**signal, best: 40.0} for signal in signals]
    scores = fuse(IDS, raised)
    assert max(scores, key=lambda one: scores[one]) == best


def test_fusing_nothing_gives_nothing() -> None:
    assert fuse([], [{}] * len(WEIGHTS)) == {}
