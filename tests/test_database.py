"""What SQLite's errors become: one clear line each, and nothing half-written."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from made_up import HashEmbedder, records

from corpus import database
from corpus.catalogue import Catalogue
from corpus.collection import open_collection
from corpus.errors import AssistantError, BusyError, StoreError
from corpus.health import check_stores
from corpus.layout import Layout
from corpus.sync import ingest, rebuild, remove


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A data folder whose collection `mine` holds six papers."""
    ingest(tmp_path, "mine", records(range(6)), HashEmbedder())
    return tmp_path


def _catalogue(home: Path) -> Path:
    return Layout(home, "mine").catalogue


def _change(home: Path, statement: str) -> None:
    connection = sqlite3.connect(_catalogue(home))
    with connection:
        connection.execute(statement)
    connection.close()


def test_a_full_disk_says_so_and_keeps_what_was_there(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = _catalogue(home).stat().st_size // 4096
    with monkeypatch.context() as patch:
        patch.setattr(database, "_SETTINGS", (*database._SETTINGS, f"PRAGMA max_page_count = {pages}"))
        with pytest.raises(StoreError, match="the disk is full: free some space"):
            ingest(home, "mine", records(range(6, 40)), HashEmbedder())
    assert open_collection(home, "mine", HashEmbedder()).size == 6
    assert ingest(home, "mine", records(range(6, 40)), HashEmbedder()).added == 34
    assert not [one for one in check_stores(home, "mine", HashEmbedder()) if one.remedy]


def test_a_locked_catalogue_is_busy(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "_SETTINGS", (*database._SETTINGS, "PRAGMA busy_timeout = 1"))
    holder = sqlite3.connect(_catalogue(home), isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(BusyError, match="locked by another process"):
        ingest(home, "mine", records([9]), HashEmbedder())
    holder.close()


def _ask(home: Path) -> None:
    collection = open_collection(home, "mine", HashEmbedder())
    ids = [paper.id for paper in collection.papers()]
    collection.sentences(ids)
    collection.lexical("Paper3", 3)
    collection.find_names(["paper3"])


@pytest.mark.parametrize("seed", range(12))
def test_random_damage_is_ours_or_harmless(home: Path, seed: int) -> None:
    dice = random.Random(seed)
    data = bytearray(_catalogue(home).read_bytes())
    for _ in range(dice.choice([1, 30, 3000])):
        data[dice.randrange(len(data))] = dice.randrange(256)
    _catalogue(home).write_bytes(data)
    acts: list[Callable[[], object]] = [
        lambda: _ask(home),
        lambda: list(check_stores(home, "mine", HashEmbedder())),
        lambda: rebuild(home, "mine", HashEmbedder()),
        lambda: ingest(home, "mine", records(range(5, 8)), HashEmbedder()),
    ]
    for act in acts:
        with suppress(AssistantError):
            act()


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE papers SET paper = '{broken' WHERE id = 'paper-2'",
        "UPDATE papers SET paper = '[1]' WHERE id = 'paper-2'",
        "UPDATE papers SET paper = '{\"id\": 1}' WHERE id = 'paper-2'",
        "UPDATE vectors SET passages = x'0102' WHERE paper = 3",
        "UPDATE vectors SET spans = 'x' WHERE paper = 3",
    ],
)
def test_a_damaged_row_is_named_and_can_be_removed(home: Path, damage: str) -> None:
    _change(home, damage)
    with pytest.raises(StoreError, match=r"damaged at the paper 'paper-2'.*remove paper-2"):
        _ask(home)
    [finding] = [one for one in check_stores(home, "mine", HashEmbedder()) if one.remedy]
    assert "paper-2" in finding.found
    assert remove(home, "mine", ["paper-2"], HashEmbedder()) == 1
    assert ingest(home, "mine", records(range(6)), HashEmbedder()).added == 1
    assert not [one for one in check_stores(home, "mine", HashEmbedder()) if one.remedy]


def _read_only(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Takes the right to write; the superuser has it all the same, and only believes to have lost it."""
    for path in [*folder.rglob("*"), folder]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    access = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: not mode & os.W_OK and access(path, mode))


def _restore(folder: Path) -> None:
    folder.chmod(0o755)
    for path in folder.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)


def _tree(folder: Path) -> dict[str, tuple[int, int]]:
    return {
        str(path): (path.stat().st_mtime_ns, path.stat().st_size)
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_a_read_only_folder_is_read_and_left_as_it_is(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = _tree(home)
    _read_only(home, monkeypatch)
    try:
        collection = open_collection(home, "mine", HashEmbedder())
        assert collection.lexical("Paper3", 1)[0].paper_id == "paper-3"
        assert len(collection.nearest(HashEmbedder().embed_query("x"), 9)) == 6
        assert not collection.refresh()
        assert _tree(home) == before
    finally:
        _restore(home)


def test_a_read_only_folder_that_somebody_else_writes_is_seen_anew(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        _read_only(home, patch)
        collection = open_collection(home, "mine", HashEmbedder())
        assert collection.size == 6
    _restore(home)
    ingest(home, "mine", records([9]), HashEmbedder())
    _read_only(home, monkeypatch)
    try:
        assert collection.refresh()
        assert collection.lexical("Paper9", 1)[0].paper_id == "paper-9"
    finally:
        _restore(home)


_LEAVE_A_LOG = """
import os, sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA wal_autocheckpoint = 0")
connection.execute("INSERT INTO pending VALUES (x'00', x'00', x'00')")
os._exit(0)
"""


def test_a_log_that_a_killed_writer_left_is_read(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    subprocess.run([sys.executable, "-c", _LEAVE_A_LOG, str(_catalogue(home))], check=True)
    _read_only(home, monkeypatch)
    try:
        catalogue = Catalogue(_catalogue(home))
        assert catalogue.size() == 6
        assert len(catalogue.rows("SELECT * FROM pending")) == 1
        catalogue.close()
    finally:
        _restore(home)


def test_nothing_is_made_by_looking(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="can't be opened"):
        Catalogue(tmp_path / "catalogue.sqlite")
    assert not list(tmp_path.iterdir())


def test_a_name_that_no_url_could_hold_is_opened(tmp_path: Path, home: Path) -> None:
    folder = tmp_path / "a %20 #1? ü"
    shutil.copytree(Layout(home, "mine").folder, folder / "mine")
    assert open_collection(folder, "mine", HashEmbedder()).size == 6
