"""Collections whose catalogue is gone while their indexes are there: a fault, not an empty collection."""

from __future__ import annotations

from difflib import get_close_matches

from corpus.catalogue import Catalogue
from corpus.errors import InputError, StoreError
from corpus.layout import Layout, collection_names
from corpus.stored import State

RESTORE = "restore it from a backup, or move the folder away and ingest the papers again"
"""The remedy for a catalogue that is gone."""


def check_catalogue(layout: Layout) -> None:
    """Nothing; StoreError where a collection without a usable catalogue has indexes."""
    indexes = layout.indexes()
    if indexes:
        raise StoreError(
            f"The catalogue {str(layout.catalogue)!r} is missing or empty, but {indexes[0].name!r} beside it "
            f"says that the collection {layout.name!r} held papers: {RESTORE}."
        )


def check_existing(layout: Layout) -> None:
    """Nothing; InputError with near names where there is no such collection, StoreError for a lost one."""
    if layout.catalogue.is_file():
        return
    check_catalogue(layout)
    others = collection_names(layout.home)
    near = get_close_matches(layout.name, others, 3, 0.5) or others[:5]
    hint = f"there is {', '.join(map(repr, near))}" if near else "there is none yet"
    raise InputError(
        f"There is no collection {layout.name!r} in {str(layout.home)!r}; {hint}. "
        f"Ingesting into it makes it: `assistant --collection {layout.name} ingest PATH`."
    )


def check_papers(layout: Layout, catalogue: Catalogue, state: State) -> None:
    """Nothing; StoreError where the catalogue holds no paper and the word index does."""
    folder = layout.lexical(state.generation)
    if not folder.is_dir() or catalogue.size() or catalogue.rows("SELECT 1 FROM unindexed LIMIT 1"):
        return
    from corpus.lexical import LexicalIndex
    from corpus.mirror import readable_copy

    with readable_copy(folder) as where:
        try:
            entries = LexicalIndex(where).count()
        except StoreError:
            return  # what can't be read is no witness
    if entries:
        raise StoreError(
            f"The catalogue {str(layout.catalogue)!r} holds no paper, but the word index beside it holds "
            f"{entries}: {RESTORE}."
        )
