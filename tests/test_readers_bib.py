"""BibTeX, BibLaTeX, CSL-JSON and CSL-YAML: what is read, and what a broken entry costs."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.cleaning import clean_text
from corpus.readers import Record, Rejected, read_path
from corpus.readers.bibtex import read_bibtex
from corpus.readers.bibtex_names import split_keywords, split_names
from corpus.readers.csl import read_csl_json, read_csl_yaml
from corpus.readers.formats import recognise

EXPORTS = Path(__file__).parents[2] / "shared" / "exports"
READERS = (read_bibtex, read_csl_json, read_csl_yaml)


def _bib(text: str) -> list[Record | Rejected]:
    return list(read_bibtex(io.BytesIO(text.encode()), "a.bib"))


def _fields(text: str) -> dict[str, object]:
    [record] = _bib(text)
    assert isinstance(record, Record), record
    return dict(record.fields)


def _titles(items: list[Record | Rejected]) -> list[object]:
    return [item.fields.get("title") if isinstance(item, Record) else item.reason for item in items]


def test_an_entry_of_bibtex() -> None:
    text = """@Article {smith:2020,
      Author = "Smith, Ann and {World Health Organization, Geneva} and others",
      title = {{Sparse} "attention" in {DNA}}, journal = jml # { Letters},
      abstract = {First.\n\n  Second @ part},
      year = 2020, month = mar, doi = {10.1000/a\\_b}, keywords = {one, {two, three}; four},
      author+an = {1=x}, url = {https://example.org/a\\_b}
    }"""
    [record] = _bib("@string{jml = {Machine}}\n" + text)
    assert isinstance(record, Record)
    assert record.fields == {
        "title": '{Sparse} "attention" in {DNA}',
        "abstract": "First.\n\n  Second @ part",
        "authors": ["Smith, Ann", "{World Health Organization, Geneva}", "et al."],
        "year": "2020",
        "venue": "Machine Letters",
        "doi": "10.1000/a_b",
        "url": "https://example.org/a_b",
        "keywords": ["one, {two, three}", "four"],
    }
    assert record.raw == text
    assert record.number == 1


def test_an_entry_of_biblatex() -> None:
    fields = _fields(
        "@online{x, author={family=Berg, given=Jan, prefix=van den}, title={Trees}, subtitle={A study}, "
        "journaltitle={Woods}, location={Oslo}, date={2019-03/2019-05}, eprint={1903.00001v2}, "
        "eprinttype={arXiv}, annotation={Mine: reread}, keywords={oak,elm}}"
    )
    assert fields == {
        "title": "Trees: A study",
        "authors": ["van den Berg, Jan"],
        "year": "2019-03/2019-05",
        "venue": "Woods",
        "arxiv_id": "1903.00001v2",
        "keywords": ["oak", "elm"],
    }


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ("eprint={2003.10175}, archiveprefix={arXiv}", {"arxiv_id": "2003.10175"}),
        ("eprint={12345678}, eprinttype={pubmed}", {"pmid": "12345678"}),
        ("journal={arXiv preprint arXiv:1706.03762}", {"arxiv_id": "1706.03762"}),
        ("url={http://arxiv.org/abs/hep-th/9901001v1}", {"arxiv_id": "hep-th/9901001v1"}),
        ("note={See \\url{https://example.org/~x/a_b}.}", {"url": "https://example.org/~x/a_b"}),
        ("url={https://doi.org/10.1000/xyz}", {"doi": "10.1000/xyz"}),
        ("pmid={pmid: 8600300}", {"pmid": "8600300"}),
        ("date={in press}, year={2021}", {"year": "2021"}),
        ("school={Univ. of X}", {"organisations": ["Univ. of X"]}),
        ("annote={Abstract: We show.}", {"abstract": "Abstract: We show."}),
        ("abstract={One.}, abstract={Two.}, abstract={One.}", {"abstract": "One.\n\nTwo."}),
    ],
)
def test_fields_that_have_several_homes(fields: str, expected: dict[str, object]) -> None:
    found = _fields(f"@misc{{k, title={{T}}, {fields}}}")
    assert {name: found[name] for name in expected} == expected


def test_what_a_child_takes_from_its_parent() -> None:
    items = _bib(
        "@inproceedings{c, title={Child}, crossref={P1}}\n@inbook{d, author={A}, crossref={p1}}\n"
        "@proceedings{p1, title={The Book}, year={1999}, doi={10.1000/book}, editor={E. Ditor}, xdata={x}}\n"
        "@xdata{x, title={No}, eventtitle={Meeting}}\n@article{loop, title={L}, crossref={loop}}"
    )
    child, chapter, book = (item.fields for item in items[:3] if isinstance(item, Record))
    assert child == {"title": "Child", "year": "1999", "venue": "Meeting"}
    assert chapter["title"] == "The Book"
    assert book["authors"] == ["E. Ditor"]
    assert len(items) == 5


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        # comments, preambles and settings are no records; what follows them is read
        ('@comment{jabref-meta: {a}}\n@preamble{"\\x{}"}\n@a{k, title={T}}', ["T"]),
        ("@comment{never closed {\n@a{k, title={T}}", ["T"]),
        ("% @a{no, title={N}}\nmail me@b{c, d}\n@a{k, title={T}}", ["T"]),
        ("@IEEEtranBSTCTL{x, a={b}}\n@a{k, title={T}}", ["T"]),
        # delimiters
        ('@a(k, title="T (x) {"}y")', ['T (x) {"}y']),
        ("@string(m = {T})\n@a{k, title=M}", ["T"]),
        ("@a{k, title=undefined # { x}}", ["undefined x"]),
        ("@a{k, title = two words, year = 2000}", ["two words"]),
        ("@a{title={no key}}", ["no key"]),
        ("@a{,title={empty key}}", ["empty key"]),
        ("@a{Smith (2019) x, title={spaces}} @b{l, title={same line}}", ["spaces", "same line"]),
        ("@a{k, title={T}}@a{k, title={same key}}", ["T", "same key"]),
        ("@a{k, year={1} title={no comma}}", ["no comma"]),
        # mended
        ("@a{k, title={T}\n\n@b{l, title={U}}", ["T", "U"]),
        ("@a{k, title={T}} , year={2001}}\n@b{l, title={U}}", ["T", "U"]),
        ("@a{k, note={f(\\{x)},\n title={T}\n}\n@b{l, title={U}}", ["T", "U"]),
        ("@a{k, title={a } b},\n year={1}\n}", ["a } b"]),
        ('@a{k, title="a "quoted" word", year=1}', ['a "quoted" word']),
        ("@a{k, keywords={a {b {c,\n x},\n title={T},\n}\n@b{l, title={U}}", ["T", "U"]),
    ],
)
def test_what_files_hold(text: str, titles: list[str]) -> None:
    assert _titles(_bib(text)) == titles


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "\n\n@a{cut, title={T}, abstract={We sh",
            "the entry 'cut' (line 3) has a field 'abstract' that never ends",
        ),
        ("@a{cut, title={T},", "the entry 'cut' (line 1) is cut off: the file ends before its closing brace"),
        ("@a{bare, year={2000}}", "the entry 'bare' (line 1) has neither a title nor an abstract"),
        (
            "@a{lost, title={T {\n@b{k, title={U}}",
            "the entry 'lost' (line 1) has a field 'title' that never ends",
        ),
        ("@a{year={2000}}", "the entry in line 1 has neither a title nor an abstract"),
    ],
)
def test_what_cannot_be_read_is_named(text: str, reason: str) -> None:
    bad, *others = _bib(text)
    assert isinstance(bad, Rejected)
    assert (bad.record, bad.reason) == (1, reason)
    assert bad.remedy
    assert _titles(others) == (["U"] if "@b" in text else [])


def test_what_stands_between_fields_is_kept() -> None:
    assert _fields("@a{k, title={T}, some junk, year={2000}}") == {
        "title": "T",
        "year": "2000",
        "unread": "some junk",
    }


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("A. One and Two, B.\nAND Three, Jr., C.", ["A. One", "Two, B.", "Three, Jr., C."]),
        ("{Barnes and Noble} and Anderson, Hans", ["{Barnes and Noble}", "Anderson, Hans"]),
        ("Sandy Brandt and Ferdinand", ["Sandy Brandt", "Ferdinand"]),
        ("Smith, A.; Jones, B.", ["Smith, A.", "Jones, B."]),
        ("Smith, J., Doe, J., Ray, B.", ["Smith, J.", "Doe, J.", "Ray, B."]),
        ("Ann Smith, Bo Doe, Cy Ray, Di Low", ["Ann Smith", "Bo Doe", "Cy Ray", "Di Low"]),
        ("B Bala , S Patil and E Smela", ["B Bala", "S Patil", "E Smela"]),
        ("{\\'E}mile and M{\\\"u}ller, {\\AA}.", ["{\\'E}mile", 'M{\\"u}ller, {\\AA}.']),
        ("others", ["et al."]),
        ("", []),
    ],
)
def test_names(text: str, names: list[str]) -> None:
    assert split_names(text) == names


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a; b, c;\n d", ["a", "b, c", "d"]),
        ("a, {b, c},\nd e", ["a", "{b, c}", "d e"]),
        ("a\nb c", ["a", "b c"]),
    ],
)
def test_keywords(text: str, words: list[str]) -> None:
    assert split_keywords(text) == words


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (r"$\alpha$-helix, TGF-$\beta$1, CO$_2$", "α-helix, TGF-β1, CO2"),
        (
            r"{\"u}ber {\ss} {\'{e}} \v{S} {\v S} {\c c} \'\i {\L}ukasz {\OE} \dh",
            "über ß é Š Š ç í Łukasz Œ ð",
        ),
        (
            r"\textit{E. coli} {\textless} 5\% \textmu m \textquotedblleft x\textquotedblright",
            "E. coli < 5% µ m “ x”",
        ),
        (r"10\textsuperscript{5} and 5\textsuperscript{th}", "10^5 and 5th"),
        (r"p$<$0.05, costs US\$5 and US$10", "p<0.05, costs US$5 and US$10"),
        (r"\enquote{x} \text{max} j{$\prime$} \relax{}50% of", "“x” max j′ 50% of"),
    ],
)
def test_latex_of_bibliographies(raw: str, text: str) -> None:
    assert clean_text(raw) == text


CSL = {
    "id": "a",
    "type": "article-journal",
    "title": ["A title"],
    "subtitle": ["And more"],
    "container-title": ["Journal"],
    "author": [
        {
            "family": "Berg",
            "given": "Jan",
            "non-dropping-particle": "van den",
            "affiliation": [{"name": "Univ"}],
        },
        {"family": "King", "given": "M. L.", "suffix": "Jr."},
        {"literal": "Ministry of Health, Oslo"},
    ],
    "issued": {"date-parts": [["2018", 3]]},
    "abstract": "Text.",
    "DOI": "10.1000/x",
    "URL": "https://example.org",
    "keyword": "one, two",
    "note": "PMID: 123\narXiv: 1706.03762v2 [cs]",
}
EXPECTED = {
    "title": "A title: And more",
    "abstract": "Text.",
    "authors": ["van den Berg, Jan", "King, Jr., M. L.", "{Ministry of Health, Oslo}"],
    "organisations": ["Univ"],
    "year": "2018",
    "venue": "Journal",
    "doi": "10.1000/x",
    "arxiv_id": "1706.03762v2",
    "pmid": "123",
    "url": "https://example.org",
    "keywords": ["one", "two"],
}


def _csl(text: str, *, yaml: bool = False) -> list[Record | Rejected]:
    read = read_csl_yaml if yaml else read_csl_json
    return list(read(io.BytesIO(text.encode()), "a"))


@pytest.mark.parametrize("form", ["{}", "[{}]", "\ufeff [{}]\n", '{{"references": [{}]}}', "{}\n"])
def test_csl_json(form: str) -> None:
    text = json.dumps(CSL, indent=1)
    [record] = _csl(form.format(text))
    assert isinstance(record, Record)
    assert record.fields == EXPECTED
    assert record.raw == text
    row = recognise(form.format(text).encode())
    assert row is not None
    assert row.name == "csl-json"


@pytest.mark.parametrize(
    ("issued", "year"),
    [
        ({"date-parts": [[2018]]}, "2018"),
        ({"raw": "May 2018"}, "May 2018"),
        ({"literal": "c2018"}, "c2018"),
        ("2018-03", "2018-03"),
        ([{"year": 2018}], "2018"),
        ({"date-parts": [[]], "year": 2018}, "2018"),
    ],
)
def test_dates(issued: object, year: str) -> None:
    [record] = _csl(json.dumps({"title": "T", "issued": issued}))
    assert isinstance(record, Record)
    assert record.fields["year"] == year


def test_a_broken_item_costs_itself_only() -> None:
    text = (
        '[{"id": 1, "title": "A"},\n{"id": 2, "author": [{"family": oops}, {"family": "B"}], "title": "B"},\n'
        '{"id": 3, "title": "C"}, null, {"id": 4}, {"id": 5, "title": "cut'
    )
    items = _csl(text)
    assert _titles(items) == [
        "A",
        "the item from line 2 on isn't JSON: Expecting value in line 2",
        "C",
        "the item from line 3 on holds NoneType, not an item",
        "the item 4 (line 3) has neither a title nor an abstract",
        "the item from line 3 on isn't JSON: Unterminated string starting at in line 3",
    ]


def test_items_larger_than_what_is_decoded_at_a_time() -> None:
    items = [{"title": f"T{number}", "abstract": "word \\u00e9 " * (number * 3000)} for number in range(40)]
    found = _csl(json.dumps(items))
    assert [item.fields for item in found if isinstance(item, Record)] == [
        {name: text.strip() for name, text in item.items() if text} for item in items
    ]


def test_csl_yaml() -> None:
    text = """---
references:
- id: a
  type: article-journal
  title: '[DNA]{.nocase}: No'
  author:
  - {family: Smith, given: Ann}
  issued:
  - year: 2018
  abstract: |
    First line:
    second - line
- id: b
  title: "broken
  type: book: x
- id: c
  type: book
  title: No
...
"""
    row = recognise(text.encode())
    assert row is not None
    assert row.name == "csl-yaml"
    first, second, third = _csl(text, yaml=True)
    assert isinstance(first, Record)
    assert first.fields == {
        "title": "DNA: No",
        "abstract": "First line:\nsecond - line",
        "authors": ["Smith, Ann"],
        "year": "2018",
    }
    assert isinstance(second, Rejected)
    assert second.reason.startswith("the item from line 13 on isn't YAML")
    assert isinstance(third, Record)
    assert (third.number, third.fields["title"]) == (3, "No")


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("- id: a\n  title: A\n- id: b\n  title: B\n", ["A", "B"]),
        ("references:\n  - id: a\n    title: A\n  - title: B\n    type: book\nnocite: x\n", ["A", "B"]),
        ("references: [{id: a, title: A}, {id: b, title: B}]\n", ["A", "B"]),
        ("- {title: &x A, abstract: *x}\n- title: B\n  issued: &y [*y]\n- title: B\n", None),
        ("- !!python/object/apply:os.getcwd []\n- title: B\n", None),
    ],
)
def test_forms_of_csl_yaml(text: str, titles: list[str] | None) -> None:
    items = _csl(text, yaml=True)
    assert _titles(items) == titles if titles else _titles(items)[-1] == "B"


def test_encodings() -> None:
    text = "\ufeff% Encoding\n@article{k, title={Müller}}\n"
    for data in (
        text.encode("utf-16-le"),
        text.encode("utf-16-be"),
        text[1:].encode("cp1252"),
        text.encode(),
    ):
        row = recognise(data)
        assert row is not None
        assert row.name == "bibtex"
        assert _titles(list(read_bibtex(io.BytesIO(data), "a"))) == ["Müller"]


PIECES = [
    "@article{k,", "@a(", "@string{m = ", "@comment{", "title = {T}", "title=", "abstract = {", "{", "}", '"',
    ",", "#", "\n", "%", "\\", "crossref={k}", "author={A and B}", "- id: a\n", "  title: T\n",
    "references:\n", '{"title": "T"}', '{"id":', "[", "]", ":", "&a", "*a", "$", " ", "é", "\x00", "\\ud83d",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join))
def test_no_text_breaks_a_reader(text: str) -> None:
    for read in READERS:
        items = list(read(io.BytesIO(text.encode()), "a"))
        numbers = [item.number if isinstance(item, Record) else item.record for item in items]
        assert numbers == list(range(1, len(items) + 1))


_SAFE = st.text(
    st.characters(exclude_characters='{}\\"@\r%', exclude_categories=["Cs", "Cc"]), min_size=1
).filter(lambda text: text.strip() == text)


@given(st.lists(st.tuples(_SAFE, _SAFE), min_size=1, max_size=5))
def test_what_is_written_is_read(papers: list[tuple[str, str]]) -> None:
    text = "\n".join(f"@a{{k, title = {{{title}}}, abstract = {{{abstract}}}}}" for title, abstract in papers)
    found = [
        (item.fields["title"], item.fields["abstract"]) for item in _bib(text) if isinstance(item, Record)
    ]
    assert found == papers


def _exports() -> Iterator[tuple[str, int, int]]:
    if not EXPORTS.is_dir():
        return
    for entry in json.loads((EXPORTS / "MANIFEST.json").read_text(encoding="utf-8")):
        if entry["file"].startswith(("bibtex/", "csl/")):
            yield entry["file"], entry["records"], entry["abstracts"]


@pytest.mark.shared_data
@pytest.mark.skipif(not EXPORTS.is_dir(), reason="the exports lie beside the project")
def test_real_exports_are_read_whole() -> None:
    for file, records, abstracts in _exports():
        items = list(read_path(EXPORTS / file))
        assert len(items) == records, file
        assert sum("abstract" in item.fields for item in items if isinstance(item, Record)) == abstracts, file


@pytest.mark.shared_data
@pytest.mark.skipif(not EXPORTS.is_dir(), reason="the exports lie beside the project")
def test_cut_exports_are_read_up_to_the_cut() -> None:
    for file, _, _ in _exports():
        data = (EXPORTS / file).read_bytes()
        read = read_bibtex if file.startswith("bibtex/") else read_csl_json
        whole = list(read(io.BytesIO(data), "a"))
        for cut in range(0, min(len(data), 60_000), 997):
            items = list(read(io.BytesIO(data[:cut]), "a"))
            assert len(items) <= len(whole) + 1, (file, cut)
            for item, expected in zip(items[:-1], whole, strict=False):
                assert item == expected, (file, cut)
