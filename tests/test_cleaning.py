"""Cleaning: LaTeX and its remains, tags, entities, addresses; records that become papers or can't."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.cleaning import clean_text, find_urls, paper_from
from corpus.identifiers import clean_arxiv_id, clean_doi
from corpus.papers import Paper, Source
from corpus.readers.records import Record, Rejected

CASES = [
    # figures
    (r"up to 43\% (79.2\%)", "up to 43% (79.2%)"),
    ("a 2.4times speedup", "a 2.4x speedup"),
    (r"a 2.4\times speedup, $2.4\times$ and $2.4 \times$", "a 2.4x speedup, 2.4x and 2.4x"),
    ("20 times faster at times, sometimes 5 times", "20 times faster at times, sometimes 5 times"),
    ("1.3-1.6times, 1.18times-1.22times", "1.3-1.6x, 1.18x-1.22x"),
    (r"4timesRTX 3090, $8\times$A100, 224 \times 224, 7times7", "4x RTX 3090, 8x A100, 224x224, 7x7"),
    ("sim0.6 point, (sim1\\%), sim!2times, is sim 2.5times", "~0.6 point, (~1%), ~2x, is ~2.5x"),
    ("4.8sim 20.3times, 1.25sim1.56times, 2.58%sim 9.84%", "4.8~20.3x, 1.25~1.56x, 2.58%~9.84%"),
    ("a simple simulation similar to 5", "a simple simulation similar to 5"),
    (r"$\sim$90\%, $\approx 7$, approx 7%", "~90%, ≈ 7, ≈7%"),
    ("geq 81.3%, leq 0.02%, M geq d^2, chi_2leq chi_1", "≥ 81.3%, ≤ 0.02%, M ≥ d^2, chi_2 ≤ chi_1"),
    ("roughly 2{3} total, 1{16} token", "roughly 2/3 total, 1/16 token"),
    (r"$\frac{2}{3}$ and $\frac{a+b}{n}$", "2/3 and (a+b)/n"),
    ("(> 10^{19}), d^{-1}, S^{2}FT", "(> 10^19), d^(-1), S^2FT"),
    ("5--12times, 4--5GB, (i)--(iii), model -- with", "5–12x, 4–5GB, (i)–(iii), model – with"),
    ("costs $5 and $6, $1.2 million or $3-$4", "costs $5 and $6, $1.2 million or $3-$4"),
    (r"costs \$5 at $n=3$", "costs $5 at n=3"),
    # formulas
    (r"$\mathcal{O}(n \log n)$ and mathcal{O}(dN)", "O(n log n) and O(dN)"),
    (r"$\alpha$-stable, \ell_2 norm, ell_0 ball", "α-stable, l_2 norm, l0 ball"),
    ("Win R^{ntimes n}, {sf B}^top", "W ∈ R^(n × n), B^T"),
    ("O(Llog L), sqrt{dk}{n}", "O(L log L), sqrt(dk)/(n)"),
    # commands, accents, quotes
    (r"\textbf{Fast} and \emph{very \textit{small}} {\bf models}", "Fast and very small models"),
    (r"we present \tool, built on \HyperRouter{}", "we present tool, built on HyperRouter"),
    (r"T\'yr, Erd\H{o}s, G\"odel, \v{S}, na\"{\i}ve, \L{}ukasz", "Týr, Erdős, Gödel, Š, naïve, Łukasz"),
    (r"Sort \& Search (S&S)", "Sort & Search (S&S)"),
    ("``Large-Sparse'' and how `low' it is, don't", "\"Large-Sparse\" and how 'low' it is, don't"),
    ("finding of~name2025muon that, Sanghavi~jns13", "finding of [name2025muon] that, Sanghavi [jns13]"),
    ("~100 million, (~ 96%), 2.97~25.22x", "~100 million, (~96%), 2.97~25.22x"),
    (r"as shown~\cite{a2020,b2021}, Fig.~3", "as shown [a2020,b2021], Fig. 3"),
    ("{99.38\\% (MNIST), fewer parameters}", "99.38% (MNIST), fewer parameters"),
    # the web
    ("<p>CO<sub>2</sub> at 10<sup>19</sup></p><jats:p>x &lt; y &amp; z</jats:p>", "CO2 at 10^19 x < y & z"),
    ("a < b and c > d; if a<b then c>d", "a < b and c > d; if a<b then c>d"),
    ("one\u00a0two\u200b three\u00ad \n\n four\x00", "one two three four"),
    ("a \ud800 b", "a \ufffd b"),
]  # fmt: skip


@pytest.mark.parametrize(("raw", "clean"), CASES)
def test_clean_text(raw: str, clean: str) -> None:
    assert clean_text(raw) == clean


@pytest.mark.parametrize("clean", [clean for _, clean in CASES])
def test_clean_text_stays_clean(clean: str) -> None:
    assert clean_text(clean) == clean


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("See https://a.org/x_y~z.", "See https://a.org/x_y~z."),
        (r"at: {\footnotesizeblue{https://a.org/SPTAG}}.", "at: https://a.org/SPTAG."),
        ("at {{https://a.org/Router}}.", "at https://a.org/Router."),
        ("at https://a.org/CSFPN{https://a.org/CSFPN}.", "at https://a.org/CSFPN."),
        ("at https://a.org/zero{this url}.", "at https://a.org/zero."),
        ("at https://a.org/long{LOST Repo}", "at LOST Repo (https://a.org/long)"),
        (r"at \href{https://a.org/x}{our page}.", "at our page (https://a.org/x)."),
        (r"at \url{https://a.org/x\_y}", "at https://a.org/x_y"),
        ("at https://github.com/ someone/Model.", "at https://github.com/someone/Model."),
        ("(https://a.org/AIRS).", "(https://a.org/AIRS)."),
        ("https://a.org/wiki/X_(y), and", "https://a.org/wiki/X_(y), and"),
    ],
)
def test_addresses(raw: str, clean: str) -> None:
    assert clean_text(raw) == clean
    [url] = find_urls(clean)
    assert url.startswith("https://")
    assert url[-1] not in ".,}"


@given(st.text(max_size=300))
def test_clean_text_takes_anything(raw: str) -> None:
    text = clean_text(raw)
    assert text == " ".join(text.split())
    text.encode("utf-8")


@given(st.text(alphabet="abc 12.,()-\n", max_size=200))
def test_plain_words_are_not_touched(raw: str) -> None:
    if "--" not in raw:
        assert clean_text(raw) == " ".join(raw.split())


def _paper(**fields: object) -> Paper:
    paper = paper_from(Record(7, fields, "raw", "f.jsonl"), "f.jsonl")
    assert isinstance(paper, Paper)
    return paper


def test_paper_from_a_full_record() -> None:
    paper = _paper(
        id="efficient-ml-001", label="PIT", title="{PIT}: a compiler", abstract=r"Up to 43\%, see https://a.org/x.",
        authors=["Ada  Lovelace", "et al."], organisations="MIT; ETH", year="2023-10-01", venue="SOSP",
        doi="https://doi.org/10.1145/3600006.3613139", arxiv_id="arXiv:2301.10936v2", keywords=["a", "a"],
        unknown={"x": 1},
    )  # fmt: skip
    assert paper == Paper(
        id="efficient-ml-001", label="PIT", title="PIT: a compiler", abstract="Up to 43%, see https://a.org/x.",
        authors=("Ada Lovelace", "et al."), organisations=("MIT", "ETH"), year=2023, venue="SOSP",
        doi="10.1145/3600006.3613139", arxiv_id="2301.10936", url="https://a.org/x", keywords=("a",),
        other_ids=("arxiv:2301.10936v2",), sources=(Source("f.jsonl", 7),),
    )  # fmt: skip


def test_ids_follow_the_words() -> None:
    one = _paper(abstract="Pruning  takes weights out.")
    assert one.id == _paper(abstract="pruning takes\nweights out").id
    assert one.id != _paper(abstract="Pruning takes layers out.").id
    assert _paper(title="Only a title", id="bad id, with comma").id == _paper(title="Only a title").id


def test_url_only_when_the_abstract_has_one() -> None:
    assert _paper(abstract="at https://a.org/x and https://a.org/x").url == "https://a.org/x"
    assert _paper(abstract="at https://a.org/x and https://a.org/y").url is None
    assert _paper(abstract="at https://a.org/x", url="javascript:alert(1)").url == "https://a.org/x"
    assert _paper(abstract="text", url="http://b.org/").url == "http://b.org/"


def test_own_export_comes_back_the_same() -> None:
    paper = _paper(
        abstract=r"We present PIT, a compiler, 2.4times faster.",
        authors=["A B"],
        year=2023,
        doi="10.1145/1.2",
    )
    assert _paper(**paper.to_dict()) == paper


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({}, "has neither a title nor an abstract"),
        ({"abstract": " \n", "title": None}, "has neither a title nor an abstract"),
        ({"abstract": 5}, "abstract is int, not text"),
        ({"title": ["a"]}, "title is list, not text"),
    ],
)
def test_records_that_are_no_paper(fields: dict[str, object], reason: str) -> None:
    bad = paper_from(Record(3, fields, "", "f"), "f")
    assert isinstance(bad, Rejected)
    assert (bad.file, bad.record, bad.reason) == ("f", 3, reason)


@pytest.mark.parametrize("value", [True, 12, "soon", [2023], None, 99999])
def test_years_that_are_none(value: object) -> None:
    assert _paper(title="x", year=value).year is None


@pytest.mark.parametrize(
    ("value", "doi"),
    [("doi:10.1/x", None), ("DOI: 10.1000/ABC.", "10.1000/abc"), (None, None), (5, None)],
)
def test_doi(value: object, doi: str | None) -> None:
    assert clean_doi(value) == doi


@pytest.mark.parametrize(
    ("value", "arxiv_id"),
    [
        ("2301.10936v3", "2301.10936"),
        ("https://arxiv.org/abs/cs/9901001v1", "cs/9901001"),
        ("http://arxiv.org/pdf/2301.10936v1.pdf", "2301.10936"),
        ("n/a", None),
    ],
)
def test_arxiv_id(value: object, arxiv_id: str | None) -> None:
    assert clean_arxiv_id(value) == arxiv_id
