"""A collection open for writing: locked, brought in order, its indexes kept to its catalogue."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from corpus.catalogue import Catalogue
from corpus.changes import add_facts
from corpus.embedder import Embedder
from corpus.errors import InputError, StoreError
from corpus.indexes import Indexes, drop_generation, remove_outdated
from corpus.layout import BUILT_IN, Layout
from corpus.lock import writer_lock
from corpus.lost import check_catalogue, check_papers
from corpus.stored import State

# Papers whose index entries are made at a time in a rebuild.
_AT_ONCE = 1024


@dataclass(frozen=True)
class Store:
    """A collection that this process alone may write to."""

    layout: Layout
    catalogue: Catalogue
    chroma_url: str | None

    def state(self) -> State:
        """The catalogue's facts as they are now."""
        state = self.catalogue.state()
        if state is None:
            raise StoreError(f"The catalogue {str(self.layout.catalogue)!r} lost its tables while in use.")
        return state


@contextmanager
def open_store(
    layout: Layout,
    embedder: Embedder,
    *,
    chroma_url: str | None = None,
    origin: str | None = "",
    wait: float = 0.0,
) -> Iterator[Store]:
    """The collection, locked, made if it isn't there; BusyError where another process writes.

    It is waited for `wait` seconds. Only a collection of this `origin` is opened, "" being a user's own;
    None opens any that is there.
    """
    if layout.name == BUILT_IN and origin == "":
        raise InputError(
            f"The collection {layout.name!r} is built in and stays as it is: "
            "choose another with --collection NAME."
        )
    with writer_lock(layout, wait):
        if not layout.catalogue.exists():
            check_catalogue(layout)
        catalogue = Catalogue(layout.catalogue, create=True)
        try:
            state = catalogue.state()
            if state is None:
                check_catalogue(layout)
                uid = secrets.token_hex(4)
                state = State(uid, embedder.stamp, embedder.dimension, origin or "", 1, 1, "empty")
                catalogue.create(state)
            else:
                with catalogue.transaction() as connection:
                    add_facts(connection)
            check_stamp(layout, state, embedder)
            check_papers(layout, catalogue, state)
            remove_outdated(layout, state)
            yield Store(layout, catalogue, chroma_url)
        finally:
            catalogue.close()


def check_stamp(layout: Layout, state: State, embedder: Embedder) -> None:
    """Nothing; StoreError where the collection's vectors are another model's."""
    if state.stamp != embedder.stamp:
        raise StoreError(
            f"The collection {layout.name!r} was embedded with {state.stamp!r}, not with {embedder.stamp!r}: "
            "set ASSISTANT_EMBEDDINGS to what it was made with, or ingest the files into another collection."
        )


def move_on(store: Store, changed: Sequence[str]) -> None:
    """Nothing; counts a change, in the caller's transaction. The version is a digest of all changes."""
    moved = "\n".join([store.state().version, *changed]).encode()
    version = hashlib.blake2b(moved, digest_size=6).hexdigest()
    store.catalogue.rows("UPDATE state SET change = change + 1, version = ?", version)


def catch_up(store: Store) -> None:
    """Nothing; brings the indexes to the catalogue, then lets readers know. Lost ones are made anew."""
    catalogue = store.catalogue
    if not catalogue.rows("SELECT 1 FROM unindexed LIMIT 1"):
        return
    state = store.state()
    try:
        indexes = Indexes(store.layout, state, store.chroma_url, create=_is_first(catalogue))
        try:
            indexes.catch_up(catalogue, state.dimension)
        finally:
            indexes.close()
    except StoreError:
        build_generation(store)
        return
    with catalogue.transaction() as connection:
        connection.execute("DELETE FROM unindexed")
        connection.execute("UPDATE state SET change = change + 1")


def _is_first(catalogue: Catalogue) -> bool:
    """Whether the indexes may not be there yet: every paper has still to be given to them."""
    return not catalogue.rows(
        "SELECT 1 FROM papers WHERE id NOT IN (SELECT id FROM unindexed WHERE windows = 0) LIMIT 1"
    )


def build_generation(store: Store, step: Callable[[int, int], None] | None = None) -> None:
    """Nothing; makes both indexes anew from the catalogue and turns to them in one step.

    They are a generation of their own beside the old ones, which readers use until the new are complete.
    """
    catalogue, old = store.catalogue, store.state()
    new = replace(old, generation=old.generation + 1)
    drop_generation(store.layout, new, store.chroma_url)
    try:
        _fill(store, new, step)
    except BaseException:
        # Half of a new generation only fills the disk.
        remove_outdated(store.layout, old)
        raise
    with catalogue.transaction() as connection:
        connection.execute("DELETE FROM unindexed")
        connection.execute("UPDATE state SET generation = ?, change = change + 1", (new.generation,))
    drop_generation(store.layout, old, store.chroma_url)


def _fill(store: Store, new: State, step: Callable[[int, int], None] | None) -> None:
    catalogue = store.catalogue
    indexes = Indexes(store.layout, new, store.chroma_url, create=True)
    try:
        total, done = catalogue.size(), 0
        for ids in catalogue.batches(_AT_ONCE):
            indexes.put(catalogue, ids, new.dimension)
            done += len(ids)
            if step:
                step(done, total)
    finally:
        indexes.close()
