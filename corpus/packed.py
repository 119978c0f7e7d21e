"""Vectors in a file, to travel with a collection: int8 with a scale for each row."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from corpus.embedder import Embedded, EmbeddedQuery, Embedder, Spans, Vectors
from corpus.errors import StoreError
from corpus.passages import Passage
from corpus.stored import passage_digest


def pack(path: Path, passages: Sequence[Passage], embedder: Embedder) -> None:
    """Nothing; embeds the passages and writes their vectors to `path`."""
    made = list(embedder.embed_papers([one.text for one in passages], [one.spans for one in passages]))
    rows = np.concatenate([part for one in made for part in (one.passages, one.sentences)])
    scales = np.abs(rows).max(axis=1) / 127
    np.savez_compressed(
        path,
        stamp=np.array(embedder.stamp),
        digests=np.array([list(passage_digest(one)) for one in passages], dtype=np.uint8),
        counts=np.array([(len(one.passages), len(one.sentences)) for one in made], dtype=np.int32),
        scales=scales.astype(np.float32),
        rows=np.round(rows / scales[:, None]).astype(np.int8),
    )


class PackedVectors:
    """The embedder of the texts whose vectors are in a file; it has none for any other text."""

    def __init__(self, path: Path) -> None:
        try:
            with np.load(io.BytesIO(path.read_bytes())) as data:
                rows = data["rows"] * data["scales"][:, None]
                digests, counts = data["digests"], data["counts"]
                self.stamp = str(data["stamp"])
        except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
            raise StoreError(f"{str(path)!r} can't be read: {error}. Install the package again.") from error
        self.dimension: int = rows.shape[1]
        rows = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
        self._vectors: dict[bytes, Embedded] = {}
        start = 0
        for digest, (passages, sentences) in zip(digests, counts, strict=True):
            middle, end = start + passages, start + passages + sentences
            self._vectors[digest.tobytes()] = Embedded(rows[start:middle], rows[middle:end])
            start = end

    def embed_papers(self, texts: Sequence[str], spans: Sequence[Spans]) -> Iterator[Embedded]:
        """The vectors of each text and its sentences; StoreError for a text that the file doesn't hold."""
        for text, marked in zip(texts, spans, strict=True):
            found = self._vectors.get(passage_digest(Passage(text, tuple(marked), 0)))
            if found is None:
                raise StoreError(f"The packed vectors don't hold {text[:40]!r}: run `make collection`.")
            yield found

    def embed_parts(self, text: str) -> EmbeddedQuery:
        """Never vectors, as `embed_query`."""
        return EmbeddedQuery(self.embed_query(text), self.embed_query(text))

    def embed_query(self, text: str) -> Vectors:
        """Never a vector: the file holds those of papers only."""
        raise StoreError(f"The packed vectors don't hold the query {text[:40]!r}: use the local embedder.")
