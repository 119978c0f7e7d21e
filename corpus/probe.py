"""Whether the vector index is whole: looked at in a process of its own, for damaged files can crash Chroma.

`python -m corpus.probe HOME NAME [URL]` writes the finding as JSON.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np

from corpus.catalogue import Catalogue
from corpus.errors import AssistantError
from corpus.findings import REBUILD, Finding
from corpus.indexes import vector_place
from corpus.layout import Layout
from corpus.mirror import readable_copy
from corpus.stored import State
from corpus.vectors import VectorIndex

_NAME = "vectors (Chroma)"
_HALF_FLOAT_BYTES = 2
_AT_ONCE = 1024
# Papers that are searched for by their own vectors, and the cosine that counts as finding one.
_SAMPLE = 50
_ITSELF = 0.99


def probe(layout: Layout, url: str | None) -> Finding:
    """What is found at the vector index, a crash of Chroma included."""
    command = [sys.executable, "-m", "corpus.probe", str(layout.home), layout.name, *([url] if url else [])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)}
    done = subprocess.run(command, capture_output=True, encoding="utf-8", env=environment, check=False)
    try:
        return Finding(**json.loads(done.stdout))
    except (ValueError, TypeError):
        return Finding(_NAME, f"Chroma crashed while it was asked (status {done.returncode})", REBUILD)


def look(layout: Layout, url: str | None) -> Finding:
    """Whether every vector is there, and whether papers are found by their own."""
    try:
        catalogue = Catalogue(layout.catalogue)
        state = catalogue.state()
        if state is None:
            return Finding(_NAME, "the collection is empty")
        place = vector_place(layout, state, url)
        with readable_copy(place.folder) as folder:
            index = VectorIndex(replace(place, folder=folder))
            try:
                return _compare(index, catalogue, state)
            finally:
                index.close()
    except AssistantError as error:
        return Finding(_NAME, str(error), REBUILD)


def _compare(index: VectorIndex, catalogue: Catalogue, state: State) -> Finding:
    found, wanted = index.count(), _passages(catalogue, state)
    if found != wanted:
        return Finding(_NAME, f"{found} entries, the catalogue says {wanted}", REBUILD)
    for paper_id in _sample(catalogue):
        if not _is_found(index, catalogue, state, paper_id):
            return Finding(_NAME, f"a search for the vector of {paper_id!r} doesn't find that paper", REBUILD)
    return Finding(_NAME, f"{found} entries, as the catalogue says")


def _passages(catalogue: Catalogue, state: State) -> int:
    size = catalogue.rows("SELECT COALESCE(SUM(LENGTH(passages)), 0) FROM vectors")[0][0]
    return int(size) // (state.dimension * _HALF_FLOAT_BYTES)


def _sample(catalogue: Catalogue) -> list[str]:
    """Papers spread evenly over the order of first ingest."""
    ids = [one for batch in catalogue.batches(_AT_ONCE) for one in batch]
    return ids[:: max(1, len(ids) // _SAMPLE)]


def _is_found(index: VectorIndex, catalogue: Catalogue, state: State, paper_id: str) -> bool:
    stored = catalogue.vectors([paper_id], state.dimension).get(paper_id)
    if stored is None:
        return False
    # Papers with one vector crowd each other out: that one of them is found as near as that is enough.
    return any(hit.score > _ITSELF for hit in index.nearest(stored.passages[0].astype(np.float32), 1))


if __name__ == "__main__":
    arguments = sys.argv[1:]
    made = look(Layout(Path(arguments[0]), arguments[1]), arguments[2] if len(arguments) > 2 else None)
    sys.stdout.write(json.dumps(asdict(made)))
