"""Names of a claim, and whether a source holds them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.verify.names import missing_names, names_of


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("We present TileFlow, faster than TVM and vLLM.", ["TileFlow", "TVM", "vLLM"]),
        ("Sparse models run on CIFAR-10. Dense ones don't.", ["CIFAR-10"]),
        ("It beats Adam on Llama-2.", ["Adam", "Llama-2"]),
        ("In 2024 it took 30k steps, 7B tokens, 3x less at 8-bit.", []),
        ("Nexo++ is FlashAttention. It: Works well.", ["FlashAttention"]),
        ("TileFlow and TileFlow", ["TileFlow"]),
        ("It runs on A and B.", []),
        ("", []),
    ],
)
def test_names(text: str, found: list[str]) -> None:
    assert list(names_of(text)) == found


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("It uses FlashAttention-2.", "We extend Flash Attention 2."),
        ("It trains LLMs.", "It trains an LLM."),
        ("It uses GNNs.", "It uses graph neural networks."),
        ("It uses an MoE.", "A mixture of experts (MoE) is used."),
        ("It uses a mixture of experts (MoE).", "A mixture of experts is used."),
        ("It is CUR-based.", "It takes a CUR decomposition."),
        ("It joins CPU-GPU memory.", "It joins memory of the GPU and the CPU."),
        ("It is fast on COCO.", "COCO is fast."),
    ],
)
def test_names_in_other_spellings_are_held(claim: str, source: str) -> None:
    assert missing_names(claim, source) == []


@pytest.mark.parametrize(
    ("claim", "source", "missing"),
    [
        ("It is faster than PyTorch.", "It is faster than TVM.", ["PyTorch"]),
        ("It uses GNNs.", "It uses neural graphs.", ["GNNs"]),
        ("It uses Llama-3.", "It uses Llama-2.", ["Llama-3"]),
        ("It uses Adam and SGD.", "", ["Adam", "SGD"]),
    ],
)
def test_names_that_the_source_has_not(claim: str, source: str, missing: list[str]) -> None:
    assert missing_names(claim, source) == missing


@given(st.text(max_size=60), st.text(max_size=60))
def test_no_text_breaks_the_reading(claim: str, source: str) -> None:
    assert set(missing_names(claim, source)) <= set(names_of(claim))
    assert missing_names(claim, claim) == []


@pytest.mark.parametrize("unit", [" ", "a. ", "A", "A-", "a/", "A. B ", "(MoE) ", ". ", "AbC "])
def test_long_texts_are_read(unit: str) -> None:
    assert len(names_of("x" + unit * (300_000 // len(unit)) + "y")) < 3
