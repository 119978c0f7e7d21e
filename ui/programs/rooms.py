"""The collections that programs may ask, each by its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpus.errors import InputError
from corpus.layout import BUILT_IN, collection_names

if TYPE_CHECKING:
    from assistant.assistant import Assistant
    from assistant.library import Library


class Rooms:
    """The assistants by the names of their collections; the first one is asked where none is named."""

    def __init__(self, first: Assistant, library: Library | None = None) -> None:
        """`library` has the other collections of the data folder; who made it closes it."""
        self._first = first
        self._library = library

    def names(self) -> list[str]:
        """The collections' names, the first one's first."""
        found = [self._first.collection.name]
        if self._library:
            settings = self._library.settings
            found += [*collection_names(settings.home), BUILT_IN]
            if found[0] != settings.collection:
                # The first one stands in for an empty collection, which holds nothing to ask.
                found = [name for name in found if name != settings.collection]
        return list(dict.fromkeys(found))

    def assistant(self, name: str = "") -> Assistant:
        """The assistant of that collection; InputError where there is none."""
        if not name or name == self._first.collection.name:
            return self._first
        if self._library and name == self._library.settings.collection:
            return self._first
        if self._library is None or name not in self.names():
            shown = ", ".join(self.names()[:20])
            raise InputError(f"there is no collection {name[:80]!r}; choose one of these: {shown}")
        return self._library.assistant(name)
