"""Readers of JSON: services' papers, pages and lists of them, one's own, and what can be wrong with them."""

# ruff: noqa: E501 - records stand on one line, as in the files
from __future__ import annotations

import io
import json
import tracemalloc
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.cleaning import paper_from
from corpus.readers import Record, Rejected, read_stream
from corpus.readers.formats import recognise
from corpus.readers.jats import jats_text
from corpus.readers.json_items import json_items
from corpus.readers.services import inverted_text

EXPORTS = Path(__file__).parents[2] / "shared" / "exports"
FOLDERS = ("crossref", "semanticscholar")

OPENALEX: dict[str, Any] = {
    "id": "https://openalex.org/W1", "doi": "https://doi.org/10.1000/b", "display_name": "Bees", "publication_year": 2020,
    "ids": {"pmid": "https://pubmed.ncbi.nlm.nih.gov/77"}, "abstract_inverted_index": {"fly": [1, 3], "Bees": [0], "and": [2]},
    "primary_location": {"landing_page_url": "http://arxiv.org/abs/2001.00001", "source": {"display_name": "Bee World"}},
    "authorships": [{"author": {"display_name": "Ada Imker"}, "institutions": [{"display_name": "Hive"}]}],
    "keywords": [{"display_name": "Wax"}], "referenced_works": ["https://openalex.org/W2"],
}  # fmt: skip
SCHOLAR: dict[str, Any] = {
    "paperId": "ab", "externalIds": {"DOI": "10.1000/b", "ArXiv": "2001.00001", "PubMed": "77"}, "title": "Bees",
    "abstract": "Bees fly.", "tldr": {"text": "Short."}, "year": 2020, "venue": "", "journal": {"name": "Bee World"},
    "authors": [{"authorId": "1", "name": "Ada Imker", "affiliations": ["Hive"]}], "url": "https://x.example/ab",
    "citations": [{"paperId": "cd", "title": "Other", "abstract": "No."}], "fieldsOfStudy": ["Biology"],
}  # fmt: skip
CROSSREF: dict[str, Any] = {
    "DOI": "10.1000/b", "title": ["Bees"], "subtitle": ["A study"], "container-title": ["Bee World"],
    "abstract": "<jats:title>Abstract</jats:title><jats:sec><jats:title>Aims</jats:title><jats:p>To <jats:italic>see</jats:italic>."
    "</jats:p></jats:sec><jats:sec><jats:title>Results:</jats:title><jats:p>p &lt; .01 &amp; so.</jats:p></jats:sec>",
    "author": [{"family": "Imker", "given": "Ada", "suffix": "Jr", "affiliation": [{"name": "Hive"}]}, {"name": "Bee Group"}],
    "issued": {"date-parts": [[2020, 3]]}, "URL": "http://dx.doi.org/10.1000/b", "reference-count": 3,
}  # fmt: skip
ARXIV: dict[str, Any] = {
    "id": "0704.0001", "submitter": "A", "authors": "Ada Imker", "title": "Bees", "categories": "cs.BE q-bio", "doi": None,
    "journal-ref": "Bee World 3", "abstract": "  Bees fly.\n", "update_date": "2008-11-26", "authors_parsed": [["Imker", "Ada", "Jr"]],
    "versions": [{"version": "v1", "created": "Mon, 2 Apr 2007 19:18:42 GMT"}],
}  # fmt: skip
DAILY: dict[str, Any] = {
    "paper": {"id": "2001.00001", "title": "Bees", "summary": "Bees fly.", "publishedAt": "2020-01-01T00:00:00.000Z",
              "authors": [{"name": "Ada Imker", "hidden": False}], "ai_keywords": ["wax"], "organization": {"name": "hive"}},
    "title": "Bees", "summary": "Bees fly.", "publishedAt": "2020-01-02T00:00:00.000Z",
}  # fmt: skip
OWN: dict[str, Any] = {"title": "Bees", "abstract": "Bees fly.", "authors": ["Ada Imker"], "year": 2020}
KINDS = (OPENALEX, SCHOLAR, CROSSREF, ARXIV, DAILY, OWN)


def _read(data: object, kind: str | None = None) -> list[Record | Rejected]:
    text = data if isinstance(data, str | bytes) else json.dumps(data)
    return list(
        read_stream(io.BytesIO(text.encode() if isinstance(text, str) else text), "a.json", format=kind)
    )


def _fields(data: object) -> Mapping[str, object]:
    [record] = _read(data)
    assert isinstance(record, Record), record
    return record.fields


def test_openalex() -> None:
    assert _fields({"meta": {"count": 1}, "results": [OPENALEX], "group_by": []}) == {
        "title": "Bees", "abstract": "Bees fly and fly", "authors": ["Ada Imker"], "organisations": ["Hive"], "year": "2020",
        "venue": "Bee World", "doi": "https://doi.org/10.1000/b", "arxiv_id": "2001.00001", "pmid": "77",
        "url": "http://arxiv.org/abs/2001.00001", "keywords": ["Wax"],
    }  # fmt: skip
    assert inverted_text({"b": [1], "a": [0, "x"], "c": None}) == "a b"
    assert inverted_text(None) == ""


def test_semantic_scholar() -> None:
    assert _fields({"total": 1, "offset": 0, "data": [SCHOLAR]}) == {
        "title": "Bees", "abstract": "Bees fly.", "authors": ["Ada Imker"], "organisations": ["Hive"], "year": "2020",
        "venue": "Bee World", "doi": "10.1000/b", "arxiv_id": "2001.00001", "pmid": "77", "url": "https://x.example/ab",
        "keywords": ["Biology"],
    }  # fmt: skip
    first, null, last = _read([SCHOLAR, None, SCHOLAR])
    assert isinstance(first, Record)
    assert isinstance(null, Rejected)
    assert (null.record, null.reason) == (
        2,
        "is null (on line 1): the service found no paper for what was asked",
    )
    assert isinstance(last, Record)
    assert last.number == 3
    [cited] = _read({"offset": 0, "data": [{"contexts": [], "citingPaper": SCHOLAR}]})
    assert isinstance(cited, Record)
    assert cited.fields["title"] == "Bees"


def test_crossref() -> None:
    expected = {
        "title": "Bees: A study", "abstract": "AIMS: To see. RESULTS: p < .01 & so.", "authors": ["Imker, Jr, Ada", "Bee Group"],
        "organisations": ["Hive"], "year": "2020", "venue": "Bee World", "doi": "10.1000/b", "url": "http://dx.doi.org/10.1000/b",
    }  # fmt: skip
    assert _fields({"status": "ok", "message-type": "work", "message": CROSSREF}) == expected
    page = {
        "status": "ok",
        "message": {"facets": {}, "query": {"start-index": 0}, "items": [CROSSREF, CROSSREF]},
    }
    assert [item.fields for item in _read(page) if isinstance(item, Record)] == [expected, expected]


@pytest.mark.parametrize(
    ("jats", "text"),
    [
        ("Plain, p < 3 & so", "Plain, p < 3 & so"),
        ("<jats:p>One.</jats:p>\n<jats:p>Two.</jats:p>", "One.\n\nTwo."),
        ("<p>H<sub>2</sub>O, 10<sup>3</sup></p>", "H2O, 10^3"),
        ("<jats:title>SUMMARY</jats:title><jats:p>A &amp; b & c.</jats:p>", "SUMMARY: A & b & c."),
        ("<jats:p>x <jats:inline-formula><jats:alternatives><jats:tex-math>$\\beta$</jats:tex-math><mml:math><mml:mi>β"
         "</mml:mi></mml:math></jats:alternatives></jats:inline-formula></jats:p>", "x $\\beta$"),
        ("<jats:p>Not closed", "<jats:p>Not closed"),
        ("a <b c", "a <b c"),
    ],
)  # fmt: skip
def test_jats(jats: str, text: str) -> None:
    assert jats_text(jats) == text


def test_arxiv_snapshot_and_daily_papers() -> None:
    assert _fields(json.dumps(ARXIV) + "\n") == {
        "title": "Bees", "abstract": "Bees fly.", "authors": ["Imker, Jr, Ada"], "year": "2007", "venue": "Bee World 3",
        "arxiv_id": "0704.0001", "url": "https://arxiv.org/abs/0704.0001", "keywords": ["cs.BE", "q-bio"],
    }  # fmt: skip
    daily = {
        "title": "Bees", "abstract": "Bees fly.", "authors": ["Ada Imker"], "organisations": ["hive"], "keywords": ["wax"],
        "year": "2020-01-01T00:00:00.000Z", "arxiv_id": "2001.00001", "url": "https://huggingface.co/papers/2001.00001",
    }  # fmt: skip
    assert _fields([DAILY]) == daily
    assert _fields([DAILY["paper"]]) == daily


def test_ones_own_documents() -> None:
    assert _fields([OWN]) == OWN
    assert _fields(json.dumps(OWN, indent=1)) == OWN
    other = {
        "Title": "Bees",
        "summary": "Fly.",
        "author": [{"firstName": "Ada", "lastName": "Imker"}],
        "published": "2020-01",
    }
    assert {key: _fields({"papers": [other]})[key] for key in ("title", "abstract", "authors", "year")} == {
        "title": "Bees", "abstract": "Fly.", "authors": ["Imker, Ada"], "year": "2020-01",
    }  # fmt: skip
    assert [
        item.fields["title"] for item in _read({"cs.BE": [OWN], "q-bio": [OWN]}) if isinstance(item, Record)
    ] == ["Bees"] * 2
    zotero = {
        "key": "A",
        "version": 1,
        "data": {"title": "Bees", "abstractNote": "Fly.", "creators": [{"name": "Hive"}]},
    }
    assert _fields([zotero])["abstract"] == "Fly."


@pytest.mark.parametrize("kind", KINDS, ids=["openalex", "scholar", "crossref", "arxiv", "daily", "own"])
def test_lines_lists_and_documents_give_the_same(kind: dict[str, Any]) -> None:
    """JSON Lines, with page of papers on a line, an array on one line and on many, one paper: equal fields."""
    line = json.dumps(kind)
    expected = _fields([kind])
    for text, count in (
        (line, 1),
        (f"{line}\n{line}\n", 2),
        (f"\ufeff{line}\r\n\r\n{line}", 2),
        (json.dumps([kind] * 3), 3),
        (json.dumps([kind] * 3, indent=2), 3),
        (json.dumps({"results": [kind] * 2}), 2),
        (json.dumps({"results": [kind] * 2}) + "\n" + json.dumps({"results": [kind]}), 3),
        (json.dumps([kind]) + "\n" + json.dumps([kind]), 2),
    ):
        items = _read(text)
        assert [dict(item.fields) for item in items if isinstance(item, Record)] == [
            dict(expected)
        ] * count, text
        numbers = [item.number for item in items if isinstance(item, Record)]
        assert numbers == sorted(set(numbers))
        assert all(json.loads(item.raw) for item in items if isinstance(item, Record))


def test_kinds_are_recognised() -> None:
    found = [recognise(json.dumps([one]).encode()) for one in KINDS]
    assert [row and row.name for row in found] == [
        "openalex",
        "semantic-scholar",
        "crossref",
        "arxiv-json",
        "hf-papers",
        "json",
    ]


GOOD = '{"title": "%s", "abstract": "x"}'


@pytest.mark.parametrize(
    ("text", "records", "reasons"),
    [
        ('[%1, {"title": nul}, %3]', [1, 3], {2: "it isn't JSON: Expecting value (line 1)"}),
        ('[%1,\n{"title": "a "quoted" one"},\n%3]', [1, 3], {2: "Expecting ',' delimiter (line 2)"}),
        ('[%1, {"title": "5" disk", "abstract": "y"}, %3]', [1, 3], {2: "Expecting ',' delimiter (line 1)"}),
        ('[%1, {"title": "two"', [1], {2: "it is cut off"}),
        ('[%1, {"title": "tw', [1], {2: "it isn't JSON: Unterminated string"}),
        ("[%1, ", [1], {2: "the file ends before its list does"}),
        ("[%1] trailing", [1], {2: "what follows isn't JSON"}),
        ("[%1, 7, [], %4]", [1, 4], {2: "is int, not a JSON object (line 1)", 3: "is list, not a JSON object"}),
        ("[%1 %2, , %3,]", [1, 2, 3], {}),
        ('[%1, {"year": 1}]', [1], {2: "has neither a title nor an abstract (line 1)"}),
        ('[{"n": ' + "9" * 5000 + "}, %2]", [2], {1: "it isn't usable JSON"}),
        ("[" + '{"a":' * 100_000 + "]", [], {1: "it isn't usable JSON: nested too deeply"}),
        ('{"results": [%1, {"title": 3 4}, %3], "meta": {}}', [1, 3], {2: "Expecting ',' delimiter"}),
        ('{"results": [%1], "meta": {,}}', [1], {2: "it isn't JSON"}),
        ('{"error": "Too many requests"}', [], {1: "holds no paper but a message: 'Too many requests' (line 1)"}),
    ],
)  # fmt: skip
def test_what_can_be_read_of_a_broken_document_is(
    text: str, records: list[int], reasons: dict[int, str]
) -> None:
    for number in range(1, 5):
        text = text.replace(f"%{number}", GOOD % number)
    items = _read(text, "json")
    assert [item.number for item in items if isinstance(item, Record)] == records
    assert [item.fields["title"] for item in items if isinstance(item, Record)] == list(map(str, records))
    bad = {item.record: item.reason for item in items if isinstance(item, Rejected)}
    assert list(bad) == list(reasons)
    for number, reason in reasons.items():
        assert reason in bad[number]  # type: ignore[index]


def test_an_empty_page_holds_no_paper() -> None:
    [bad] = _read({"meta": {"count": 0}, "results": []}, "openalex")
    assert isinstance(bad, Rejected)
    assert bad.reason.startswith("holds no paper")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_encodings(encoding: str) -> None:
    [record] = _read(json.dumps([{"title": "Müller"}], ensure_ascii=False).encode(encoding), "json")
    assert isinstance(record, Record)
    assert record.fields["title"] == "Müller"


def test_items_larger_than_the_window() -> None:
    long = {"title": "x" * 100_000, "numbers": list(range(20_000))}
    values = [long, 1, {"title": "b"}, 12345678901234567890] * 5
    assert [item.value for item in json_items(json.dumps(values))] == values
    broken = json.dumps(values[:3])[:-1] + ', {"title": ' + "x" * 100_000 + "}, " + json.dumps(long) + "]"
    assert [bool(item.fault) for item in json_items(broken)] == [False, False, False, True, False]


@pytest.mark.parametrize(
    "whole", [json.dumps({"data": [SCHOLAR] * 2000}), json.dumps([OPENALEX] * 2000, indent=1)]
)
def test_memory_is_in_proportion_to_the_file(whole: str) -> None:
    stream = io.BytesIO(whole.encode())
    tracemalloc.start()
    count = sum(isinstance(item, Record) for item in read_stream(stream, "a.json"))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 2000
    assert peak < 10 * len(whole)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(
            ["title", "abstract", "authors", "author", "data", "results", "message", "items", "paper", "DOI", "ids", "doi", "hits",
             "abstract_inverted_index", "authorships", "authors_parsed", "versions", "categories", "externalIds", "paperId", "year",
             "issued", "date-parts", "institutions", "primary_location", "publishedAt", "keywords", "container-title", "_source"]
        ),
        inner, max_size=5,
    ),
    max_leaves=15,
)  # fmt: skip


@settings(deadline=None)
@given(_JSON, st.integers(0, 300), st.binary(max_size=5))
def test_any_json_is_read_or_rejected(value: object, cut: int, tail: bytes) -> None:
    whole = json.dumps(value).encode()
    for data in (whole, whole[:cut] + tail, whole + b"\n" + whole[:cut]):
        for kind in ("json", "jsonl"):
            for item in _read(data, kind):
                if isinstance(item, Record):
                    paper_from(item, item.file)


@settings(deadline=None)
@given(
    st.lists(
        st.dictionaries(st.sampled_from(["title", "abstract"]), st.text(min_size=1, max_size=9), min_size=1),
        max_size=6,
    )
)
def test_lists_come_back_as_they_were(papers: list[dict[str, str]]) -> None:
    items = _read(json.dumps(papers), "json")
    assert [dict(item.fields) for item in items if isinstance(item, Record)] == papers


def _exports() -> list[dict[str, object]]:
    if not (EXPORTS / "MANIFEST.json").is_file():
        return []
    rows = json.loads((EXPORTS / "MANIFEST.json").read_text())
    return [row for row in rows if str(row["file"]).partition("/")[0] in FOLDERS]


@pytest.mark.shared_data
@pytest.mark.parametrize("row", _exports(), ids=lambda row: str(row["file"]))
def test_exports(row: dict[str, object]) -> None:
    data = (EXPORTS / str(row["file"])).read_bytes()
    items = _read(data)
    records = [item for item in items if isinstance(item, Record)]
    assert len(items) == row["records"]
    assert sum(bool(record.fields.get("abstract")) for record in records) == row["abstracts"]
    for cut in range(0, len(data), 997):
        assert _read(data[:cut])
