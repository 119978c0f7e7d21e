"""The life of a collection: records that change, papers that leave, backups, names."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from made_up import HashEmbedder, abstract, record, records
from snapshot import snapshot

from corpus.backups import back_up
from corpus.catalogue import Catalogue
from corpus.collection import open_collection
from corpus.errors import BusyError, InputError
from corpus.holdings import holdings, remove_collection, rename_collection
from corpus.layout import Layout
from corpus.leaving import Shrunk, remove_source
from corpus.lock import writer_lock
from corpus.papers import Paper, Source
from corpus.restoring import restore
from corpus.sync import ingest, rebuild


def only_paper(home: Path) -> Paper:
    (paper,) = open_collection(home, "mine", HashEmbedder()).papers()
    return paper


# A record that is read again.


@pytest.mark.parametrize(
    ("before", "now", "embedded"),
    [
        ({"title": "One long title of a paper"}, {"title": "A new one"}, 1),
        ({"doi": "10.1000/x"}, {"doi": "10.1000/x", "abstract": "Quite other words. They are new."}, 1),
        ({"arxiv_id": "2301.10936"}, {"arxiv_id": "2301.10936v2", "abstract": "Quite other words stand."}, 1),
        ({"year": 2020}, {"year": 2021}, 0),
        ({"authors": ["Ada Lovelace", "Bob Stone"]}, {"authors": ["Ada Lovelace"]}, 0),
        ({"venue": "Proceedings of a Very Long Name"}, {"venue": "PVLN"}, 0),
        ({"keywords": ["a", "b"]}, {"keywords": ["c"]}, 0),
        ({"doi": "10.1000/wrong"}, {"doi": "10.1000/right"}, 0),
    ],
)
def test_a_record_read_again_has_the_last_word(
    tmp_path: Path, before: dict[str, object], now: dict[str, object], embedded: int
) -> None:
    ingest(tmp_path, "mine", [record(1, **before)], HashEmbedder())
    report = ingest(tmp_path, "mine", [record(1, **now)], HashEmbedder())
    assert (report.updated, report.embedded) == (1, embedded)
    paper = only_paper(tmp_path)
    for name, value in now.items():
        shown = getattr(paper, name)
        assert (list(shown) if isinstance(shown, tuple) else shown) == (
            "2301.10936" if name == "arxiv_id" else value
        )
    assert paper.sources == (Source("made-up.jsonl", 1),)
    again = ingest(tmp_path, "mine", [record(1, **now)], HashEmbedder())
    assert (again.unchanged, again.embedded) == (1, 0)


def test_what_a_record_no_longer_gives_stays(tmp_path: Path) -> None:
    ingest(tmp_path, "mine", [record(1, title="A title", year=2020, doi="10.1000/x")], HashEmbedder())
    report = ingest(
        tmp_path, "mine", [record(1, abstract=None, title="A title", doi="10.1000/x")], HashEmbedder()
    )
    assert (report.updated, report.embedded) == (1, 0)
    paper = only_paper(tmp_path)
    assert (paper.abstract, paper.year) == (abstract(1), 2020)


def test_of_two_sources_neither_takes_from_the_other(tmp_path: Path) -> None:
    ingest(tmp_path, "mine", [record(1, year=2020), record(1, file="b.jsonl", venue="V")], HashEmbedder())
    ingest(tmp_path, "mine", [record(1, file="b.jsonl", venue="V", year=1999)], HashEmbedder())
    paper = only_paper(tmp_path)
    assert (paper.year, paper.venue, len(paper.sources)) == (2020, "V", 2)


def test_a_record_that_left_its_file_is_told_and_its_paper_stays(tmp_path: Path) -> None:
    ingest(tmp_path, "mine", records(range(1, 6)), HashEmbedder())
    report = ingest(tmp_path, "mine", records(range(1, 4)), HashEmbedder())
    assert report.shrunk == (Shrunk("made-up.jsonl", 5, 3),)
    assert open_collection(tmp_path, "mine", HashEmbedder()).size == 5
    assert ingest(tmp_path, "mine", records(range(1, 6)), HashEmbedder()).shrunk == ()


# The papers of one file.


def test_a_file_s_papers_go_and_those_of_others_lose_a_source(tmp_path: Path) -> None:
    ingest(tmp_path, "mine", [*records(range(4)), record(1, file="b.jsonl", year=2020)], HashEmbedder())
    ingest(tmp_path, "mine", [record(9, file="b.jsonl")], HashEmbedder())
    leaving = remove_source(tmp_path, "mine", "some/folder/made-up.jsonl", HashEmbedder())
    assert leaving.only == ("paper-0", "paper-2", "paper-3")
    assert leaving.others == ("paper-1",)
    kept, other = open_collection(tmp_path, "mine", HashEmbedder()).papers()
    assert (kept.id, kept.year, kept.sources) == ("paper-1", 2020, (Source("b.jsonl", 1),))
    assert other.id == "paper-9"
    now = snapshot(tmp_path)
    assert now.ids == now.words == ["paper-1", "paper-9"]
    assert list(now.passages) == ["paper-1#0", "paper-9#0"]
    with pytest.raises(
        InputError, match=r"No paper was read from 'made-up.jsonl'; there is 'b.jsonl'.*Nothing was"
    ):
        remove_source(tmp_path, "mine", "made-up.jsonl", HashEmbedder())
    report = ingest(tmp_path, "mine", records(range(4)), HashEmbedder())
    assert (report.added, report.merged) == (3, 1)


def test_nothing_is_removed_on_a_fault(tmp_path: Path) -> None:
    ingest(tmp_path, "mine", [*records(range(4)), record(1, file="b.jsonl")], HashEmbedder())
    with sqlite3.connect(tmp_path / "mine" / "catalogue.sqlite") as damaged:
        damaged.execute("UPDATE papers SET paper = 'x' WHERE id = 'paper-1'")
    damaged.close()
    with pytest.raises(Exception, match="damaged at the paper 'paper-1'"):
        remove_source(tmp_path, "mine", "made-up.jsonl", HashEmbedder())
    assert len(Catalogue(tmp_path / "mine" / "catalogue.sqlite").rows("SELECT 1 FROM papers")) == 4


# Backups.


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A data folder whose collection `mine` holds ten papers, one of them of two files, and feedback."""
    folder = tmp_path / "home"
    ingest(folder, "mine", [*records(range(10)), record(1, file="b.jsonl", id="other")], HashEmbedder())
    (folder / "mine" / "feedback.jsonl").write_text('{"a": 1}\n')
    return folder


def same(home: Path, name: str, as_of: tuple[Path, str]) -> bool:
    return snapshot(home, name) == snapshot(*as_of)


def test_a_backup_restores_the_same_collection_without_embedding(home: Path, tmp_path: Path) -> None:
    manifest = back_up(home, "mine", tmp_path / "b.zip")
    assert (manifest.collection, manifest.papers) == ("mine", 10)
    assert not [*tmp_path.glob(".*")]
    elsewhere = tmp_path / "elsewhere"
    assert restore(elsewhere, tmp_path / "b.zip").papers == 10
    assert same(elsewhere, "mine", (home, "mine"))
    restore(home, tmp_path / "b.zip", "second")
    assert same(home, "second", (home, "mine"))
    assert (home / "second" / "feedback.jsonl").read_text() == '{"a": 1}\n'
    assert not [*home.glob(".*")]
    again = ingest(elsewhere, "mine", records(range(11)), HashEmbedder())
    assert (again.unchanged, again.added, again.embedded) == (10, 1, 1)


def test_a_collection_with_papers_is_replaced_only_by_force(home: Path, tmp_path: Path) -> None:
    back_up(home, "mine", tmp_path / "b.zip")
    expected = snapshot(home)
    ingest(home, "mine", records(range(5, 20)), HashEmbedder())
    (home / "mine" / "feedback.jsonl").write_text('{"b": 2}\n')
    changed = snapshot(home)
    reader = open_collection(home, "mine", HashEmbedder())
    with pytest.raises(InputError, match=r"'mine' holds 20 papers.*Nothing was restored"):
        restore(home, tmp_path / "b.zip")
    assert snapshot(home) == changed
    assert reader.lexical("paper15", 3)
    restore(home, tmp_path / "b.zip", force=True)
    assert snapshot(home) == expected
    assert reader.refresh()
    assert (reader.size, reader.lexical("paper15", 3)) == (10, [])
    assert [hit.paper_id for hit in reader.lexical("paper7", 3)] == ["paper-7"]
    assert (home / "mine" / "feedback.jsonl").read_text() == '{"a": 1}\n{"b": 2}\n'
    assert not [*(home / "mine").glob("*-1")]


def test_an_empty_or_a_damaged_collection_is_replaced(home: Path, tmp_path: Path) -> None:
    back_up(home, "mine", tmp_path / "b.zip")
    ingest(home, "empty", [], HashEmbedder())
    restore(home, tmp_path / "b.zip", "empty")
    assert same(home, "empty", (home, "mine"))
    shutil.copytree(home / "mine", home / "torn")
    (home / "torn" / "catalogue.sqlite").write_bytes(b"x" * 5000)
    with pytest.raises(InputError, match="without a catalogue that can be read"):
        restore(home, tmp_path / "b.zip", "torn")
    restore(home, tmp_path / "b.zip", "torn", force=True)
    assert same(home, "torn", (home, "mine"))
    assert (home / "torn" / "catalogue.sqlite.damaged").read_bytes() == b"x" * 5000


def test_a_backup_holds_one_moment_while_another_writes(home: Path, tmp_path: Path) -> None:
    def write() -> None:
        for first in range(10, 60, 5):
            ingest(home, "mine", records(range(first, first + 5)), HashEmbedder())

    writer = threading.Thread(target=write)
    writer.start()
    taken = []
    while writer.is_alive() and len(taken) < 20:
        taken.append(back_up(home, "mine", tmp_path / f"{len(taken)}.zip").papers)
    writer.join()
    assert taken == sorted(taken)
    assert all(count % 5 == 0 for count in taken)
    for number, count in [*enumerate(taken)][:: max(1, len(taken) // 3)]:
        restore(home, tmp_path / f"{number}.zip", f"at-{number}")
        assert len(snapshot(home, f"at-{number}").words) == count


def test_a_backup_is_not_overwritten_and_needs_papers(home: Path, tmp_path: Path) -> None:
    back_up(home, "mine", tmp_path / "b.zip")
    with pytest.raises(InputError, match="is there already"):
        back_up(home, "mine", tmp_path / "b.zip")
    back_up(home, "mine", tmp_path / "b.zip", force=True)
    with pytest.raises(InputError, match="no collection 'nowhere'"):
        back_up(home, "nowhere", tmp_path / "c.zip")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.zip", "home"]


def test_torn_and_foreign_files_are_named(home: Path, tmp_path: Path) -> None:
    back_up(home, "mine", tmp_path / "b.zip")
    data = (tmp_path / "b.zip").read_bytes()
    torn = tmp_path / "torn.zip"
    for end in range(0, len(data), max(1, len(data) // 40)):
        torn.write_bytes(data[:end])
        with pytest.raises(InputError, match=r"torn\.zip"):
            restore(home, torn, "again")
    for place in range(100, len(data) - 100, max(1, len(data) // 40)):
        torn.write_bytes(data[:place] + bytes([data[place] ^ 0x55]) + data[place + 1 :])
        # A byte that means nothing, such as a date, may be another; nothing else may come of it.
        with suppress(InputError):
            restore(home, torn, f"flipped-{place}")
            assert same(home, f"flipped-{place}", (home, "mine"))
    with pytest.raises(InputError, match="nowhere"):
        restore(home, tmp_path / "nowhere.zip")
    with zipfile.ZipFile(torn, "w") as archive:
        archive.writestr("papers.jsonl", "{}")
    with pytest.raises(InputError, match="no backup of a collection"):
        restore(home, torn)
    assert not (home / "again").exists()
    assert not [*home.glob(".*")]


@pytest.mark.parametrize("name", ["../evil", "/tmp/evil", "mine/../../evil", "vectors-1/x", "manifest.json"])
def test_files_that_a_backup_does_not_hold_are_refused(home: Path, tmp_path: Path, name: str) -> None:
    back_up(home, "mine", tmp_path / "b.zip")
    with zipfile.ZipFile(tmp_path / "b.zip", "a") as archive:
        if name == "manifest.json":
            with pytest.warns(UserWarning, match="Duplicate name"):
                archive.writestr(name, "{}")
        else:
            archive.writestr(name, "x")
    with pytest.raises(InputError, match=r"b\.zip"):
        restore(home, tmp_path / "b.zip", "again")
    assert not (home / "again").exists()
    assert not (tmp_path / "evil").exists()


def _rewritten(path: Path, change: str, target: Path) -> None:
    """A backup whose checksums fit, and whose catalogue was changed by a statement."""
    folder = path.parent / "changed"
    folder.mkdir()
    with zipfile.ZipFile(path) as archive:
        archive.extractall(folder)
    with sqlite3.connect(folder / "catalogue.sqlite") as connection:
        connection.execute(change)
    connection.close()
    from corpus.backups import Manifest, Member, _member, _pack

    plain = json.loads((folder / "manifest.json").read_text())
    members = tuple(_member(folder / one["name"]) for one in plain["members"])
    assert all(isinstance(one, Member) for one in members)
    _pack(target, folder, Manifest(plain["collection"], plain["papers"], plain["version"], members))


@pytest.mark.parametrize(
    "change",
    [
        "CREATE TRIGGER t AFTER INSERT ON papers BEGIN DELETE FROM papers; END",
        "CREATE VIEW v AS SELECT 1",
        "DELETE FROM papers WHERE id = 'paper-3'",
        "UPDATE papers SET paper = '[]' WHERE id = 'paper-3'",
        "UPDATE vectors SET passages = x'00'",
        "DROP TABLE vectors",
        "DROP TABLE state",
        "PRAGMA user_version = 99",
    ],
)
def test_a_catalogue_that_was_tampered_with_is_refused(home: Path, tmp_path: Path, change: str) -> None:
    back_up(home, "mine", tmp_path / "b.zip")
    _rewritten(tmp_path / "b.zip", change, tmp_path / "c.zip")
    with pytest.raises(InputError, match=r"c\.zip"):
        restore(home, tmp_path / "c.zip", "again")
    assert not (home / "again").exists()


def test_the_built_in_name_and_a_writer_are_respected(home: Path, tmp_path: Path) -> None:
    back_up(home, "mine", tmp_path / "b.zip")
    with pytest.raises(InputError, match="built in"):
        restore(home, tmp_path / "b.zip", "efficient-ml")
    with pytest.raises(InputError, match="can't be a collection's name"):
        restore(home, tmp_path / "b.zip", "../x")
    with writer_lock(Layout(home, "mine")):
        back_up(home, "mine", tmp_path / "c.zip")
        with pytest.raises(BusyError):
            restore(home, tmp_path / "b.zip", force=True)
        with pytest.raises(BusyError):
            remove_collection(home, "mine")
        with pytest.raises(BusyError):
            rename_collection(home, "mine", "yours", HashEmbedder())


_RESTORER = """
import sys
from pathlib import Path
from corpus.restoring import restore
import chromadb, tantivy
sys.stdout.write(f"ready {chromadb.__version__} {tantivy.__name__}\\n"); sys.stdout.flush()
restore(Path(sys.argv[1]), Path(sys.argv[2]), force=True)
sys.stdout.write("done\\n")
"""


def test_a_killed_restore_leaves_the_old_or_the_new(home: Path, tmp_path: Path) -> None:
    back_up(home, "mine", tmp_path / "b.zip")
    new = snapshot(home)
    ingest(home, "mine", records(range(5, 20)), HashEmbedder())
    old = snapshot(home)
    root = Path(__file__).parents[1]
    seen = set()
    for attempt in range(10):
        copy = tmp_path / f"home-{attempt}"
        shutil.copytree(home, copy)
        restorer = subprocess.Popen(
            [sys.executable, "-c", _RESTORER, str(copy), str(tmp_path / "b.zip")],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(root)},
        )
        assert restorer.stdout is not None
        with restorer.stdout:
            assert restorer.stdout.readline().startswith("ready")
            time.sleep(attempt * 0.05)
            restorer.kill()
            restorer.wait(60)
        assert open_collection(copy, "mine", HashEmbedder()).size in (10, 20)
        rebuild(copy, "mine", HashEmbedder())
        found = snapshot(copy)
        assert found in (old, new)
        seen.add(len(found.ids))
    assert 20 in seen


# Names.


def test_collections_are_listed_renamed_and_removed(home: Path) -> None:
    ingest(home, "empty", [], HashEmbedder())
    (home / "torn").mkdir()
    (home / "torn" / "catalogue.sqlite").write_bytes(b"x" * 5000)
    empty, mine, torn = holdings(home)
    assert (empty.name, empty.papers, empty.version) == ("empty", 0, "empty")
    assert (mine.name, mine.papers, mine.built_in, mine.fault) == ("mine", 10, False, None)
    assert mine.bytes > 10_000
    assert torn.papers is None
    assert torn.fault
    before = snapshot(home)
    rename_collection(home, "mine", "yours", HashEmbedder())
    assert snapshot(home, "yours") == before
    assert (home / "yours" / "feedback.jsonl").exists()
    for old, new, text in (
        ("mine", "x", "no collection 'mine'"),
        ("yours", "empty", "is a collection 'empty' already"),
        ("yours", "../x", "can't be a collection's name"),
        ("yours", "efficient-ml", "built in"),
        ("efficient-ml", "x", "built in"),
    ):
        with pytest.raises(InputError, match=text):
            rename_collection(home, old, new, HashEmbedder())
    remove_collection(home, "torn")
    remove_collection(home, "yours")
    assert [one.name for one in holdings(home)] == ["empty"]
    assert [path.name for path in home.iterdir()] == ["empty"]
    with pytest.raises(InputError, match="no collection 'yours'"):
        remove_collection(home, "yours")
    with pytest.raises(InputError, match="built in"):
        remove_collection(home, "efficient-ml")
