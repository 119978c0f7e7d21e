"""Which records are the same paper, and what merging keeps."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from corpus.dedupe import merge, same_paper_key
from corpus.papers import Paper, Source


def _paper(id: str, abstract: str | None = "Words.", **fields: object) -> Paper:
    return Paper(id=id, label=id, abstract=abstract, **fields)  # type: ignore[arg-type]


def test_keys() -> None:
    assert same_paper_key(_paper("a", "The words!", doi="10.1/x", arxiv_id="2301.10936v2")) == [
        "doi:10.1/x",
        "arxiv:2301.10936",
        "text:thewords",
    ]
    assert same_paper_key(_paper("a", None, title="A Title")) == ["title:atitle"]


def test_near_duplicates_share_no_key() -> None:
    one = _paper("a", "We propose CompeteSMoE, a simple yet effective algorithm.")
    two = _paper("b", "We develop CompeteSMoE, a simple yet effective algorithm.")
    assert not set(same_paper_key(one)) & set(same_paper_key(two))


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
