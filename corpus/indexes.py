"""Both search indexes of a collection, kept to what the catalogue says."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence

from corpus.catalogue import Catalogue
from corpus.errors import StoreError
from corpus.layout import Layout
from corpus.lexical import LexicalIndex
from corpus.stored import State
from corpus.vectors import Place, VectorIndex, drop_index

# Papers whose index entries are made at a time.
_AT_ONCE = 512

Step = Callable[[int, int], None]


def vector_place(layout: Layout, state: State, url: str | None) -> Place:
    """Where the passage vectors of this state lie."""
    # The catalogue's own id tells two data folders apart that share a server.
    name = f"abstracts-{layout.name}-{state.uid}-{state.generation}"
    return Place(layout.vectors(state.generation), name, url)


class Indexes:
    """The two indexes of one generation, open for writing."""

    def __init__(self, layout: Layout, state: State, url: str | None, *, create: bool) -> None:
        self.vectors = VectorIndex(vector_place(layout, state, url), create=create)
        try:
            self.lexical = LexicalIndex(layout.lexical(state.generation), create=create)
        except StoreError:
            self.vectors.close()
            raise

    def close(self) -> None:
        """Releases the files."""
        self.vectors.close()

    def put(self, catalogue: Catalogue, ids: Sequence[str], dimension: int) -> None:
        """Writes the entries of papers as the catalogue has them."""
        vectors = catalogue.vectors(ids, dimension)
        self.vectors.put([(name, vectors[name].passages) for name in ids if name in vectors])
        self.lexical.write(catalogue.papers(ids))

    def catch_up(self, catalogue: Catalogue, dimension: int, step: Step | None = None) -> None:
        """Brings the entries of papers that the catalogue marks as unindexed to what it holds of them.

        Each paper's entries are written anew as a whole, so that a run which was cut off is simply repeated.
        """
        rows = catalogue.rows("SELECT id, windows FROM unindexed ORDER BY rowid")
        for first in range(0, len(rows), _AT_ONCE):
            some = rows[first : first + _AT_ONCE]
            ids = [row[0] for row in some]
            vectors = catalogue.vectors(ids, dimension)
            self.vectors.put([(name, vectors[name].passages) for name in ids if name in vectors])
            held = {name: len(stored.passages) for name, stored in vectors.items()}
            surplus = [f"{name}#{row}" for name, windows in some for row in range(held.get(name, 0), windows)]
            self.vectors.delete(surplus)
            papers = catalogue.papers([name for name in ids if name in held])
            self.lexical.write(papers, [name for name in ids if name not in held])
            if step:
                step(first + len(some), len(rows))


def remove_outdated(layout: Layout, state: State) -> None:
    """Removes folders of indexes that the catalogue no longer names."""
    for path in layout.outdated(state.generation):
        shutil.rmtree(path, ignore_errors=True)


def drop_generation(layout: Layout, state: State, url: str | None) -> None:
    """Removes a generation of the vectors from a Chroma server, if that is where they are."""
    if url:
        drop_index(vector_place(layout, state, url))
