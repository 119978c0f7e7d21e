"""Exports: what other programs find in them, and that reading them again gives the same papers."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from corpus.cleaning import paper_from
from corpus.exporters import EXPORTERS, Exporter, write_papers
from corpus.exporters.keys import Keys
from corpus.exporters.latex import escaped
from corpus.exporters.names import Name, parted
from corpus.papers import Paper
from corpus.readers import read_stream
from corpus.readers.own import with_own, write_own
from corpus.readers.records import Record, Rejected

BY_NAME = {row.name: row for row in EXPORTERS}
PLAIN = Paper(
    id="p0123456789a",
    label="PIT",
    abstract="We present PIT_2, a compiler, at 50% of the cost & more; see https://example.org/a_b~c.",
    title="PIT: sparsity & speed for the iPhone",
    authors=("Ada Lovelace", "Ludwig van Beethoven", "The Sparse, Dense and Odd Group", "et al."),
    organisations=("University of X; Y", "Z, Inc."),
    year=2023,
    venue="Proceedings of the Workshop on Tests",
    doi="10.1000/a_b(c)",
    arxiv_id="2301.10936",
    pmid="123",
    other_ids=("arxiv:2301.10936v2", "doi:10.48550/arxiv.2301.10936"),
    url="https://example.org/a_b~c",
    keywords=("sparse, dense", "GPU"),
    aliases=("old:1", "old2"),
)

words = st.lists(
    st.one_of(
        st.text(st.characters(exclude_categories=("Cs", "Co")), min_size=1, max_size=8),
        st.sampled_from(
            'and {a} } { \\alpha $x^2$ 50% & &amp; "q" _ ~ # ; , | <b>x</b> @article{ TY ER 10.1/x 猫'.split()
        ),
        st.sampled_from(
            "https://x.org/a_b. % = - et al. others assistant-own:id=x:end \\ \\\\ ' '' `` -- \u200b".split()
        ),
    ),
    max_size=12,
).map(" ".join)
names = st.one_of(
    st.sampled_from(
        (
            "Ada Lovelace",
            "van der Berg, Jan",
            "{Barnes and Noble, Inc.}",
            "Smith JA",
            "et al.",
            "O'Neil, Bo Jr.",
        )
    ),
    words,
)
records = st.fixed_dictionaries(
    {"title": words, "abstract": words},
    optional={
        "id": st.from_regex(r"[A-Za-z][\w.:/+@-]{0,12}", fullmatch=True),
        "label": words,
        "authors": st.lists(names, max_size=4),
        "organisations": st.lists(words, max_size=3),
        "year": st.integers(1500, 2199),
        "venue": words,
        "doi": st.from_regex(r"10\.[0-9]{4}/[a-z0-9()<>;_.-]{1,12}", fullmatch=True),
        "arxiv_id": st.sampled_from(("2301.10936v2", "cs/9901001")),
        "pmid": st.integers(1, 10**8).map(str),
        "url": st.sampled_from(("https://example.org/a?b=c&d=%20", "http://x.org/(a)_b~")),
        "keywords": st.lists(words, max_size=4),
        "aliases": st.lists(st.from_regex(r"[A-Za-z][\w.:]{0,8}", fullmatch=True), max_size=2),
    },
)


def cleaned(number: int, fields: dict[str, object]) -> Paper | None:
    made = paper_from(Record(number, fields, "", "made.x"), "made.x")
    return made if isinstance(made, Paper) else None


def exported(papers: list[Paper], row: Exporter) -> tuple[str, int]:
    out = io.StringIO()
    flaws = write_papers(papers, row, out)
    return out.getvalue(), len(flaws)


def read(text: str) -> list[Paper | Rejected]:
    items = list(read_stream(io.BytesIO(text.encode()), "export"))
    return [paper_from(one, one.file) if isinstance(one, Record) else one for one in items]


def bare(paper: Paper | Rejected) -> Paper:
    assert isinstance(paper, Paper), paper
    return replace(paper, sources=())


@pytest.mark.parametrize("name", BY_NAME)
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(made=st.lists(records, min_size=1, max_size=3))
def test_what_is_read_again_is_the_same_papers(name: str, made: list[dict[str, object]]) -> None:
    papers = [paper for number, one in enumerate(made, 1) if (paper := cleaned(number, one))]
    out = io.StringIO()
    flaws = {flaw.paper.id: flaw.fields for flaw in write_papers(papers, BY_NAME[name], out)}
    for paper, again in zip(papers, read(out.getvalue()) if papers else [], strict=True):
        flawed = flaws.get(paper.id, ())
        assert bare(again) == replace(paper, sources=(), **{one: getattr(again, one) for one in flawed})
        # What can't be written so that it reads the same is what cleaning changes whenever it reads it.
        twice = cleaned(1, paper.to_dict())
        assert all(getattr(twice, one) != getattr(paper, one) for one in flawed)


@pytest.mark.parametrize("name", BY_NAME)
def test_every_field_comes_back(name: str) -> None:
    text, flaws = exported([PLAIN, replace(PLAIN, id="other", aliases=(), doi=None)], BY_NAME[name])
    first, second = read(text)
    assert bare(first) == PLAIN
    assert bare(second).id == "other"
    assert flaws == 0


@pytest.mark.parametrize("name", BY_NAME)
def test_no_papers_are_a_file_without_any(name: str) -> None:
    text, flaws = exported([], BY_NAME[name])
    assert flaws == 0
    assert not [item for item in read_stream(io.BytesIO(text.encode()), "x") if isinstance(item, Record)]


def test_what_reads_otherwise_is_told() -> None:
    odd = replace(PLAIN, abstract="Two\u0000 lines\nhere.")
    out = io.StringIO()
    [flaw] = write_papers([PLAIN, odd], BY_NAME["jsonl"], out)
    assert (flaw.paper, flaw.fields) == (odd, ("abstract",))
    assert len(out.getvalue().splitlines()) == 2


def test_bibtex_for_latex_and_reference_managers() -> None:
    text, _ = exported([PLAIN], BY_NAME["bibtex"])
    for line in (
        "@inproceedings{lovelace2023pit,",
        r"title = {{PIT}: sparsity \& speed for the {iPhone}}",
        "author = {Lovelace, Ada and van Beethoven, Ludwig and {The Sparse, Dense and Odd Group} and others}",
        "booktitle = {Proceedings of the Workshop on Tests}",
        "doi = {10.1000/a_b(c)}",
        "eprint = {2301.10936}",
        "keywords = {sparse, dense; GPU}",
        r"PIT\_2, a compiler, at 50\% of the cost \& more",
    ):
        assert line in text
    assert text.count("{") == text.count("}")


def test_braces_of_bibtex_balance_whatever_the_text() -> None:
    assert escaped("a } b { c") == r"a \textbraceright{} b \textbraceleft{} c"
    assert escaped("{a}") == r"\{a\}"
    assert escaped("a -- b") == "a -{}- b"


def test_keys_are_plain_and_each_once() -> None:
    keys = Keys()
    twins = [replace(PLAIN, id=f"p{number:011x}") for number in range(3)]
    given_ids = [replace(PLAIN, id=one) for one in ("smith2020", "Smith2020", "a/b", "smith2020-2")]
    nameless = [replace(PLAIN, id=f"p{9:011x}", authors=(), title="猫", year=None, label="猫")]
    found = [keys.key(paper) for paper in (*twins, *given_ids, *nameless)]
    assert found[:2] == ["lovelace2023pit", "lovelace2023pit-2"]
    assert len({key.casefold() for key in found}) == len(found)
    assert all(re.fullmatch(r"[A-Za-z][A-Za-z0-9:._-]*", key) for key in found)


@pytest.mark.parametrize(
    ("whole", "family", "given"),
    [
        ("Ada Lovelace", "Lovelace", "Ada"),
        ("John A. B. Smith", "Smith", "John A. B."),
        ("Ludwig van Beethoven", "van Beethoven", "Ludwig"),
        ("Jean-Pierre O'Neil", "O'Neil", "Jean-Pierre"),
        ("Gabriel García Márquez", "", ""),
        ("OpenAI", "", ""),
        ("Sparse Group", "", ""),
        ("Barnes and Noble", "", ""),
        ("A, B", "", ""),
        ("猫 犬", "", ""),
        ("", "", ""),
    ],
)
def test_names_are_parted_where_the_parts_are_known(whole: str, family: str, given: str) -> None:
    assert parted(whole) == Name(whole, family, given)


def test_ris_and_csl_for_reference_managers() -> None:
    ris, _ = exported([PLAIN], BY_NAME["ris"])
    for line in (
        "TY  - JOUR",
        "AU  - Lovelace, Ada",
        "PY  - 2023",
        "DO  - 10.1000/a_b(c)",
        "KW  - GPU",
        "ER  - ",
    ):
        assert line in ris.splitlines()
    item = json.loads(exported([PLAIN], BY_NAME["csl-json"])[0])[0]
    assert item["author"][:3] == [
        {"family": "Lovelace", "given": "Ada"},
        {"family": "van Beethoven", "given": "Ludwig"},
        {"literal": "The Sparse, Dense and Odd Group"},
    ]
    assert item["issued"] == {"date-parts": [[2023]]}


def test_a_table_has_a_column_for_each_field_and_no_formulas() -> None:
    hostile = replace(PLAIN, title="=HYPERLINK(1)", venue="+x")
    text, _ = exported([hostile], BY_NAME["csv"])
    assert text.startswith("\ufeffid,label,title,abstract,")
    [row] = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")))
    assert row["organisations"] == '"University of X; Y"; Z, Inc.'
    assert (row["title"], row["venue"]) == (" =HYPERLINK(1)", " +x")
    assert row["aliases"] == "old:1; old2"


@settings(max_examples=200, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(("id", "label", "title")), st.text(st.characters(exclude_categories=("Cs",)))
    )
)
def test_what_is_carried_comes_back_from_any_text(fields: dict[str, str]) -> None:
    line = write_own(fields)
    assert not re.search(r"[\\\"{}<>&\n\t#$^~]", line)
    item = with_own(Record(1, {}, f"  assistant = {{{line}}},\n", "x"))
    assert isinstance(item, Record)
    assert item.fields == fields


def test_a_carried_line_that_is_broken_or_wrapped_costs_nothing() -> None:
    wrapped = Record(1, {"title": "T"}, "x assistant-own:label=a\n   b;sources=7 f.bib;sources=x:end", "x")
    found = with_own(wrapped)
    assert isinstance(found, Record)
    assert found.fields["label"] == "a b"
    assert found.fields["sources"] == [{"file": "f.bib", "record": 7}, {"file": "", "record": 0}]
    torn = Record(1, {"title": "T"}, "assistant-own:label=a", "x")
    assert with_own(torn) == torn
