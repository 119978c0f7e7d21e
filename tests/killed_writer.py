"""A process that writes to a collection, to be killed: `python killed_writer.py FOLDER ingest|change`."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from pathlib import Path

from made_up import HashEmbedder, abstract, record, records

from corpus.collection import open_collection
from corpus.errors import InputError
from corpus.leaving import remove_source
from corpus.sync import ingest, rebuild, remove


def begin(home: Path) -> None:
    """Nothing; ingests forty papers, three of them from two files and one abstract of several windows."""
    twice = [record(number, file="again.jsonl", id=f"again-{number}") for number in (3, 30, 31)]
    long = record(40, abstract=abstract(40) + " It goes on and on in many words." * 150)
    ingest(home, "mine", [*records(range(40)), *twice, long], HashEmbedder(0.003))


def change(home: Path) -> None:
    """Nothing; shortens, lengthens, adds and removes papers and a file, then rebuilds the indexes."""
    changed = [record(number, abstract=abstract(number) + " It is new.") for number in (1, 5, 9)]
    ingest(home, "mine", [*changed, record(40), *records(range(41, 50))], HashEmbedder(0.003))
    known = {paper.id for paper in open_collection(home, "mine", HashEmbedder()).papers()}
    gone = sorted({"paper-2", "paper-20", "paper-41"} & known)
    if gone:
        remove(home, "mine", gone, HashEmbedder())
    with suppress(InputError):  # gone already
        remove_source(home, "mine", "again.jsonl", HashEmbedder())
    rebuild(home, "mine", HashEmbedder())


if __name__ == "__main__":
    import chromadb
    import tantivy

    sys.stdout.write(f"ready {chromadb.__version__} {tantivy.__name__}\n")
    sys.stdout.flush()
    started = time.perf_counter()
    {"ingest": begin, "change": change}[sys.argv[2]](Path(sys.argv[1]))
    sys.stdout.write(f"done {time.perf_counter() - started}\n")
    sys.stdout.flush()
