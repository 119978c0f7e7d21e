"""Checks of this installation: what each found and, for a fault, what mends it."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sqlite3
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from assistant.config import Settings
from corpus.errors import AssistantError, InputError

_FREE_BYTES = 500_000_000
_SQLITE = (3, 35, 0)
_ENDPOINT = "https://api.openai.com/v1"
_TIMEOUT_SECONDS = 5


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
    name = f"LLM {settings.llm}"
    if settings.llm == "none":
        return Check(name, "answers are quotes; set ASSISTANT_LLM or OPENAI_API_KEY for others")
    if settings.llm.startswith("gguf:"):
        path = Path(settings.llm.removeprefix("gguf:")).expanduser()
        if not path.is_file():
            return Check(
                name, f"there is no file {str(path)!r}", "set ASSISTANT_LLM to gguf: and an existing file"
            )
        if importlib.util.find_spec("llama_cpp") is None:
            return Check(name, "llama-cpp-python isn't installed", "install llama-cpp-python")
        return Check(name, f"{path.stat().st_size / 1e9:.1f} GB")
    return _endpoint(name)


def _endpoint(name: str) -> Check:
    """Whether the endpoint answers and takes the key; nothing is generated, so nothing is paid for."""
    url = os.environ.get("OPENAI_BASE_URL") or _ENDPOINT
    key = os.environ.get("OPENAI_API_KEY")
    if not url.startswith(("http://", "https://")):
        return Check(
            name, f"OPENAI_BASE_URL is {url!r}", "set it to a URL that starts with http:// or https://"
        )
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    try:
        request = urllib.request.Request(url.rstrip("/") + "/models", headers=headers)
        with urllib.request.urlopen(request, timeout=_TIMEOUT_SECONDS) as response:
            return Check(name, f"{url} answers ({response.status})")
    except urllib.error.HTTPError as error:
        if error.code in (401, 403):
            return Check(
                name, f"{url} refuses the key ({error.code})", "set OPENAI_API_KEY to a key that it takes"
            )
        return Check(name, f"{url} answers ({error.code})")
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        remedy = "check OPENAI_BASE_URL and the connection, or set ASSISTANT_LLM=none"
        return Check(name, f"{url} can't be reached: {reason}", remedy)
