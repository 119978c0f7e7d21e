"""What each part of retrieval gives: one line a way of ranking, on a test set and on a folder in BEIR's form.

usage: python benchmarks/retrieval.py TESTSET.jsonl [--beir FOLDER --home HOME] [--only WORDS]

The test set's collection is the one that the settings name, ranked as for an answer. The folder's collection
is kept in HOME and ranked as `assistant search` does. `--only` measures the ways whose name holds the words.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from unittest.mock import patch

import numpy as np
from cranfield import NAME, build, documents_of, load_grades, load_lines

from assistant import retrieve
from assistant.assistant import Assistant
from assistant.config import load_settings
from assistant.evaluation.metrics import mean, ndcg_at_k, recall_at_k
from assistant.evaluation.testset import read_testset
from assistant.question import understand
from assistant.retrieve import RERANK, WEIGHTS, Retriever, topical
from corpus.collection import Collection, open_collection
from corpus.embedder import LocalEmbedder

WORDS, SPELLING, PASSAGE, SENTENCE = range(4)
RRF = 60
"""The constant of reciprocal rank fusion (Cormack, Clarke & Büttcher 2009)."""


@dataclass(frozen=True)
class Query:
    """What is searched: boosts of named papers, the weight of reranking, the gold papers and all graded."""

    text: str
    boosts: Mapping[str, float]
    rerank: float
    gold: Sequence[str]
    grades: Mapping[str, int]


@dataclass(frozen=True)
class Way:
    """A way of ranking: what of `assistant.retrieve` is changed, or one signal alone."""

    name: str
    changes: Mapping[str, object] = field(default_factory=dict)
    rerank: float | None = None
    expands: bool = True
    names: bool = True
    alone: int | None = None


class Bare(Retriever):
    """Retrieval without the acronyms of the collection."""

    def expand(self, query: str) -> str:
        """The query itself."""
        return query


def by_rank(ids: Sequence[str], signals: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The weighted sum of reciprocal ranks, scaled to the spread of z-scores."""
    total = dict.fromkeys(ids, 0.0)
    for weight, signal in zip(retrieve.WEIGHTS, signals, strict=True):
        for rank, one in enumerate(sorted(signal, key=lambda one: -signal[one]), start=1):
            if one in total:
                total[one] += weight / (RRF + rank)
    values = np.array(list(total.values()))
    return {one: float((score - values.mean()) / (values.std() + 1e-9)) * 3 for one, score in total.items()}


def weighted(**weights: float) -> dict[str, object]:
    """The change that gives the named signals other weights."""
    places = {"words": WORDS, "spelling": SPELLING, "passage": PASSAGE, "sentence": SENTENCE}
    new = list(WEIGHTS)
    for name, weight in weights.items():
        new[places[name]] = weight
    return {"WEIGHTS": tuple(new)}


WAYS = (
    Way("as it is"),
    Way("words alone", alone=WORDS),
    Way("letter groups alone", alone=SPELLING),
    Way("abstract vector alone", alone=PASSAGE),
    Way("best sentence alone", alone=SENTENCE),
    Way("reciprocal ranks, weights kept", {retrieve.fuse.__name__: by_rank}),
    Way(
        "reciprocal ranks, equal weights", {retrieve.fuse.__name__: by_rank, "WEIGHTS": (1.0, 1.0, 1.0, 1.0)}
    ),
    Way("z-scores, equal weights", {"WEIGHTS": (1.0, 1.0, 1.0, 1.0)}),
    Way("without words", weighted(words=0.0)),
    Way("without letter groups", weighted(spelling=0.0)),
    Way("without letter groups, words 2.1", weighted(spelling=0.0, words=2.1)),
    Way("without abstract vector", weighted(passage=0.0)),
    Way("without best sentence", weighted(sentence=0.0)),
    Way("words 0.4", weighted(words=0.4)),
    Way("words 1.6", weighted(words=1.6)),
    Way("letter groups 0.65", weighted(spelling=0.65)),
    Way("letter groups 2.6", weighted(spelling=2.6)),
    Way("abstract vector 1.2", weighted(passage=1.2)),
    Way("best sentence 0.6", weighted(sentence=0.6)),
    Way("best sentence 2.4", weighted(sentence=2.4)),
    Way("without acronyms", expands=False),
    Way("without names", names=False),
    Way("without feedback", {"FEEDBACK": 0.0}),
    Way("feedback 0.25", {"FEEDBACK": 0.25}),
    Way("feedback 1.0", {"FEEDBACK": 1.0}),
    Way("without reranking", rerank=0.0),
    Way("reranking 2", rerank=2.0),
    Way("reranking 4", rerank=4.0),
    Way("reranking 8", rerank=8.0),
)


class Bench:
    """One collection and the queries to rank it for."""

    def __init__(
        self,
        collection: Collection,
        queries: Sequence[Query],
        spread: Callable[[Sequence[str]], list[str]] = list,
    ) -> None:
        self._collection = collection
        self._queries = queries
        self._embedder = LocalEmbedder()
        self._spread = spread
        ids = [paper.id for paper in collection.papers()]
        sentences = collection.sentences(ids)
        self._ids = [one for one in ids if sentences.get(one)]
        self._vectors = np.concatenate([[one.vector for one in sentences[paper]] for paper in self._ids])
        self._first = np.cumsum([0, *(len(sentences[paper]) for paper in self._ids)])[:-1]

    def rankings(self, way: Way) -> list[list[str]]:
        """Each query's papers, best first."""
        maker = Retriever if way.expands else Bare
        retriever = maker(self._collection, self._embedder)
        with ExitStack() as stack:
            for name, value in way.changes.items():
                stack.enter_context(patch.object(retrieve, name, value))
            return [self._spread(self._rank(way, query, retriever)) for query in self._queries]

    def _rank(self, way: Way, query: Query, retriever: Retriever) -> Sequence[str]:
        if way.alone is not None:
            return self._alone(way.alone, query.text)
        rerank = query.rerank if way.rerank is None else way.rerank
        boosts = query.boosts if way.names else {}
        return retriever.retrieve(query.text, boosts=boosts, rerank=rerank).ids

    def _alone(self, signal: int, text: str) -> Sequence[str]:
        if signal == SENTENCE:
            best = np.maximum.reduceat(self._vectors @ self._embedder.embed_query(text), self._first)
            return [self._ids[place] for place in np.argsort(-best)[:100]]
        if signal == PASSAGE:
            return [hit.paper_id for hit in self._collection.nearest(self._embedder.embed_query(text), 100)]
        search = self._collection.lexical if signal == WORDS else self._collection.spelled
        return [hit.paper_id for hit in search(topical(text), 100)]

    def measure(self, way: Way) -> tuple[float, ...]:
        """recall@8, @20 and @100 of the gold papers, and nDCG@10, over the queries."""
        found = list(zip(self.rankings(way), self._queries, strict=True))
        recalls = [
            mean([recall_at_k(ranking, query.gold, depth) for ranking, query in found]) or 0.0
            for depth in (8, 20, 100)
        ]
        return (*recalls, mean([ndcg_at_k(ranking, query.grades, 10) for ranking, query in found]) or 0.0)


def testset_bench(path: Path) -> Bench:
    """The answerable questions of a test set, understood as for an answer."""
    collection = Assistant.open(load_settings(llm="none")).collection
    queries = []
    for case in read_testset(path, collection.papers()):
        if case.answerable:
            asked = understand(case.question, case.history, collection)
            grades = {**dict.fromkeys(case.gold_optional, 1), **dict.fromkeys(case.gold, 2)}
            queries.append(
                Query(asked.query, asked.boosts, 0.0 if asked.wants_many else RERANK, case.gold, grades)
            )
    return Bench(collection, queries)


def folder_bench(folder: Path, home: Path) -> Bench:
    """The judged queries of a folder, ranked as by `assistant search`."""
    embedder = LocalEmbedder()
    home.mkdir(parents=True, exist_ok=True)
    ids = build(folder, home, embedder)
    collection = open_collection(home, NAME, embedder)
    documents = documents_of(collection.papers(), ids)
    texts = {line["_id"]: line["text"] for line in load_lines(folder / "queries.jsonl")}
    queries = [
        Query(texts[query], understand(texts[query], (), collection).boosts, 0.0, _graded(judged), judged)
        for query, judged in load_grades(folder / "qrels.tsv").items()
    ]
    return Bench(collection, queries, lambda papers: [one for paper in papers for one in documents[paper]])


def _graded(judged: Mapping[str, int]) -> list[str]:
    return [document for document, grade in judged.items() if grade > 0]


def main() -> None:
    """Prints a line a way of ranking."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("testset", type=Path)
    parser.add_argument("--beir", type=Path, metavar="FOLDER")
    parser.add_argument("--home", type=Path, help="where the folder's collection is kept")
    parser.add_argument("--only", default="", metavar="WORDS")
    options = parser.parse_args()
    if options.beir and not options.home:
        parser.error("--beir needs --home")
    benches = [testset_bench(options.testset)]
    if options.beir:
        benches.append(folder_bench(options.beir, options.home))
    heads = "".join(f" {name} |" for _ in benches for name in ("r@8", "r@20", "r@100", "nDCG@10"))
    sys.stdout.write(f"| ranked by |{heads}\n| --- |{' ---: |' * 4 * len(benches)}\n")
    for way in WAYS:
        if options.only in way.name:
            cells = "".join(f" {value:.3f} |" for bench in benches for value in bench.measure(way))
            sys.stdout.write(f"| {way.name} |{cells}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
