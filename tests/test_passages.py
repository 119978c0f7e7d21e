"""Passages: what is embedded of a paper, and windows over long texts."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from corpus.papers import Paper
from corpus.passages import passage_of, windows


def paper(title: str | None, abstract: str | None) -> Paper:
    return Paper(id="p1", label="x", title=title, abstract=abstract)


def test_title_and_abstract_are_one_text_with_the_abstracts_sentences() -> None:
    passage = passage_of(paper("PIT: a compiler", "It compiles. It wins."))
    assert passage.text == "PIT: a compiler\nIt compiles. It wins."
    assert [passage.text[a:b] for a, b in passage.spans] == ["It compiles.", "It wins."]
    assert passage.abstract_spans == ((0, 12), (13, 21))


def test_a_title_that_is_the_abstracts_beginning_is_read_once() -> None:
    assert passage_of(paper("We compile.", "We compile. It wins.")).text == "We compile. It wins."


def test_a_paper_without_abstract_or_title() -> None:
    assert passage_of(paper("PIT", None)).text == "PIT"
    assert passage_of(paper(None, "It wins.")).text == "It wins."
    assert passage_of(paper("PIT", None)).spans == ()


@given(st.integers(0, 5000), st.integers(2, 600), st.data())
def test_windows_cover_everything_and_overlap(count: int, size: int, data: st.DataObject) -> None:
    overlap = data.draw(st.integers(0, size // 2))
    cuts = windows(count, size=size, overlap=overlap)
    assert cuts[0][0] == 0
    assert cuts[-1][1] == count
    assert all(end - start <= size for start, end in cuts)
    for (_, end), (start, _) in pairwise(cuts):
        assert end - start >= overlap
