"""The door to tantivy: what stays true after changes and reopening."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from corpus.errors import StoreError
from corpus.lexical import LexicalIndex, fold_words, letter_groups
from corpus.papers import Paper


def paper(paper_id: str, abstract: str) -> Paper:
    return Paper(id=paper_id, label=paper_id, abstract=abstract)


@pytest.fixture
def index(tmp_path: Path) -> LexicalIndex:
    index = LexicalIndex(tmp_path / "lexical", create=True)
    texts = {"a": "Sparse compilers merge tiles.", "b": "Dense compilers.", "c": "Café"}
    index.write([paper(name, text) for name, text in texts.items()])
    return index


def test_an_index_opened_again_finds_the_same(tmp_path: Path, index: LexicalIndex) -> None:
    again = LexicalIndex(tmp_path / "lexical")
    for query in ("sparse compiler", "tile", "cafe", "CAFÉ"):
        assert again.search(query, 5) == index.search(query, 5) != []


def test_an_opened_index_sees_what_was_written_since_only_when_opened_again(
    tmp_path: Path, index: LexicalIndex
) -> None:
    old = LexicalIndex(tmp_path / "lexical")
    index.write([paper("d", "Zebras")])
    assert [hit.paper_id for hit in LexicalIndex(tmp_path / "lexical").search("zebra", 5)] == ["d"]
    assert old.count() == 3


def test_writing_a_paper_again_replaces_it_and_counts_are_exact(index: LexicalIndex) -> None:
    assert index.doc_freq("compilers") == 2
    index.write([paper("a", "Something else.")])
    assert index.doc_freq("compilers") == 1
    index.write([], ["b", "nobody"])
    assert index.doc_freq("compilers") == 0
    assert index.ids() == ["a", "c"]
    assert index.count() == 2


def test_near_finds_slips_within_the_distance(index: LexicalIndex) -> None:
    assert set(index.near("compliers", 1, 5)) == {"a", "b"}
    assert index.near("cmpliers", 1, 5) == []
    assert set(index.near("cmpliers", 2, 5)) == {"a", "b"}


def test_folding_is_the_indexes_own(index: LexicalIndex) -> None:
    text = "Müller's FlashAttention-2 & Straße_x, Łódź Ørsted"
    words = ["muller", "s", "flashattention", "2", "strasse", "x", "lodz", "orsted"]
    assert fold_words(text) == words
    index.write([paper("d", text)])
    assert [index.doc_freq(word) for word in (*words, "Straße", "ŁÓDŹ")] == [1] * 10


@pytest.mark.parametrize("made", [False, True])
def test_a_folder_without_an_index_is_an_error_with_the_remedy(tmp_path: Path, made: bool) -> None:
    if made:
        (tmp_path / "lexical").mkdir()
    with pytest.raises(StoreError, match=r"run `assistant rebuild`"):
        LexicalIndex(tmp_path / "lexical")


def test_what_a_killed_writer_left_is_cleared_away(tmp_path: Path, index: LexicalIndex) -> None:
    """Killed after it had written its files and before they counted: the next one needs their names."""
    later = tmp_path / "later"
    shutil.copytree(tmp_path / "lexical", later)
    LexicalIndex(later).write([paper("a", "Zebras")])
    left = [path for path in later.iterdir() if not (tmp_path / "lexical" / path.name).exists()]
    assert [path for path in left if path.suffix == ".del"]
    for path in [*left, later / ".managed.json"]:
        shutil.copy(path, tmp_path / "lexical")
    LexicalIndex(tmp_path / "lexical").write([paper("a", "Zebras")])
    assert [hit.paper_id for hit in LexicalIndex(tmp_path / "lexical").search("zebra", 5)] == ["a"]


def test_an_index_that_can_not_be_written_is_an_error_with_the_remedy(
    tmp_path: Path, index: LexicalIndex
) -> None:
    (tmp_path / "lexical" / ".managed.json").write_text("nonsense")
    (tmp_path / "lexical" / "meta.json").write_text("nonsense")
    with pytest.raises(StoreError, match="run `assistant rebuild`"):
        index.write([paper("a", "Zebras")])


def test_spelled_ranks_by_shared_groups_of_letters(index: LexicalIndex) -> None:
    assert {hit.paper_id for hit in index.spelled("compliers", 5)} == {"a", "b"}
    assert index.spelled("sprse compilrs", 5)[0].paper_id == "a"
    assert [hit.paper_id for hit in index.spelled("cafe", 5)] == ["c"]
    assert index.spelled("CAFÉ", 5) == index.spelled("cafe", 5)
    scores = [hit.score for hit in index.spelled("sparse compilers", 5)]
    assert scores == sorted(scores, reverse=True)
    for query in ("", "?!", "zzzz"):
        assert index.spelled(query, 5) == []
    assert index.spelled("sparse", 0) == []


def test_groups_mark_the_ends_of_words() -> None:
    assert letter_groups("gpu") == ["^gpu", "gpu$"]
    assert letter_groups("Café x") == [*letter_groups("cafe"), *letter_groups("x")]
    assert letter_groups("") == []
