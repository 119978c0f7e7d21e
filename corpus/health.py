"""Whether a collection's stores are whole and agree with each other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from corpus.catalogue import Catalogue
from corpus.checksums import damaged_files
from corpus.database import RESTORE
from corpus.embedder import Embedder
from corpus.errors import AssistantError, BusyError, StoreError
from corpus.findings import REBUILD
from corpus.findings import Finding as Finding
from corpus.layout import Layout
from corpus.lexical import LexicalIndex
from corpus.lock import writer_lock
from corpus.lost import check_catalogue, check_papers
from corpus.mirror import readable_copy
from corpus.probe import probe
from corpus.remedies import can_write
from corpus.stored import State

_AT_ONCE = 1024


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
        yield Finding("indexes", found, f"ingest again, or {REBUILD}")
        return
    yield probe(layout, chroma_url)
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
    except StoreError as error:
        return Finding("lock", str(error), "make that folder writable, with some space on its disk")


def _words(layout: Layout, catalogue: Catalogue, state: State) -> Finding:
    """Whether every paper is there, and every byte as it was written."""
    name = "words (tantivy)"
    folder = layout.lexical(state.generation)
    try:
        damaged = damaged_files(folder) if folder.is_dir() else []
        if damaged:
            return Finding(name, f"{', '.join(damaged)} in {str(folder)!r} is damaged", REBUILD)
        with readable_copy(folder) as where:
            found = LexicalIndex(where).ids()
    except (AssistantError, OSError) as error:
        return Finding(name, str(error), REBUILD)
    if len(found) != catalogue.size():
        return Finding(name, f"{len(found)} entries, the catalogue says {catalogue.size()}", REBUILD)
    if found != sorted(one for batch in catalogue.batches(_AT_ONCE) for one in batch):
        return Finding(name, "other papers than the catalogue's", REBUILD)
    return Finding(name, f"{len(found)} entries, as the catalogue says")


def _empty(layout: Layout) -> Finding:
    try:
        check_catalogue(layout)
    except StoreError as error:
        return Finding("catalogue", str(error), RESTORE)
    return Finding("collection", f"{layout.name!r} is empty")
