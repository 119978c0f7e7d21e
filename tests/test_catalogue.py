"""The master copy: transactions, and files that can't be used."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from made_up import HashEmbedder, record, records

from corpus.catalogue import Catalogue
from corpus.changes import delete_papers
from corpus.errors import StoreError
from corpus.layout import Layout
from corpus.stored import State
from corpus.sync import ingest


@pytest.fixture
def catalogue(tmp_path: Path) -> Catalogue:
    ingest(tmp_path, "mine", records(range(4)), HashEmbedder())
    return Catalogue(Layout(tmp_path, "mine").catalogue)


def test_a_new_file_has_no_state_until_it_is_created(tmp_path: Path) -> None:
    catalogue = Catalogue(tmp_path / "catalogue.sqlite", create=True)
    assert catalogue.state() is None
    first = State("ab12", "hash@1", 24, "", 1, 1, "empty")
    catalogue.create(first)
    assert catalogue.state() == first
    assert catalogue.size() == 0


def test_what_fails_in_a_transaction_leaves_nothing(catalogue: Catalogue) -> None:
    def fail() -> None:
        with catalogue.transaction() as connection:
            delete_papers(connection, ["paper-1"])
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert catalogue.size() == 4
    assert catalogue.rows("SELECT * FROM unindexed") == []


def test_a_deleted_paper_leaves_nothing_behind(catalogue: Catalogue) -> None:
    with catalogue.transaction() as connection:
        delete_papers(connection, [f"paper-{number}" for number in range(4)])
    for table in ("papers", "vectors", "names", "identities", "records", "forms"):
        assert catalogue.rows(f"SELECT * FROM {table}") == []
    assert catalogue.rows("SELECT windows FROM unindexed") == [(1,)] * 4


def test_the_raw_record_is_kept(tmp_path: Path) -> None:
    one = record(1, file="a.jsonl")
    ingest(tmp_path, "mine", [one], HashEmbedder())
    catalogue = Catalogue(Layout(tmp_path, "mine").catalogue)
    assert catalogue.rows("SELECT file, record, raw FROM records") == [("a.jsonl", 1, one.raw)]


def test_batches_give_every_paper_once_in_order(catalogue: Catalogue) -> None:
    assert list(catalogue.batches(3)) == [["paper-0", "paper-1", "paper-2"], ["paper-3"]]


def test_a_file_that_is_no_catalogue_is_an_error_with_the_remedy(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.sqlite"
    path.write_bytes(b"no database at all" * 100)
    with pytest.raises(StoreError, match="restore the file from a backup"):
        Catalogue(path)


def test_a_catalogue_of_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StoreError, match="format 99"):
        Catalogue(path)
