"""Files that are read again: changed, with their records in another order, with more of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_up import HashEmbedder

from corpus.collection import open_collection
from corpus.papers import Paper
from corpus.readers.records import Record
from corpus.sync import ingest

TEXT = "We look at grazing of dunes. It shapes the recovery of the plants in all years that we saw. It is so."
GRAZING = {
    "title": "Grazing shapes the recovery of coastal graslands",
    "authors": ["Ada Roe"],
    "year": 2016,
    "abstract": TEXT,
}
SOILS = {
    "title": "Soils of Friesland and their peat under the plough",
    "authors": ["Bo Li"],
    "year": 2017,
    "abstract": "Peat sinks under the plough in all of the fields that we measured for many years.",
}
NEW = {"title": "Birds of the marshes", "authors": ["Cy Moe"], "year": 2020}  # fmt: skip


def _read(home: Path, **files: list[dict[str, object]]) -> list[Paper]:
    records = [
        Record(number, fields, str(fields), file)
        for file, items in files.items()
        for number, fields in enumerate(items, 1)
    ]
    ingest(home, "mine", records, HashEmbedder())
    return open_collection(home, "mine", HashEmbedder()).papers()


def _sources(papers: list[Paper]) -> list[list[tuple[str, int]]]:
    return [[(one.file, one.record) for one in paper.sources] for paper in papers]


@pytest.mark.parametrize(
    "change",
    [
        {"title": "Grazing shapes the recovery of coastal grasslands"},
        {"title": "Grazing and dunes"},
        {"abstract": TEXT[:70]},
        {"title": "Grazing and dunes", "abstract": TEXT[:70]},
    ],
)
def test_a_record_s_own_file_has_the_last_word(tmp_path: Path, change: dict[str, object]) -> None:
    _read(tmp_path, f=[GRAZING, SOILS])
    papers = _read(tmp_path, f=[{**GRAZING, **change}, SOILS])
    now = {**GRAZING, **change}
    assert [(one.title, one.abstract, one.label) for one in papers] == [
        (now["title"], now["abstract"], now["title"]),
        (SOILS["title"], SOILS["abstract"], SOILS["title"]),
    ]
    assert _sources(papers) == [[("f", 1)], [("f", 2)]]


def test_what_another_file_still_says_stays(tmp_path: Path) -> None:
    _read(tmp_path, f=[GRAZING], g=[{**GRAZING, "title": "Grazing shapes the recovery of coas..."}])
    mended = {**GRAZING, "title": "Grazing shapes the recovery of grasslands", "abstract": TEXT[:50]}
    (paper,) = _read(tmp_path, f=[mended])
    assert (paper.title, paper.label, paper.abstract) == (mended["title"], mended["title"], TEXT)
    assert _sources([paper]) == [[("g", 1), ("f", 1)]] or _sources([paper]) == [[("f", 1), ("g", 1)]]


@pytest.mark.parametrize("change", [{}, {"abstract": TEXT[:70]}])
def test_records_that_change_places_keep_one_source(tmp_path: Path, change: dict[str, object]) -> None:
    _read(tmp_path, f=[GRAZING, SOILS])
    papers = _read(tmp_path, f=[SOILS, {**GRAZING, **change}])
    assert [one.abstract for one in papers] == [{**GRAZING, **change}["abstract"], SOILS["abstract"]]
    assert _sources(papers) == [[("f", 2)], [("f", 1)]]
    assert _sources(_read(tmp_path, f=[NEW, GRAZING, SOILS])) == [[("f", 2)], [("f", 3)], [("f", 1)]]
    assert _sources(_read(tmp_path, f=[GRAZING, SOILS, NEW])) == [[("f", 1)], [("f", 2)], [("f", 3)]]


def test_a_paper_that_is_twice_in_a_file_keeps_both_places(tmp_path: Path) -> None:
    for _ in range(2):
        assert _sources(_read(tmp_path, f=[GRAZING, GRAZING])) == [[("f", 1), ("f", 2)]]


def test_the_label_is_that_of_the_title_that_wins(tmp_path: Path) -> None:
    _read(tmp_path, f=[{**GRAZING, "title": "Grazing shapes the recovery of coas..."}])
    (paper,) = _read(tmp_path, g=[GRAZING])
    assert paper.label == paper.title == GRAZING["title"]
