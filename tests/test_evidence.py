"""Which sentences of a paper answer."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made import Library

from assistant.answer import Kind
from assistant.evidence import WEIGHTS, Evidence, asked_words, choose, rarity, weigh, weights_of
from corpus.collection import Sentence
from corpus.embedder import LocalEmbedder

ZERO = np.zeros(384, dtype=np.float32)


def sentence(index: int, text: str) -> Sentence:
    return Sentence("p", index, 0, len(text), text, ZERO)


def best(library: Library, embedder: LocalEmbedder, paper: str, question: str, kind: Kind) -> str:
    sentences = library.collection.sentences([paper])[paper]
    rare = rarity(library.collection.doc_freq(asked_words(question)), library.collection.size)
    weighed = weigh(sentences, embedder.embed_query(question), rare, kind)
    assert [one.sentence for one in weighed] == sentences
    return max(weighed, key=lambda one: one.score).sentence.text


@pytest.mark.parametrize(
    ("paper", "question", "kind", "begins"),
    [
        ("tileflow", "What speedup does TileFlow reach over TVM?", "number", "TileFlow runs sparse"),
        ("tileflow", "Which paper merges micro-tiles at run time?", "lookup", "We present TileFlow"),
        ("quokka", "How long does recovery take with Quokka?", "number", "On 256 GPUs"),
        ("bees", "How do bees find their way home?", "explain", "We track 300"),
        ("education", "Does a game help pupils with fractions?", "explain", "In a trial"),
    ],
)
def test_the_sentence_that_answers_scores_best(
    library: Library, embedder: LocalEmbedder, paper: str, question: str, kind: Kind, begins: str
) -> None:
    assert best(library, embedder, paper, question, kind).startswith(begins)


def test_each_sign_counts() -> None:
    texts = ["Tiles matter.", "We present tiles.", "Tiles matter 5 times.", "Rivers matter."]
    plain, own, figure, other = weigh(
        [sentence(0, text) for text in texts], ZERO, {"tiles": 2.0, "matter": 0.5}, "number"
    )
    assert figure.score > plain.score > other.score > 0
    assert own.score < plain.score
    lookup = weigh([sentence(0, text) for text in texts], ZERO, {"tiles": 2.0}, "lookup")
    assert lookup[1].score > lookup[0].score == lookup[2].score
    late = weigh([sentence(n, "Same.") for n in range(3)], ZERO, {}, "explain")
    assert late[0].score < late[1].score < late[2].score
    assert weigh([], ZERO, {"x": 1.0}, "number") == []


def test_other_kinds_weigh_like_explain() -> None:
    assert weights_of("compare") is weights_of("explain") is WEIGHTS["explain"]


def test_rare_words_weigh_more_and_none_is_below_the_least() -> None:
    rare = rarity({"seldom": 1, "often": 20, "always": 25, "never": 0}, 25)
    assert rare["never"] > rare["seldom"] > rare["often"] > rare["always"] == 0.1
    assert rare["seldom"] == pytest.approx(math.log(1 + 24.5 / 1.5))
    assert asked_words("What is it?") == ["what", "is", "it"]
    assert asked_words("What is a tile?") == ["tile"]


SCORED = st.lists(st.tuples(st.integers(1, 30), st.floats(-1, 3)), min_size=1, max_size=12)


@given(SCORED, st.integers(1, 80), st.integers(1, 5), st.floats(0, 2))
def test_what_is_chosen_fits(scored: list[tuple[int, float]], words: int, most: int, margin: float) -> None:
    evidence = [Evidence(sentence(n, "word " * length), score) for n, (length, score) in enumerate(scored)]
    chosen = choose(evidence, words=words, most=most, margin=margin)
    highest = max(one.score for one in evidence)
    assert 1 <= len(chosen) <= most
    assert highest in [one.score for one in chosen]
    assert [one.sentence.index for one in chosen] == sorted({one.sentence.index for one in chosen})
    assert all(one.score >= highest - margin for one in chosen)
    assert len(chosen) == 1 or sum(len(one.sentence.text.split()) for one in chosen) <= words


def test_nothing_is_chosen_from_nothing() -> None:
    assert choose([], words=10, most=2, margin=1.0) == []
