"""The read door: what a question gets from a collection."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from made_up import HashEmbedder, abstract, record, records

from corpus.collection import Collection, open_collection
from corpus.readers.records import Record
from corpus.sync import ingest, rebuild

RECORDS = [
    Record(
        1,
        {
            "id": "pit",
            "title": "PIT: a compiler for dynamic sparsity",
            "abstract": "Sparse patterns change. PIT merges micro-tiles and is 5.9x faster.",
            "authors": ["Ningxin Zheng", "Éva Müller"],
            "organisations": ["microsoft-research"],
            "keywords": ["permutation invariance"],
            "year": 2023,
        },
        "",
        "a.jsonl",
    ),
    Record(
        2,
        {
            "id": "flash",
            "title": "FlashAttention-2",
            "abstract": "We present FlashAttention-2. It tiles attention.",
        },
        "",
        "a.jsonl",
    ),
    Record(3, {"id": "bare", "title": "A title without any abstract"}, "", "a.jsonl"),
]


@pytest.fixture
def collection(tmp_path: Path) -> Collection:
    ingest(tmp_path, "mine", RECORDS, HashEmbedder())
    return open_collection(tmp_path, "mine", HashEmbedder())


def test_before_anything_was_ingested_everything_is_empty(tmp_path: Path) -> None:
    collection = open_collection(tmp_path, "mine", HashEmbedder())
    assert (collection.size, collection.version, collection.refresh()) == (0, "empty", False)
    assert collection.papers() == collection.papers(["x"]) == []
    assert collection.lexical("x", 5) == []
    assert collection.nearest(HashEmbedder().embed_query("x"), 5) == []
    assert collection.sentences(["x"]) == {}
    assert collection.find_names(["x"]) == {}
    assert collection.doc_freq(["x"]) == {"x": 0}
    assert collection.close_terms("word") == []
    assert not (tmp_path / "mine").exists()


def test_papers_come_in_the_order_asked(collection: Collection) -> None:
    assert [paper.id for paper in collection.papers()] == ["pit", "flash", "bare"]
    assert [paper.id for paper in collection.papers(["flash", "nobody", "pit", "flash"])] == ["flash", "pit"]
    many = ["flash", *(f"nobody-{n}" for n in range(2000)), "pit"]
    assert [paper.id for paper in collection.papers(many)] == ["flash", "pit"]


def test_sentences_are_the_abstracts_very_words_with_unit_vectors(collection: Collection) -> None:
    found = collection.sentences(["flash", "pit", "bare", "nobody"])
    assert list(found) == ["flash", "pit", "bare"]
    assert found["bare"] == []
    text = collection.papers(["pit"])[0].abstract or ""
    assert [one.text for one in found["pit"]] == [
        "Sparse patterns change.",
        "PIT merges micro-tiles and is 5.9x faster.",
    ]
    for index, one in enumerate(found["pit"]):
        assert (one.paper_id, one.index) == ("pit", index)
        assert text[one.start : one.end] == one.text
        assert one.vector.dtype == np.float32
        assert np.linalg.norm(one.vector) == pytest.approx(1, abs=1e-3)
        assert one.vector @ HashEmbedder().embed_query(one.text) == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("sparse pattern", "pit"),
        ("merging TILES", "pit"),
        ("zheng", "pit"),
        ("eva muller", "pit"),
        ("Microsoft Research", "pit"),
        ("permutations", "pit"),
        ("2023", "pit"),
        ("flashattention", "flash"),
        ("titles without", "bare"),
        ('attention) AND "flash: -tiles NOT [x TO', "flash"),
    ],
)
def test_words_of_every_field_are_found(collection: Collection, query: str, best: str) -> None:
    hits = collection.lexical(query, 5)
    assert hits[0].paper_id == best
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


@pytest.mark.parametrize("query", ["", "  ", "?!", "zzzz", "\x00"])
def test_a_query_without_known_words_finds_nothing(collection: Collection, query: str) -> None:
    assert collection.lexical(query, 5) == []


def test_a_huge_query_is_answered(collection: Collection) -> None:
    words = " ".join(f"word{n}" for n in range(50_000))
    assert collection.lexical("sparse " + words, 5)[0].paper_id == "pit"


def test_nearest_gives_cosines_best_first(collection: Collection) -> None:
    query = HashEmbedder().embed_query("FlashAttention-2\nWe present FlashAttention-2. It tiles attention.")
    hits = collection.nearest(query, 2)
    assert hits[0].paper_id == "flash"
    assert hits[0].score > 0.8 > hits[1].score
    assert len(collection.nearest(query, 10)) == 3


def test_doc_freq_counts_papers_with_the_very_word(collection: Collection) -> None:
    terms = ["tiles", "tile", "PIT", "müller", "micro-tiles", "tiles micro", "zzzz", "?"]
    assert list(collection.doc_freq(terms).values()) == [2, 0, 1, 1, 1, 0, 0, 0]


def test_names_lead_to_papers(collection: Collection) -> None:
    found = collection.find_names(["pit", "flashattention2", "nobody"])
    assert found == {"pit": ["pit"], "flashattention2": ["flash"]}


def test_close_terms_mend_slips(collection: Collection) -> None:
    assert collection.close_terms("sprase") == ["sparse"]
    assert collection.close_terms("Flashatention") == ["flashattention"]
    assert collection.close_terms("permutaton") == ["permutation"]
    assert collection.close_terms("sparse") == []
    assert collection.close_terms("zebra") == []
    assert collection.close_terms("pi") == []
    assert collection.close_terms("two words") == []


def test_a_state_is_shown_until_refresh(tmp_path: Path, collection: Collection) -> None:
    version = collection.version
    ingest(tmp_path, "mine", [record(7)], HashEmbedder())
    assert (collection.size, collection.version) == (3, version)
    assert collection.refresh()
    assert not collection.refresh()
    assert collection.size == 4
    assert collection.version != version
    assert collection.nearest(HashEmbedder().embed_query(abstract(7)), 1)[0].paper_id == "paper-7"


def test_indexes_that_were_rebuilt_twice_are_found_without_refresh(tmp_path: Path) -> None:
    ingest(tmp_path, "mine", RECORDS, HashEmbedder())
    collection = open_collection(tmp_path, "mine", HashEmbedder())
    for _ in range(2):
        rebuild(tmp_path, "mine", HashEmbedder())
    ingest(tmp_path, "mine", [record(7)], HashEmbedder())
    assert collection.lexical("sparse", 1)[0].paper_id == "pit"
    assert collection.nearest(HashEmbedder().embed_query("sparse"), 9)


def test_a_collection_put_in_the_place_of_another_is_seen(tmp_path: Path, collection: Collection) -> None:
    ingest(tmp_path, "other", records(range(5)), HashEmbedder())
    (tmp_path / "mine").rename(tmp_path / "old")
    assert collection.refresh()
    assert collection.size == 0
    (tmp_path / "other").rename(tmp_path / "mine")
    assert collection.refresh()
    assert collection.size == 5
    assert collection.lexical("Paper3", 1)[0].paper_id == "paper-3"


def test_many_threads_ask_while_papers_come_in(tmp_path: Path) -> None:
    ingest(tmp_path, "mine", records(range(3)), HashEmbedder())
    collection = open_collection(tmp_path, "mine", HashEmbedder())
    done = threading.Event()

    def ask(number: int) -> int:
        asked = 0
        query = HashEmbedder().embed_query(abstract(number % 3))
        while not done.is_set():
            collection.refresh()
            assert collection.lexical(f"Paper{number % 3}", 2)[0].paper_id == f"paper-{number % 3}"
            hits = collection.nearest(query, 3)
            assert hits[0].paper_id == f"paper-{number % 3}"
            assert all(collection.sentences([hit.paper_id for hit in hits]).values())
            asked += 1
        return asked

    with ThreadPoolExecutor(6) as pool:
        asking = [pool.submit(ask, number) for number in range(6)]
        try:
            for number in range(3, 13):
                ingest(tmp_path, "mine", [record(number)], HashEmbedder())
            rebuild(tmp_path, "mine", HashEmbedder())
        finally:
            done.set()
        assert all(one.result() > 0 for one in asking)
    collection.refresh()
    assert collection.size == 13
