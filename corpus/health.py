"""Whether a collection's stores are whole and agree with each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from corpus.catalogue import Catalogue
from corpus.checksums import damaged_files
from corpus.database import RESTORE
from corpus.embedder import Embedder
from corpus.errors import AssistantError, BusyError, StoreError
from corpus.indexes import vector_place
from corpus.layout import Layout
from corpus.lexical import LexicalIndex
from corpus.lock import writer_lock
from corpus.lost import check_catalogue, check_papers
from corpus.mirror import readable_copy
from corpus.remedies import can_write
from corpus.stored import State
from corpus.vectors import VectorIndex

_REBUILD = "run `assistant rebuild`"
_HALF_FLOAT_BYTES = 2
_AT_ONCE = 1024
# Papers that are searched for by their own vectors, and the cosine that counts as finding one.
_SAMPLE = 50
_ITSELF = 0.99


@dataclass(frozen=True)
class Finding:
    """What one look found; `remedy` is "" where all is well."""

    name: str
    found: str
    remedy: str = ""


def check_stores(
    home: Path, name: str, embedder: Embedder, *, chroma_url: str | None = None
) -> Iterator[Finding]:
    """What is found at the catalogue, the lock and both indexes; nothing is changed."""
    layout = Layout(home, name)
    if not layout.catalogue.is_file():
        yield _empty(layout)
        return
    try:
        catalogue = Catalogue(layout.catalogue)
    except AssistantError as error:
        yield Finding("catalogue", str(error), RESTORE)
        return
    try:
        yield from _check(layout, catalogue, embedder, chroma_url)
    finally:
        catalogue.close()


def _check(
    layout: Layout, catalogue: Catalogue, embedder: Embedder, chroma_url: str | None
) -> Iterator[Finding]:
    try:
        state = catalogue.state()
        if state is None:
            yield _empty(layout)
            return
        damage = catalogue.rows("PRAGMA quick_check(1)")[0][0]
        if damage != "ok":
            yield Finding("catalogue", f"damaged: {damage}", RESTORE)
            return
        check_papers(layout, catalogue, state)
        for ids in catalogue.batches(_AT_ONCE):
            catalogue.papers(ids)
            catalogue.vectors(ids, state.dimension)
    except AssistantError as error:
        yield Finding("catalogue", str(error), RESTORE)
        return
    yield Finding("catalogue", f"{catalogue.size()} papers in {layout.name!r}")
    yield _model(state, embedder)
    if busy := _lock(layout):
        yield busy  # while papers are being written the indexes may lag behind
        return
    unfinished = catalogue.rows("SELECT COUNT(*) FROM unindexed")[0][0]
    if not catalogue.size():
        return  # the indexes are made with the first paper
    if unfinished:
        found = f"{unfinished} papers are not in the indexes yet: a run was cut off"
        yield Finding("indexes", found, f"ingest again, or {_REBUILD}")
        return
    yield _vectors(layout, catalogue, state, chroma_url)
    yield _words(layout, catalogue, state)


def _model(state: State, embedder: Embedder) -> Finding:
    if state.stamp == embedder.stamp:
        return Finding("vectors' model", state.stamp)
    found = f"made with {state.stamp!r}, the settings say {embedder.stamp!r}"
    return Finding("vectors' model", found, "set ASSISTANT_EMBEDDINGS to what they were made with")


def _lock(layout: Layout) -> Finding | None:
    if not can_write(layout.folder):
        return None  # so nobody with these rights writes
    try:
        with writer_lock(layout):
            return None
    except BusyError as error:
        return Finding("lock", str(error))


def _passages(catalogue: Catalogue, state: State) -> int:
    size = catalogue.rows("SELECT COALESCE(SUM(LENGTH(passages)), 0) FROM vectors")[0][0]
    return int(size) // (state.dimension * _HALF_FLOAT_BYTES)


def _vectors(layout: Layout, catalogue: Catalogue, state: State, chroma_url: str | None) -> Finding:
    """Whether every vector is there, and whether papers are found by their own."""
    name, wanted = "vectors (Chroma)", _passages(catalogue, state)
    place = vector_place(layout, state, chroma_url)
    try:
        with readable_copy(place.folder) as folder:
            index = VectorIndex(replace(place, folder=folder))
            try:
                found = index.count()
                missed = [one for one in _sample(catalogue) if not _is_found(index, catalogue, state, one)]
            finally:
                index.close()
    except AssistantError as error:
        return Finding(name, str(error), _REBUILD)
    if found != wanted:
        return Finding(name, f"{found} entries, the catalogue says {wanted}", _REBUILD)
    if missed:
        return Finding(name, f"a search for the vector of {missed[0]!r} doesn't find that paper", _REBUILD)
    return Finding(name, f"{found} entries, as the catalogue says")


def _sample(catalogue: Catalogue) -> list[str]:
    """Papers spread evenly over the order of first ingest."""
    ids = [one for batch in catalogue.batches(_AT_ONCE) for one in batch]
    return ids[:: max(1, len(ids) // _SAMPLE)]


def _is_found(index: VectorIndex, catalogue: Catalogue, state: State, paper_id: str) -> bool:
    stored = catalogue.vectors([paper_id], state.dimension).get(paper_id)
    if stored is None:
        return False
    vector = stored.passages[0].astype(np.float32)
    # Papers with one vector crowd each other out; that one of them is found as near as that is enough.
    return any(hit.score > _ITSELF for hit in index.nearest(vector, 1))


def _words(layout: Layout, catalogue: Catalogue, state: State) -> Finding:
    """Whether every paper is there, and every byte as it was written."""
    name = "words (tantivy)"
    folder = layout.lexical(state.generation)
    try:
        damaged = damaged_files(folder) if folder.is_dir() else []
        if damaged:
            return Finding(name, f"{', '.join(damaged)} in {str(folder)!r} is damaged", _REBUILD)
        with readable_copy(folder) as where:
            found = LexicalIndex(where).ids()
    except (AssistantError, OSError) as error:
        return Finding(name, str(error), _REBUILD)
    if len(found) != catalogue.size():
        return Finding(name, f"{len(found)} entries, the catalogue says {catalogue.size()}", _REBUILD)
    if found != sorted(one for batch in catalogue.batches(_AT_ONCE) for one in batch):
        return Finding(name, "other papers than the catalogue's", _REBUILD)
    return Finding(name, f"{len(found)} entries, as the catalogue says")


def _empty(layout: Layout) -> Finding:
    try:
        check_catalogue(layout)
    except StoreError as error:
        return Finding("catalogue", str(error), RESTORE)
    return Finding("collection", f"{layout.name!r} is empty")
