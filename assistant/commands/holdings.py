"""The commands for whole collections: collections, backup, restore."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import asdict

from assistant.assistant import embedder_of
from assistant.commands.asking import confirmed
from assistant.config import Settings
from assistant.console import note, show_progress, write, write_json, write_table
from corpus.backups import back_up
from corpus.holdings import Holding, holdings, remove_collection, rename_collection
from corpus.restoring import restore as restore_collection


def collections(given: Namespace, settings: Settings) -> int:
    """The exit status; the collections are on stdout, or one is renamed or removed."""
    return {None: _list, "remove": _remove, "rename": _rename}[given.action](given, settings)


def backup(given: Namespace, settings: Settings) -> int:
    """The exit status; the collection as it is at one moment is in the file."""
    manifest = back_up(settings.home, settings.collection, given.file, force=given.force)
    size = given.file.stat().st_size
    write(f"{manifest.papers} papers of {manifest.collection!r} in {str(given.file)!r} ({_size(size)})")
    return 0


def restore(given: Namespace, settings: Settings) -> int:
    """The exit status; the collection is there again, with its indexes."""
    with show_progress() as progress:
        manifest = restore_collection(
            settings.home,
            given.file,
            given.collection,
            force=given.force,
            chroma_url=settings.chroma_url,
            step=(lambda done, total: progress("index", done, total)) if progress else None,
            wait=given.wait,
        )
    write(f"restored {manifest.papers} papers into {given.collection or manifest.collection!r}")
    return 0


def _list(given: Namespace, settings: Settings) -> int:
    found = holdings(settings.home)
    if given.json:
        write_json([asdict(one) for one in found])
    elif found:
        write_table(("name", "papers", "size", "version", ""), [_row(one) for one in found])
    else:
        note(f"There is no collection in {str(settings.home)!r} yet: `assistant ingest PATH` makes one.")
    return 0


def _row(one: Holding) -> tuple[str, ...]:
    said = one.fault or ("built in" if one.built_in else "")
    return (
        one.name,
        "?" if one.papers is None else str(one.papers),
        _size(one.bytes),
        one.version or "?",
        said,
    )


def _remove(given: Namespace, settings: Settings) -> int:
    found = [one for one in holdings(settings.home) if one.name == given.name]
    papers = f" with its {found[0].papers} papers" if found and found[0].papers is not None else ""
    if not confirmed(
        f"Remove the collection {given.name!r}{papers} for good?", (), yes=given.yes or not found
    ):
        note("Nothing was removed.")
        return 0
    remove_collection(settings.home, given.name, chroma_url=settings.chroma_url, wait=given.wait)
    write(f"removed the collection {given.name!r}{papers}")
    return 0


def _rename(given: Namespace, settings: Settings) -> int:
    rename_collection(
        settings.home,
        given.name,
        given.new,
        embedder_of(settings),
        chroma_url=settings.chroma_url,
        wait=given.wait,
    )
    write(f"{given.name!r} is {given.new!r} now")
    return 0


def _size(count: int) -> str:
    return f"{count / 1e6:.1f} MB" if count >= 100_000 else f"{count / 1e3:.0f} kB"
