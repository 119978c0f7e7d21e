"""What an ingest costs beside the bare embedding of the same abstracts, and what a question's pieces cost.

Usage: python benchmarks/ingest.py [FILE...]   (default: the built-in papers)

Both are measured in turns in one process: the whole ingest (reading, cleaning, planning, embedding,
catalogue, Chroma, tantivy) into a new folder, and every text through the embedder, one pass each. The best of
each counts. Processor time is given too: on a machine that does other work it says more than the clock.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from corpus.builtin import PAPERS
from corpus.collection import Collection, open_collection
from corpus.embedder import LocalEmbedder
from corpus.passages import Passage, passage_of
from corpus.readers import read_path
from corpus.readers.records import Record, Rejected
from corpus.sync import ingest

_QUESTIONS = (
    "What speedup does PIT reach over state-of-the-art compilers?",
    "Which papers train mixture-of-experts models on few GPUs?",
    "how does flash attention 2 differ from flash attention",
)
_ROUNDS = 20
_TURNS = 2


def main(paths: list[Path]) -> None:
    """Nothing; writes both tables to standard output."""
    embedder = LocalEmbedder()
    embedder.embed_query("warm up")
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        whole, bare = Best(), Best()
        for turn in range(_TURNS):
            whole.measure(lambda name=str(turn): ingest(home, name, _records(paths), embedder))  # type: ignore[misc]
            collection = open_collection(home, str(turn), embedder)
            passages = [passage_of(paper) for paper in collection.papers()]
            bare.measure(lambda passages=passages: _embed(embedder, passages))  # type: ignore[misc]
        again = Best()
        again.measure(lambda: ingest(home, "0", _records(paths), embedder))
        _show("papers", f"{collection.size}")
        for name, best in (
            ("bare embedding", bare),
            ("whole ingest", whole),
            ("the same files again", again),
        ):
            ratios = (
                f"{best.clock / bare.clock:.3f} (clock), {best.processor / bare.processor:.3f} (processor)"
            )
            _show(name, f"{best.clock:6.2f} s, {best.processor:6.2f} s of processor; ratios {ratios}")
        _pieces(collection, embedder)


class Best:
    """The least time that one thing took."""

    def __init__(self) -> None:
        self.clock = self.processor = float("inf")

    def measure(self, call: Callable[[], object]) -> None:
        """Nothing; calls once and keeps the times if they are the best."""
        clock, processor = time.perf_counter(), time.process_time()
        call()
        self.clock = min(self.clock, time.perf_counter() - clock)
        self.processor = min(self.processor, time.process_time() - processor)


def _records(paths: list[Path]) -> Iterator[Record | Rejected]:
    for path in paths:
        yield from read_path(path)


def _embed(embedder: LocalEmbedder, passages: list[Passage]) -> None:
    for _ in embedder.embed_papers([one.text for one in passages], [one.spans for one in passages]):
        pass


def _pieces(collection: Collection, embedder: LocalEmbedder) -> None:
    for question in _QUESTIONS:
        vector = embedder.embed_query(question)
        ids = [hit.paper_id for hit in collection.nearest(vector, 100)]
        words = question.split()
        pieces: dict[str, Callable[[], object]] = {
            "embed_query": lambda question=question: embedder.embed_query(question),  # type: ignore[misc]
            "nearest 100": lambda vector=vector: collection.nearest(vector, 100),  # type: ignore[misc]
            "lexical 100": lambda question=question: collection.lexical(question, 100),  # type: ignore[misc]
            "sentences of 100": lambda ids=ids: collection.sentences(ids),  # type: ignore[misc]
            "papers 100": lambda ids=ids: collection.papers(ids),  # type: ignore[misc]
            "doc_freq": lambda words=words: collection.doc_freq(words),  # type: ignore[misc]
            "close_terms": lambda: collection.close_terms("compilres"),
            "refresh": collection.refresh,
        }
        _show("question", question)
        for name, call in pieces.items():
            _show(f"  {name}", f"{_median_ms(call):.2f} ms")


def _median_ms(call: Callable[[], object]) -> float:
    times = []
    for _ in range(_ROUNDS):
        started = time.perf_counter()
        call()
        times.append(time.perf_counter() - started)
    return statistics.median(times) * 1e3


def _show(name: str, value: str) -> None:
    sys.stdout.write(f"{name:24}{value}\n")


if __name__ == "__main__":
    main([Path(name) for name in sys.argv[1:]] or [PAPERS])
