"""Texts that say the same thing over and over, and texts that only look like it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.repetition import repeated_phrase

LOWS = "The throughput is 3.5× that of vLLM [1]. "


@given(st.text(alphabet="abcdefg .", min_size=1, max_size=120), st.text(max_size=40))
def test_every_phrase_is_found_however_the_text_began(phrase: str, start: str) -> None:
    found = repeated_phrase(start + phrase * (700 // len(phrase) + 5))
    assert found is not None
    assert len(found) <= len(phrase)


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz ", min_size=600, max_size=1200))
def test_what_is_found_is_repeated(text: str) -> None:
    if phrase := repeated_phrase(text):
        assert text.endswith(phrase * 2)


@pytest.mark.parametrize(
    "text",
    [
        "",
        LOWS * 3,
        "| not stated | not stated | not stated |\n" * 8,
        "| --- | --- | --- | --- |\n" + "| PIT | 1.2× | 3.4× | not stated |\n" * 4,
        " ".join(f"Paper {number} reports {number * 7 % 13}× more [{number}]." for number in range(80)),
        ("x" * 500) + "y",
        LOWS * 40 + "But MoE models differ.",
    ],
)
def test_what_does_not_count_as_endless(text: str) -> None:
    assert repeated_phrase(text) is None


def test_numbers_of_list_items_do_not_hide_it() -> None:
    text = "\n".join(f"{number}. PIT compiles sparse tensors." for number in range(1, 60))
    assert repeated_phrase(text) is not None


def test_a_long_phrase_has_to_come_four_times() -> None:
    phrase = " ".join(f"word{number}" for number in range(45))[:300]
    assert repeated_phrase("start " + phrase * 3) is None
    assert repeated_phrase("start " + phrase * 5) is not None
