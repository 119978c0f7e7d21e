"""An answer as Markdown with its references, and the cited papers as BibTeX."""

from __future__ import annotations

from dataclasses import replace

from browser import HOSTILE, PIT, SCALER, cite

from assistant.cited_text import read_cited
from assistant.references import as_bibtex, as_markdown, reference
from corpus.papers import Paper

PAPERS = {"p1": PIT, "p2": SCALER, "p3": HOSTILE}


def test_a_reference_says_who_when_what_and_where() -> None:
    assert reference("PIT", PIT) == (
        "Ningxin Zheng, Huiqiang Jiang, Quanlu Zhang (2023). "
        "PIT: a deep learning compiler for sparsity known only at runtime. SOSP. https://example.org/pit"
    )
    many = replace(PIT, authors=("A", "B", "C", "D"))
    assert reference("PIT", many).startswith("A et al. (2023)")
    assert reference("PIT", Paper("p", "PIT", None)) == "PIT"
    assert reference("Gone", None) == "Gone"


def test_markdown_ends_with_the_papers_that_the_markers_mean() -> None:
    answer = cite("What of *it*?", "It **is** [1]. So [2].", [(PIT, "5.9x"), (SCALER, "3.5x")])
    lines = as_markdown(answer, PAPERS).splitlines()
    assert lines[:3] == ["## What of \\*it\\*?", "", "It **is** [1]. So [2]."]
    assert lines[4] == "### References"
    assert lines[6].startswith("[1] Ningxin Zheng")
    assert lines[7].startswith("[2] Zhiqi Lin, Youshan Miao. SuperScaler")


def test_verify_reads_what_was_copied() -> None:
    answer = cite("q", "It is [1]. So [2].", [(PIT, "5.9x"), (SCALER, "3.5x")])
    read = read_cited(as_markdown(answer, PAPERS), [PIT, SCALER])
    assert read.references == {1: PIT, 2: SCALER}


def test_markdown_without_a_citation_has_no_references() -> None:
    assert as_markdown(cite("q", "Nothing.", [], status="not_found"), PAPERS) == "## q\n\nNothing.\n"


def test_the_markup_of_a_paper_stays_text() -> None:
    text = as_markdown(cite("q", "x [1]", [(HOSTILE, "nothing")]), PAPERS)
    assert "\\<script>" in text
    assert "\\<svg" in text


def test_bibtex_has_each_cited_paper_once_without_its_abstract() -> None:
    twin = replace(SCALER, id="p4")
    answer = cite("q", "x [1][2][3]", [(PIT, "5.9x"), (SCALER, "3.5x"), (twin, "3.5x")])
    text = as_bibtex(answer, {**PAPERS, "p4": twin})
    assert text.count("@") == 3
    keys = [line.split("{")[1] for line in text.splitlines() if line.startswith("@")]
    assert len(set(keys)) == 3
    assert "author = {Zheng, Ningxin and Jiang, Huiqiang and Zhang, Quanlu}" in text
    assert "abstract" not in text
    assert as_bibtex(cite("q", "x", []), PAPERS) == ""
    assert as_bibtex(cite("q", "x [1]", [(PIT, "5.9x")]), {}) == ""
