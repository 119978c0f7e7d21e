"""The collections of a data folder, each as an assistant: the last few stay open, shared by all who ask."""

from __future__ import annotations

import threading
from collections import OrderedDict
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from assistant.assistant import Assistant, embedder_of
from assistant.config import Settings
from corpus.catalogue import Catalogue
from corpus.errors import AssistantError, InputError
from corpus.holdings import make_collection
from corpus.layout import BUILT_IN, Layout, collection_names
from corpus.listing import Listing

if TYPE_CHECKING:
    from corpus.embedder import Embedder

KEPT = 4
"""Collections beside the first that stay open; one that was let go is closed by its last reader."""


@dataclass(frozen=True)
class Volume:
    """A collection as it is picked: its name and its number of papers, None where it can't be read."""

    name: str
    papers: int | None


@dataclass(frozen=True)
class _Open:
    assistant: Assistant
    listing: Listing


class Library:
    """The collections that can be asked; safe to share between threads, holds nothing of any user."""

    def __init__(self, settings: Settings, first: Assistant) -> None:
        """`first` is the assistant over the collection of the settings; who opened it closes it."""
        self.settings = settings
        self._first = first
        self._embedder = embedder_of(settings)
        self._open: OrderedDict[str, _Open] = OrderedDict()
        self._listings: dict[str, Listing] = {}
        self._lock = threading.Lock()

    @property
    def embedder(self) -> Embedder:
        """What makes the vectors of new papers."""
        return self._embedder

    def shown(self, name: str = "") -> str:
        """The collection that `name` stands for: for "" the one that is asked at first."""
        if not name:
            self._first.refresh()
        return name or self._first.collection.name

    def layout(self, name: str) -> Layout:
        """Where the collection's files lie; InputError for one that there isn't."""
        layout = Layout(self.settings.home, name)
        if name not in ("default", BUILT_IN, self.settings.collection) and name not in collection_names(
            self.settings.home
        ):
            raise InputError(f"There is no collection {name!r} any more: choose another one.")
        return layout

    def assistant(self, name: str = "") -> Assistant:
        """The assistant over a collection as it is now, the first one for ""; InputError where it is gone."""
        found = self._first if name in ("", self.settings.collection) else self._opened(name).assistant
        found.refresh()
        return found

    def listing(self, name: str) -> Listing:
        """The table of a collection's papers."""
        if name == self.settings.collection:
            layout = self.layout(name)
            with self._lock:
                return self._listings.setdefault(name, Listing(layout))
        return self._opened(name).listing

    def volumes(self) -> list[Volume]:
        """All collections by name; `default` and the built-in one are always among them."""
        names = {*collection_names(self.settings.home), "default", BUILT_IN, self.settings.collection}
        return [Volume(name, self._size(name)) for name in sorted(names, key=str.casefold)]

    def make(self, name: str) -> None:
        """Nothing; there is a new empty collection of that name."""
        make_collection(self.settings.home, name, self._embedder, chroma_url=self.settings.chroma_url)

    def close(self) -> None:
        """Nothing; what was opened here is let go."""
        with self._lock:
            listings = [*self._listings.values(), *(one.listing for one in self._open.values())]
            self._listings.clear()
            self._open.clear()
        for listing in listings:
            listing.close()

    def _opened(self, name: str) -> _Open:
        layout = self.layout(name)
        with self._lock:
            found = self._open.get(name)
            if found is None:
                settings = replace(self.settings, collection=name)
                found = _Open(Assistant.open(settings, beside=self._first), Listing(layout))
                self._open[name] = found
            self._open.move_to_end(name)
            while len(self._open) > KEPT:
                self._open.popitem(last=False)
            return found

    def _size(self, name: str) -> int | None:
        layout = Layout(self.settings.home, name)
        if not layout.catalogue.exists():
            return self._first.collection.size if name == self._first.collection.name else 0
        try:
            with closing(Catalogue(layout.catalogue)) as catalogue:
                return catalogue.size() if catalogue.state() else 0
        except AssistantError:
            return None
