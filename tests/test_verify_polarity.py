"""Which way words go, and what is denied, in a claim beside its source."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.verify.polarity import flags_of, is_direction, is_negator, signs_of, terms_of
from assistant.words import stem


def denied(text: str) -> list[str]:
    return [term.word for term in terms_of(text) if term.denied and len(term.word) > 3]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("It needs no new assumptions.", ["assumptions"]),
        ("It needs new assumptions.", []),
        ("It doesn't need training, but tuning.", ["need", "training"]),
        ("It cannot train.", ["train"]),
        ("It never fails to converge.", ["fails"]),
        ("It is fast without tuning; training helps.", ["tuning"]),
    ],
)
def test_denied_words(text: str, words: list[str]) -> None:
    assert denied(text) == words


@given(st.text(alphabet="aİıſKn't’ .cannot", max_size=60))
def test_terms_stand_where_they_say(text: str) -> None:
    for term in terms_of(text):
        place = text[term.start : term.start + len(term.word)].replace("İ", "i").lower()
        assert place == term.word or term.word in ("no", "not")


def test_places_behind_contractions_and_long_letters() -> None:
    text = "İt can't and doesn't run İn small tiles, it cannot."
    found = {term.word: text[term.start :][: len(term.word)] for term in terms_of(text)}
    assert (found["small"], found["tiles"], found["run"]) == ("small", "tiles", "run")


def flagged(claim: str, source: str) -> tuple[list[str], list[str]]:
    words = {term.start: term.word for term in terms_of(claim)}
    found = flags_of(claim, source)
    return (
        [words[start] for start, flag in found.items() if flag[0]],
        [words[start] for start, flag in found.items() if flag[1]],
    )


def test_a_word_denied_on_one_side_only() -> None:
    assert flagged("It needs preprocessing.", "It needs no preprocessing.") == (["preprocessing"], [])
    assert flagged("It needs no preprocessing.", "It needs no preprocessing.") == ([], [])
    assert flagged("It doesn't need preprocessing.", "It needs no preprocessing.")[0] in ([], ["need"])


def test_a_direction_that_is_turned() -> None:
    assert flagged("It raises latency.", "It lowers latency.") == ([], ["raises"])
    assert flagged("It cuts latency.", "It lowers latency.") == ([], [])
    assert flagged("It raises throughput.", "It lowers latency.") == ([], [])
    assert flagged("It is faster.", "") == ([], [])


def test_signs() -> None:
    assert dict(signs_of(stem("faster")))["speed"] == 1
    assert dict(signs_of(stem("slower")))["speed"] == -1
    assert dict(signs_of(stem("sparse"))) == {"dense sparse": -1}
    assert is_direction(stem("lowers"))
    assert not is_direction(stem("table"))
    assert is_negator("without")
    assert not is_negator("with")


@given(st.text(max_size=80), st.text(max_size=80))
def test_no_text_breaks_the_reading(claim: str, source: str) -> None:
    starts = {term.start for term in terms_of(claim)}
    assert set(flags_of(claim, source)) <= starts
    assert not any(flag[0] for flag in flags_of(claim, claim).values())


@pytest.mark.parametrize("unit", ["no ", "not free ", "unnecessary ", "can't ", "İ ", "a", "doing not "])
def test_long_texts_are_read(unit: str) -> None:
    assert terms_of(unit * (200_000 // len(unit)))
