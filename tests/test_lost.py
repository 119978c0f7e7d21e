"""A catalogue that is gone while its indexes are there is a fault; a new collection isn't."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from made_up import HashEmbedder, records

from corpus.collection import open_collection
from corpus.errors import InputError, StoreError
from corpus.health import check_stores
from corpus.layout import Layout, collection_names
from corpus.lexical import LexicalIndex
from corpus.lost import check_existing
from corpus.sync import ingest, rebuild, remove


def _delete(catalogue: Path) -> None:
    catalogue.unlink()


def _truncate(catalogue: Path) -> None:
    catalogue.write_bytes(b"")


def _empty(catalogue: Path) -> None:
    connection = sqlite3.connect(catalogue)
    with connection:
        connection.execute("DELETE FROM papers")
    connection.close()


@pytest.mark.parametrize("lose", [_delete, _truncate, _empty])
def test_every_way_in_says_so_and_the_indexes_stay(tmp_path: Path, lose: Callable[[Path], None]) -> None:
    ingest(tmp_path, "mine", records(range(4)), HashEmbedder())
    layout = Layout(tmp_path, "mine")
    lose(layout.catalogue)
    acts: list[Callable[[], object]] = [
        lambda: open_collection(tmp_path, "mine", HashEmbedder()),
        lambda: ingest(tmp_path, "mine", records([9]), HashEmbedder()),
        lambda: rebuild(tmp_path, "mine", HashEmbedder()),
        lambda: remove(tmp_path, "mine", ["paper-1"], HashEmbedder()),
    ]
    for act in acts:
        with pytest.raises(StoreError, match="restore it from a backup"):
            act()
    [finding] = [one for one in check_stores(tmp_path, "mine", HashEmbedder()) if one.remedy]
    assert finding.name == "catalogue"
    assert LexicalIndex(layout.lexical(1)).count() == 4


def test_a_catalogue_lost_while_it_is_read_is_said_at_the_next_refresh(tmp_path: Path) -> None:
    ingest(tmp_path, "mine", records(range(4)), HashEmbedder())
    collection = open_collection(tmp_path, "mine", HashEmbedder())
    Layout(tmp_path, "mine").catalogue.unlink()
    with pytest.raises(StoreError, match="is missing or empty"):
        collection.refresh()


def test_an_emptied_collection_is_no_lost_one(tmp_path: Path) -> None:
    ingest(tmp_path, "mine", records(range(4)), HashEmbedder())
    remove(tmp_path, "mine", [f"paper-{number}" for number in range(4)], HashEmbedder())
    assert open_collection(tmp_path, "mine", HashEmbedder()).size == 0
    rebuild(tmp_path, "mine", HashEmbedder())
    assert ingest(tmp_path, "mine", records([9]), HashEmbedder()).added == 1


def test_a_collection_that_is_not_there_is_an_error_with_near_names(tmp_path: Path) -> None:
    ingest(tmp_path, "sparse-models", records([1]), HashEmbedder())
    assert collection_names(tmp_path) == ["sparse-models"]
    with pytest.raises(InputError, match=r"no collection 'sparse-model'.*'sparse-models'"):
        check_existing(Layout(tmp_path, "sparse-model"))
    with pytest.raises(InputError, match="none yet"):
        check_existing(Layout(tmp_path / "new", "mine"))
    check_existing(Layout(tmp_path, "sparse-models"))
