"""Words of questions and sentences: which carry a topic, which mean the same."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.words import ASKING_WORDS, FUNCTION_WORDS, content_words, holds, stem, stems, words

_ENDINGS = ("s", "ing", "edly", "ational", "fulness", "izers", "ously", "ement", "iveness")


@pytest.fixture
def _hasty() -> Iterator[None]:
    """Threads take turns every few instructions."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("FlashAttention-2's tiles", ["flashattention", "2", "tiles"]),
        ("What’s the über_speed?", ["what", "the", "über", "speed"]),
        ("5.9x (A100)", ["5", "9x", "a100"]),
        ("", []),
    ],
)
def test_words(text: str, found: list[str]) -> None:
    assert words(text) == found


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        (
            "Which paper describes a compiler for sparse models?",
            ["describes", "compiler", "sparse", "models"],
        ),
        ("What is it about?", []),
        ("How many GPUs, how many gpus at 8 bits?", ["gpus", "8", "bits"]),
        ("a b c", []),
    ],
)
def test_content_words(question: str, topic: list[str]) -> None:
    assert content_words(question) == topic


@pytest.mark.usefixtures("_hasty")
def test_threads_stem_as_one_does() -> None:
    made = [
        f"{one}{two}{ending}"
        for one in "bcdfg"
        for two in ("akert", "olvin", "ustres")
        for ending in _ENDINGS
    ]
    alone = [stem(word) for word in made]
    for _ in range(5):
        stem.cache_clear()
        with ThreadPoolExecutor(8) as pool:
            assert all(
                found == alone for found in pool.map(lambda _: [stem(word) for word in made], range(8))
            )


def test_the_two_lists_are_apart_and_folded() -> None:
    assert not FUNCTION_WORDS & ASKING_WORDS
    assert all(word == word.lower() and words(word) == [word] for word in FUNCTION_WORDS | ASKING_WORDS)


@given(st.text(max_size=60))
def test_content_words_are_words_of_the_text_each_once(text: str) -> None:
    found = content_words(text)
    assert len(set(found)) == len(found)
    assert set(found) <= set(words(text)) - FUNCTION_WORDS - ASKING_WORDS


@pytest.mark.parametrize(
    ("text", "word", "held"),
    [
        ("It compiles kernels.", "compile", True),
        ("Compilers are slow.", "compiler", True),
        ("A micro-kernel.", "kernels", True),
        ("Sparsification helps.", "sparsity", False),
        ("Hyperparameters matter.", "parameter", True),
        ("On 8 GPUs", "gpu", True),
        ("It is magpie.", "mag", False),
        ("The WMT14 task", "wmt", True),
        ("Nothing.", "compiler", False),
        ("", "compiler", False),
    ],
)
def test_holds(text: str, word: str, held: bool) -> None:
    assert holds(text, word) is held


@given(st.text(max_size=40))
def test_a_text_holds_its_own_words(text: str) -> None:
    for word in words(text):
        assert stem(word) in stems(text)
        assert holds(text, word)
