"""The built-in collection: whole, quick to put in place, apart from the user's papers."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from made_up import HashEmbedder, records

from corpus import builtin
from corpus.builtin import PAPERS, QUESTIONS, VECTORS, install, open_builtin, passages
from corpus.embedder import LocalEmbedder
from corpus.errors import StoreError
from corpus.packed import PackedVectors
from corpus.sync import ingest, rebuild

_INSTALL = """
import sys
from pathlib import Path
from corpus.builtin import install
install(Path(sys.argv[1]))
assert "onnxruntime" not in sys.modules, "the model was loaded"
"""


def run_install(home: Path) -> None:
    root = Path(builtin.__file__).parent.parent
    subprocess.run([sys.executable, "-c", _INSTALL, str(home)], check=True, cwd=root, timeout=120)


def test_two_processes_that_install_at_once_end_with_one_whole_collection(tmp_path: Path) -> None:
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(run_install, [tmp_path, tmp_path]))
    assert [path.name for path in tmp_path.iterdir()] == ["efficient-ml"]
    collection = open_builtin(tmp_path)
    lines = [json.loads(line) for line in PAPERS.read_text(encoding="utf-8").splitlines()]
    assert [paper.id for paper in collection.papers()] == [line["id"] for line in lines]
    assert all(collection.sentences([paper.id]) for paper in collection.papers())
    query = LocalEmbedder().embed_query("a compiler for dynamic sparsity known only at run time")
    assert collection.nearest(query, 3)[0].paper_id == "efficient-ml-001"
    assert collection.find_names(["pit"]) == {"pit": ["efficient-ml-001"]}


def test_it_is_put_in_place_once_and_anew_for_another_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    collection = open_builtin(tmp_path)
    inode = (tmp_path / "efficient-ml" / "catalogue.sqlite").stat().st_ino
    rebuild(tmp_path, "efficient-ml", LocalEmbedder())
    install(tmp_path)
    assert (tmp_path / "efficient-ml" / "catalogue.sqlite").stat().st_ino == inode
    other = tmp_path / "papers.jsonl"
    other.write_text(
        "".join(PAPERS.read_text(encoding="utf-8").splitlines(keepends=True)[:7]), encoding="utf-8"
    )
    monkeypatch.setattr(builtin, "PAPERS", other)
    install(tmp_path)
    assert collection.refresh()
    assert collection.size == 7
    assert sorted(path.name for path in tmp_path.iterdir()) == ["efficient-ml", "papers.jsonl"]


def test_papers_of_the_user_in_its_place_are_never_touched(tmp_path: Path) -> None:
    ingest(tmp_path, "mine", records(range(2)), HashEmbedder())
    (tmp_path / "mine").rename(tmp_path / "efficient-ml")
    with pytest.raises(StoreError, match="isn't the built-in one"):
        install(tmp_path)
    assert (tmp_path / "efficient-ml" / "catalogue.sqlite").exists()


def test_the_packed_vectors_are_those_of_the_papers_and_the_model() -> None:
    """`make collection` makes them anew."""
    packed = PackedVectors(VECTORS)
    assert packed.stamp == LocalEmbedder.stamp
    wanted = passages()
    assert len(wanted) == 406
    held = list(packed.embed_papers([one.text for one in wanted], [one.spans for one in wanted]))
    some = wanted[::80]
    made = LocalEmbedder().embed_papers([one.text for one in some], [one.spans for one in some])
    for kept, one in zip(held[::80], made, strict=True):
        assert (np.sum(kept.passages * one.passages, axis=1) > 0.999).all()
        assert (np.sum(kept.sentences * one.sentences, axis=1) > 0.999).all()


def test_packed_vectors_know_no_other_text(tmp_path: Path) -> None:
    packed = PackedVectors(VECTORS)
    with pytest.raises(StoreError, match="make collection"):
        list(packed.embed_papers(["Another text."], [[(0, 13)]]))
    with pytest.raises(StoreError, match="local embedder"):
        packed.embed_query("Another text.")
    broken = tmp_path / "vectors.npz"
    broken.write_bytes(VECTORS.read_bytes()[:1000])
    with pytest.raises(StoreError, match="can't be read"):
        PackedVectors(broken)


def test_every_gold_of_the_test_set_is_a_paper() -> None:
    ids = {json.loads(line)["id"] for line in PAPERS.read_text(encoding="utf-8").splitlines()}
    asked = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    assert asked
    assert {gold for one in asked for gold in one["gold"]} <= ids
