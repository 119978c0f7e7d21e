"""Whether a collection's stores are whole and agree with each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from corpus.catalogue import Catalogue
from corpus.embedder import Embedder
from corpus.errors import AssistantError, BusyError, StoreError
from corpus.indexes import vector_place
from corpus.layout import Layout
from corpus.lexical import LexicalIndex
from corpus.lock import writer_lock
from corpus.stored import State
from corpus.vectors import VectorIndex

_REBUILD = "run `assistant rebuild`"
_RESTORE = "restore the file from a backup, or ingest the papers again into another collection"
_HALF_FLOAT_BYTES = 2


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
        yield Finding("collection", f"{name!r} is empty")
        return
    try:
        catalogue = Catalogue(layout.catalogue)
    except StoreError as error:
        yield Finding("catalogue", str(error), _RESTORE)
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
        damage = [row[0] for row in catalogue.rows("PRAGMA quick_check(1)")] if state else []
    except StoreError as error:
        yield Finding("catalogue", str(error), _RESTORE)
        return
    if state is None:
        yield Finding("collection", f"{layout.name!r} is empty")
        return
    if damage != ["ok"]:
        yield Finding("catalogue", f"damaged: {damage[0]}", _RESTORE)
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
    yield _counted(
        "vectors (Chroma)", _passages(catalogue, state), lambda: _vectors(layout, state, chroma_url)
    )
    yield _counted("words (tantivy)", catalogue.size(), lambda: _words(layout, state))


def _model(state: State, embedder: Embedder) -> Finding:
    if state.stamp == embedder.stamp:
        return Finding("vectors' model", state.stamp)
    found = f"made with {state.stamp!r}, the settings say {embedder.stamp!r}"
    return Finding("vectors' model", found, "set ASSISTANT_EMBEDDINGS to what they were made with")


def _lock(layout: Layout) -> Finding | None:
    try:
        with writer_lock(layout):
            return None
    except BusyError as error:
        return Finding("lock", str(error))


def _passages(catalogue: Catalogue, state: State) -> int:
    size = catalogue.rows("SELECT COALESCE(SUM(LENGTH(passages)), 0) FROM vectors")[0][0]
    return int(size) // (state.dimension * _HALF_FLOAT_BYTES)


def _vectors(layout: Layout, state: State, chroma_url: str | None) -> int:
    index = VectorIndex(vector_place(layout, state, chroma_url))
    try:
        return index.count()
    finally:
        index.close()


def _words(layout: Layout, state: State) -> int:
    return LexicalIndex(layout.lexical(state.generation)).count()


def _counted(name: str, wanted: int, count: Callable[[], int]) -> Finding:
    try:
        found = count()
    except AssistantError as error:
        return Finding(name, str(error), _REBUILD)
    if found != wanted:
        return Finding(name, f"{found} entries, the catalogue says {wanted}", _REBUILD)
    return Finding(name, f"{found} entries, as the catalogue says")
