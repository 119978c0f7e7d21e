"""Which records are the same paper, and what merging keeps."""

from __future__ import annotations

import json
import random
import sqlite3
import tempfile
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from made_up import HashEmbedder

from corpus.cleaning import paper_from
from corpus.collection import open_collection
from corpus.dedupe import merge, same_paper_key
from corpus.facts import facts_of, same_work
from corpus.layout import Layout
from corpus.papers import Paper, Source
from corpus.readers.records import Record
from corpus.sync import ingest


def _paper(id: str, abstract: str | None = "Words.", **fields: object) -> Paper:
    return Paper(id=id, label=id, abstract=abstract, **fields)  # type: ignore[arg-type]


def test_keys() -> None:
    facts = facts_of(_paper("a", "The words!", doi="10.1/x", arxiv_id="2301.10936", pmid="7"))
    keys = same_paper_key(facts)
    assert keys[:3] == ["doi:10.1/x", "arxiv:2301.10936", "pmid:7"]
    assert keys[3].startswith("text:")
    assert len(keys) == 4
    titled = facts_of(_paper("a", None, title="A Title: what is it for", authors=("Ada van Lov",)))
    assert same_paper_key(titled) == [
        "title:titlewhatisitfor",
        "title:whatisitfor",
        "first:title what it:lov",
        "last:title what it:lov",
    ]


def test_near_duplicates_stay_two() -> None:
    one = _paper("a", "We propose CompeteSMoE, a simple yet effective algorithm.")
    two = _paper("b", "We develop CompeteSMoE, a simple yet effective algorithm.")
    assert not _same(one, two)


TITLE = "Grazing shapes the recovery of coastal grasslands"
PEOPLE = ("Marieke Visser", "Pieter de Groot", "Anna Kowalska")


def _work(**fields: object) -> Paper:
    return _paper("w", **{"abstract": None, "title": TITLE, "authors": PEOPLE, "year": 2016, **fields})  # type: ignore[arg-type]


def _same(one: Paper, two: Paper) -> bool:
    first, second = facts_of(one), facts_of(two)
    assert same_work(first, second) == same_work(second, first)
    return bool(set(same_paper_key(first)) & set(same_paper_key(second))) and same_work(first, second)


@pytest.mark.parametrize(
    "other",
    [
        {"authors": ("M. Visser", "P. de Groot", "et al.")},
        {"authors": PEOPLE[::-1], "year": 2017},
        {"authors": ("de Groot Pieter", "Visser Marieke"), "year": None},
        {"title": "Grazing Shapes the Recovery of Coastal Grass-lands."},
        {"title": TITLE + ": a field study"},
        {"title": "Grazing shapes the recovery of coas..."},
        {"title": "RETRACTED: " + TITLE},
        {"authors": (), "venue": "Ecology"},
        {"doi": "10.1101/2014.01.02.123456", "year": 2014},
    ],
)
def test_one_paper(other: dict[str, object]) -> None:
    assert _same(_work(doi="10.1111/jce.1", venue="Ecology"), _work(**other))


@pytest.mark.parametrize(
    "other",
    [
        {"authors": ("Ada Moreau", "Bo Lindqvist")},
        {"authors": ("Jan Visser", "Wim Pos", "Eva Rot")},
        {"year": 2009},
        {"title": TITLE + ", Part II"},
        {"title": "Erratum to: " + TITLE},
        {"title": "Comment on “" + TITLE + "”"},
        {"title": TITLE + ": study protocol"},
        {"title": "Grazing shapes the recovery of alpine grasslands"},
        {"doi": "10.1111/jce.2"},
        {"doi": "10.1111/jce.1", "title": "Corrigendum: " + TITLE},
        {"doi": "10.1111/jce.1", "title": "Soils of Friesland", "authors": ("Ada Moreau",)},
    ],
)
def test_two_papers(other: dict[str, object]) -> None:
    assert not _same(_work(doi="10.1111/jce.1", venue="Ecology"), _work(**other))


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Hypoglycemia in patients with diabetes treated at home", "Hyperglycemia in patients with"
        " diabetes treated at home"),
        ("Effects of hypotension on outcome in elderly patients", "Effects of hypertension on outcome in"
        " elderly patients"),
        ("Mild hypothermia after cardiac arrest in adults", "Mild hyperthermia after cardiac arrest in"
        " adults"),
        ("Interstate migration of young workers in Europe", "Intrastate migration of young workers in"
        " Europe"),
        ("Uptake of nitrate by roots of alpine grasses", "Uptake of nitrite by roots of alpine grasses"),
        (TITLE, TITLE + ": supplementary material"),
        (TITLE, "Supplementary data for: " + TITLE),
        (TITLE, "Data from: " + TITLE),
    ],
)  # fmt: skip
def test_a_word_of_another_part_is_another_paper(one: str, two: str) -> None:
    assert not _same(_work(title=one), _work(title=two))


def test_a_slip_ties_where_the_texts_don_t_speak_against_it() -> None:
    one, two = (f"Effects of {word} on the sleep of shift workers" for word in ("mediation", "medication"))
    assert _same(_work(title=one), _work(title=two))
    assert not _same(_work(title=one, abstract="We talked."), _work(title=two, abstract="We gave pills."))
    colours = ("Tumour colour and behaviour: analysing fibres", "Tumor color and behavior: analyzing fibers")
    assert _same(
        _work(title=colours[0], abstract="One."), _work(title=colours[1], abstract="Two.", authors=())
    )


BOILERPLATE = (
    "Conference proceedings front matter may contain various advertisements, welcome messages, committee or "
    "program information, and other miscellaneous conference information."
)


def test_texts_that_many_records_have_tie_nothing() -> None:
    front = _work(title="[Front matter]", abstract=BOILERPLATE, authors=(), year=2018, doi="10.1109/a.2018.1")
    for other in (
        {"title": "Welcome message", "doi": "10.1109/b.2021.1", "year": 2021},
        {"title": "Call for papers", "doi": None},
        {"title": "Proceedings of the Tenth Congress", "doi": "10.1145/b.2021.1"},
    ):
        assert not _same(front, _work(**{"abstract": BOILERPLATE, "authors": (), **other}))


def test_an_identifier_alone_ties_no_records_that_differ_in_all_else() -> None:
    other = {"title": "Soils of Friesland", "authors": ("Ada Moreau",), "year": 1999}
    assert not _same(_work(pmid="12"), _work(pmid="12", **other))
    assert not _same(_work(doi="10.1111/x"), _work(doi="10.1111/x", **other))
    assert _same(_work(pmid="12"), _work(pmid="12", **{**other, "year": 2016}))


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ({"authors": ["Wei Li 0001"]}, {"authors": ["Li, Wei"]}),
        ({"authors": ["Wei Li"]}, {"authors": ["[No author name available]"]}),
        ({"title": r"Effects of CO{\textless}sub{\textgreater}2{\textless}/sub{\textgreater} on mosses"
        r" of dunes"},
         {"title": "Effects of CO<sub>2</sub> on mosses of dunes"}),
        ({"title": r"Folding of $$\alpha $$-helices in water and in oil"}, {"title": "Folding of"
        " α-helices in water and in oil"}),
        ({"title": "Folding of {DNA} in {Water} and in oil"}, {"title": "Folding of DNA in water and in"
        " oil"}),
    ],
)  # fmt: skip
def test_one_paper_of_two_exports(one: dict[str, object], two: dict[str, object]) -> None:
    given = {"title": "Folding of strands in water and in oil", "authors": ["Wei Li"], "year": 2019}
    assert _same(_read({**given, **one}), _read({**given, **two}))


def test_identifiers_decide_whatever_the_titles_are() -> None:
    assert _same(_work(doi="10.1111/x"), _work(doi="10.1111/x", title="Weidegang und Dünen"))
    assert _same(
        _work(arxiv_id="2301.10936"), _work(doi="10.48550/arxiv.2301.10936", title="Dunes", year=2023)
    )
    assert _same(_work(pmid="12"), _work(pmid="12", title="Dunes", authors=()))
    assert _same(_work(doi="10.1111/x"), _work(title="Dunes", authors=(), other_ids=("doi:10.1111/x",)))
    assert not _same(_work(arxiv_id="2301.10936"), _work(arxiv_id="2302.00001"))
    assert not _same(_work(pmid="12"), _work(pmid="13"))


def test_titles_that_many_papers_have() -> None:
    one = _work(title="Editorial", authors=("Ada Moreau",), venue="Ecology")
    assert _same(one, _work(title="EDITORIAL", authors=("A. Moreau",), venue="Ecology"))
    for other in ({"year": 2017}, {"authors": ()}, {"venue": None}, {"venue": "Botany"}):
        assert not _same(
            one, _work(**{"title": "Editorial", "authors": ("Ada Moreau",), "venue": "Ecology", **other})
        )


def test_the_published_side_names_the_paper_and_the_preprint_stays() -> None:
    preprint = _work(
        doi="10.48550/arxiv.2301.10936", arxiv_id="2301.10936", year=2022, venue="arXiv", url="http://a.org/1"
    )
    article = _work(doi="10.1111/x", year=2023, venue="Ecology", url="http://b.org/2", pmid="9")
    for merged in (merge(preprint, article), merge(article, preprint)):
        assert (merged.doi, merged.year, merged.venue) == ("10.1111/x", 2023, "Ecology")
        assert (merged.arxiv_id, merged.pmid) == ("2301.10936", "9")
        assert "doi:10.48550/arxiv.2301.10936" in merged.other_ids
        assert {merged.url, *merged.other_ids} >= {"http://a.org/1", "http://b.org/2"}


_FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "title": st.sampled_from(
            [TITLE, TITLE + ": a study", TITLE + ", Part II", "Editorial", "Dunes and the sea"]
        ),
        "authors": st.sampled_from([["Ada Moreau", "Bo Ek"], ["A. Moreau"], ["Eva Rot"]]),
        "year": st.sampled_from([2015, 2016, 2019]),
        "doi": st.sampled_from(["10.1111/a", "10.1111/b", "10.2222/c", "10.48550/arXiv.2301.10936"]),
        "arxiv_id": st.sampled_from(["2301.10936v1", "2301.10936v2", "2301.10937"]),
        "pmid": st.sampled_from(["1", "2"]),
        "abstract": st.sampled_from([f"{word} " * 20 for word in ("one", "two", "three")]),
    },
).filter(lambda fields: "title" in fields or "abstract" in fields)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(_FIELDS, min_size=2, max_size=6), st.randoms(use_true_random=False))
def test_what_is_one_paper_doesnt_hang_on_the_order(
    fields: list[dict[str, object]], dice: random.Random
) -> None:
    # A file each: in a file that is read again a record may have moved.
    records = [Record(n, one, repr(one), f"f{n}") for n, one in enumerate(fields, 1)]
    shuffled = dice.sample(records, len(records))
    assert _groups([records]) == _groups([shuffled]) == _groups([[one] for one in shuffled])


def _groups(ingests: list[list[Record]]) -> set[frozenset[int]]:
    """Which records became one paper."""
    with tempfile.TemporaryDirectory() as folder:
        for records in ingests:
            ingest(Path(folder), "mine", records, HashEmbedder())
        again = ingest(Path(folder), "mine", [one for some in ingests for one in some], HashEmbedder())
        assert (again.added, again.updated, again.merged, again.embedded) == (0, 0, 0, 0)
        papers = open_collection(Path(folder), "mine", HashEmbedder()).papers()
    groups = [frozenset(source.record for source in paper.sources) for paper in papers]
    assert sum(map(len, groups)) == sum(map(len, ingests))
    return set(groups)


def test_three_records_tied_one_to_the_next() -> None:
    fields = [
        {"title": "Red", "doi": "10.1111/a", "abstract": "A " * 30},
        {"title": "Green", "arxiv_id": "2301.10936v2", "abstract": "B " * 40},
        {"title": "Blue", "doi": "10.1111/a", "arxiv_id": "2301.10936v1"},
    ]
    assert _groups([[Record(n, one, "", "f") for n, one in enumerate(fields, 1)]]) == {frozenset({1, 2, 3})}


def test_many_editorials_keep_apart_and_keep_their_ids() -> None:
    fields = [{"title": "Editorial", "year": year, "authors": ["Ada Moreau"]} for year in range(2001, 2009)]
    records = [Record(n, one, "", "f") for n, one in enumerate(fields, 1)]
    assert len(_groups([records])) == 8
    assert len(_groups([[one] for one in records])) == 8


def test_a_catalogue_of_an_earlier_release_learns_what_its_papers_say(tmp_path: Path) -> None:
    old = Record(1, {"title": TITLE, "authors": list(PEOPLE), "year": 2016}, "", "old")
    ingest(tmp_path, "mine", [old], HashEmbedder())
    with closing(sqlite3.connect(Layout(tmp_path, "mine").catalogue)) as connection:
        connection.executescript("DROP TABLE clues; DROP TABLE facts")
    new = Record(1, {"title": TITLE.upper(), "authors": ["M Visser"], "year": 2017}, "", "new")
    report = ingest(tmp_path, "mine", [new], HashEmbedder())
    assert (report.added, report.merged, report.without_abstract) == (0, 1, 1)


def test_the_labelled_pairs() -> None:
    """Of all pairs, those held out from tuning included; `benchmarks/dedupe.py` gives the table."""
    lines = (
        (Path(__file__).parents[1] / "benchmarks" / "dedupe.jsonl").read_text(encoding="utf-8").splitlines()
    )
    pairs = [json.loads(line) for line in lines]
    pairs = [pair for pair in pairs if not any("file" in pair[side] for side in "ab")]
    found = Counter((pair["same"], _same(_read(pair["a"]), _read(pair["b"]))) for pair in pairs)
    assert len(pairs) >= 320
    assert found[True, True] / (found[True, True] + found[False, True]) >= 0.99
    assert found[True, True] / (found[True, True] + found[True, False]) >= 0.97


def _read(fields: dict[str, object]) -> Paper:
    paper = paper_from(Record(1, fields, ""), "")
    assert isinstance(paper, Paper)
    return paper


def test_merging_keeps_the_id_and_unites_sources_and_ids() -> None:
    old = _paper("a", sources=(Source("x", 1),), aliases=("z",))
    new = _paper("b", sources=(Source("x", 1), Source("y", 2)), aliases=("a",), year=2023, authors=("Ada",))
    merged = merge(old, new)
    assert merged.id == "a"
    assert merged.sources == (Source("x", 1), Source("y", 2))
    assert merged.aliases == ("z", "b")
    assert (merged.year, merged.authors) == (2023, ("Ada",))


def test_the_fuller_value_wins() -> None:
    old = _paper("a", "Short abstract.", title="A title", authors=("Ada", "Bob", "et al."), doi="10.1/x")
    new = _paper(
        "b", "A longer abstract of it.", title="A title", authors=("Ada", "Bob", "Eve"), doi="10.1/x"
    )
    merged = merge(old, new)
    assert merged.abstract == "A longer abstract of it."
    assert merged.authors == ("Ada", "Bob", "Eve")
    assert merge(new, old).authors == ("Ada", "Bob", "Eve")


@given(st.text(max_size=20), st.text(max_size=20), st.lists(st.integers(1, 9), max_size=4))
def test_merging_twice_changes_nothing_more(one: str, two: str, records: list[int]) -> None:
    old = _paper("a", one, title=two)
    new = _paper("b", two, title=one, sources=tuple(Source("f", n) for n in sorted(set(records))))
    merged = merge(old, new)
    assert merge(merged, new) == merged
    assert merge(old, old) == old
