"""The collections that programs may ask, each by its name; opened at first use and kept."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from assistant.assistant import Assistant
from corpus.errors import InputError
from corpus.layout import BUILT_IN, collection_names

if TYPE_CHECKING:
    from assistant.config import Settings


class Rooms:
    """The assistants by the names of their collections; the first one is asked where none is named."""

    def __init__(self, first: Assistant, settings: Settings | None = None) -> None:
        self._first = first
        self._settings = settings
        self._opened: dict[str, Assistant] = {}
        self._lock = threading.Lock()

    def names(self) -> list[str]:
        """The collections' names, the first one's first."""
        found = [self._first.collection.name]
        if self._settings:
            found += [*collection_names(self._settings.home), BUILT_IN]
        if self._settings and found[0] != self._settings.collection:
            # The first one stands in for an empty collection, which holds nothing to ask.
            found = [name for name in found if name != self._settings.collection]
        return list(dict.fromkeys(found))

    def assistant(self, name: str = "") -> Assistant:
        """The assistant of that collection; InputError where there is none."""
        if not name or name == self._first.collection.name:
            return self._first
        if self._settings is None or name not in self.names():
            if self._settings and name == self._settings.collection:
                return self._first
            shown = ", ".join(self.names()[:20])
            raise InputError(f"there is no collection {name[:80]!r}; choose one of these: {shown}")
        with self._lock:
            if name not in self._opened:
                self._opened[name] = Assistant.open(replace(self._settings, collection=name))
            return self._opened[name]

    def close(self) -> None:
        """Nothing; what was opened here is closed. The first one is its owner's to close."""
        with self._lock:
            for assistant in self._opened.values():
                assistant.close()
            self._opened.clear()
