"""Made-up papers, and an embedder without a model, for tests of the store."""

from __future__ import annotations

import hashlib
import random
import time
from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np

from corpus.embedder import Embedded, EmbeddedQuery, Spans, Vectors
from corpus.readers.records import Record

DIMENSION = 24
_THINGS = ("compilers", "kernels", "caches", "routers", "adapters", "gradients", "schedulers", "sketches")
_DEEDS = ("merge", "prune", "quantise", "balance", "stream", "shard", "replay", "cluster", "overlap")


class HashEmbedder:
    """Texts with the same words have near vectors; counts what it embeds and can be slow."""

    stamp = "hash@1"
    dimension = DIMENSION

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds
        self.embedded = 0

    def embed_papers(self, texts: Sequence[str], spans: Sequence[Spans]) -> Iterator[Embedded]:
        for text, marked in zip(texts, spans, strict=True):
            time.sleep(self.seconds)
            self.embedded += 1
            windows = [text[first : first + 2000] for first in range(0, len(text), 2000)] or [""]
            sentences = [self.embed_query(text[start:end]) for start, end in marked]
            yield Embedded(
                np.array([self.embed_query(one) for one in windows]),
                np.array(sentences, dtype=np.float32).reshape(-1, DIMENSION),
            )

    def embed_query(self, text: str) -> Vectors:
        total = sum((_word_vector(word) for word in text.lower().split()), start=_word_vector("") * 0.01)
        return np.asarray(total / np.linalg.norm(total), dtype=np.float32)

    def embed_parts(self, text: str) -> EmbeddedQuery:
        whole = self.embed_query(text)
        return EmbeddedQuery(whole, whole[None, :])


@cache
def _word_vector(word: str) -> Vectors:
    seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:4], "big")
    return np.random.default_rng(seed).normal(size=DIMENSION).astype(np.float32)


def abstract(number: int) -> str:
    """A made-up abstract; each has a word of its own, "Paper17"."""
    dice = random.Random(number)
    deed = dice.choice(_DEEDS)
    sentences = [f"We present Paper{number}, a way to {deed} {dice.choice(_THINGS)}."]
    for _ in range(dice.randint(2, 5)):
        steps = dice.randint(2, 90)
        sentences.append(f"Our {dice.choice(_THINGS)} {deed} {dice.choice(_THINGS)} in {steps} steps.")
    return " ".join(sentences)


def record(number: int, *, file: str = "made-up.jsonl", **fields: object) -> Record:
    """The record of a made-up paper; `fields` come in the place of its own."""
    values: dict[str, object] = {"id": f"paper-{number}", "abstract": abstract(number), **fields}
    return Record(number, values, repr(sorted(values.items())), file)


def records(numbers: Sequence[int]) -> list[Record]:
    """The records of made-up papers."""
    return [record(number) for number in numbers]
