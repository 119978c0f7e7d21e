"""All that a collection holds, to compare two of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from made_up import HashEmbedder

from corpus.indexes import vector_place
from corpus.layout import Layout
from corpus.lexical import LexicalIndex
from corpus.stored import blob
from corpus.vectors import VectorIndex
from corpus.writing import open_store


@dataclass(frozen=True)
class Snapshot:
    """The tables of the catalogue, the passages in Chroma, the papers in tantivy."""

    papers: list[tuple[str, str]]
    tables: dict[str, list[tuple[object, ...]]]
    sentences: dict[str, bytes]
    passages: dict[str, list[float]]
    words: list[str]
    counts: dict[str, int]

    @property
    def ids(self) -> list[str]:
        """The papers' ids, in order of first ingest."""
        return [paper_id for paper_id, _ in self.papers]


def snapshot(home: Path, name: str = "mine") -> Snapshot:
    """What the three stores hold; nothing may be left unindexed or pending."""
    layout = Layout(home, name)
    with open_store(layout, HashEmbedder()) as store:
        state, rows = store.state(), store.catalogue.rows
        assert rows("SELECT * FROM unindexed") == []
        assert rows("SELECT * FROM pending") == []
        papers = rows("SELECT id, paper FROM papers ORDER BY key")
        tables = {
            table: sorted(rows(f"SELECT t.*, p.id FROM {table} t JOIN papers p ON p.key = t.paper"), key=repr)
            for table in ("names", "identities", "records")
        }
        stored = store.catalogue.vectors([row[0] for row in papers], state.dimension)
        vectors = VectorIndex(vector_place(layout, state, None))
        passages = {key: [round(float(x), 5) for x in row] for key, row in vectors.passages().items()}
        vectors.close()
        lexical = LexicalIndex(layout.lexical(state.generation))
    # The key of a row may differ where a run was cut off; what it stands for may not.
    tables = {table: [(*row[:1], row[-1]) for row in held] for table, held in tables.items()}
    return Snapshot(
        papers=papers,
        tables=tables,
        sentences={paper_id: blob(one.sentences) for paper_id, one in stored.items()},
        passages=dict(sorted(passages.items())),
        words=lexical.ids(),
        counts={word: lexical.doc_freq(word) for word in ("steps", "kernels", "merge", "paper7", "prune")},
    )
