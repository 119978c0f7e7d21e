"""Ingest, remove, rebuild on real stores: what they leave in each of them."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from made_up import HashEmbedder, abstract, record, records
from snapshot import snapshot

from corpus.collection import open_collection
from corpus.errors import BusyError, InputError, StoreError
from corpus.layout import Layout
from corpus.lexical import LexicalIndex
from corpus.lock import writer_lock
from corpus.readers.records import Record, Rejected
from corpus.sync import ingest, rebuild, remove


def test_new_records_are_in_every_store(tmp_path: Path) -> None:
    report = ingest(tmp_path, "mine", records(range(5)), HashEmbedder())
    assert (report.added, report.embedded, report.rejected) == (5, 5, ())
    now = snapshot(tmp_path)
    assert now.ids == now.words == [f"paper-{n}" for n in range(5)]
    assert list(now.passages) == [f"paper-{n}#0" for n in range(5)]


def test_a_second_run_changes_and_embeds_nothing(tmp_path: Path) -> None:
    embedder = HashEmbedder()
    ingest(tmp_path, "mine", records(range(5)), embedder)
    collection = open_collection(tmp_path, "mine", embedder)
    before = snapshot(tmp_path)
    report = ingest(tmp_path, "mine", records(range(5)), embedder)
    assert (report.added, report.updated, report.unchanged, report.merged) == (0, 0, 5, 0)
    assert report.embedded == 0
    assert embedder.embedded == 5
    assert not collection.refresh()
    assert snapshot(tmp_path) == before


def test_a_changed_record_is_embedded_anew_and_keeps_its_id_and_place(tmp_path: Path) -> None:
    ingest(tmp_path, "mine", records(range(3)), HashEmbedder())
    collection = open_collection(tmp_path, "mine", HashEmbedder())
    version = collection.version
    text = abstract(1) + " It also finds zebras."
    report = ingest(tmp_path, "mine", [record(1, abstract=text)], HashEmbedder())
    assert (report.updated, report.embedded) == (1, 1)
    assert collection.refresh()
    assert collection.version != version
    assert [paper.id for paper in collection.papers()] == ["paper-0", "paper-1", "paper-2"]
    assert collection.papers(["paper-1"])[0].abstract == text
    assert [hit.paper_id for hit in collection.lexical("zebra", 5)] == ["paper-1"]
    assert collection.sentences(["paper-1"])["paper-1"][-1].text == "It also finds zebras."


def test_new_words_about_a_paper_embed_nothing(tmp_path: Path) -> None:
    ingest(tmp_path, "mine", records(range(3)), HashEmbedder())
    report = ingest(tmp_path, "mine", [record(1, authors=["Ada Lovelace"])], HashEmbedder())
    assert (report.updated, report.embedded) == (1, 0)
    collection = open_collection(tmp_path, "mine", HashEmbedder())
    assert [hit.paper_id for hit in collection.lexical("lovelace", 5)] == ["paper-1"]


def test_a_shorter_text_leaves_no_passage_behind(tmp_path: Path) -> None:
    long = abstract(1) + " " + "More and more words follow here. " * 200
    ingest(tmp_path, "mine", [record(1, abstract=long)], HashEmbedder())
    assert len(snapshot(tmp_path).passages) == 4
    ingest(tmp_path, "mine", [record(1)], HashEmbedder())
    assert list(snapshot(tmp_path).passages) == ["paper-1#0"]


def test_the_same_abstract_in_two_files_is_one_paper_with_two_sources(tmp_path: Path) -> None:
    twice = [record(1, file="a.jsonl"), record(1, file="b.jsonl", id="other", year=2024)]
    report = ingest(tmp_path, "mine", twice, HashEmbedder())
    assert (report.added, report.merged) == (1, 1)
    (paper,) = open_collection(tmp_path, "mine", HashEmbedder()).papers()
    assert (paper.id, paper.year, paper.aliases) == ("paper-1", 2024, ("other",))
    assert [source.file for source in paper.sources] == ["a.jsonl", "b.jsonl"]
    again = ingest(tmp_path, "mine", twice, HashEmbedder())
    assert (again.unchanged, again.embedded) == (2, 0)


def test_a_record_that_joins_two_papers_makes_them_one(tmp_path: Path) -> None:
    by_doi = record(1, id="by-doi", doi="10.1000/xyz")
    by_text = record(2, id="by-text", abstract="Quite other words stand here. They are few.")
    ingest(tmp_path, "mine", [by_doi, by_text], HashEmbedder())
    both = record(3, id="both", doi="10.1000/xyz", abstract="Quite other words stand here. They are few.")
    assert ingest(tmp_path, "mine", [both], HashEmbedder()).merged == 1
    collection = open_collection(tmp_path, "mine", HashEmbedder())
    (paper,) = collection.papers()
    assert paper.id == "by-doi"
    assert set(paper.aliases) == {"by-text", "both"}
    assert collection.papers(["by-text", "both"]) == [paper]
    now = snapshot(tmp_path)
    assert now.ids == now.words == ["by-doi"]
    assert list(now.passages) == ["by-doi#0"]
    report = ingest(tmp_path, "mine", [by_doi, by_text, both], HashEmbedder())
    assert report.unchanged == 3


def test_two_planned_papers_that_a_third_record_joins_are_written_as_one(tmp_path: Path) -> None:
    text = "Quite other words stand here. They are few."
    joined = [
        record(1, id="by-doi", doi="10.1000/xyz"),
        record(2, id="by-text", abstract=text),
        record(3, id="both", doi="10.1000/xyz", abstract=text),
    ]
    ingest(tmp_path, "mine", joined, HashEmbedder())
    assert snapshot(tmp_path).ids == ["by-doi"]
    assert ingest(tmp_path, "mine", joined, HashEmbedder()).unchanged == 3


def test_a_paper_is_recognised_by_all_that_its_records_were(tmp_path: Path) -> None:
    """The first DOI is the one that is shown; the second is the paper's all the same."""
    steps = [
        record(1, doi="10.1000/first"),
        record(1, file="b.jsonl", doi="10.1000/second"),
        record(2, id="third", doi="10.1000/second"),
    ]
    ingest(tmp_path, "mine", steps, HashEmbedder())
    (paper,) = open_collection(tmp_path, "mine", HashEmbedder()).papers()
    assert (paper.id, paper.doi, paper.aliases) == ("paper-1", "10.1000/first", ("third",))
    report = ingest(tmp_path, "mine", [*steps, record(4, id="4", doi="10.1000/second")], HashEmbedder())
    assert (report.unchanged, report.merged) == (3, 1)


def test_one_id_on_two_unlike_papers_stays_two_papers(tmp_path: Path) -> None:
    first = Record(1, {"id": "1", "abstract": "Cats sleep all day long. They purr."}, "", "a.jsonl")
    second = Record(1, {"id": "1", "abstract": "Compilers merge tiles at run time."}, "", "b.jsonl")
    for _ in range(2):
        report = ingest(tmp_path, "mine", [first, second], HashEmbedder())
        papers = open_collection(tmp_path, "mine", HashEmbedder()).papers()
        assert len({paper.id for paper in papers}) == 2
        assert papers[0].id == "1"
        assert papers[1].aliases == ()
    assert report.unchanged == 2


def test_papers_of_one_label_are_told_apart_whenever_they_come(tmp_path: Path) -> None:
    texts = (
        "Twin merges sparse tiles quickly. It is a compiler.",
        "Twin streams audio to phones. It is a codec.",
    )
    apart = [Record(n, {"label": "Twin", "abstract": text}, "", "a.jsonl") for n, text in enumerate(texts)]
    ingest(tmp_path, "at-once", apart, HashEmbedder())
    for one in apart:
        ingest(tmp_path, "in-turn", [one], HashEmbedder())
    labels = [paper.label for paper in open_collection(tmp_path, "at-once", HashEmbedder()).papers()]
    assert len(set(labels)) == 2
    assert all(label.startswith("Twin (") for label in labels)
    assert [paper.label for paper in open_collection(tmp_path, "in-turn", HashEmbedder()).papers()] == labels


def test_rejected_records_are_reported_and_the_rest_goes_in(tmp_path: Path) -> None:
    fault = Rejected("a.jsonl", 2, "isn't JSON", "mend it")
    report = ingest(tmp_path, "mine", [record(1), fault, record(3, abstract=7), record(4)], HashEmbedder())
    assert report.added == 2
    assert report.rejected[0] == fault
    assert report.rejected[1].record == 3


def test_nothing_to_ingest_leaves_an_empty_collection(tmp_path: Path) -> None:
    report = ingest(tmp_path, "mine", [], HashEmbedder())
    assert (report.added, report.embedded) == (0, 0)
    assert open_collection(tmp_path, "mine", HashEmbedder()).size == 0


def test_progress_ends_with_everything_done(tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    ingest(tmp_path, "mine", records(range(40)), HashEmbedder(), progress=lambda *step: told.append(step))
    assert told[:2] == [("read", 40, 40), ("embed", 0, 40)]
    assert ("embed", 40, 40) in told
    assert told[-1] == ("write", 40, 40)


def test_many_batches_give_what_one_gives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ingest(tmp_path, "mine", records(range(12)), HashEmbedder())
    whole = snapshot(tmp_path)
    monkeypatch.setattr("corpus.sync._AT_ONCE", 5)
    monkeypatch.setattr("corpus.indexes._AT_ONCE", 2)
    monkeypatch.setattr("corpus.making._KEPT_AT_ONCE", 3)
    ingest(tmp_path, "other", records(range(12)), HashEmbedder())
    assert snapshot(tmp_path, "other") == whole


def test_remove_takes_a_paper_out_of_every_store_and_it_can_come_again(tmp_path: Path) -> None:
    ingest(tmp_path, "mine", records(range(4)), HashEmbedder())
    whole = snapshot(tmp_path)
    assert remove(tmp_path, "mine", ["paper-1", "paper-3", "paper-1"], HashEmbedder()) == 2
    now = snapshot(tmp_path)
    assert now.ids == now.words == ["paper-0", "paper-2"]
    assert list(now.passages) == ["paper-0#0", "paper-2#0"]
    assert ingest(tmp_path, "mine", records(range(4)), HashEmbedder()).added == 2
    assert sorted(snapshot(tmp_path).ids) == whole.ids
    assert snapshot(tmp_path).passages == whole.passages


def test_remove_by_alias_and_of_an_unknown_id(tmp_path: Path) -> None:
    ingest(tmp_path, "mine", [record(1), record(1, file="b.jsonl", id="other")], HashEmbedder())
    with pytest.raises(InputError, match=r"no paper 'nobody'.*Nothing was removed"):
        remove(tmp_path, "mine", ["other", "nobody"], HashEmbedder())
    assert remove(tmp_path, "mine", ["other"], HashEmbedder()) == 1
    now = snapshot(tmp_path)
    assert (now.ids, now.passages, now.words) == ([], {}, [])


@pytest.mark.parametrize("lost", ["vectors-1", "lexical-1", "vectors-1 lexical-1", ""])
def test_rebuild_restores_the_indexes_without_embedding(tmp_path: Path, lost: str) -> None:
    ingest(tmp_path, "mine", records(range(6)), HashEmbedder())
    whole = snapshot(tmp_path)
    for folder in lost.split():
        shutil.rmtree(tmp_path / "mine" / folder)
    embedder = HashEmbedder()
    rebuild(tmp_path, "mine", embedder)
    assert embedder.embedded == 0
    assert snapshot(tmp_path) == whole
    assert not [*(tmp_path / "mine").glob("*-1")]


@pytest.mark.parametrize("lost", ["vectors-1", "lexical-1"])
def test_an_ingest_restores_a_lost_index(tmp_path: Path, lost: str) -> None:
    ingest(tmp_path, "mine", records(range(6)), HashEmbedder())
    shutil.rmtree(tmp_path / "mine" / lost)
    ingest(tmp_path, "mine", records(range(7)), HashEmbedder())
    now = snapshot(tmp_path)
    assert now.ids == now.words
    assert len(now.passages) == 7


def test_an_ingest_restores_an_index_that_can_not_be_written(tmp_path: Path) -> None:
    ingest(tmp_path, "mine", records(range(6)), HashEmbedder())
    lexical = tmp_path / "mine" / "lexical-1"
    later = tmp_path / "later"
    shutil.copytree(lexical, later)
    LexicalIndex(later).write([], ["paper-1"])
    for path in later.glob("*.del"):
        shutil.copy(path, lexical)
    remove(tmp_path, "mine", ["paper-1"], HashEmbedder())
    now = snapshot(tmp_path)
    assert sorted(now.ids) == now.words
    assert len(now.words) == 5
    assert (tmp_path / "mine" / "lexical-2").exists()


def test_what_is_not_there_can_not_be_rebuilt_or_removed_from(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no collection 'mine'"):
        rebuild(tmp_path, "mine", HashEmbedder())
    with pytest.raises(InputError, match="no collection 'mine'"):
        remove(tmp_path, "mine", ["paper-1"], HashEmbedder())
    assert not (tmp_path / "mine").exists()


def test_another_model_is_refused(tmp_path: Path) -> None:
    class Other(HashEmbedder):
        stamp = "hash@2"

    ingest(tmp_path, "mine", records(range(2)), HashEmbedder())
    with pytest.raises(StoreError, match="'hash@1', not with 'hash@2'"):
        ingest(tmp_path, "mine", records(range(3)), Other())
    with pytest.raises(StoreError, match="ASSISTANT_EMBEDDINGS"):
        open_collection(tmp_path, "mine", Other())


def test_the_built_in_collection_takes_no_papers(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="built in"):
        ingest(tmp_path, "efficient-ml", records(range(2)), HashEmbedder())
    assert not (tmp_path / "efficient-ml").exists()


def test_a_writer_is_told_at_once_that_another_writes(tmp_path: Path) -> None:
    with writer_lock(Layout(tmp_path, "mine")), pytest.raises(BusyError):
        ingest(tmp_path, "mine", records(range(2)), HashEmbedder())


def test_vectors_made_before_an_interruption_are_not_made_again(tmp_path: Path) -> None:
    class Interrupted(HashEmbedder):
        def embed_query(self, text: str) -> np.ndarray:
            if self.embedded == 40:
                raise KeyboardInterrupt
            return super().embed_query(text)

    with pytest.raises(KeyboardInterrupt):
        ingest(tmp_path, "mine", records(range(50)), Interrupted())
    embedder = HashEmbedder()
    ingest(tmp_path, "mine", records(range(50)), embedder)
    assert embedder.embedded == 50 - 32
    assert len(snapshot(tmp_path).ids) == 50
