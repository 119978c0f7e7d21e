"""Claims and abstracts read for the check: their words with stems and vectors, an abstract's sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from assistant.words import stem
from corpus.sentences import sentence_spans

Vectors = NDArray[np.float32]
"""Rows of unit length, or one of them."""

_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][a-z]+)?|[%×<>~≈±=]")


class EmbedsWords(Protocol):
    """What makes the vectors of words."""

    def embed_words(self, text: str, spans: Sequence[tuple[int, int]]) -> Vectors:
        """A row for each span of the text, in its context, of unit length."""


@dataclass(frozen=True)
class Text:
    """A text with its words: where they stand, their stems, their vectors in context (a row each)."""

    text: str
    spans: tuple[tuple[int, int], ...]
    words: tuple[str, ...]
    stems: tuple[str, ...]
    vectors: Vectors

    @cached_property
    def mean(self) -> Vectors:
        """The text's vector: the mean of its words', of unit length."""
        return unit(self.vectors.mean(axis=0))

    def at(self, place: int) -> int | None:
        """The index of the word at a place of the text, None between words."""
        return next((i for i, (start, end) in enumerate(self.spans) if start <= place < end), None)


@dataclass(frozen=True)
class Source(Text):
    """An abstract: its sentences with their vectors, and `of`, the sentence that each word is in.

    `record` is what else the paper's record says, for the names in it.
    """

    sentences: tuple[tuple[int, int], ...]
    of: NDArray[np.int64]
    sentence_vectors: Vectors
    record: str


def read_text(text: str, embedder: EmbedsWords) -> Text:
    """The text with the vectors of its words."""
    spans = tuple(found.span() for found in _WORD.finditer(text))
    words = tuple(text[start:end] for start, end in spans)
    stems = tuple(stem(word.lower()) for word in words)
    return Text(text, spans, words, stems, embedder.embed_words(text, spans))


def read_source(abstract: str, record: str, embedder: EmbedsWords) -> Source:
    """An abstract, ready for claims; it has to hold a word."""
    one = read_text(abstract, embedder)
    sentences = tuple(sentence_spans(abstract))
    starts = [start for start, _ in sentences]
    of = np.maximum(np.searchsorted(starts, [start for start, _ in one.spans], side="right") - 1, 0)
    means = [
        one.vectors[of == i].mean(axis=0) if (of == i).any() else one.mean for i in range(len(sentences))
    ]
    return Source(
        one.text, one.spans, one.words, one.stems, one.vectors, sentences, of, unit(np.stack(means)), record
    )


def has_words(text: str) -> bool:
    """True for a text that holds anything to compare."""
    return bool(_WORD.search(text))


def unit(vectors: Vectors) -> Vectors:
    """The rows, or the one, at unit length; zero stays zero."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-9), dtype=np.float32)
