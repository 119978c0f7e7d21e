"""Recognition by content: the first mark, lines above the data, joined files, prose that begins oddly."""

from __future__ import annotations

import gzip
import io
import itertools
import json
import zipfile
from pathlib import Path

import pytest

from assistant.options import FILE_FORMATS
from corpus.readers import Record, Rejected, read_stream, readable
from corpus.readers.cells import read_rows
from corpus.readers.formats import recognise

LONG = (
    "We present a method for sparse attention on long documents, evaluated on six benchmarks with large "
    "gains over the baselines and at low cost in memory."
)
OTHER = (
    "This work measures how often clinicians read notes in the evening, and what follows from it for the "
    "design of record systems that are in use today."
)
RIS = "TY  - JOUR\nTI  - {title}\nAB  - {abstract}\nER  - \n"
BIB = "@article{{k,\n  title = {{{title}}},\n  abstract = {{{abstract}}}\n}}\n"
NBIB = "PMID- 1\nOWN - NLM\nTI  - {title}\nAB  - {abstract}\n"
ENW = "%0 Journal Article\n%T {title}\n%X {abstract}\n"
WOS = "FN Clarivate\nVR 1.0\nPT J\nTI {title}\nAB {abstract}\nER\n\nEF\n"
REFWORKS = "RT Journal\nT1 {title}\nAB {abstract}\n"
CSV = 'Title,Abstract,Year\n"{title}","{abstract}",2019\n'
FORMS = {
    "ris": RIS,
    "bibtex": BIB,
    "nbib": NBIB,
    "endnote": ENW,
    "wos": WOS,
    "refworks": REFWORKS,
    "csv": CSV,
}
JSON = json.dumps([{"title": "T", "abstract": LONG}], indent=1)
XML = (
    "<records><record><titles><title>T</title></titles><ref-type>1</ref-type>"
    f"<abstract>{LONG}</abstract></record></records>"
)
PUBMED = (
    "<PubmedArticleSet>\n<PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>T</ArticleTitle>"
    f"<Abstract><AbstractText>{LONG}</AbstractText></Abstract></Article></MedlineCitation></PubmedArticle>\n</PubmedArticleSet>\n"
)


def _read(data: str | bytes, name: str = "file") -> list[Record | Rejected]:
    return list(read_stream(io.BytesIO(data.encode() if isinstance(data, str) else data), name))


def _pairs(data: str | bytes) -> list[tuple[object, object]]:
    items = _read(data)
    assert all(isinstance(item, Record) for item in items), items
    return [
        (item.fields.get("title"), item.fields.get("abstract")) for item in items if isinstance(item, Record)
    ]


@pytest.mark.parametrize(("outer", "inner"), list(itertools.permutations(FORMS, 2)))
def test_the_first_mark_says_the_format(outer: str, inner: str) -> None:
    example = FORMS[inner].format(title="x", abstract="y").strip()
    shown = example.replace("\n", "\n      ") if outer in ("nbib", "wos") else example
    if outer == "csv":
        shown = shown.replace('"', '""')
    text = (
        f"We parse {shown} and count errors." if inner == "csv" else f"We parse\n{shown}\nand count errors."
    )
    row = recognise(FORMS[outer].format(title="A title", abstract=text).encode())
    assert row is not None
    assert row.name == outer


def test_an_entry_within_an_abstract_is_the_abstracts_text() -> None:
    entry = "@article{key,\n  title = {x},\n}"
    [(title, abstract)] = _pairs(RIS.format(title="A study", abstract=f"We parse\n{entry}\nand count."))
    assert title == "A study"
    assert str(abstract).startswith("We parse")
    assert str(abstract).endswith("and count.")


@pytest.mark.parametrize("data", [JSON, XML, PUBMED], ids=["json", "xml", "pubmed"])
@pytest.mark.parametrize(
    "lead",
    [
        "# exported by me\n",
        "// c\n\n",
        "Exported on 3 May 2019\nProvider: me\n",
        "a\nb\nc\nd\n\ne\n",
        "\ufeff// c\r\n",
    ],
)
def test_foreign_lines_above_the_data_are_passed_over(lead: str, data: str) -> None:
    assert _pairs(lead + data) == [("T", LONG)]
    assert _pairs((lead + data).encode("utf-16")) == [("T", LONG)]


def test_lines_of_json_below_a_comment_keep_their_numbers() -> None:
    items = _read(f"# mine\n{json.dumps({'title': 'A'})}\n{json.dumps({'title': 'B'})}\n")
    assert [item.number for item in items if isinstance(item, Record)] == [2, 3]


@pytest.mark.parametrize("name", [*FORMS, "json"])
def test_a_comment_of_markup_above_the_data(name: str) -> None:
    data = JSON if name == "json" else FORMS[name].format(title="T", abstract=LONG)
    assert _pairs(f"<!-- x -->\n{data}") == [("T", LONG)]
    assert _pairs("<!-- größer\n@article{no,\n -->\n\n".encode("cp1252") + data.encode()) == [("T", LONG)]


@pytest.mark.parametrize(
    "text",
    [
        "<p>We study</p>\n<p>b</p>\n<div><p>c</p></div>",
        '"title": "x",\n"abstract": "We present a method.",\n"year": 2019,\n"doi": "10.1/x"\n',
        "a\nb\nc\nd\ne\nf\ng\nh\n" + "<p>We study</p>\n" * 9,
        "\\documentclass{article}\n\\begin{document}\nWe study.\n\n" + LONG,
    ],
)
def test_data_that_is_not_understood_is_named_and_no_prose(text: str) -> None:
    [item] = _read(text)
    assert isinstance(item, Rejected)
    assert "can't be read" in item.reason
    assert item.remedy


@pytest.mark.parametrize(
    ("one", "two"),
    [*itertools.permutations(FORMS, 2), ("ris", "json"), ("bibtex", "xml"), ("xml", "ris")],
)
@pytest.mark.parametrize("between", ["\n", ""])
def test_joined_files_are_both_read(one: str, two: str, between: str) -> None:
    first, second = (
        {"json": JSON + "\n", "xml": PUBMED}.get(name) or FORMS[name].format(title=name, abstract=text)
        for name, text in ((one, LONG), (two, OTHER))
    )
    if not between and one in ("nbib", "endnote", "refworks"):
        return  # nothing closes their records but a blank line
    items = _read(first + between + second)
    assert [isinstance(item, Record) for item in items] == [True, True], items
    assert [item.number for item in items if isinstance(item, Record)] == [1, 2]
    assert {str(item.fields["abstract"]) for item in items if isinstance(item, Record)} <= {LONG, OTHER}


def test_places_in_joined_files_are_the_files() -> None:
    text = RIS.format(title="A", abstract=LONG) + "\n@article{bad,\n  year = 2019\n}\n"
    items = _read(text)
    assert isinstance(items[1], Rejected)
    assert (items[1].record, "line 6" in items[1].reason) == (2, True)


def test_a_page_above_an_export_is_read_too() -> None:
    [one, two] = _read(f"{LONG} {OTHER}\n\n{BIB.format(title='T', abstract=OTHER)}")
    assert isinstance(one, Record)
    assert one.fields["abstract"] == f"{LONG} {OTHER}"
    assert isinstance(two, Record)
    assert two.fields["title"] == "T"


@pytest.mark.parametrize(
    "start",
    [
        "BM6 cells were grown", "BZhang et al. proposed", "BZh is", "GIF89a is a format", "%PDF- is a mark",
        "<think> tokens let models reason", "<html> documents are hard to parse", "<record> tags",
        '{"title": ...} is the form', '["Who speaks?"] is a question', "[18F]FDG PET", "{0,1}-matrices",
        "@article{ is the most frequent entry. We parse 10,000", "PMID- is what records begin with",
        "<1> is a mark of Ovid", "7z archives", "Rar! is", "II* is", "{\\rtf is",
        '{"a": 1} is a form', "TY  - is a tag",
    ],
)  # fmt: skip
def test_a_page_may_begin_with_what_formats_begin_with(start: str) -> None:
    first = f"{start} and {LONG}"
    assert [abstract for _, abstract in _pairs(f"{first}\n\n{OTHER}\n")] == [first, OTHER]


def test_magic_numbers_with_binary_behind_them_are_named() -> None:
    for data, what in (
        (b"BM\x36\x00\x00\x00\x00\x00", "an image"),
        (b"GIF89a\x01\x00\x01\x00", "an image"),
        (b"BZh91AY&SY\x00", "an archive of another kind than ZIP"),
        (b"%PDF-1.4\n%\xe2\xe3", "PDF"),
    ):
        [item] = _read(data)
        assert isinstance(item, Rejected)
        assert item.reason == f"is {what}, which can't be read"


PUBMED_TEXT = """1. J Clin Text. 2019 Mar 15;12(3):12-19. doi: 10.1000/jx.2019.001. Epub 2019 Mar
20.

Sparse attention on long documents: a study in a large
hospital.

Roe A(1), Li CD(2)(3), van den Berg J.

Author information:
(1)School of Computing, Leeds, UK.
(2)Tsinghua University, Beijing, China.

BACKGROUND: We studied the effect
of sparse attention.
METHODS: 120 notes were read. In 2018 we
1. counted them.

Copyright © 2019 Elsevier B.V. All rights reserved.

DOI: 10.1000/jx.2019.001
PMID: 30912345 [Indexed for MEDLINE]

Conflict of interest statement: The authors declare none.


2. Revue. 2019 Apr;1(1):1-2.

[Another title].

Dupont J.

Short.

PMID: 30912346
"""


def test_pubmeds_abstracts_as_text() -> None:
    one, two = _read(PUBMED_TEXT)
    assert isinstance(one, Record)
    assert isinstance(two, Record)
    assert dict(one.fields) == {
        "title": "Sparse attention on long documents: a study in a large hospital.",
        "abstract": "BACKGROUND: We studied the effect of sparse attention. METHODS: 120 notes were read. "
        "In 2018 we 1. counted them.",
        "authors": ["Roe A", "Li CD", "van den Berg J"],
        "organisations": [
            "School of Computing, Leeds, UK",
            "Tsinghua University, Beijing, China",
        ],
        "year": "2019",
        "venue": "J Clin Text",
        "doi": "10.1000/jx.2019.001",
        "pmid": "30912345",
    }
    assert two.fields["abstract"] == "Short."
    assert two.fields["pmid"] == "30912346"


def test_dblps_xml() -> None:
    text = (
        '<?xml version="1.0" encoding="ISO-8859-1"?>\n<!DOCTYPE dblp SYSTEM "dblp.dtd">\n<dblp>\n'
        '<article mdate="2020-01-01" key="j/x/R"><author>Anna Roe</author><author>J&ouml;rg M 0001</author>'
        "<title>On <i>k</i>-means.</title><year>2019</year><journal>J. T</journal><ee>https://doi.org/10.1/a</ee>"
        '</article>\n<inproceedings key="c/x/A"><author>B</author><title>Two.</title></inproceedings></dblp>'
    )
    one, two = _read(text)
    assert isinstance(one, Record)
    assert isinstance(two, Record)
    assert one.fields["title"] == "On k-means"
    assert one.fields["authors"] == ["Anna Roe", "Jörg M 0001"]
    assert (one.fields["year"], one.fields["venue"], one.fields["doi"]) == ("2019", "J. T", "10.1/a")
    assert two.fields["title"] == "Two"


def test_labelled_pages() -> None:
    text = (
        f"Title: Sparse attention\nAuthors: Anna Roe; Chen Li\nYear: 2020\n"
        f"Abstract: {LONG}\nKeywords: a; b\n\n"
        f"Title: Notes\n\nAbstract:\n\n{OTHER}\n\n2. Third\nAnna Roe (Leeds), Chen Li\nAbstract: {LONG}\n\n"
        "Title: No abstract\nDOI: 10.1/x\n\nTitle: Fifth\n"
    )
    records = [dict(item.fields) for item in _read(text) if isinstance(item, Record)]
    assert [one.get("title") for one in records] == [
        "Sparse attention", "Notes", "Third", "No abstract", "Fifth",
    ]  # fmt: skip
    assert [one.get("abstract") for one in records] == [LONG, OTHER, LONG, None, None]
    assert records[0]["authors"] == ["Anna Roe", "Chen Li"]
    assert records[0]["keywords"] == ["a", "b"]
    assert records[2]["authors"] == ["Anna Roe", "Chen Li"]
    assert records[2]["organisations"] == ["Leeds"]
    assert records[3]["doi"] == "10.1/x"
    page = f"Title: A\nAbstract: {LONG}\nTitle: B\nAbstract: {OTHER}\n"
    assert _pairs(page) == [("A", LONG), ("B", OTHER)]


def test_a_title_above_an_abstract_without_a_label() -> None:
    assert _pairs(f"Title: One\r\rAbstract {LONG}\r\rTitle: Two\r\r{OTHER}\r") == [
        ("One", LONG),
        ("Two", OTHER),
    ]


def test_lines_that_are_no_abstracts_and_lines_that_are() -> None:
    assert _pairs(f"{LONG}\n---\n{OTHER}\n=====\n\nReferences\n\n[1] Roe A. 2018. A title. In X.\n") == [
        (None, LONG),
        (None, OTHER),
    ]
    assert _pairs(f"{LONG}\n{OTHER}\n{LONG}\n") == [(None, LONG), (None, OTHER), (None, LONG)]
    assert _pairs(f"My papers\n\n{LONG}\n{OTHER}\n") == [(None, LONG), (None, OTHER)]
    assert _pairs(f"- {LONG}\n- {OTHER}\n\n{LONG}") == [(None, LONG), (None, OTHER), (None, LONG)]
    assert _pairs(f"METHODS: {LONG}\nRESULTS: {OTHER}\n") == [(None, f"METHODS: {LONG}\nRESULTS: {OTHER}")]
    assert _pairs(f"{LONG}\n{OTHER}\n\n{LONG}\n") == [(None, f"{LONG}\n{OTHER}"), (None, LONG)]


def test_a_bomb_costs_no_other_member() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("big.txt", b"a" * 60_000_000)
        archive.writestr("ok.bib", BIB.format(title="T", abstract=LONG))
    bomb, fine = _read(out.getvalue(), "a.zip")
    assert isinstance(bomb, Rejected)
    assert bomb.file == "a.zip/big.txt"
    assert bomb.reason.startswith("unpacks to 60 MB")
    assert isinstance(fine, Record)
    assert fine.fields["title"] == "T"


def test_yaml_that_refers_to_itself_costs_no_other_item() -> None:
    bomb = "- id: &a x\n  title: &b [*a,*a,*a]\n  abstract: &c [*b,*b]\n"
    text = f"---\nreferences:\n{bomb}- id: y\n  title: Good one\n"
    items = _read(text)
    assert items
    assert isinstance(items[-1], Record)
    assert items[-1].fields["title"] == "Good one"


@pytest.mark.parametrize(
    "text",
    [
        "TY  - JOUR\nTI  - T\n" + "AU  - a\n" * 30_000 + "ER  - \n",
        "PMID- 1\nTI  - T\n" + "AU  - a\n" * 30_000,
        "@article{a,\n title={T},\n" + "a={b},\n" * 30_000 + "}\n",
        "<PubmedArticleSet><PubmedArticle><PMID>1</PMID>"
        + "<a/>" * 300_000
        + "</PubmedArticle></PubmedArticleSet>",
    ],
    ids=["ris", "nbib", "bibtex", "xml"],
)
def test_records_of_too_many_parts_are_rejected(text: str) -> None:
    [item] = _read(text)
    assert isinstance(item, Rejected)
    assert "more than" in item.reason


def test_the_help_lists_what_can_be_read() -> None:
    assert tuple(FILE_FORMATS.split(", ")) == readable()


def test_the_venue_of_a_conference_paper_in_ris() -> None:
    [item] = _read("TY  - CPAPER\nTI  - T\nC3  - Proceedings of X\nER  - \n")
    assert isinstance(item, Record)
    assert item.fields["venue"] == "Proceedings of X"


def test_headings_on_lines_of_their_own() -> None:
    text = "Abstract\nBackground\nWe study.\nMethods\nWe do\nthis.\nResults\nGood."
    [(_, abstract)] = _pairs(json.dumps([{"title": "T", "abstract": text}]))
    assert abstract == "BACKGROUND: We study. METHODS: We do this. RESULTS: Good."
    plain = "We study.\nMethods\nare here."
    assert _pairs(json.dumps([{"title": "T", "abstract": plain}])) == [("T", plain)]


def test_gzipped_files_with_a_line_above_the_data(tmp_path: Path) -> None:
    assert _pairs(gzip.compress(f"# mine\n{JSON}".encode())) == [("T", LONG)]


def test_files_that_change_their_format_all_the_time_are_told() -> None:
    items = _read((RIS + "\n" + BIB + "\n").format(title="T", abstract=OTHER) * 150)
    assert isinstance(items[-1], Rejected)
    assert items[-1].remedy == "split the file"


def test_marks_that_never_close_are_looked_for_once() -> None:
    text = 'title;"' * 40_000
    rows = list(read_rows(text, ";", width=3))
    assert "".join(row.raw for row in rows) == text


@pytest.mark.parametrize("text", ["[ " * 50_000, "[null," * 50_000, "<!-- " * 50_000, "{ " * 50_000])
def test_beginnings_without_an_end_are_read_in_one_go(text: str) -> None:
    assert len(_read(text)) < 3
