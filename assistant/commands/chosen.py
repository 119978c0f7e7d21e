"""The papers and the collection that a command line names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from corpus.errors import InputError
from corpus.papers import Paper, text_key
from corpus.short import shortened

if TYPE_CHECKING:
    from assistant.config import Settings
    from corpus.collection import Collection

_SHOWN = 5
_NEAR = 3
# Of 100: from this likeness on a label may be what was meant.
_LIKE = 60


def chosen_papers(refs: Iterable[str], collection: Collection) -> tuple[str, ...]:
    """The ids of the papers that these are: ids, aliases, DOIs, arXiv ids, labels, beginnings of abstracts.

    InputError, with what is near, for one that is no paper or may be several.
    """
    return tuple(dict.fromkeys(_chosen(ref, collection) for ref in refs))


def check_collection(settings: Settings) -> None:
    """Nothing; InputError with the names near it where the collection asked for doesn't exist."""
    from corpus.layout import BUILT_IN, Layout
    from corpus.lost import check_existing

    if settings.collection not in ("default", BUILT_IN):
        check_existing(Layout(settings.home, settings.collection))


def _chosen(ref: str, collection: Collection) -> str:
    known = collection.identify(ref)
    if known:
        return known
    key = text_key(ref)
    named = collection.papers(collection.find_names([key]).get(key, [])) if key else []
    found = [paper.id for paper in named if text_key(paper.label) == key] or [paper.id for paper in named]
    if not found:
        from assistant.refs import RefIndex

        papers = collection.papers()
        found = list(RefIndex(papers).find(ref))
    if len(found) == 1:
        return found[0]
    if found:
        several = ", ".join(f"{paper.id} ({paper.label})" for paper in collection.papers(found[:_SHOWN]))
        raise InputError(f"{shortened(ref)!r} may be {len(found)} papers: give the id of one: {several}.")
    raise InputError(
        f"The collection {collection.name!r} has no paper {shortened(ref)!r}{_near(ref, papers)}: "
        "`assistant papers` lists the ids."
    )


def _near(ref: str, papers: list[Paper]) -> str:
    from rapidfuzz import process

    names = {paper.id: paper.label for paper in papers} | {f"{p.id} itself": p.id for p in papers}
    found = process.extract(ref, names, limit=_NEAR, score_cutoff=_LIKE, processor=str.casefold)
    ids = dict.fromkeys(name.removesuffix(" itself") for _, _, name in found)
    by_id = {paper.id: paper for paper in papers}
    return "; near it: " + ", ".join(f"{by_id[one].label} ({one})" for one in ids) if ids else ""
