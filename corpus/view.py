"""A collection at one state, with the indexes that belong to it."""

from __future__ import annotations

import threading
import weakref
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from corpus.catalogue import Catalogue
from corpus.layout import Layout
from corpus.mirror import Mirror
from corpus.stored import State

if TYPE_CHECKING:
    from corpus.lexical import LexicalIndex
    from corpus.vectors import VectorIndex


class View:
    """The collection at one state; its indexes are opened when they are first asked."""

    def __init__(self, layout: Layout, catalogue: Catalogue, state: State, url: str | None) -> None:
        self.catalogue = catalogue
        self.state = state
        self.size = catalogue.size()
        self.inode = layout.catalogue.stat().st_ino
        self._layout = layout
        self._url = url
        self._lock = threading.Lock()
        self._vectors: VectorIndex | None = None
        self._lexical: LexicalIndex | None = None

    def vectors(self) -> VectorIndex:
        """The vector index."""
        from corpus.indexes import vector_place
        from corpus.vectors import VectorIndex

        with self._lock:
            if self._vectors is None:
                place = vector_place(self._layout, self.state, self._url)
                self._vectors = VectorIndex(replace(place, folder=self._mirrored(place.folder)))
                # Closed with the last thread that uses this view, not while one still does.
                weakref.finalize(self, self._vectors.close)
            return self._vectors

    def lexical(self) -> LexicalIndex:
        """The word index."""
        from corpus.lexical import LexicalIndex

        with self._lock:
            if self._lexical is None:
                self._lexical = LexicalIndex(self._mirrored(self._layout.lexical(self.state.generation)))
            return self._lexical

    def _mirrored(self, folder: Path) -> Path:
        mirror = Mirror(folder)
        # Registered before what uses it, so removed after that is closed.
        weakref.finalize(self, mirror.close)
        return mirror.folder
