"""Which papers a question is about: hybrid retrieval with fused scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from assistant.words import ASKING_WORDS, FUNCTION_WORDS, words
from corpus.papers import Paper

if TYPE_CHECKING:
    from corpus.collection import Sentence
    from corpus.embedder import EmbeddedQuery
    from corpus.hits import Hit

Vector = NDArray[np.float32]

CANDIDATES = 100
"""Papers that each search contributes."""

WEIGHTS = (1.0, 1.3, 0.7, 1.2)
"""Of the z-scores: words (BM25), spelling (BM25 over letter groups), abstract vector, best sentence's."""

FEEDBACK = 0.5
"""How far the query's vector moves towards the mean of the best papers before the abstract vectors are asked
again (pseudo-relevance feedback, Rocchio 1971); measured in docs/retrieval.md."""

RERANKED = 30
"""Of the best papers, how many are ranked anew by how each part of the query is met by their sentences."""

RERANK = 4.0
"""The weight of that z-score: mean over the query's parts of the best sentence's cosine (late interaction,
after Khattab & Zaharia 2020, with runs of words in place of tokens)."""


class Searchable(Protocol):
    """What retrieval asks of a collection."""

    def lexical(self, query: str, top_k: int) -> list[Hit]: ...
    def spelled(self, query: str, top_k: int) -> list[Hit]: ...
    def nearest(self, vector: Vector, top_k: int) -> list[Hit]: ...
    def papers(self, ids: Sequence[str] | None = None) -> list[Paper]: ...
    def sentences(self, ids: Sequence[str]) -> dict[str, list[Sentence]]: ...
    def expansions(self, text: str) -> list[str]: ...


class Embeds(Protocol):
    """What makes a query's vector."""

    def embed_parts(self, text: str) -> EmbeddedQuery: ...


@dataclass(frozen=True)
class Filters:
    """What narrows a question: years (first and last), authors, paper ids; empty means all."""

    years: tuple[int, int] | None = None
    authors: tuple[str, ...] = ()
    papers: tuple[str, ...] = ()

    def allow(self, paper: Paper) -> bool:
        """True where the paper passes every filter; an unknown year passes none."""
        if self.papers and not {paper.id, *paper.aliases} & set(self.papers):
            return False
        if self.years and not (paper.year and self.years[0] <= paper.year <= self.years[1]):
            return False
        known = [author.casefold() for author in paper.authors]
        return all(any(name.casefold() in author for author in known) for name in self.authors)

    def __bool__(self) -> bool:
        return bool(self.years or self.authors or self.papers)


@dataclass(frozen=True)
class Candidate:
    """A paper that may answer, best first in a retrieval; `cosine` is its best sentence's."""

    paper_id: str
    score: float
    cosine: float


@dataclass(frozen=True)
class Retrieval:
    """The papers for a query, best first, with what was loaded to rank them."""

    vector: Vector
    candidates: tuple[Candidate, ...]
    sentences: Mapping[str, Sequence[Sentence]] = field(repr=False)

    @property
    def ids(self) -> list[str]:
        """The ids of the papers, best first."""
        return [candidate.paper_id for candidate in self.candidates]


class Retriever:
    """Ranks a collection's papers for a query."""

    def __init__(self, collection: Searchable, embedder: Embeds) -> None:
        self._collection = collection
        self._embedder = embedder

    def retrieve(
        self,
        query: str,
        *,
        boosts: Mapping[str, float] | None = None,
        filters: Filters | None = None,
        rerank: float = RERANK,
    ) -> Retrieval:
        """The best papers for `query` that pass `filters`, `boosts` added to the scores of single papers.

        `rerank` is the weight of how each part of the query is met; 0 where many papers are wanted, not one.
        """
        filters, boosts = filters or Filters(), boosts or {}
        embedded = self._embedder.embed_parts(query)
        vector = embedded.whole
        expanded = self.expand(query)
        reach = CANDIDATES * (4 if filters else 1)
        lexical = _scores(self._collection.lexical(topical(expanded), reach))
        spelled = _scores(self._collection.spelled(topical(expanded), reach))
        near = _scores(self._collection.nearest(vector, reach))
        ids = list(dict.fromkeys([*filters.papers, *boosts, *lexical, *near, *spelled]))
        if filters:
            ids = [paper.id for paper in self._collection.papers(ids) if filters.allow(paper)]
        sentences = self._collection.sentences(ids)
        best = {one: _best(sentences.get(one, ()), vector) for one in ids}
        first = fuse(ids, (lexical, spelled, near, best))
        moved = self._moved(vector, first, sentences)
        near = {**near, **_scores(self._collection.nearest(moved, reach))}
        scores = fuse(ids, (lexical, spelled, near, best))
        _rerank(scores, embedded.parts, sentences, rerank)
        scores = {one: score + boosts.get(one, 0.0) for one, score in scores.items()}
        order = sorted(scores, key=lambda one: -scores[one])[:CANDIDATES]
        found = tuple(Candidate(one, scores[one], best[one]) for one in order)
        return Retrieval(vector, found, {one: sentences.get(one, []) for one in order})

    def expand(self, query: str) -> str:
        """The query with the long forms of its acronyms and the acronyms of its long forms.

        Both as the collection has them.
        """
        extra = [form for form in self._collection.expansions(query) if form.lower() not in query.lower()]
        return " ".join([query, *extra])

    def _moved(
        self, vector: Vector, scores: Mapping[str, float], sentences: Mapping[str, Sequence[Sentence]]
    ) -> Vector:
        top = sorted(scores, key=lambda one: -scores[one])[:3]
        middles = [
            np.mean([one.vector for one in sentences[paper]], axis=0) for paper in top if sentences.get(paper)
        ]
        if not middles:
            return vector
        weights = np.exp([(scores[paper] - scores[top[0]]) / 2 for paper in top if sentences.get(paper)])
        centre = np.average(middles, axis=0, weights=weights)
        moved = vector + FEEDBACK * centre / (np.linalg.norm(centre) + 1e-9)
        return np.asarray(moved / np.linalg.norm(moved), dtype=np.float32)


def _rerank(
    scores: dict[str, float], parts: Vector, sentences: Mapping[str, Sequence[Sentence]], weight: float
) -> None:
    """Adds to the scores of the best papers how well some sentence of theirs meets each part of the query."""
    top = [one for one in sorted(scores, key=lambda one: -scores[one])[:RERANKED] if sentences.get(one)]
    if len(top) < 2:
        return
    met = np.array(
        [(parts @ np.stack([one.vector for one in sentences[paper]]).T).max(axis=1).mean() for paper in top]
    )
    for paper, gain in zip(top, weight * (met - met.mean()) / (met.std() + 1e-9), strict=True):
        scores[paper] += float(gain)


def topical(query: str) -> str:
    """The query without words that carry no topic; the query itself where nothing else is in it."""
    kept = [word for word in words(query) if word not in FUNCTION_WORDS and word not in ASKING_WORDS]
    return " ".join(kept) or query


def _scores(hits: Iterable[Hit]) -> dict[str, float]:
    return {hit.paper_id: hit.score for hit in hits}


def _best(sentences: Sequence[Sentence], vector: Vector) -> float:
    return max((float(sentence.vector @ vector) for sentence in sentences), default=0.0)


def fuse(ids: Sequence[str], signals: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The weighted sum of the signals' z-scores; what a search didn't return has half of its lowest score."""
    if not ids:
        return {}
    total = np.zeros(len(ids))
    for weight, signal in zip(WEIGHTS, signals, strict=True):
        floor = min(signal.values(), default=0.0) / 2
        values = np.array([signal.get(one, floor) for one in ids])
        total += weight * (values - values.mean()) / (values.std() + 1e-9)
    return dict(zip(ids, total.tolist(), strict=True))
