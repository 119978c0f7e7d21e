"""Making the vectors of papers: what is known is taken over, the rest is embedded and kept at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from corpus.catalogue import Catalogue
from corpus.embedder import Embedder
from corpus.papers import Paper
from corpus.passages import Passage, passage_of
from corpus.stored import StoredVectors, blob, halve, passage_digest, unblob

# Embedded texts that one transaction keeps: about a second's work, the most that a killed run loses.
_KEPT_AT_ONCE = 32


@dataclass(frozen=True)
class Made:
    """The vectors of papers, in their order, and how many texts had to be embedded for them."""

    vectors: tuple[StoredVectors, ...]
    embedded: int


def make_vectors(
    catalogue: Catalogue, papers: Sequence[Paper], embedder: Embedder, *, step: Callable[[int], None]
) -> Made:
    """The vectors of `papers`; `step` is called with how many papers are done."""
    passages = [passage_of(paper) for paper in papers]
    digests = [passage_digest(passage) for passage in passages]
    known = {
        one.digest: one for one in catalogue.vectors([p.id for p in papers], embedder.dimension).values()
    }
    known |= _pending(catalogue, embedder.dimension)
    missing = {d: passage for d, passage in zip(digests, passages, strict=True) if d not in known}
    done = len(papers) - len(missing)
    step(done)
    todo = list(missing.items())
    for first in range(0, len(todo), _KEPT_AT_ONCE):
        some = _embed(todo[first : first + _KEPT_AT_ONCE], embedder)
        _keep(catalogue, some)
        known |= {one.digest: one for one in some}
        done += len(some)
        step(done)
    vectors = (
        StoredVectors(digest, known[digest].passages, passage.abstract_spans, known[digest].sentences)
        for digest, passage in zip(digests, passages, strict=True)
    )
    return Made(tuple(vectors), len(todo))


def _embed(todo: Sequence[tuple[bytes, Passage]], embedder: Embedder) -> list[StoredVectors]:
    texts = [passage.text for _, passage in todo]
    made = embedder.embed_papers(texts, [passage.spans for _, passage in todo])
    return [
        halve(digest, passage.abstract_spans, embedded)
        for (digest, passage), embedded in zip(todo, made, strict=True)
    ]


def _keep(catalogue: Catalogue, vectors: Sequence[StoredVectors]) -> None:
    with catalogue.transaction() as connection:
        connection.executemany(
            "INSERT OR REPLACE INTO pending VALUES (?, ?, ?)",
            [(one.digest, blob(one.passages), blob(one.sentences)) for one in vectors],
        )


def _pending(catalogue: Catalogue, dimension: int) -> dict[bytes, StoredVectors]:
    rows = catalogue.rows("SELECT digest, passages, sentences FROM pending")
    return {
        bytes(row[0]): StoredVectors(row[0], unblob(row[1], dimension), (), unblob(row[2], dimension))
        for row in rows
    }
