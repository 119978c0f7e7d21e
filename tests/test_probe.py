"""Damage inside the files of a vector index is found by searching, a crash of Chroma included."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from made_up import HashEmbedder, records

from corpus.layout import Layout
from corpus.probe import probe
from corpus.sync import ingest, rebuild

# Chroma writes its graph to files after a thousand entries.
ENOUGH = 1100


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a collection whose vectors are in files."""
    home = tmp_path_factory.mktemp("whole")
    ingest(home, "mine", records(range(ENOUGH)), HashEmbedder())
    return home


def _delete(path: Path) -> None:
    path.unlink()


def _overwrite(path: Path) -> None:
    path.write_bytes(b"\xa5" * path.stat().st_size)


def _pieces(home: Path) -> list[Path]:
    return sorted(Layout(home, "mine").vectors(1).glob("*/*"))


def test_whole_files_are_well(whole: Path) -> None:
    finding = probe(Layout(whole, "mine"), None)
    assert (finding.found, finding.remedy) == (f"{ENOUGH} entries, as the catalogue says", "")


@pytest.mark.parametrize("damage", [_delete, _overwrite])
def test_damaged_files_are_found_and_mended(
    whole: Path, tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    home = tmp_path / "home"
    shutil.copytree(whole, home)
    assert _pieces(home)
    for path in _pieces(home):
        damage(path)
    assert probe(Layout(home, "mine"), None).remedy == "run `assistant rebuild`"
    rebuild(home, "mine", HashEmbedder())
    assert not probe(Layout(home, "mine"), None).remedy


def test_a_crash_is_a_finding(whole: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    shutil.copytree(whole, home)
    [graph] = [path for path in _pieces(home) if path.name == "data_level0.bin"]
    _overwrite(graph)
    assert probe(Layout(home, "mine"), None).remedy == "run `assistant rebuild`"
