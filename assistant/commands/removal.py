"""The command that takes papers out of a collection: remove."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from contextlib import closing

from assistant.assistant import embedder_of
from assistant.commands.asking import confirmed
from assistant.commands.chosen import chosen_papers
from assistant.config import Settings
from assistant.console import note, write
from assistant.retrieve import Filters
from corpus import sync
from corpus.catalogue import Catalogue
from corpus.collection import Collection, open_collection
from corpus.errors import InputError, StoreError
from corpus.layout import BUILT_IN, Layout
from corpus.leaving import papers_of, remove_source
from corpus.lost import check_existing


def remove(given: Namespace, settings: Settings) -> int:
    """The exit status; the papers are gone from every store; with an unknown one none is."""
    by_words = given.query is not None or given.year is not None or bool(given.author)
    if [bool(given.ids), given.source is not None, by_words].count(True) != 1:
        raise InputError(
            "say what to remove in one way: by ID, by --source FILE, or by --query, --year and --author"
        )
    if settings.collection == BUILT_IN:
        raise InputError(f"The collection {BUILT_IN!r} is built in and stays as it is.")
    check_existing(Layout(settings.home, settings.collection))
    if given.source is not None:
        return _remove_source(given, settings)
    collection = open_collection(
        settings.home, settings.collection, embedder_of(settings), chroma_url=settings.chroma_url
    )
    if given.ids:
        return _remove(chosen_papers(given.ids, collection), collection, given, settings)
    ids = _matching(given, collection)
    if not ids:
        note("No paper matches; nothing was removed.")
        return 0
    if not confirmed(f"Remove {_papers(ids)}?", _lines(ids, collection), yes=given.yes):
        note("Nothing was removed.")
        return 0
    return _remove(ids, collection, given, settings)


def _remove(ids: Sequence[str], collection: Collection, given: Namespace, settings: Settings) -> int:
    lines = _lines(ids, collection)
    count = sync.remove(
        settings.home,
        settings.collection,
        ids,
        embedder_of(settings),
        chroma_url=settings.chroma_url,
        wait=given.wait,
    )
    _say(count, lines)
    return 0


def _remove_source(given: Namespace, settings: Settings) -> int:
    embedder = embedder_of(settings)
    collection = open_collection(settings.home, settings.collection, embedder, chroma_url=settings.chroma_url)
    with closing(Catalogue(Layout(settings.home, settings.collection).catalogue)) as catalogue:
        leaving = papers_of(catalogue, given.source)
    lines = _lines(leaving.only, collection)
    question = (
        f"Remove {_papers(leaving.only)} read from {leaving.file!r} only, and the file from the sources of "
        f"{_papers(leaving.others)}?"
    )
    if not confirmed(question, lines, yes=given.yes):
        note("Nothing was removed.")
        return 0
    gone = remove_source(
        settings.home,
        settings.collection,
        leaving.file,
        embedder,
        chroma_url=settings.chroma_url,
        wait=given.wait,
    )
    shown = dict(zip(leaving.only, lines, strict=True))
    _say(len(gone.only), [shown.get(one, one) for one in gone.only])
    if gone.others:
        write(f"kept {len(gone.others)} that other files hold; {gone.file!r} is no source of theirs now")
    return 0


def _matching(given: Namespace, collection: Collection) -> list[str]:
    """The ids of the papers that hold all words of the query, whole, and pass the filters."""
    from corpus.lexical import fold_words, searchable

    words = set(fold_words(given.query or ""))
    if given.query is not None and not words:
        raise InputError(f"the query is {given.query!r}, which holds no word")
    filters = Filters(years=given.year, authors=tuple(given.author))
    return [
        paper.id
        for paper in collection.papers()
        if filters.allow(paper) and words <= set(fold_words(searchable(paper)))
    ]


def _lines(ids: Sequence[str], collection: Collection) -> list[str]:
    """A line a paper; of a damaged one there is only the id."""
    try:
        labels = {paper.id: paper.label for paper in collection.papers(ids)}
    except StoreError:
        labels = {}
    return [f"{one}\t{labels[one]}" if one in labels else one for one in ids]


def _say(count: int, lines: Sequence[str]) -> None:
    write(f"removed {count}")
    for line in lines:
        write(f"  {line}")


def _papers(ids: Sequence[str]) -> str:
    return f"{len(ids)} paper{'' if len(ids) == 1 else 's'}"
