"""What the doctor finds at a collection's stores, sound and broken."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from corpus import sync
from corpus.embedder import Embedded
from corpus.health import Finding, check_stores
from corpus.layout import Layout
from corpus.lock import writer_lock
from corpus.readers.records import Record


class HashEmbedder:
    """Vectors that stand for nothing."""

    stamp = "hash"
    dimension = 4

    def embed_papers(
        self, texts: Sequence[str], spans: Sequence[Sequence[tuple[int, int]]]
    ) -> Iterator[Embedded]:
        for text, sentences in zip(texts, spans, strict=True):
            vector = self.embed_query(text)
            yield Embedded(vector[None, :], np.repeat(vector[None, :], len(sentences), axis=0))

    def embed_query(self, text: str) -> NDArray[np.float32]:
        return np.array([1, 0, 0, len(text) % 2], dtype=np.float32) / np.float32(1 + len(text) % 2) ** 0.5


class OtherEmbedder(HashEmbedder):
    stamp = "other"


def _records() -> list[Record]:
    texts = [
        f"We present System{number}, a compiler for sparse models. It is {number}x faster."
        for number in range(3)
    ]
    return [Record(number, {"abstract": text}, text, "f") for number, text in enumerate(texts, 1)]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A data folder whose collection `default` holds three papers."""
    sync.ingest(tmp_path, "default", _records(), HashEmbedder())
    return tmp_path


def _bad(home: Path, embedder: HashEmbedder | None = None) -> list[Finding]:
    return [
        finding for finding in check_stores(home, "default", embedder or HashEmbedder()) if finding.remedy
    ]


def test_a_sound_collection(home: Path) -> None:
    findings = {finding.name: finding for finding in check_stores(home, "default", HashEmbedder())}
    assert not _bad(home)
    assert findings["catalogue"].found == "3 papers in 'default'"
    assert findings["vectors (Chroma)"].found == "3 entries, as the catalogue says"
    assert findings["words (tantivy)"].found == "3 entries, as the catalogue says"


def test_nothing_there_is_well(tmp_path: Path) -> None:
    [finding] = check_stores(tmp_path, "default", HashEmbedder())
    assert finding == Finding("collection", "'default' is empty")
    assert not list(tmp_path.iterdir())


def test_an_emptied_collection_is_well(home: Path) -> None:
    ids = [
        row[0] for row in sqlite3.connect(Layout(home, "default").catalogue).execute("SELECT id FROM papers")
    ]
    sync.remove(home, "default", ids, HashEmbedder())
    assert not _bad(home)


def test_lost_indexes(home: Path) -> None:
    for pattern in ("vectors-*", "lexical-*"):
        [folder] = Layout(home, "default").folder.glob(pattern)
        shutil.rmtree(folder)
    assert [(finding.name, finding.remedy) for finding in _bad(home)] == [
        ("vectors (Chroma)", "run `assistant rebuild`"),
        ("words (tantivy)", "run `assistant rebuild`"),
    ]
    sync.rebuild(home, "default", HashEmbedder())
    assert not _bad(home)


def test_a_run_that_was_cut_off(home: Path) -> None:
    with sqlite3.connect(Layout(home, "default").catalogue) as connection:
        connection.execute("INSERT INTO unindexed SELECT id, 1 FROM papers LIMIT 2")
    connection.close()
    [finding] = _bad(home)
    assert finding.found == "2 papers are not in the indexes yet: a run was cut off"
    sync.ingest(home, "default", [], HashEmbedder())
    assert not _bad(home)


def test_another_model(home: Path) -> None:
    [finding] = _bad(home, OtherEmbedder())
    assert finding.found == "made with 'hash', the settings say 'other'"


def test_a_damaged_catalogue(home: Path) -> None:
    catalogue = Layout(home, "default").catalogue
    for beside in catalogue.parent.glob("catalogue.sqlite-*"):
        beside.unlink()
    catalogue.write_bytes(b"this is no database at all " * 1000)
    [finding] = _bad(home)
    assert finding.name == "catalogue"
    assert "backup" in finding.remedy


def test_a_writer_at_work_is_no_fault(home: Path) -> None:
    with writer_lock(Layout(home, "default")):
        findings = list(check_stores(home, "default", HashEmbedder()))
    assert not [finding for finding in findings if finding.remedy]
    assert findings[-1].name == "lock"
