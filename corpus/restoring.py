"""Restoring a collection from a backup: made aside, checked, indexed, then put in place in one step."""

from __future__ import annotations

import os
import secrets
import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from corpus.backups import CATALOGUE, Manifest, read_manifest, unpack
from corpus.catalogue import Catalogue
from corpus.database import translated
from corpus.errors import AssistantError, InputError, StoreError
from corpus.indexes import Indexes, drop_generation, remove_outdated
from corpus.layout import BUILT_IN, FEEDBACK, Layout
from corpus.lock import writer_lock
from corpus.remedies import remedy_for
from corpus.stored import State

_AT_ONCE = 1024
Step = Callable[[int, int], None]


def restore(
    home: Path,
    path: Path,
    name: str | None = None,
    *,
    force: bool = False,
    chroma_url: str | None = None,
    step: Step | None = None,
    wait: float = 0.0,
) -> Manifest:
    """What was restored into the collection `name`, or the one that the backup names; nothing is embedded.

    InputError, and nothing changed, for a torn or foreign file and for a collection that holds papers, unless
    `force`. Killed at any moment, it leaves the collection as it was or as the backup has it.
    """
    manifest = read_manifest(path)
    layout = Layout(home, name or manifest.collection)
    if layout.name == BUILT_IN:
        raise InputError(
            f"The collection {BUILT_IN!r} is built in: restore into another with --collection NAME."
        )
    try:
        home.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".restoring-", dir=home) as aside:
            made = Layout(Path(aside), layout.name)
            made.folder.mkdir()
            manifest = unpack(path, made.folder)
            _check(path, made, manifest)
            if _is_free(layout):
                _renumber(made, None)
                _index(made, chroma_url, step)
                made.folder.rename(layout.folder)
            else:
                with writer_lock(layout, wait):
                    _replace(made, layout, force=force, chroma_url=chroma_url, step=step)
    except OSError as error:
        remedy = remedy_for(error, "check the path, its permissions and the disk")
        raise StoreError(f"{str(path)!r} can't be restored: {error.strerror or error}; {remedy}.") from error
    return manifest


def _is_free(layout: Layout) -> bool:
    """Whether there is no folder of this name, or an empty one."""
    return not layout.folder.exists() or not any(layout.folder.iterdir())


def _check(path: Path, made: Layout, manifest: Manifest) -> None:
    """Nothing; InputError where the unpacked catalogue isn't one, whatever its checksum says."""
    try:
        with closing(Catalogue(made.catalogue)) as catalogue:
            strange = catalogue.rows("SELECT name FROM sqlite_master WHERE type NOT IN ('table', 'index')")
            state = catalogue.state()
            whole = catalogue.rows("PRAGMA quick_check(1)")[0][0] == "ok"
            good = whole and not strange and state and catalogue.size() == manifest.papers
            if good and state:
                for ids in catalogue.batches(_AT_ONCE):
                    catalogue.papers(ids)
                    catalogue.vectors(ids, state.dimension)
    except AssistantError as error:
        raise InputError(
            f"The catalogue in {str(path)!r} can't be used: {error} Nothing was restored."
        ) from error
    if not good:
        raise InputError(f"The catalogue in {str(path)!r} isn't that of a collection: nothing was restored.")


def _renumber(made: Layout, current: State | None) -> State:
    """The restored catalogue's facts: a user's own, and a state that no reader takes for the one it knows."""
    with closing(Catalogue(made.catalogue)) as catalogue:
        state = catalogue.state()
        assert state is not None
        new = replace(
            state,
            uid=current.uid if current else secrets.token_hex(4),
            origin="",
            generation=current.generation + 1 if current else 1,
            change=max(state.change, current.change if current else 0) + 1,
        )
        with catalogue.transaction() as connection:
            connection.execute("DELETE FROM unindexed")
            connection.execute("DELETE FROM pending")
            connection.execute(
                "UPDATE state SET uid = ?, origin = ?, generation = ?, change = ?",
                (new.uid, new.origin, new.generation, new.change),
            )
    return new


def _index(made: Layout, chroma_url: str | None, step: Step | None) -> None:
    """Nothing; makes both indexes of the restored catalogue beside it."""
    with closing(Catalogue(made.catalogue)) as catalogue:
        state = catalogue.state()
        assert state is not None
        if not catalogue.size():
            return
        drop_generation(made, state, chroma_url)
        indexes = Indexes(made, state, chroma_url, create=True)
        try:
            done, total = 0, catalogue.size()
            for ids in catalogue.batches(_AT_ONCE):
                indexes.put(catalogue, ids, state.dimension)
                done += len(ids)
                if step:
                    step(done, total)
        finally:
            indexes.close()


def _replace(made: Layout, layout: Layout, *, force: bool, chroma_url: str | None, step: Step | None) -> None:
    """Nothing; gives the collection the content of `made`, while this process alone may write to it."""
    current = _current(layout)
    if not force:
        held = f"holds {current[1]} papers" if current else "is there, without a catalogue that can be read"
        if current is None or current[1]:
            raise InputError(
                f"The collection {layout.name!r} {held}: restore into another with --collection NAME, or say "
                "--force to replace it. Nothing was restored."
            )
    new = _renumber(made, current[0] if current else None)
    _index(made, chroma_url, step)
    if current is None:
        # What can't be read is kept beside, for whoever can mend it.
        for path in [*layout.folder.glob(f"{CATALOGUE}*"), *layout.outdated(0)]:
            shutil.rmtree(path) if path.is_dir() else path.rename(f"{path}.damaged")
    _move_indexes(made, layout, new)
    _copy_catalogue(made, layout)
    _unite_feedback(made, layout)
    remove_outdated(layout, new)
    if current:
        drop_generation(layout, current[0], chroma_url)


def _current(layout: Layout) -> tuple[State, int] | None:
    """The state and the number of papers of a catalogue that can be read."""
    if not layout.catalogue.is_file():
        return None
    try:
        with closing(Catalogue(layout.catalogue)) as catalogue:
            state = catalogue.state()
            return (state, catalogue.size()) if state else None
    except StoreError:
        return None


def _move_indexes(made: Layout, layout: Layout, new: State) -> None:
    """Nothing; a generation that the catalogue doesn't name yet, so that nobody looks at it."""
    for find in (Layout.vectors, Layout.lexical):
        source, target = find(made, new.generation), find(layout, new.generation)
        if target.exists():
            shutil.rmtree(target)
        if source.exists():
            source.rename(target)


def _copy_catalogue(made: Layout, layout: Layout) -> None:
    """Nothing; in one transaction of SQLite, which readers see as a whole and a kill undoes."""
    source = Catalogue(made.catalogue)
    try:
        with translated(layout.catalogue), closing(sqlite3.connect(layout.catalogue, timeout=30)) as target:
            target.execute("PRAGMA synchronous = FULL")
            source.copy_to(target)
    finally:
        source.close()


def _unite_feedback(made: Layout, layout: Layout) -> None:
    """Nothing; what people said before and what the backup has of it, each once."""
    restored, here = made.folder / FEEDBACK, layout.folder / FEEDBACK
    if not restored.is_file():
        return
    lines = [*restored.read_bytes().splitlines(), *(here.read_bytes().splitlines() if here.is_file() else [])]
    restored.write_bytes(b"".join(line + b"\n" for line in dict.fromkeys(lines)))
    os.replace(restored, here)
