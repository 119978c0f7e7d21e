"""The table of papers, the layout of the map, and what the browser may ask of them."""

from __future__ import annotations

import threading
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from corpus.atlas import Atlas
from corpus.errors import InputError
from corpus.holdings import make_collection
from corpus.layout import BUILT_IN, Layout
from corpus.listing import Listing, Wanted
from corpus.projection import lay_out, place_among, principal
from corpus.readers.records import Record
from corpus.sync import ingest, remove
from ui.shelf.asked import asked_of
from ui.shelf.importing import Imports, forget, taken

if TYPE_CHECKING:
    from made import Library

    from corpus.embedder import LocalEmbedder


@pytest.fixture
def listing(library: Library) -> Listing:
    return Listing(Layout(library.home, library.collection.name))


def ids(listing: Listing, **wanted: object) -> list[str]:
    return [paper.id for paper in listing.page(Wanted(**wanted)).papers]  # type: ignore[arg-type]


def test_filters_and_orders(listing: Listing, library: Library) -> None:
    everyone = library.collection.papers()
    assert ids(listing) == [paper.id for paper in everyone]
    years = [paper.year for paper in listing.page(Wanted(sort="newest")).papers]
    assert years == sorted(years, key=lambda year: -(year or 0))
    some = listing.page(Wanted(years=(2023, 2024))).papers
    assert {paper.id for paper in some} == {p.id for p in everyone if p.year in (2023, 2024)}
    assert ids(listing, keyword="Compilers") == ["tileflow"]
    assert ids(listing, venue="Journal of Made-up Systems") == ["tileflow"]
    assert ids(listing, source="nothing.txt") == []
    assert ids(listing, sort="author")[0] != ids(listing)[-1]
    assert [p.id for p in listing.page(Wanted(), ["weather", "gone", "bees"]).papers] == ["weather", "bees"]
    assert listing.page(Wanted(page=10**6)).number == 1


def test_first_authors_are_sorted_by_their_last_name(listing: Listing) -> None:
    found = [paper.authors[0] for paper in listing.page(Wanted(sort="author")).papers if paper.authors]
    assert found == sorted(found, key=lambda name: name.split()[-1])


def test_choices_count_papers(listing: Listing, library: Library) -> None:
    choices = listing.choices()
    assert choices.years == (2017, 2025)
    assert {one.value: one.papers for one in choices.sources} == {"made.jsonl": library.collection.size}
    assert {one.value for one in choices.keywords} == {"dynamic sparsity", "compilers"}


def test_pages_follow_each_other_and_follow_the_writer(tmp_path: Path, embedder: LocalEmbedder) -> None:
    listing = Listing(Layout(tmp_path, "default"))
    assert listing.page(Wanted()).total == 0
    records = [Record(n, {"title": f"Paper {n:03}"}, f"raw {n}", "a.txt") for n in range(1, 121)]
    ingest(tmp_path, "default", records, embedder)
    pages = [listing.page(Wanted(page=number)) for number in (1, 2, 3)]
    assert [len(page.papers) for page in pages] == [50, 50, 20]
    assert pages[0].pages == 3
    seen = [paper.title for page in pages for paper in page.papers]
    assert seen == [f"Paper {n:03}" for n in range(1, 121)]
    first = pages[0].papers[0]
    assert listing.raw(first.id) == [("a.txt", 1, "raw 1")]
    remove(tmp_path, "default", [first.id], embedder)
    assert listing.page(Wanted()).total == 119
    assert listing.paper(first.id) is None


def clusters() -> np.ndarray:
    made = np.random.default_rng(7)
    centres = made.normal(size=(4, 24))
    return np.concatenate([c + made.normal(scale=0.15, size=(20, 24)) for c in centres]).astype(np.float32)


def test_the_layout_is_the_same_each_time_and_keeps_neighbours() -> None:
    vectors = clusters()
    places = lay_out(vectors)
    assert (places == lay_out(vectors)).all()
    assert places.min() >= 0
    assert places.max() <= 1
    middles = places.reshape(4, 20, 2).mean(1)
    nearest = ((places[:, None] - middles) ** 2).sum(2).argmin(1)
    assert (nearest == np.repeat(range(4), 20)).mean() > 0.95
    further = place_among(vectors + np.float32(0.01), vectors, places)
    assert np.abs(further - places).max() < 0.2
    assert principal(vectors).shape == (80, 2)


@pytest.mark.parametrize("count", [0, 1, 2, 4, 5, 7])
def test_few_papers_are_laid_out_too(count: int) -> None:
    places = lay_out(clusters()[:count])
    assert places.shape == (count, 2)
    assert np.isfinite(places).all()
    assert len({tuple(place) for place in places.tolist()}) == count


def test_equal_papers_lie_somewhere() -> None:
    assert np.isfinite(lay_out(np.ones((40, 8), np.float32))).all()


def test_a_map_is_kept_until_the_papers_change(tmp_path: Path, embedder: LocalEmbedder) -> None:
    layout, atlas = Layout(tmp_path, "default"), Atlas()
    assert len(atlas.places(layout).keys) == 0
    records = [Record(n, {"title": f"Paper {n} of things"}, "", "a.txt") for n in range(1, 8)]
    ingest(tmp_path, "default", records, embedder)
    made = atlas.places(layout)
    assert len(made.keys) == 7

    def never(done: int, total: int) -> None:
        raise AssertionError("made again")

    assert (Atlas().places(layout, never).places == made.places).all()
    (layout.folder / "map.npz").write_bytes(b"damaged")
    assert (Atlas().places(layout).places == made.places).all()
    ingest(tmp_path, "default", [Record(1, {"title": "Another one"}, "", "b.txt")], embedder)
    assert len(atlas.places(layout).keys) == 8


def test_whatever_the_browser_sends_is_a_view() -> None:
    sent = SimpleNamespace(
        query=["x"], first="20x4", last="1999", venue=7, sort="; DROP", page=-3, view="<b>", marked=[1, "a"]
    )
    asked = asked_of(sent)
    assert asked.query == ""
    assert asked.wanted == Wanted(years=(None, 1999))
    assert asked.view == "table"
    assert asked.marked == ("a",)
    assert asked_of(SimpleNamespace()).wanted == Wanted()


def test_a_new_collection_is_empty_and_its_name_free(tmp_path: Path, embedder: LocalEmbedder) -> None:
    make_collection(tmp_path, "mine", embedder)
    assert Listing(Layout(tmp_path, "mine")).size() == 0
    for name in ("Mine", BUILT_IN, "../x", ""):
        with pytest.raises(InputError):
            make_collection(tmp_path, name, embedder)


def test_only_what_was_uploaded_is_taken(tmp_path: Path) -> None:
    uploads, secret = tmp_path / "up", tmp_path / "secret.txt"
    (uploads / "h").mkdir(parents=True)
    secret.write_text("mine")
    (uploads / "h" / "a.bib").write_text("@a{}")
    (uploads / "link.bib").symlink_to(secret)
    files = taken([str(uploads / "h" / "a.bib"), str(secret), str(uploads / "link.bib")], uploads)
    assert [file.name for file in files] == ["a.bib"]
    assert not (uploads / "h").exists()
    assert secret.read_text() == "mine"
    forget(files)
    assert not files[0].parent.parent.exists()


def test_an_import_stops_and_one_runs_at_a_time() -> None:
    imports, begun = Imports(), threading.Event()

    def work(tell: object) -> None:
        while True:
            begun.set()
            tell("embed", 1, 9)  # type: ignore[operator]

    job = imports.start("a", work, ())  # type: ignore[arg-type]
    assert job is not None
    assert begun.wait(30)
    assert imports.start("a", work, ()) is None  # type: ignore[arg-type]
    assert imports.running("a") is job
    imports.stop("a")
    assert job.ended.wait(30)
    assert job.report is None
    assert job.fault is None
    assert imports.running("a") is None
