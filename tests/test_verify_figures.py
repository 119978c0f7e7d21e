"""Figures of a claim beside those of a source: value, unit, qualifier."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.figures.amount import BIG
from assistant.verify.figures import fit_numbers, same_value
from assistant.verify.number_tables import COUNTS, WORDS
from assistant.verify.numbers import numbers_of


def shown(text: str) -> list[tuple[float, str]]:
    return [(one.value, one.unit) for one in numbers_of(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It is 2.4x faster with 43% less memory.", [(2.4, "x"), (43, "%")]),
        ("A 7B model reads 1,200 tokens in 3.5 ms.", [(7e9, "model"), (1200, "token"), (3.5, "ms")]),
        ("It took 512 GPU hours and 3 seconds.", [(512, "gpu-hour"), (3, "s")]),
        ("It reads 900 tokens per second.", [(900, "token/s")]),
        ("It gains 3 percentage points, 2 times.", [(3, "points"), (2, "x")]),
        ("It doubles speed and halves cost.", [(2, ""), (50, "")]),
        ("Two hundred runs took eight weeks.", [(2, ""), (200, ""), (100, ""), (8, "week")]),
        ("GPT-4 on A100s, v1.5.", [(4, "")]),
        ("", []),
    ],
)
def test_numbers_with_their_units(text: str, found: list[tuple[float, str]]) -> None:
    assert shown(text) == found


def test_places_and_qualifiers() -> None:
    text = "It is up to 2.4x faster, 30% on average, at least 5 GB smaller and as much as twice as cheap."
    found = numbers_of(text)
    assert [text[one.start : one.end] for one in found] == ["2.4", "30", "5", "twice"]
    assert [one.qualifier for one in found] == ["up to", "average", "at least", "up to"]
    assert [one.worded for one in found] == [False, False, False, True]


@pytest.mark.parametrize(
    ("claim", "source", "faults"),
    [
        ("It is 2.4x faster.", "It runs 2.4 times faster.", [""]),
        ("It is 2.5x faster.", "It runs 2.4 times faster.", ["missing"]),
        ("It is 2.4% faster.", "It runs 2.4x faster.", ["unit"]),
        ("It takes 9 minutes.", "It takes 9 seconds.", ["unit"]),
        ("It saves 18%.", "It saves up to 18% of it.", ["clash"]),
        ("It saves 18% on average.", "It saves up to 18% of it.", ["clash"]),
        ("It saves up to 18%.", "It saves 18% on average.", ["clash"]),
        ("It saves over 18%.", "It saves 18% of it.", ["qualifier"]),
        ("It saves about 18%.", "It saves 18% of it.", [""]),
        ("It needs 40% of the memory.", "It cuts memory by 60%.", ["missing"]),
        ("It halves the memory.", "It needs 3x less memory.", ["worded"]),
        ("It halves the memory.", "It cuts memory by 50%.", [""]),
        ("It gains 3 points.", "It gains 3% in accuracy.", ["unit"]),
        ("It gains 3 points.", "It gains 3% absolute in accuracy.", [""]),
        ("It uses eight GPUs.", "It runs on eight A100s.", [""]),
        ("It is seven times faster.", "It is faster.", ["worded"]),
        ("It uses 4 chips.", "It uses v4 chips.", ["worded"]),
        ("It is 79.2% and 3x.", "It is 79.18% and 3x.", ["missing", ""]),
        ("It is fast.", "It is 3x faster.", []),
    ],
)
def test_what_differs(claim: str, source: str, faults: list[str]) -> None:
    assert [fit.fault for fit in fit_numbers(claim, source)] == faults


def test_the_number_of_the_same_unit_is_preferred() -> None:
    (fit,) = fit_numbers("It takes 9 seconds.", "On 9 GPUs it takes 9 seconds.")
    assert fit.match
    assert (fit.match.unit, fit.fault) == ("s", "")


@given(st.floats(0, 1e12), st.floats(0, 1e12))
def test_equal_values(one: float, other: float) -> None:
    assert same_value(one, one)
    assert same_value(one, other) == same_value(other, one)
    assert not same_value(one + 1, 2 * one + 3)


@given(
    st.lists(
        st.one_of(
            st.sampled_from(
                [*WORDS, *COUNTS, *BIG, "ſeven", "ſix hundred", "K", "İ", "up to", "per", "GPU hours"]
            ),
            st.text(alphabet="0123456789.,x×%$~-– /()[]٣²½", max_size=8),
            st.text(max_size=4),
        ),
        max_size=12,
    )
)
def test_no_text_breaks_the_reading(parts: list[str]) -> None:
    for text in (" ".join(parts), "".join(parts)):
        for one in numbers_of(text):
            assert 0 <= one.start < one.end <= len(text)
        assert all(
            fit.fault in ("", "worded", "unit", "qualifier", "clash") for fit in fit_numbers(text, text)
        )


def test_numbers_without_end_are_read() -> None:
    huge = "9" * 5_000
    assert [one.value for one in numbers_of(f"It is {huge} wide.")] == [float("inf")]
    assert [fit.fault for fit in fit_numbers(f"It is {huge} wide.", "It is 3 wide.")] == ["missing"]
    for unit in ("1-2-", "1 1 ", "$1 ", "half ", "two hundred ", "at most ", "2.4x "):
        assert len(numbers_of(unit * 1_000)) < 5_000
