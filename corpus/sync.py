"""Changes to a collection: ingest, remove, rebuild. One process at a time; any may be killed any time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from corpus.acronyms import acronyms_of, form_key
from corpus.changes import delete_papers, write_changes
from corpus.embedder import Embedder
from corpus.errors import InputError
from corpus.labels import names_of
from corpus.layout import Layout
from corpus.leaving import Shrunk, Tally
from corpus.lost import check_existing
from corpus.making import make_vectors
from corpus.plan import make_plan
from corpus.planned import Planned
from corpus.readers.records import Notice, Record, Rejected
from corpus.stored import Change, StoredVectors, paper_digest
from corpus.writing import Store, build_generation, catch_up, move_on, open_store

Progress = Callable[[str, int, int], None]
"""Called with the stage ("read", "embed" or "write"), how much of it is done and there is (0: unknown)."""

# Papers embedded and then written at a time: what a reader waits for, and what memory holds.
_AT_ONCE = 1024
_TOLD_EVERY = 250


@dataclass(frozen=True)
class Report:
    """What an ingest did: records added, updated, unchanged, merged into papers; texts embedded.

    `notices` say what of the records that went in was left out; `without_abstract` counts those of them that
    can be listed and cited by their title only; `shrunk` are files that held more records when they were read
    before.
    """

    added: int
    updated: int
    unchanged: int
    merged: int
    rejected: tuple[Rejected, ...]
    embedded: int
    notices: tuple[Notice, ...] = ()
    without_abstract: int = 0
    shrunk: tuple[Shrunk, ...] = ()


def ingest(
    home: Path,
    name: str,
    records: Iterable[Record | Rejected],
    embedder: Embedder,
    *,
    chroma_url: str | None = None,
    progress: Progress | None = None,
    origin: str = "",
    wait: float = 0.0,
) -> Report:
    """What became of the records: plans all of them, then embeds and writes.

    Raises BusyError where another process writes for `wait` seconds. Killed at any moment, it leaves a
    collection that the next ingest completes. `origin` marks a collection that isn't the user's own.
    """
    tell = progress or _silent
    layout = Layout(home, name)
    with open_store(layout, embedder, chroma_url=chroma_url, origin=origin, wait=wait) as store:
        catch_up(store)
        tally = Tally()
        plan = make_plan(store.catalogue, tally.counted(_counted(records, tell)))
        shrunk = tally.shrunk(store.catalogue)
        total, done, embedded = len(plan.papers), 0, 0
        for batch in plan.papers.batches(_AT_ONCE):
            embedded += _write_batch(store, batch, embedder, _shifted(tell, done, total))
            done += len(batch)
            tell("write", done, total)
        counts = plan.added, plan.updated, plan.unchanged, plan.merged
        return Report(*counts, plan.rejected, embedded, plan.notices, plan.without_abstract, shrunk)


def remove(
    home: Path,
    name: str,
    ids: Sequence[str],
    embedder: Embedder,
    *,
    chroma_url: str | None = None,
    wait: float = 0.0,
) -> int:
    """The number of papers removed from every store; InputError, and nothing removed, for an unknown id."""
    layout = _existing(home, name)
    with open_store(layout, embedder, chroma_url=chroma_url, wait=wait) as store:
        papers = [store.catalogue.identify(one) for one in ids]
        found = sorted({paper_id for paper_id in papers if paper_id})
        if None in papers:
            raise InputError(
                f"The collection {name!r} has no paper {ids[papers.index(None)]!r}: "
                "`assistant papers` lists the ids. Nothing was removed."
            )
        with store.catalogue.transaction() as connection:
            delete_papers(connection, found)
            move_on(store, [f"-{one}" for one in found])
        catch_up(store)
        return len(found)


def rebuild(
    home: Path,
    name: str,
    embedder: Embedder,
    *,
    chroma_url: str | None = None,
    progress: Progress | None = None,
    wait: float = 0.0,
) -> None:
    """Nothing; makes both search indexes anew from the catalogue, without embedding."""
    tell = progress or _silent
    layout = _existing(home, name)
    with open_store(layout, embedder, chroma_url=chroma_url, origin=None, wait=wait) as store:
        build_generation(store, lambda done, total: tell("write", done, total))


def _existing(home: Path, name: str) -> Layout:
    layout = Layout(home, name)
    check_existing(layout)
    return layout


def _write_batch(
    store: Store, batch: Sequence[Planned], embedder: Embedder, step: Callable[[int], None]
) -> int:
    """The number of texts embedded; embeds and writes some planned papers."""
    made = make_vectors(store.catalogue, [one.paper for one in batch], embedder, step=step)
    changes = [_change(one, vectors) for one, vectors in zip(batch, made.vectors, strict=True)]
    with store.catalogue.transaction() as connection:
        write_changes(connection, changes)
        connection.execute("DELETE FROM pending")
        move_on(store, [f"{one.paper.id} {paper_digest(one.paper).hex()}" for one in batch])
    catch_up(store)
    return made.embedded


def _change(planned: Planned, vectors: StoredVectors) -> Change:
    names = tuple(names_of(planned.paper))
    pairs = acronyms_of(f"{planned.paper.title or ''}\n{planned.paper.abstract or ''}")
    forms = tuple(
        (form_key(one), other) for short, long in pairs for one, other in ((short, long), (long, short))
    )
    return Change(
        planned.paper,
        planned.given,
        names,
        forms,
        vectors,
        identities=planned.identities,
        records=planned.records,
        absorbs=planned.absorbs,
        facts=planned.facts,
    )


def _counted(records: Iterable[Record | Rejected], tell: Progress) -> Iterator[Record | Rejected]:
    """The records as they come, told of every so often: their number isn't known before the last."""
    done = 0
    for done, record in enumerate(records, 1):
        yield record
        if done % _TOLD_EVERY == 0:
            tell("read", done, 0)
    tell("read", done, done)


def _shifted(tell: Progress, before: int, total: int) -> Callable[[int], None]:
    return lambda done: tell("embed", before + done, total)


def _silent(stage: str, done: int, total: int) -> None:
    """Nothing: progress that nobody asked for."""
