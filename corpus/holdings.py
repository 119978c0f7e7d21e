"""The collections of a data folder: what there is, and how one is renamed or removed."""

from __future__ import annotations

import os
import secrets
import shutil
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from corpus.catalogue import Catalogue
from corpus.embedder import Embedder
from corpus.errors import AssistantError, InputError
from corpus.indexes import drop_generation
from corpus.layout import BUILT_IN, Layout, collection_names
from corpus.lock import writer_lock
from corpus.lost import check_existing
from corpus.stored import State
from corpus.sync import rebuild
from corpus.writing import open_store


@dataclass(frozen=True)
class Holding:
    """One collection: its papers, bytes on the disk and version; `fault` says why it can't be read."""

    name: str
    papers: int | None
    bytes: int
    version: str | None
    built_in: bool
    fault: str | None = None


def holdings(home: Path) -> list[Holding]:
    """The collections of a data folder, by name."""
    return [_holding(Layout(home, name)) for name in collection_names(home)]


def make_collection(home: Path, name: str, embedder: Embedder, *, chroma_url: str | None = None) -> None:
    """Nothing; there is an empty collection of that name. InputError where one has it, in whatever case."""
    layout = _own(home, name)
    taken = [one for one in (*collection_names(home), BUILT_IN) if one.casefold() == name.casefold()]
    if taken:
        raise InputError(f"There is a collection {taken[0]!r} already: choose another name.")
    with open_store(layout, embedder, chroma_url=chroma_url):
        pass


def rename_collection(
    home: Path, old: str, new: str, embedder: Embedder, *, chroma_url: str | None = None, wait: float = 0.0
) -> None:
    """Nothing; the collection goes by its new name, with all that belongs to it.

    Chroma keeps vectors under the collection's name, so that the indexes are made anew, without embedding;
    where that is cut off, `assistant rebuild` does it.
    """
    layout, target = _own(home, old), _own(home, new)
    check_existing(layout)
    if target.folder.exists() and any(target.folder.iterdir()):
        raise InputError(f"There is a collection {new!r} already: remove it first, or choose another name.")
    with writer_lock(layout, wait):
        state = _state(layout)
        os.rename(layout.folder, target.folder)
    rebuild(home, new, embedder, chroma_url=chroma_url, wait=wait)
    if state:
        drop_generation(layout, state, chroma_url)


def remove_collection(home: Path, name: str, *, chroma_url: str | None = None, wait: float = 0.0) -> None:
    """Nothing; the collection is gone, its feedback too. Its folder leaves its place in one step."""
    layout = _own(home, name)
    if name not in collection_names(home):
        check_existing(layout)
    with writer_lock(layout, wait):
        state = _state(layout)
        gone = home / f".removed-{secrets.token_hex(4)}"
        os.rename(layout.folder, gone)
    if state:
        drop_generation(layout, state, chroma_url)
    shutil.rmtree(gone, ignore_errors=True)


def _own(home: Path, name: str) -> Layout:
    if name == BUILT_IN:
        raise InputError(f"The collection {name!r} is built in and stays as it is.")
    return Layout(home, name)


def _holding(layout: Layout) -> Holding:
    size = sum(_bytes(path) for path in layout.folder.rglob("*"))
    built_in = layout.name == BUILT_IN
    try:
        with closing(Catalogue(layout.catalogue)) as catalogue:
            state = catalogue.state()
            papers = catalogue.size() if state else 0
            return Holding(layout.name, papers, size, state.version if state else "empty", built_in)
    except AssistantError as error:
        return Holding(layout.name, None, size, None, built_in, str(error))


def _bytes(path: Path) -> int:
    try:
        return path.stat().st_size if path.is_file() else 0
    except OSError:
        return 0  # gone since the folder was listed


def _state(layout: Layout) -> State | None:
    try:
        with closing(Catalogue(layout.catalogue)) as catalogue:
            return catalogue.state()
    except AssistantError:
        return None
