"""Damage inside the files of a word index is found, whichever file and byte it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_up import HashEmbedder, records

from corpus.checksums import damaged_files
from corpus.errors import StoreError
from corpus.health import check_stores
from corpus.layout import Layout
from corpus.lexical import LexicalIndex
from corpus.sync import ingest, rebuild, remove

KINDS = (".store", ".idx", ".term", ".pos", ".fast", ".fieldnorm")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The word index of a collection of thirty papers, one of them removed again."""
    ingest(tmp_path, "mine", records(range(30)), HashEmbedder())
    remove(tmp_path, "mine", ["paper-3"], HashEmbedder())
    return Layout(tmp_path, "mine").lexical(1)


def test_whole_files_are_whole(folder: Path) -> None:
    assert {path.suffix for path in folder.iterdir()} >= {*KINDS, ".del"}
    assert damaged_files(folder) == []


@pytest.mark.parametrize("kind", KINDS)
def test_one_changed_byte_is_found(folder: Path, kind: str) -> None:
    path = next(path for path in folder.iterdir() if path.suffix == kind)
    data = bytearray(path.read_bytes())
    data[0] ^= 0xFF
    path.write_bytes(data)
    assert damaged_files(folder) == [path.name]


def test_the_doctor_names_the_file_and_a_rebuild_mends_it(folder: Path, tmp_path: Path) -> None:
    path = next(path for path in folder.iterdir() if path.suffix == ".store")
    path.write_bytes(b"\xff" * 28 + path.read_bytes()[28:])
    [finding] = [one for one in check_stores(tmp_path, "mine", HashEmbedder()) if one.remedy]
    assert (path.name in finding.found, finding.remedy) == (True, "run `assistant rebuild`")
    rebuild(tmp_path, "mine", HashEmbedder())
    assert not [one for one in check_stores(tmp_path, "mine", HashEmbedder()) if one.remedy]


def test_a_cut_file_is_found(folder: Path) -> None:
    path = next(path for path in folder.iterdir() if path.suffix == ".pos")
    for size in (path.stat().st_size - 1, 3, 0):
        path.write_bytes(path.read_bytes()[:size])
        assert damaged_files(folder) == [path.name]


def test_a_search_in_a_damaged_file_is_an_error_with_the_remedy(folder: Path) -> None:
    for path in folder.iterdir():
        if path.suffix == ".store":
            path.write_bytes(b"\xff" * 28 + path.read_bytes()[28:])
    with pytest.raises(StoreError, match=r"can't be read: .*run `assistant rebuild`"):
        LexicalIndex(folder).search("Paper7", 3)
