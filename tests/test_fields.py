"""Fields of exports: persons, years, identifiers, keywords, abstracts that are none, rights behind them."""

from __future__ import annotations

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.cleaning import clean_abstract, clean_text, paper_from
from corpus.identifiers import clean_doi, clean_pmid, find_identifiers
from corpus.papers import Paper
from corpus.people import clean_names
from corpus.readers.jsonl import read_jsonl
from corpus.readers.records import Record, Rejected
from corpus.rights import cut_rights
from corpus.years import clean_year

TEXT = "We tested ten models and found two that work."


@pytest.mark.parametrize(
    "text",
    [
        "[No abstract available]", "No abstract available.", "n/a", "None", "Abstract not available",
        "Summary", "International audience",
        "Publisher Summary", "[Figure: see text].", "See PDF", "Not provided",
        "An abstract is not available for this content so a preview has been provided.", "0",
        "Does not contain an abstract", "Abstract available from the publisher.",
        "There is no abstract for this article.", "-", "© 2021 Elsevier B.V. All rights reserved.",
        "Copyright (c) 2019 The Authors", "&lt;p&gt;No abstract&lt;/p&gt;",
    ],
)  # fmt: skip
def test_no_abstract(text: str) -> None:
    assert clean_abstract(text) is None
    paper = paper_from(Record(1, {"title": "A title", "abstract": text}, text), "f")
    assert isinstance(paper, Paper)
    assert paper.abstract is None
    assert isinstance(paper_from(Record(1, {"abstract": text}, text), "f"), Rejected)


@pytest.mark.parametrize(
    "tail",
    [
        "© 2021 Elsevier B.V. All rights reserved.",
        "Copyright © 2020 The Authors. Published by Elsevier Inc. All rights reserved.",
        "This article is protected by copyright. All rights reserved.",
        "(C) 2010 Elsevier Ltd. All rights reserved.",
        "(c) 2010 Wiley Periodicals, Inc.",
        "© The Author(s) 2021.",
        "© 2019 IEEE.",
        "(PsycINFO Database Record (c) 2016 APA, all rights reserved).",
        "© 2021 by the authors. Licensee MDPI, Basel, Switzerland.",
        "Published by Elsevier Ltd.",
        "2019 Elsevier Ltd.",
        "The Author(s) 2019. Published by OUP.",
        "[PUBLICATION ABSTRACT]",
        "[ABSTRACT FROM AUTHOR]",
        "Copyright of Acta X is the property of Y Ltd. and its content may not be copied. [ABSTRACT FROM"
        " AUTHOR]",
        "© 2020 The Authors. This is an open access article under the CC BY license (http://c.org/by/4.0/).",
        "Copyright 2012 Wiley Periodicals, Inc. J. Comp. Neurol. 2012;3:1-9",
    ],
)
def test_rights_are_cut_off(tail: str) -> None:
    assert clean_abstract(f"{TEXT} {tail}") == TEXT


@pytest.mark.parametrize(
    "text",
    [
        "We used (a) maps, (b) logs and (c) 2015 census data that show growth.",
        "We ask who owns texts. Copyright 2019 is a band that we study.",
        "© 2019 stood on the sign; we read what was written below it, and our results differ.",
        "No abstracts were found in the study.",
        "We analyse the copyright of software in Europe. We find that courts protect code but not function.",
        "We ask when models infringe copyright by copying. All Rights Reserved is a band of 2019.",
        "We compare waves: (a) 2011, (b) 2015, and (c) 2019, collected by the Institute of Statistics.",
        "We compare (a) all. We took (b) 2011 IEEE data. (c) 2015 IEEE Data.",
        "This article is an open access policy review. We find that mandates double the share of papers.",
        "Published by Elsevier B.V. We propose a method that works on all six benchmarks.",
        "We study the rights of users: Copyright Law in Europe.",
        "Abstract Meaning Representation is a formalism for texts.",
        "Abstract interpretation proves that programs are safe.",
    ],
)
def test_what_only_looks_like_rights_stays(text: str) -> None:
    assert clean_abstract(text) == text


@pytest.mark.parametrize(
    "front",
    [
        "© 2016 The Authors. Published by Elsevier B.V. ", "© 2016 IEEE.",
        "Copyright © 2015 ACM. ", "Abstract ",
        "ABSTRACT: ", "Abstract—", "(c) 2019 Elsevier Ltd. All rights reserved. ", "2013 IEEE. ",
    ],
)  # fmt: skip
def test_notices_in_front_are_cut_off(front: str) -> None:
    assert clean_abstract(front + TEXT) == TEXT


@given(st.text(max_size=400))
def test_rights_take_any_text(text: str) -> None:
    assert text.startswith(cut_rights(text).rstrip())


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("<jats:sec><jats:title>Methods</jats:title><jats:p>We did.</jats:p></jats:sec>", "METHODS: We did."),
        (
            "<b>Methods</b> We did. <b>Results:</b> It is <b>fast</b>.",
            "METHODS: We did. RESULTS: It is fast.",
        ),
        ("<p><strong>Conclusions</strong><br/>Good.</p>", "CONCLUSIONS: Good."),
        ('<AbstractText Label="AIM">We did.</AbstractText>', "AIM: We did."),
        ("<jats:title>Abstract</jats:title><jats:p>Text.</jats:p>", "Text."),
        ("&amp;lt;p&amp;gt;One &amp;amp;amp; two&amp;lt;/p&amp;gt;", "One & two"),
        ("a<s>b</s> <mask> x<sub>2</sub>", "a<s>b</s> <mask> x2"),
        ("<![CDATA[One]]> <!-- two --> three", "One three"),
    ],
)
def test_markup(raw: str, text: str) -> None:
    assert clean_abstract(raw) == text


@pytest.mark.parametrize(
    ("raw", "names"),
    [
        (["Smith, John", "Smith, Jr., John", "Doe, Ann, PhD"], ("John Smith", "John Smith Jr.", "Ann Doe")),
        (["SMITH J.", "O'BRIEN P.Q."], ("J. Smith", "P.Q. O'Brien")),
        (["Smith JA", "van der Berg GA", "Doe AB 3rd"], ("JA Smith", "GA van der Berg", "AB Doe 3rd")),
        (["van der Berg, Jan", "Berg, Jan van der"], ("Jan van der Berg",)),
        (["{World Health Organization}", "Department of Health, Education"],
         ("World Health Organization", "Department of Health, Education")),
        (["Wei LI", "Ada Lovelace", "WHO"], ("Wei LI", "Ada Lovelace", "WHO")),
        ("Smith, J. and Doe, A. and others", ("J. Smith", "A. Doe", "et al.")),
        (["Smith J et al."], ("J Smith", "et al.")),
        (["B{\\\"o}hm, Karl", "Lee, K*", "MÜLLER, HANS"], ("Karl Böhm", "K Lee", "Hans Müller")),
        (["王, 小明", "Moe, null"], ("王小明", "Moe")),
        ([None, 5, ""], ()),
        ("Anna Roe, Chen Li", ("Anna Roe", "Chen Li")),
        ("Anna Roe, Chen Li, and Jan Moe", ("Anna Roe", "Chen Li", "Jan Moe")),
        ("Anna Roe1,2, Chen Li3 and Jan Moe", ("Anna Roe", "Chen Li", "Jan Moe")),
        ("Roe A, Li CD, van den Berg J", ("A Roe", "CD Li", "J van den Berg")),
        (["Roe A, Li CD"], ("A Roe", "CD Li")),
        ("Roe, A., Li, C.", ("A. Roe", "C. Li")),
        ("Roe, Anna", ("Anna Roe",)),
        ("van den Berg, Jan Willem", ("Jan Willem van den Berg",)),
        ("Smith, Jr., John", ("John Smith Jr.",)),
        ("Garcia Lopez, Maria Jose and Roe, Anna", ("Maria Jose Garcia Lopez", "Anna Roe")),
        (["[No author name available]", "N/A", "Unknown", "Anonymous", "[Anonymous]", "No authors"
        " listed"], ()),
        (["Wei Li 0001", "Anna Roe1,2", "Chen Li (0000-0002-1825-0097)", "Jan Moe¹"],
         ("Wei Li", "Anna Roe", "Chen Li", "Jan Moe")),
        (["Study Group 2"], ("Study Group 2",)),
    ],
)  # fmt: skip
def test_names(raw: object, names: tuple[str, ...]) -> None:
    assert clean_names(raw, clean_text) == names
    assert clean_names(list(names), clean_text) == names


@pytest.mark.parametrize(
    ("value", "year"),
    [
        ("2019/03//", 2019),
        ("March 2019", 2019), ("2019 Mar-Apr", 2019), ("c2019", 2019),
        ("19 May 2020", 2020),
        ("in press", None),
        (20190315, 2019), ("2019.0", 2019), ("05/12/2019", 2019),
        ("n.d.", None), (True, None),
    ],
)  # fmt: skip
def test_years(value: object, year: int | None) -> None:
    assert clean_year(value) == year


@pytest.mark.parametrize(
    ("value", "doi"),
    [
        ("http://dx.doi.org/10.1016%2Fj.x.2020.01.001", "10.1016/j.x.2020.01.001"),
        ("10.1002/(SICI)1097&lt;1::AID&gt;3", "10.1002/(sici)1097<1::aid>3"),
        ("10.1007/978-3-540-\\_12", "10.1007/978-3-540-_12"),
        ("(10.1000/abc).", "10.1000/abc"),
        ("https://onlinelibrary.wiley.com/doi/full/10.1002/abc.123?x=1", "10.1002/abc.123"),
    ],
)
def test_dois(value: str, doi: str) -> None:
    assert clean_doi(value) == doi


def test_identifiers_from_each_other() -> None:
    found = find_identifiers(
        doi="https://doi.org/10.48550/arXiv.2301.10936v3", arxiv_id=None, pmid=None, url=None
    )
    assert (found.doi, found.arxiv_id) == ("10.48550/arxiv.2301.10936", "2301.10936")
    assert found.arxiv_version == "2301.10936v3"
    found = find_identifiers(
        doi=None, arxiv_id=None, pmid="PMID: 12", url="https://arxiv.org/abs/cs/9901001v2"
    )
    assert (found.arxiv_id, found.arxiv_version, found.pmid) == ("cs/9901001", "cs/9901001v2", "12")
    assert clean_pmid("https://pubmed.ncbi.nlm.nih.gov/32051057/") == "32051057"
    assert clean_pmid("PMC123") is None


def test_keywords_are_split_and_each_kept_once() -> None:
    def keywords(value: object) -> tuple[str, ...]:
        paper = paper_from(Record(1, {"title": "x", "keywords": value}, ""), "f")
        assert isinstance(paper, Paper)
        return paper.keywords

    assert keywords("Pain; pain; Sleep &amp; rest") == ("Pain", "Sleep & rest")
    assert keywords("x, y, z") == keywords(["x, y, z"]) == ("x", "y", "z")
    assert keywords(["a; b", "Pain, chronic"]) == ("a", "b", "Pain, chronic")


@pytest.mark.parametrize(
    "value",
    [["Roe, Anna"], "Roe, Anna", [{"given_name": "Anna", "family_name": "Roe"}], [{"name": "Anna Roe"}]],
)
def test_keys_in_capitals_and_authors_as_objects(value: object) -> None:
    line = json.dumps(
        {"Title": "Dunes", "Abstract": TEXT, "Authors": value, "Year": 2019, "DOI": "10.1000/x"}
    )
    (record,) = read_jsonl(io.BytesIO(line.encode()), "own.jsonl")
    assert isinstance(record, Record)
    paper = paper_from(record, "own.jsonl")
    assert isinstance(paper, Paper)
    assert (paper.title, paper.abstract, paper.authors, paper.year, paper.doi) == (
        *("Dunes", TEXT, ("Anna Roe",), 2019, "10.1000/x"),
    )


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("a well-\ntrained model", "a well-trained model"),
        ("the Inter-\n  net", "the Inter-net"),
        ("short-\nand long-term", "short- and long-term"),
        (r"CO{\textless}sub{\textgreater}2{\textless}/sub{\textgreater}", "CO2"),
        ("<tex>$x$</tex> and <i>E. coli</i>", "x and E. coli"),
    ],
)
def test_lines_and_tags_of_latex(raw: str, text: str) -> None:
    assert clean_text(raw) == text


def test_organisations_and_keywords_without_notes() -> None:
    fields = {
        "title": "Dunes",
        "organisations": ["[Roe, Anna; Li, Chen] MIT, Cambridge. Electronic address: roe@mit.edu.", "CNRS"],
        "keywords": ["*Neoplasms/*therapy", "C*-algebras", "Humans"],
    }
    paper = paper_from(Record(1, fields, ""), "f")
    assert isinstance(paper, Paper)
    assert paper.organisations == ("MIT, Cambridge.", "CNRS")
    assert paper.keywords == ("Neoplasms/therapy", "C*-algebras", "Humans")


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("{0,1}-matrices over {a, b, c}", "{0,1}-matrices over {a, b, c}"),
        ('a line {"a": 1} of JSON', 'a line {"a": 1} of JSON'),
        (r"$f: \{0,1\}^n \to \{0,1\}$", "f: {0,1}^n → {0,1}"),
        (r"$\|x\|_2 \le 1$", "‖x‖_2 ≤ 1"),
        (r"as \citep[see][p. 3]{roe2019} says", "as [roe2019] says"),
        (r"Anders J. \aa ngstr\"om", "Anders J. ångström"),
        (r"Nguy{\~{\^e}}n", "Nguyễn"),
        (r"Folding of $$α $$-helices", "Folding of α-helices"),
        ("{DNA, RNA} and {Water} x_{i,j}", "DNA, RNA and Water x_(i,j)"),
        ("from $5 to $10 and {1,000}", "from $5 to $10 and 1,000"),
    ],
)
def test_braces_and_commands(raw: str, text: str) -> None:
    assert clean_text(raw) == text
