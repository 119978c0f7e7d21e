"""Sentences: where they end, where they don't, and that nothing of the text is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.sentences import sentence_spans


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


@pytest.mark.parametrize(
    "sentence",
    [
        "We compare with others, e.g. Adam and SGD.",
        "We compare with others (e.g., Adam) and more, i.e. SGD.",
        "As in Smith et al. (2021), we train it.",
        "The methods of Harvey et al. Adapted anew, they hold.",
        "It takes 21.23s vs. 108.44s per epoch.",
        "See Fig. 3 and Eq. 4 for more.",
        "J. R. Smith wrote it.",
        "Version v2.1 of GPT-3.5 runs 2.4x faster.",
        "The code is at https://github.com/nyu-systems/Grendel-GS.git for all.",
        "It varies w.r.t. Different inputs.",
        "1. First of all, it works.",
        "Made in the U.S. Army lab.",
    ],
)
def test_one_sentence_stays_one(sentence: str) -> None:
    assert split(sentence) == [sentence]


@pytest.mark.parametrize(
    "sentences",
    [
        ["We show it.", "It works!", "Does it?", "Yes."],
        ["It needs memory, compute, etc.", "We fix that."],
        ["As shown by Smith et al.", "However, it fails."],
        ["We factor the matrix A.", "We then train."],
        ["It hides the degree of PP.", "In this paper, we go on."],
        ["Serving is hard.", "vLLM makes it easy."],
        ["(It was small.)", "3D Gaussian Splatting is large."],
        ["It drops by 30%.", "5 GPUs suffice."],
        ["It drops.", "(ii) Optima are flat."],
        ['They said "it works."', "“It does.”"],
        ["Published in 2023.", "The rest follows."],
    ],
)
def test_sentences_come_apart(sentences: list[str]) -> None:
    assert split(" ".join(sentences)) == sentences


def test_a_full_stop_that_lost_its_space_ends_a_sentence() -> None:
    assert split("It gives good results.We propose more.") == ["It gives good results.", "We propose more."]


def test_a_blank_line_ends_a_sentence_and_a_line_break_does_not() -> None:
    assert split("No stop here\n\n  but a new\nparagraph") == ["No stop here", "but a new\nparagraph"]


def test_stops_of_scripts_without_spaces() -> None:
    assert split("今日は。元気?はい！") == ["今日は。", "元気?はい！"]


@pytest.mark.parametrize("text", ["", "   \n\n ", "\u00a0"])
def test_nothing_gives_no_sentence(text: str) -> None:
    assert sentence_spans(text) == []


# A run of one piece once cost quadratic time; a text of this size then takes minutes, not a moment.
@pytest.mark.parametrize("piece", [".", ". ", "a. ", "\n", ' .")', "A. ", "x"])
def test_a_megabyte_of_one_piece_ends(piece: str) -> None:
    text = piece * (500_000 // len(piece))
    assert "".join(split(text)).count(piece.strip()) > 0 or not text.strip()


@given(st.text(alphabet=st.sampled_from("aB1 .!?\n\"'()。é\u00a0")) | st.text())
def test_the_spans_hold_every_character_in_order(text: str) -> None:
    spans = sentence_spans(text)
    flat = [edge for span in spans for edge in span]
    assert flat == sorted(flat)
    assert all(text[start:end].strip() == text[start:end] != "" for start, end in spans)
    assert "".join("".join(split(text)).split()) == "".join(text.split())
