"""Where the papers of a collection lie on its map; kept beside the collection until the papers change."""

from __future__ import annotations

import os
import secrets
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpus.catalogue import Catalogue
from corpus.layout import Layout
from corpus.projection import LANDMARKS, Matrix, lay_out, place_among
from corpus.stored import unblob

_FILE = "map.npz"
# Of another way to lay papers out nothing is taken over.
_WAY = "1"
_AT_ONCE = 2048

Step = Callable[[int, int], None]


@dataclass(frozen=True)
class Places:
    """The papers' keys, and the place (x, y) of each in [0, 1]."""

    keys: NDArray[np.int64]
    places: Matrix


class Atlas:
    """Makes maps, one at a time, and remembers them; safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last: tuple[Path, str, Places] | None = None

    def ready(self, layout: Layout, version: str) -> bool:
        """Whether the places of this state are at hand, so that `places` takes no time."""
        last = self._last
        if last and last[0] == layout.folder and last[1].endswith(f"-{version}"):
            return True
        return (found := _load(layout.folder / _FILE, None)) is not None and found[0].endswith(f"-{version}")

    def places(self, layout: Layout, step: Step | None = None) -> Places:
        """The places of all papers as they are now; `step` is called while they have to be made."""
        with self._lock:
            if not layout.catalogue.exists():
                return _nothing()
            with closing(Catalogue(layout.catalogue)) as catalogue:
                state = catalogue.state()
                if state is None:
                    return _nothing()
                version = f"{_WAY}-{state.uid}-{state.version}"
                if self._last and self._last[:2] == (layout.folder, version):
                    return self._last[2]
                kept = _load(layout.folder / _FILE, version)
                found = kept[1] if kept else _make(catalogue, state.dimension, step)
                if kept is None:
                    _keep(layout.folder / _FILE, version, found)
                self._last = (layout.folder, version, found)
                return found


def _nothing() -> Places:
    return Places(np.empty(0, np.int64), np.empty((0, 2), np.float32))


def _make(catalogue: Catalogue, dimension: int, step: Step | None) -> Places:
    """The places of all papers; of many only some are laid out, and the others placed among them."""
    count = int(catalogue.rows("SELECT COUNT(*) FROM vectors")[0][0])
    every = max(1, -(-count // LANDMARKS))
    if count == 0:
        return _nothing()
    chosen = [(keys[at], row[at]) for keys, row, at in _chosen(catalogue, dimension, every)]
    landmarks = np.stack([vector for _, vector in chosen])
    places = lay_out(landmarks, step=step)
    if every == 1:
        return Places(np.array([key for key, _ in chosen], np.int64), places)
    keys, found = [], []
    for some, vectors in _batches(catalogue, dimension):
        keys.append(some)
        found.append(place_among(vectors, landmarks, places))
    return Places(np.concatenate(keys), np.concatenate(found))


def _chosen(
    catalogue: Catalogue, dimension: int, every: int
) -> Iterator[tuple[NDArray[np.int64], Matrix, int]]:
    seen = 0
    for keys, vectors in _batches(catalogue, dimension):
        yield from ((keys, vectors, at) for at in range(len(keys)) if (seen + at) % every == 0)
        seen += len(keys)


def _batches(catalogue: Catalogue, dimension: int) -> Iterator[tuple[NDArray[np.int64], Matrix]]:
    """Keys and mean vectors of the papers, in order of first ingest."""
    last = 0
    while rows := catalogue.rows(
        "SELECT paper, passages FROM vectors WHERE paper > ? ORDER BY paper LIMIT ?", last, _AT_ONCE
    ):
        last = rows[-1][0]
        held = [(key, unblob(passages, dimension)) for key, passages in rows]
        known = [(key, windows.astype(np.float32).mean(0)) for key, windows in held if len(windows)]
        if known:
            yield np.array([key for key, _ in known], np.int64), np.stack([vector for _, vector in known])


def _load(path: Path, version: str | None) -> tuple[str, Places] | None:
    """The places that were kept, and of which version; None where they are of another, or damaged."""
    try:
        with np.load(path, allow_pickle=False) as kept:
            held = str(kept["version"])
            if version is not None and held != version:
                return None
            found = Places(kept["keys"].astype(np.int64), kept["places"].astype(np.float32))
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None
    return (held, found) if found.places.shape == (len(found.keys), 2) else None


def _keep(path: Path, version: str, found: Places) -> None:
    """Nothing; a folder that can't be written costs only the time to make the map again."""
    aside = path.with_name(f".{path.name}-{secrets.token_hex(4)}")
    with suppress(OSError):
        try:
            with aside.open("wb") as file:
                np.savez(file, version=np.array(version), keys=found.keys, places=found.places)
            os.replace(aside, path)
        finally:
            aside.unlink(missing_ok=True)
