"""Acronyms that abstracts explain, and how a question's words lead to them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made import Library

from corpus.acronyms import acronyms_of, form_key, form_keys


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("A mixture of experts (MoE) routes tokens.", [("MoE", "mixture of experts")]),
        ("Mixtures-of-Experts (MoEs) route.", [("MoE", "mixtures of experts")]),
        ("model FLOPs utilization (MFU) and key-value (KV) caches", [
            ("MFU", "model flops utilization"),
            ("KV", "key value"),
        ]),
        ("deep learning (see below) and (GPU) alone", []),
        ("the axle xbc (ABC)", []),
        ("the results (Table) and words (words)", []),
        ("a very long way to graph convolutional networks (GCNs)", [("GCN", "graph convolutional networks")]),
    ],
)  # fmt: skip
def test_pairs(text: str, pairs: list[tuple[str, str]]) -> None:
    assert acronyms_of(text) == pairs


@given(st.text(alphabet="abcXYZ ()-0", max_size=60))
def test_a_long_form_stands_before_its_bracket_and_spells_it(text: str) -> None:
    for short, long in acronyms_of(text):
        assert f"({short}" in text
        letters = iter(long.replace(" ", ""))
        assert all(letter in letters for letter in short.lower() if letter.isalnum())
        assert len(long.split()) >= 2


def test_keys_fold_case_signs_and_plurals() -> None:
    assert form_key("Mixture-of-Experts") == form_key("mixture of expert") == "mixtureofexpert"
    assert form_key("MoEs") == "moe"
    assert form_key("as") == "as"
    assert "mixtureofexpert" in form_keys("What is a mixture of experts?")
    assert len(form_keys("one two one two")) == len(set(form_keys("one two one two")))


def test_a_collection_expands_both_ways(library: Library) -> None:
    assert library.collection.expansions("how do MoEs route") == ["mixture of experts"]
    assert library.collection.expansions("Mixture-of-Experts routing") == ["MoE"]
    assert library.collection.expansions("the mfu of training") == ["model flops utilization"]
    assert library.collection.expansions("bees and rivers") == []
    assert library.collection.expansions("") == []


def test_a_query_is_expanded_once(library: Library) -> None:
    assert library.retriever.expand("MoE load") == "MoE load mixture of experts"
    assert library.retriever.expand("mixture of experts (MoE)") == "mixture of experts (MoE)"
