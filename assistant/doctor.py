"""Checks of this installation: what each found and, for a fault, what mends it."""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from assistant.config import Settings
from corpus.errors import AssistantError, InputError

_FREE_BYTES = 500_000_000
_SQLITE = (3, 35, 0)


@dataclass(frozen=True)
class Check:
    """One thing looked at; `remedy` is "" where it is well."""

    name: str
    found: str
    remedy: str = ""

    @property
    def well(self) -> bool:
        """True where there is nothing to mend."""
        return not self.remedy


def examine(settings: Settings) -> Iterator[Check]:
    """All checks, one after the other; none of them changes anything."""
    yield _python()
    yield _sqlite()
    yield _folder(settings.home)
    yield _disk(settings.home)
    yield from _models()
    yield from _stores(settings)
    yield _llm(settings)


def _python() -> Check:
    version = ".".join(map(str, sys.version_info[:3]))
    well = sys.version_info >= (3, 11)
    return Check(
        "Python", version, "" if well else "install Python 3.11 or later and run `make install` again"
    )


def _sqlite() -> Check:
    well = sqlite3.sqlite_version_info >= _SQLITE
    remedy = "" if well else f"use a Python built with SQLite {'.'.join(map(str, _SQLITE))} or later"
    return Check("SQLite", sqlite3.sqlite_version, remedy)


def _folder(home: Path) -> Check:
    nearest = next(folder for folder in (home, *home.parents) if folder.exists())
    if not nearest.is_dir():
        return Check("data folder", f"{str(nearest)!r} is a file", "set ASSISTANT_HOME to a folder")
    if not os.access(nearest, os.W_OK | os.X_OK):
        remedy = "give yourself the right to write there, or set ASSISTANT_HOME to another folder"
        return Check("data folder", f"{str(nearest)!r} can't be written to", remedy)
    return Check("data folder", str(home) + ("" if home.exists() else " (made at the first ingest)"))


def _disk(home: Path) -> Check:
    nearest = next(folder for folder in (home, *home.parents) if folder.exists())
    free = shutil.disk_usage(nearest).free
    remedy = (
        "" if free >= _FREE_BYTES else f"free {(_FREE_BYTES - free) / 1e6:.0f} MB, or move ASSISTANT_HOME"
    )
    return Check("disk", f"{free / 1e9:.1f} GB free", remedy)


def _models() -> Iterator[Check]:
    from corpus.embedder import MODEL, TOKENIZER, read_checked

    for file in (MODEL, TOKENIZER):
        name = f"model file {Path(file.path).name}"
        try:
            read_checked(file)
        except AssistantError as error:
            yield Check(name, str(error), f"install {file.distribution} again: run `make install`")
        else:
            yield Check(name, f"SHA-256 {file.sha256[:12]} as expected")


def _stores(settings: Settings) -> Iterator[Check]:
    from assistant.commands.chosen import check_collection
    from corpus.embedder import LocalEmbedder
    from corpus.health import check_stores

    if settings.embeddings != "local":
        return
    try:
        check_collection(settings)
    except InputError as error:
        yield Check(
            "collection", str(error), "name one that is there with --collection or ASSISTANT_COLLECTION"
        )
        return
    except AssistantError:
        pass  # found below, with its remedy
    url = settings.chroma_url
    for finding in check_stores(settings.home, settings.collection, LocalEmbedder(), chroma_url=url):
        yield Check(finding.name, finding.found, finding.remedy)


def _llm(settings: Settings) -> Check:
    from assistant.llm_check import check_llm

    return check_llm(settings)
