"""Likeness of an answer to its reference, beside the libraries that define it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from assistant.evaluation.overlap import chrf, rouge_l, token_f1, tokens

WORDS = st.lists(st.sampled_from("the a cat sat on mats 2.4 97 moe trains faster".split()), max_size=12)
SENTENCES = WORDS.map(" ".join)


class _Split:
    """Our tokens, for a library that asks for a tokenizer."""

    def tokenize(self, text: str) -> list[str]:
        return tokens(text)


@given(SENTENCES, SENTENCES)
def test_rouge_l_equals_that_of_rouge_score(text: str, reference: str) -> None:
    scorer = RougeScorer(["rougeL"], tokenizer=_Split())
    assert rouge_l(text, reference) == pytest.approx(scorer.score(reference, text)["rougeL"].fmeasure)


@given(SENTENCES, SENTENCES)
def test_token_f1_equals_rouge_1(text: str, reference: str) -> None:
    scorer = RougeScorer(["rouge1"], tokenizer=_Split())
    assert token_f1(text, reference) == pytest.approx(scorer.score(reference, text)["rouge1"].fmeasure)


def test_worked_by_hand() -> None:
    text, reference = "PIT is up to **5.9×** faster [1].", "PIT is 5.9x faster"
    assert tokens(text) == ["pit", "is", "up", "to", "5.9", "x", "faster"]
    assert token_f1(text, reference) == pytest.approx(2 * 5 / (7 + 5))
    assert rouge_l("faster is PIT", "PIT is faster") == pytest.approx(1 / 3)
    assert token_f1("", reference) == rouge_l(text, "") == 0.0


@settings(max_examples=50)
@given(st.text(min_size=1), st.text(min_size=1))
def test_chrf_is_a_share_and_1_for_the_same_words(text: str, other: str) -> None:
    assert 0.0 <= chrf(text, other) <= 1.0
    assert chrf("memory falls by 40 % [2]", "memory falls by 40 %") == pytest.approx(1.0)
