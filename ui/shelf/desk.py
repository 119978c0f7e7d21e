"""What the Collection tab shows and does, as values and HTML strings. Nothing here knows Gradio."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from assistant.library import Library
from corpus import sync
from corpus.atlas import Atlas
from corpus.errors import BusyError, InputError
from corpus.layout import BUILT_IN
from corpus.listing import Wanted
from corpus.readers import read_path
from corpus.sync import Progress, Report
from ui.shelf.asked import Asked
from ui.shelf.dots import map_html, waiting_html
from ui.shelf.importing import Import, Imports, forget
from ui.shelf.paper import gone_html, paper_html
from ui.shelf.table import table_html

OWN = "default"
"""Where files go that are added while the built-in collection is shown."""
_FOUND = 10_000
_NEAR = 50


class Desk:
    """The tab over one library; safe to share between threads, holds nothing of any user."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.imports = Imports()
        self._atlas = Atlas()

    def table(self, name: str, asked: Asked) -> str:
        """The page of papers that is asked for."""
        ranked, near = self._found(name, asked.query)
        page = self.library.listing(name).page(asked.wanted, ranked)
        return table_html(page, query=asked.query, near=near, narrowed=asked.wanted.narrows)

    def map(self, name: str, asked: Asked) -> Iterator[str]:
        """The map that is asked for, after a word where it has to be laid out first."""
        layout, listing = self.library.layout(name), self.library.listing(name)
        if not self._atlas.ready(layout, listing.version):
            yield waiting_html()
        places = self._atlas.places(layout)
        ranked, _ = self._found(name, asked.query)
        narrows = ranked is not None or asked.wanted.narrows
        matching = listing.keys(asked.wanted, ranked) if narrows else None
        yield map_html(listing.dots(), places, matching, asked.marked)

    def paper(self, name: str, paper_id: str) -> str:
        """The page of a paper, or that it is gone."""
        listing = self.library.listing(name)
        paper = listing.paper(paper_id)
        if paper is None:
            return gone_html("This paper is no longer in the collection.")
        return paper_html(paper, listing.raw(paper.id), removable=name != BUILT_IN)

    def remove(self, name: str, paper_id: str) -> str:
        """What stands in the paper's place once it is removed from every store."""
        paper = self.library.listing(name).paper(paper_id)
        if name == BUILT_IN:
            raise InputError(f"The collection {name!r} is built in and stays as it is.")
        if paper is None:
            return gone_html("This paper was gone already.")
        settings = self.library.settings
        try:
            sync.remove(
                settings.home, name, [paper.id], self.library.embedder, chroma_url=settings.chroma_url
            )
        except BusyError as error:
            raise BusyError(
                f"Papers are being added to {name!r} just now. Nothing was removed; try again after that."
            ) from error
        return gone_html(f"“{paper.label[:120]}” was removed from {name}.")

    def start(self, name: str, files: Sequence[Path]) -> Import:
        """The import of uploaded files; into `default` where the built-in collection is shown."""
        target = OWN if name == BUILT_IN else name
        note = (
            f"The built-in collection stays as it is: these papers go to “{OWN}”, which is shown from now on."
            if target != name
            else ""
        )
        if not files:
            raise InputError("No file arrived; add it again.")
        try:
            self.library.layout(target)
        except InputError:
            forget(files)
            raise

        def work(tell: Progress) -> Report:
            settings = self.library.settings
            records = chain.from_iterable(read_path(file) for file in files)
            return sync.ingest(
                settings.home,
                target,
                records,
                self.library.embedder,
                chroma_url=settings.chroma_url,
                progress=tell,
            )

        job = self.imports.start(target, work, files, note)
        if job is None:
            raise BusyError(f"Papers are being added to {target!r} already; add these when that is done.")
        return job

    def _found(self, name: str, query: str) -> tuple[list[str] | None, bool]:
        """The ids of the papers for a query, best first, and whether they are only near it; None for all."""
        if not query:
            return None, False
        assistant = self.library.assistant(name)
        collection = assistant.collection
        collection.refresh()
        if collection.name != name:
            return [], False
        whole = [hit.paper_id for hit in collection.holding(query, _FOUND)]
        if whole or collection.size == 0:
            return whole, False
        return [hit.paper_id for hit in assistant.search(query, top_k=_NEAR)], True


def plain() -> Asked:
    """The view that a collection is first shown in."""
    return Asked(wanted=Wanted())
