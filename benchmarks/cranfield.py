"""nDCG@10 of lexical search, of vectors and of both on a folder in BEIR's form, such as Cranfield.

usage: python benchmarks/cranfield.py FOLDER     (with corpus.jsonl, queries.jsonl, qrels.tsv)
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from assistant.evaluation.metrics import mean, ndcg_at_k, recall_at_k
from assistant.retrieve import Retriever
from corpus.collection import Collection, open_collection
from corpus.embedder import LocalEmbedder
from corpus.papers import Paper
from corpus.readers import read_path
from corpus.sync import ingest

NAME = "benchmark"
DEPTH = 100
Search = Callable[[str], Sequence[str]]


def load_lines(path: Path) -> list[dict[str, str]]:
    """The objects of a JSON Lines file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]


def load_grades(path: Path) -> dict[str, dict[str, int]]:
    """The grades of a qrels file: query id -> document id -> grade; without queries that have none over 0."""
    grades: dict[str, dict[str, int]] = {}
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        query, document, grade = line.split("\t")
        grades.setdefault(query, {})[document] = int(grade)
    return {query: judged for query, judged in grades.items() if max(judged.values()) > 0}


def build(folder: Path, home: Path, embedder: LocalEmbedder) -> list[str]:
    """Ingests the corpus; gives the documents' ids in the order of the records."""
    documents = load_lines(folder / "corpus.jsonl")
    papers = home / "papers.jsonl"
    with papers.open("w", encoding="utf-8") as file:
        for document in documents:
            file.write(json.dumps({"title": document["title"], "abstract": document["text"]}) + "\n")
    started = time.perf_counter()
    report = ingest(home, NAME, read_path(papers), embedder)
    sys.stdout.write(
        f"{report.added} papers in {time.perf_counter() - started:.0f} s, "
        f"{report.merged} merged, {len(report.rejected)} rejected\n"
    )
    return [document["_id"] for document in documents]


def documents_of(papers: Sequence[Paper], ids: Sequence[str]) -> dict[str, list[str]]:
    """The documents behind each paper: equal ones are one paper with several sources."""
    return {paper.id: [ids[source.record - 1] for source in paper.sources] for paper in papers}


def measure(
    search: Search, queries: Mapping[str, str], grades: Mapping[str, Mapping[str, int]]
) -> tuple[float, float, float]:
    """nDCG@10, recall@100 (all graded over 0), and the median of milliseconds a query."""
    scores, recalls, times = [], [], []
    for query, judged in grades.items():
        started = time.perf_counter()
        ranking = search(queries[query])
        times.append(1000 * (time.perf_counter() - started))
        scores.append(ndcg_at_k(ranking, judged, 10))
        good = [document for document, grade in judged.items() if grade > 0]
        recalls.append(recall_at_k(ranking, good, DEPTH))
    return mean(scores) or 0.0, mean(recalls) or 0.0, sorted(times)[len(times) // 2]


def searches(
    collection: Collection, embedder: LocalEmbedder, documents: Mapping[str, list[str]]
) -> dict[str, Search]:
    """The three ways of searching, each giving document ids, best first."""

    def spread(papers: Sequence[str]) -> list[str]:
        return [document for paper in papers for document in documents[paper]]

    retriever = Retriever(collection, embedder)
    return {
        "lexical": lambda query: spread([hit.paper_id for hit in collection.lexical(query, DEPTH)]),
        "vectors": lambda query: spread(
            [hit.paper_id for hit in collection.nearest(embedder.embed_query(query), DEPTH)]
        ),
        # As `assistant search` ranks.
        "hybrid": lambda query: spread(retriever.retrieve(query, rerank=0.0).ids),
    }


def main() -> None:
    """Builds a collection in a temporary folder and prints a line for each way of searching."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "--home", type=Path, help="keeps the collection there, so that a next run embeds nothing"
    )
    options = parser.parse_args()
    folder: Path = options.folder
    queries = {line["_id"]: line["text"] for line in load_lines(folder / "queries.jsonl")}
    grades = load_grades(folder / "qrels.tsv")
    embedder = LocalEmbedder()
    with tempfile.TemporaryDirectory() as temporary:
        home: Path = options.home or Path(temporary)
        home.mkdir(parents=True, exist_ok=True)
        ids = build(folder, home, embedder)
        collection = open_collection(home, NAME, embedder)
        documents = documents_of(collection.papers(), ids)
        sys.stdout.write(f"{len(grades)} judged queries\n{'':10}{'nDCG@10':>9}{'recall@100':>12}{'ms':>8}\n")
        for name, search in searches(collection, embedder, documents).items():
            ndcg, recall, ms = measure(search, queries, grades)
            sys.stdout.write(f"{name:10}{ndcg:9.3f}{recall:12.3f}{ms:8.1f}\n")


if __name__ == "__main__":
    main()
