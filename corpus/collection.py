"""The read door to a collection: everything that a question needs, always as the last writer left it."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpus.catalogue import Catalogue
from corpus.embedder import Embedder
from corpus.hits import Hit as Hit
from corpus.layout import Layout
from corpus.lost import check_catalogue, check_papers
from corpus.papers import Paper
from corpus.view import View
from corpus.writing import check_stamp

# Papers whose words are looked through for one near a mistyped word.
_TYPO_PAPERS = 50


@dataclass(frozen=True)
class Sentence:
    """One sentence of an abstract: `text` is `abstract[start:end]`, `vector` L2-normalised."""

    paper_id: str
    index: int
    start: int
    end: int
    text: str
    vector: NDArray[np.float32]


class Collection:
    """One collection, for many threads at once; empty until something has been ingested.

    It shows one state until `refresh` is called, and never holds more of it in memory than a question needs.
    """

    def __init__(self, layout: Layout, embedder: Embedder, chroma_url: str | None) -> None:
        self.name = layout.name
        self._layout = layout
        self._embedder = embedder
        self._url = chroma_url
        self._lock = threading.Lock()
        self._view: View | None = None
        self.refresh()

    @property
    def layout(self) -> Layout:
        """Where its files lie."""
        return self._layout

    @property
    def version(self) -> str:
        """The name of the content, another one after every change."""
        view = self._view
        return view.state.version if view else "empty"

    @property
    def size(self) -> int:
        """The number of papers."""
        view = self._view
        return view.size if view else 0

    def refresh(self) -> bool:
        """True when another state is shown from now on, because some process had written."""
        with self._lock:
            view = self._view
            try:
                inode = self._layout.catalogue.stat().st_ino
            except FileNotFoundError:
                check_catalogue(self._layout)
                self._view = None
                return view is not None
            same_file = view is not None and view.inode == inode
            known = view.catalogue if view and same_file and not view.catalogue.fixed else None
            catalogue = known or Catalogue(self._layout.catalogue)
            state = catalogue.state()
            if state is None:
                catalogue.close()
                check_catalogue(self._layout)
                self._view = None
                return view is not None
            if view and same_file and view.state == state:
                if catalogue is not view.catalogue:
                    catalogue.close()
                return False
            check_stamp(self._layout, state, self._embedder)
            check_papers(self._layout, catalogue, state)
            self._view = View(self._layout, catalogue, state, self._url)
            return True

    def papers(self, ids: Sequence[str] | None = None) -> list[Paper]:
        """The papers with these ids or aliases in the order asked, unknown ones left out.

        For None all of them, in order of first ingest.
        """
        view = self._view
        return view.catalogue.papers(ids) if view else []

    def identify(self, name: str) -> str | None:
        """The id of the paper that has this id or alias, None where there is none."""
        view = self._view
        return view.catalogue.identify(name) if view else None

    def sentences(self, ids: Sequence[str]) -> dict[str, list[Sentence]]:
        """Paper id -> the sentences of its abstract in order, with vectors; unknown ids are left out."""
        view = self._view
        if view is None:
            return {}
        papers = {paper.id: paper for paper in view.catalogue.papers(ids)}
        stored = view.catalogue.vectors(list(papers), view.state.dimension)
        found = {}
        for paper_id, vectors in stored.items():
            abstract = papers[paper_id].abstract or ""
            rows = vectors.sentences.astype(np.float32)
            found[paper_id] = [
                Sentence(paper_id, index, start, end, abstract[start:end], rows[index])
                for index, (start, end) in enumerate(vectors.spans)
            ]
        return {paper_id: found[paper_id] for paper_id in papers if paper_id in found}

    def lexical(self, query: str, top_k: int) -> list[Hit]:
        """The papers that match the query's words best, best first, with their BM25 score."""
        view = self._with_papers()
        return _present(view, view.lexical().search(query, top_k)) if view else []

    def holding(self, query: str, top_k: int) -> list[Hit]:
        """The papers that hold all words of the query, best first."""
        view = self._with_papers()
        return _present(view, view.lexical().search(query, top_k, every=True)) if view else []

    def nearest(self, vector: NDArray[np.float32], top_k: int) -> list[Hit]:
        """The papers whose best passage is nearest to the vector, best first, with its cosine."""
        view = self._with_papers()
        return _present(view, view.vectors().nearest(vector, top_k)) if view else []

    def doc_freq(self, terms: Sequence[str]) -> dict[str, int]:
        """Term -> number of papers that hold it, unstemmed; case and accents don't count."""
        view = self._with_papers()
        if view is None:
            return dict.fromkeys(terms, 0)
        lexical = view.lexical()
        return {term: lexical.doc_freq(term) for term in dict.fromkeys(terms)}

    def find_names(self, keys: Sequence[str]) -> dict[str, list[str]]:
        """Key -> ids of the papers with a name of that `text_key`; keys that name nothing are left out."""
        view = self._view
        return view.catalogue.named(keys) if view else {}

    def expansions(self, text: str) -> list[str]:
        """The collection's commonest long form of each acronym in the text, the acronym of each long form."""
        from corpus.acronyms import form_keys

        view = self._view
        found = view.catalogue.forms(form_keys(text)) if view else {}
        return [forms[0] for forms in found.values()]

    def spelled(self, query: str, top_k: int) -> list[Hit]:
        """The papers with words spelled most like the query's, best first: typos, compounds, inner words."""
        view = self._with_papers()
        return _present(view, view.lexical().spelled(query, top_k)) if view else []

    def close_terms(self, word: str, top_k: int = 3) -> list[str]:
        """Words of the collection that `word` may be a slip of, most frequent first; none for one it holds.

        They are one edit away (an exchange of neighbours is one), for words of six letters and more two.
        """
        from rapidfuzz.distance import OSA

        from corpus.lexical import fold_words, searchable

        view = self._with_papers()
        folded = fold_words(word)
        if view is None or len(folded) != 1 or len(folded[0]) < 3 or view.lexical().doc_freq(folded[0]):
            return []
        lexical = view.lexical()
        for distance in (1, 2) if len(folded[0]) > 5 else (1,):
            near = view.catalogue.papers(lexical.near(folded[0], distance, _TYPO_PAPERS))
            words = {one for paper in near for one in fold_words(searchable(paper))}
            close = Counter(
                {
                    one: lexical.doc_freq(one)
                    for one in sorted(words)
                    if OSA.distance(one, folded[0], score_cutoff=distance) <= distance
                }
            )
            if close:
                return [one for one, _ in close.most_common(top_k)]
        return []

    def _with_papers(self) -> View | None:
        """The state shown, None while it is empty; one whose indexes are gone gives way to the last."""
        view = self._view
        if view and view.size and not self._layout.lexical(view.state.generation).is_dir():
            self.refresh()
            view = self._view
        return view if view and view.size else None


def _present(view: View, hits: list[Hit]) -> list[Hit]:
    """The hits that are papers: a writer that was killed may have left entries of removed ones."""
    known = view.catalogue.known([hit.paper_id for hit in hits])
    return [hit for hit in hits if hit.paper_id in known]


def open_collection(
    home: Path, name: str, embedder: Embedder, *, chroma_url: str | None = None
) -> Collection:
    """The collection `name` in the data folder `home`, to be read; empty where there is none yet.

    StoreError where it was embedded with another model than `embedder`.
    """
    return Collection(Layout(home, name), embedder, chroma_url)
