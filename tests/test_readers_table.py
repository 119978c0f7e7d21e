"""Tables: exporters' headers, separators, quotation marks in and out of order, lists in cells, layouts."""

from __future__ import annotations

import csv
import io
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.readers import Record, Rejected, cells, read_stream
from corpus.readers.cells import read_rows
from corpus.readers.columns import COLUMNS, column_name
from corpus.readers.listed import split_keywords, split_names, split_organisations
from corpus.readers.table import SEPARATORS, table_mark

SHARED = Path(__file__).parents[2] / "shared" / "exports" / "csv"
# Records and abstracts of the shared exports; of duplicates.csv four rows have neither title nor abstract.
EXPORTS = {
    "duplicates.csv": (10, 4, 10),
    "embase.csv": (6, 0, 6),
    "embase_newpage.csv": (6, 0, 6),
    "ieee.csv": (10, 0, 10),
    "tab_named_csv.csv": (2, 0, 2),
    "zotero_export.csv": (106, 0, 81),
}


def _read(text: str | bytes, *, format: str | None = None) -> list[Record | Rejected]:
    data = text.encode() if isinstance(text, str) else text
    return list(read_stream(io.BytesIO(data), "a.csv", format=format))


def _records(text: str | bytes) -> list[Record]:
    items = _read(text)
    assert all(isinstance(item, Record) for item in items), items
    return [item for item in items if isinstance(item, Record)]


def _rejected(text: str) -> list[Rejected]:
    return [item for item in _read(text) if isinstance(item, Rejected)]


def _table(columns: str, *rows: tuple[str, ...], separator: str = ",") -> str:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, quoting=csv.QUOTE_ALL)
    writer.writerow(columns.split(";"))
    writer.writerows(rows)
    return out.getvalue()


def test_scopus() -> None:
    [record] = _records(
        _table(
            "Authors;Author full names;Author(s) ID;Title;Year;Source title;DOI;Link;Affiliations;Abstract;"
            "Author Keywords;Index Keywords;PubMed ID;Source;EID",
            (
                *("Roe A.B.; Li C.", "Roe, Anna B. (57201234567); Li, Chen (57209876543)", "57201234567"),
                *(
                    "Sparse kernels",
                    "2021",
                    "Journal of Kernels",
                    "10.1234/K.1",
                    "https://scopus.com/x?id=1;2",
                ),
                *("Univ A, Dept B, X, Norway; Univ C, Y, Peru", "We prune.", "pruning; kernels", "x; y"),
                *("123", "Scopus", "2-s2.0-1"),
            ),
        )
    )
    assert record.fields == {
        "title": "Sparse kernels",
        "abstract": "We prune.",
        "authors": ["Roe, Anna B.", "Li, Chen"],
        "organisations": ["Univ A, Dept B, X, Norway", "Univ C, Y, Peru"],
        "year": "2021",
        "venue": "Journal of Kernels",
        "doi": "10.1234/K.1",
        "pmid": "123",
        "url": "https://scopus.com/x?id=1;2",
        "keywords": ["pruning", "kernels"],
    }


def test_a_database_is_no_venue() -> None:
    [record] = _records(_table("Title;Abstract;Source title;Source", ("One", "We prune.", "", "Scopus")))
    assert "venue" not in record.fields


def test_web_of_science_tab_delimited() -> None:
    text = (
        "\ufeffPT\tAU\tAF\tTI\tSO\tDE\tID\tAB\tC1\tC3\tPY\tDI\tPM\tUT\t\r\n"
        'J\tRoe, A; Li, C\tRoe, Anna; Li, Chen\t"Deep" pruning\tJ KERNELS\tone; two\tTHREE'
        '\t"Sparse" is a word.'
        "\t[Roe, A; Li, C] Univ A, X\tUniversity A\t2020\t10.1/x\t12\tWOS:1\t\r\n"
        'J\tRoe, A\t\tUnits of 5" disks\tJ KERNELS\t\tTHREE\t"A lone mark opens.'
        "\t[Roe, A] Univ A, X; [Li, C] Univ B\t\t2021\t\t\tWOS:2\t\r\n"
    )
    one, two = _records(text.encode("utf-16"))
    assert one.fields["title"] == '"Deep" pruning'
    assert one.fields["abstract"] == '"Sparse" is a word.'
    assert one.fields["authors"] == ["Roe, Anna", "Li, Chen"]
    assert one.fields["organisations"] == ["University A"]
    assert one.fields["keywords"] == ["one", "two"]
    assert two.fields["title"] == 'Units of 5" disks'
    assert two.fields["abstract"] == '"A lone mark opens.'
    assert two.fields["organisations"] == ["Univ A, X", "Univ B"]
    assert two.fields["keywords"] == ["THREE"]
    assert two.fields["year"] == "2021"


def test_dimensions_has_a_line_above_its_header() -> None:
    text = '"About the data: Exported on Sep 30, 2026. Criteria: ""title, abstract""."\n' + _table(
        "Rank;Publication ID;DOI;PMID;Title;Abstract;Source title/Anthology title;PubYear;Authors;"
        "Research Organizations - standardized;Dimensions URL",
        *(
            (
                "1",
                "pub.1",
                "10.1/a",
                "7",
                "One",
                "We prune.",
                "Ketnels",
                "2020",
                "Roe, A; Li, C",
                "U; V",
                "https://d.x/1",
            ),
        )
        * 2,
    )
    one, two = _records(text)
    assert (one.number, two.number) == (1, 2)
    assert one.fields["venue"] == "Ketnels"
    assert one.fields["authors"] == ["Roe, A", "Li, C"]
    assert one.fields["organisations"] == ["U", "V"]
    assert one.fields["url"] == "https://d.x/1"


def test_pubmed_lens_openalex_proquest() -> None:
    [pubmed] = _records(
        "PMID,Title,Authors,Citation,First Author,Journal/Book,Publication Year,Create Date,PMCID,DOI\n"
        '"1","One","Roe AB, van der Li C.","J X. 2020;1(1).","Roe AB","J X","2020","2020/01/01","","10.1/a"\n'
    )
    assert pubmed.fields["authors"] == ["Roe AB", "van der Li C."]
    assert (pubmed.fields["venue"], pubmed.fields["year"], pubmed.fields["pmid"]) == ("J X", "2020", "1")
    [lens] = _records(
        _table(
            "#;Lens ID;Title;Date Published;Publication Year;Source Title;Author/s;Abstract;Source URLs;"
            "External URL;PMID;DOI;Fields of Study;Keywords",
            (
                "1",
                "1-2",
                "One",
                "2020-03-01",
                "2020",
                "J X",
                "A Roe; null Li",
                "We prune.",
                "",
                "http://x.y/1?a;b http://x.y/2",
                "",
                "",
                "Sparse",
                "",
            ),
        )
    )
    assert lens.fields["authors"] == ["A Roe", "Li"]
    assert lens.fields["url"] == "http://x.y/1?a;b"
    assert lens.fields["keywords"] == ["Sparse"]
    [openalex] = _records(
        _table(
            "id;display_name;publication_year;authorships.author.display_name;doi;abstract;"
            "primary_location.source.display_name;authorships.institutions.display_name;ids.pmid",
            (
                "https://openalex.org/W1",
                "One",
                "2020",
                "Anna Roe|Chen Li",
                "https://doi.org/10.1/a",
                "We prune.",
                "J X",
                "U|V|U",
                "",
            ),
        )
    )
    assert openalex.fields["authors"] == ["Anna Roe", "Chen Li"]
    assert openalex.fields["organisations"] == ["U", "V"]
    assert openalex.fields["venue"] == "J X"
    [proquest] = _records(
        _table(
            "Title;Abstract;StoreId;AuthorAffiliation;Authors;pubdate;pubtitle;year;DocumentURL;subjectTerms",
            (
                "One",
                "We prune.",
                "9",
                "U",
                "Roe, Anna; Li, Chen",
                "Mar 2020",
                "J X",
                "2020",
                "https://p.q/1",
                "A; B",
            ),
        )
    )
    assert proquest.fields["venue"] == "J X"
    assert proquest.fields["year"] == "2020"
    assert proquest.fields["keywords"] == ["A", "B"]


def test_zotero_keeps_identifiers_in_extra() -> None:
    [record] = _records(
        _table(
            "Key;Title;Abstract Note;Extra",
            ("K", "One", "We prune.", "arXiv:2301.00001 [cs]\nPMID: 12\nDOI: 10.1/a"),
        )
    )
    assert record.fields["arxiv_id"] == "2301.00001"
    assert record.fields["pmid"] == "12"
    assert record.fields["doi"] == "10.1/a"


def test_embase_rows_of_fields() -> None:
    text = (
        '"TITLE","One, two"\n"AUTHOR NAMES","Roe A.B.","Li C."\n'
        '"SOURCE","Kernels (2014) 3:3 (1-2). Date of Publication: 2014"\n'
        '"ABSTRACT","We\n\nprune."\n"MEDLINE PMID","12"\n\n'
        '"TITLE","Three"\n"AUTHOR NAMES","Li C."\n\n"AUTHOR NAMES","Nobody N."\n'
    )
    one, two, bad = _read(text)
    assert isinstance(one, Record)
    assert one.fields == {
        "title": "One, two",
        "abstract": "We\n\nprune.",
        "authors": ["Roe A.B.", "Li C."],
        "venue": "Kernels",
        "year": "2014",
        "pmid": "12",
    }
    assert isinstance(two, Record)
    assert two.fields == {"title": "Three", "authors": ["Li C."]}
    assert two.raw == '"TITLE","Three"\n"AUTHOR NAMES","Li C."'
    assert isinstance(bad, Rejected)
    assert (bad.record, bad.reason) == (3, "the row at line 12 has neither a title nor an abstract")


def test_columns_of_records() -> None:
    text = "Title,One,Two,\nAuthors,A. Roe; B. Li,C. Wu,\nAbstract,We prune.,,\nDOI,10.1/a,10.1/b,\n"
    one, two = _records(text)
    assert one.fields == {
        "title": "One",
        "abstract": "We prune.",
        "doi": "10.1/a",
        "authors": ["A. Roe", "B. Li"],
    }
    assert two.fields == {"title": "Two", "doi": "10.1/b", "authors": ["C. Wu"]}
    assert (two.number, two.raw.splitlines()[0]) == (2, "Title,Two")


def test_a_header_that_comes_again_is_no_record() -> None:
    records = _records(
        "Title,Abstract,Year\nOne,We prune.,2020\n\n,,\nTitle,Abstract,Year\nTwo,We merge.,2021\n"
    )
    assert [(one.number, one.fields["title"]) for one in records] == [(1, "One"), (2, "Two")]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
def test_separators_encodings_and_quoted_cells(separator: str, encoding: str) -> None:
    text = _table(
        "Title;Abstract;Authors;Year",
        ("Café, bar; pub|inn", 'We "prune"\r\nand\nmerge,\ttoo', "Roe, Anna; Li, Chen", "2020"),
        ("Two", "", "", ""),
        separator=separator,
    )
    one, two = _records(text.encode(encoding))
    assert one.fields["title"] == "Café, bar; pub|inn"
    assert one.fields["abstract"] == 'We "prune"\nand\nmerge,\ttoo'
    assert one.fields["authors"] == ["Roe, Anna", "Li, Chen"]
    assert one.raw.startswith('"Café')
    assert two.fields == {"title": "Two"}


def test_excel_names_the_separator() -> None:
    [record] = _records('sep=;\nTitle;Abstract;DOI\n"One";We prune, too.;="10.1/a"\n')
    assert record.fields == {"title": "One", "abstract": "We prune, too.", "doi": "10.1/a"}


def test_values_that_bibtex_wrapped() -> None:
    [record] = _records("title,author,doi,journal\n{One},Roe and Li,{10.1/a},{}\n")
    assert record.fields == {"title": "One", "doi": "10.1/a", "authors": ["Roe", "Li"]}


def test_short_and_long_rows() -> None:
    items = _read("Year,Title,Abstract\n2020,One\n2020,Two,We prune.,and,more\n2020\n \n2021,  , \n")
    records = [item for item in items if isinstance(item, Record)]
    assert [record.fields.get("abstract") for record in records] == [None, "We prune."]
    bad = [item for item in items if isinstance(item, Rejected)]
    assert [(item.record, item.reason) for item in bad] == [
        (3, "the row at line 4 has neither a title nor an abstract"),
        (4, "the row at line 6 has neither a title nor an abstract"),
    ]


@pytest.mark.parametrize(
    ("row", "title", "abstract"),
    [
        ('"1","A "quoted" word","We prune.","2020"', 'A "quoted" word', "We prune."),
        ('"1","One, two","We "prune", and merge.","2020"', "One, two", None),
        ('"1","One","We prune."," 2020', "One", "We prune."),
        ('"1","One","We prune.,"2020"', "One", "We prune."),
        ('1,"One" and two,We prune.,2020', '"One" and two', "We prune."),
    ],
)
def test_quotation_marks_out_of_order_cost_their_own_row(row: str, title: str, abstract: str | None) -> None:
    before, after = '"0","Before","We\nmerge.","2019"', '"2","After","We ""end"".","2021"'
    items = _read(f'"Id","Title","Abstract","Year"\n{before}\n{row}\n{after}\n{after}\n')
    records = [item for item in items if isinstance(item, Record)]
    assert [record.fields["title"] for record in records] == ["Before", title, "After", "After"]
    assert records[1].fields.get("abstract") == abstract
    assert records[1].raw == row
    assert records[2].fields["abstract"] == 'We "end".'


def test_a_row_whose_title_is_lost_is_rejected() -> None:
    one, bad, two = _read('"Id","Title","Year"\n"1","One","2020"\n"2,"Two, too","2020"\n"3","Three","2020"\n')
    assert isinstance(one, Record)
    assert isinstance(two, Record)
    assert isinstance(bad, Rejected)
    assert bad.reason.startswith("the row at line 3 has a quotation mark that isn't closed")


def test_thousands_of_columns() -> None:
    names = [f"c{number}" for number in range(5000)]
    text = (
        ",".join([*names, "Abstract", "Title"])
        + "\n"
        + ",".join([*("" for _ in names), "We prune.", "One"])
        + "\n"
    )
    [record] = _records(text)
    assert record.fields == {"title": "One", "abstract": "We prune."}


def test_no_header() -> None:
    assert table_mark("one,two,three\n1,2,3\n") is None
    assert table_mark("Titles of works, abstracts and years are listed below.\n\nWe prune.\n") is None
    assert table_mark("title\nOne\n") is None
    [bad] = _read("one,two,three\n1,2,3\n", format="csv")
    assert isinstance(bad, Rejected)
    assert bad.reason == "has no row of column names"
    [record] = _read("abstract\nWe prune.\n", format="csv")
    assert isinstance(record, Record)
    assert record.fields == {"abstract": "We prune."}


@pytest.mark.parametrize(
    ("cell", "names"),
    [
        ("Roe, Anna; Li, Chen", ["Roe, Anna", "Li, Chen"]),
        ("Roe, A.; Li, C.;", ["Roe, A.", "Li, C."]),
        ("Roe A., Li C.D., van der Berg J.-P.", ["Roe A.", "Li C.D.", "van der Berg J.-P."]),
        ("Roe A.", ["Roe A."]),
        ("Roe AB, García-López C.", ["Roe AB", "García-López C."]),
        ("Roe, A., Li, C.D., Berg, J.-P.", ["Roe, A.", "Li, C.D.", "Berg, J.-P."]),
        ("Roe, Anna", ["Roe, Anna"]),
        ("van der Berg, Jan", ["van der Berg, Jan"]),
        ("Roe, Anna, Li, Chen", ["Roe, Anna", "Li, Chen"]),
        ("Anna Roe, Chen Li", ["Anna Roe", "Chen Li"]),
        ("Anna Roe, Chen Li, Plato", ["Anna Roe", "Chen Li", "Plato"]),
        ("Anna Roe, Chen Li and Jan van der Berg", ["Anna Roe", "Chen Li", "Jan van der Berg"]),
        ("Roe, Anna and Li, Chen", ["Roe, Anna", "Li, Chen"]),
        ("Roe, Anna and Li,\nChen and\nvan Berg, Jan", ["Roe, Anna", "Li, Chen", "van Berg, Jan"]),
        ("Anna Roe|Chen Li", ["Anna Roe", "Chen Li"]),
        ("Anna Roe\nChen Li", ["Anna Roe", "Chen Li"]),
        ("['Roe, Anna', \"O'Li, Chen\"]", ["Roe, Anna", "O'Li, Chen"]),
        ("Roe, Anna (57201234567); Li, Chen (57209876543)", ["Roe, Anna", "Li, Chen"]),
        ("王小明", ["王小明"]),
        ("Plato", ["Plato"]),
        (" ; ", []),
    ],
)
def test_lists_of_authors(cell: str, names: list[str]) -> None:
    assert split_names(cell) == names


def test_lists_of_keywords_and_organisations() -> None:
    assert split_keywords("cyst (diagnosis, surgery), human,") == ["cyst (diagnosis, surgery)", "human"]
    assert split_keywords("a, b;c") == ["a, b", "c"]
    assert split_keywords("['a', 'b']") == ["a", "b"]
    assert split_organisations("[Roe, A; Li, C] U, X; [Wu, D] V") == ["U, X", "V"]


def test_names_of_columns_are_written_as_they_are_compared() -> None:
    assert all(column_name(name) == name for names in COLUMNS.values() for name in names)
    assert column_name("Author(s) / ID_1") == "author s id 1"


_CELLS = st.text(st.sampled_from('ab",;\t| \n\\"'), max_size=8)


@given(st.lists(st.lists(_CELLS, min_size=2, max_size=5), min_size=1, max_size=5), st.sampled_from(",;\t|"))
def test_what_the_csv_module_writes_is_read_back(rows: list[list[str]], separator: str) -> None:
    out = io.StringIO()
    csv.writer(out, delimiter=separator, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)
    found = list(read_rows(out.getvalue(), separator))
    assert [list(row.cells) for row in found] == rows
    assert "".join(f"{row.raw}\n" for row in found) == out.getvalue()


@settings(max_examples=300)
@given(st.text(st.sampled_from('a",\n \t'), max_size=80), st.sampled_from([None, 2, 3]))
def test_any_text_is_cut_into_rows_without_loss(text: str, width: int | None) -> None:
    found = list(read_rows(text, ",", width=width))
    assert "\n".join(row.raw for row in found) in (text, text.removesuffix("\n"))
    for row in found:
        assert 0 <= row.sound <= len(row.cells)
        assert row.line == 1 + "\n".join(r.raw for r in found[: found.index(row)]).count("\n") + (
            row is not found[0]
        )


@given(st.binary(max_size=300))
def test_any_bytes_below_a_header(content: bytes) -> None:
    assert _read(b"Title,Abstract,Authors,Keywords,Source\n" + content)


@pytest.mark.parametrize(
    "unit",
    [
        '"\n',
        '"a\n',
        '"""x\n',
        '","x\n',
        ',"x,"\n',
        '"a""\n',
        '" "" \n',
        'x,"',
        '",',
        '""',
        '"x"y',
        "a;b",
        "((,",
        "[",
    ],
)
def test_no_text_is_read_many_times_over(unit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = 'Title,Abstract,Authors\nOne,We,"' + unit * (60_000 // len(unit))
    seen = []
    row = cells._row

    def counted(*given: Any) -> Any:
        found, cost = row(*given)
        seen.append(cost + found.end - given[1])
        return found, cost

    monkeypatch.setattr(cells, "_row", counted)
    for separator in SEPARATORS:
        seen.clear()
        assert list(read_rows(text, separator, width=3))
        assert sum(seen) < 15 * len(text)


@pytest.mark.shared_data
@pytest.mark.parametrize("name", sorted(EXPORTS))
def test_shared_exports(name: str) -> None:
    items = _read((SHARED / name).read_bytes())
    records = [item for item in items if isinstance(item, Record)]
    with_abstract = sum("abstract" in record.fields for record in records)
    assert (len(records), len(items) - len(records), with_abstract) == EXPORTS[name]
    assert all(record.fields.get("authors") for record in records if name in ("ieee.csv", "embase.csv"))


@pytest.mark.shared_data
@pytest.mark.parametrize("name", sorted(EXPORTS))
def test_shared_exports_cut_off(name: str) -> None:
    data = (SHARED / name).read_bytes()
    whole = [item.fields.get("title") for item in _read(data) if isinstance(item, Record)]
    for end in range(0, len(data), 997):
        titles = [
            item.fields.get("title") for item in _read(data[:end], format="csv") if isinstance(item, Record)
        ]
        sound = max(len(titles) - 2, 0)
        assert titles[:sound] == whole[:sound]


def test_bytes_changed_at_random_cost_few_records() -> None:
    rows = [(f"Title {number}", f"We prune {number}\nand merge.", "Roe, A; Li, C") for number in range(60)]
    data = bytearray(_table("Title;Abstract;Authors", *rows).encode())
    dice = random.Random(7)
    for _ in range(40):
        copy = bytearray(data)
        copy[dice.randrange(30, len(copy))] = dice.choice(b'"",\n x')
        records = [item for item in _read(bytes(copy)) if isinstance(item, Record)]
        whole = {str(record.fields.get("title")) for record in records} & {row[0] for row in rows}
        assert len(whole) >= 57
