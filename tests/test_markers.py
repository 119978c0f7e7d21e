"""Markers: read out of a whole text, and renumbered in one that comes in pieces."""

from __future__ import annotations

import re
from itertools import accumulate

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assistant.markers import Renumbering, Written, numbers_in, read_paragraphs

_PIECES = st.lists(
    st.one_of(
        st.sampled_from(
            ["[", "]", "[1]", "[2, 3]", "[Source 2]", "[9]", " ", "  ", "\n", ",", "-", "x", "sources"]
        ),
        st.sampled_from(
            ["[1, " + ", ".join(map(str, range(2, 30))) + "]", "[" + " " * 60, "[s", "[1\n2]", "[[3]"]
        ),
        st.text(alphabet="[] 0123456789,;–-\n.aSource", max_size=12),
    ),
    max_size=20,
)


def renumbered(pieces: list[str], known: tuple[int, ...] = (1, 2, 3)) -> list[str]:
    one = Renumbering(known)
    return [*(one.feed(piece) for piece in pieces), one.rest()]


@given(_PIECES)
@example(["[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12", ", 13, 14]"])
@example(["x ", "[9", "]."])
def test_pieces_change_nothing(pieces: list[str]) -> None:
    whole = "".join(pieces)
    assert "".join(renumbered(pieces)) == "".join(renumbered([whole])) == "".join(renumbered(list(whole)))


@given(_PIECES, st.integers(1, 5))
def test_no_half_marker_is_handed_out(pieces: list[str], size: int) -> None:
    whole = "".join(pieces)
    shown = renumbered([whole[at : at + size] for at in range(0, len(whole), size)])
    markers = [found.span() for found in re.finditer(r"\[\d+\]", "".join(shown))]
    for end in accumulate(map(len, shown)):
        assert not any(start < end < stop for start, stop in markers)


def test_markers_are_numbered_by_first_use_and_unknown_ones_are_gone() -> None:
    text = "One [3] two [1, 3]. Three [9]. Four [2-9] [Source 3][77]; five [2024] [a] [1]."
    assert "".join(renumbered([text])) == ("One [1] two [2][1]. Three. Four [3][1] [1]; five [2024] [a] [2].")


def test_what_can_not_become_a_marker_is_shown_at_once() -> None:
    one = Renumbering([1])
    assert one.feed("plain text") == "plain text"
    assert one.feed(" and [a word") == " and [a word"
    assert one.feed(" [1") == ""
    assert one.feed("] so") == " [1] so"
    assert one.feed("[1" + "," * 2_000) != ""


@pytest.mark.parametrize(
    ("marker", "numbers"),
    [
        ("[3]", [3]),
        ("[1, 3]", [1, 3]),
        ("[1-3]", [1, 2, 3]),
        ("[1–3; 2, 7]", [1, 2, 3, 7]),
        ("[Source 2]", [2]),
        ("[1-900]", [1, 900]),
        ("[3-1]", [3, 1]),
    ],
)
def test_numbers(marker: str, numbers: list[int]) -> None:
    assert numbers_in(marker) == numbers


def sentences(text: str) -> list[tuple[str, tuple[int, ...]]]:
    return [(one.text, one.markers) for part in read_paragraphs(text) for one in part.sentences]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It is fast [1]. It is small [2].", [("It is fast.", (1,)), ("It is small.", (2,))]),
        ("It is fast. [1] It is small. [2]", [("It is fast.", (1,)), ("It is small.", (2,))]),
        ("It is fast.[1] It is small.[2][3]", [("It is fast.", (1,)), ("It is small.", (2, 3))]),
        ("It is fast [1, 3], small [1-3].", [("It is fast, small.", (1, 3, 2))]),
        ("It [Source 2] is fast.", [("It is fast.", (2,))]),
        ("[1] It is fast.", [("It is fast.", (1,))]),
        ("It is fast [2024] [a].", [("It is fast [2024] [a].", ())]),
        ("It is **fast** and `small` [1].", [("It is fast and small.", (1,))]),
        ("[1]", []),
        ("", []),
        ("---\n\n***\n", []),
    ],
)
def test_sentences_with_their_markers(text: str, found: list[tuple[str, tuple[int, ...]]]) -> None:
    assert sentences(text) == found


def test_blocks_of_markdown() -> None:
    text = (
        "## What it does\n\n- It is fast [1].\n2. It is small.\n> It is cheap.\n\n"
        "| System | Speed |\n|---|:-:|\n| Alpha | 2x [2] |\n   \n## References\n[1] Alpha"
    )
    found = read_paragraphs(text)
    assert [(part.bullet, [one.text for one in part.sentences]) for part in found] == [
        (False, ["What it does"]),
        (True, ["It is fast."]),
        (True, ["It is small."]),
        (False, ["It is cheap."]),
        (False, ["System Speed"]),
        (False, ["Alpha 2x"]),
    ]
    assert found[-1].sentences == (Written("Alpha 2x", (2,)),)


@given(st.text(alphabet="[]1, .|-*#>a\n\t\u2028ſ", max_size=80))
def test_no_text_breaks_the_reading(text: str) -> None:
    for part in read_paragraphs(text):
        assert part.sentences
        assert all(re.search(r"\w", one.text) for one in part.sentences)


@pytest.mark.parametrize("unit", [" ", "a [1] ", "[1,", "| ", "[", "a. ", "\t|", "- "])
def test_long_lines_are_read(unit: str) -> None:
    text = f"| x{unit * (300_000 // len(unit))}y"
    assert read_paragraphs(text)
    assert "".join(renumbered([text]))
