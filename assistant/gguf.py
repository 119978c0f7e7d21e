"""A model in a GGUF file, run by a llama.cpp server inside this process; the door to xllamacpp."""

from __future__ import annotations

import importlib.util
import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant.address import Address
from assistant.config import Settings
from corpus.errors import ModelError

if TYPE_CHECKING:
    from assistant.endpoint import EndpointModel

_ENGINE = "xllamacpp"
_MAGIC = b"GGUF"
_SLOTS = 4
"""Requests that are answered at one time; more wait for their turn. Each has memory for a whole window."""

_BATCH = 128
"""Tokens of a prompt that are read in one go; nothing stops it, and no other request goes on meanwhile."""

_WINDOW = 8192
_PATIENCE = 10
_INSTALL = "pip install 'abstracts-assistant[gguf]'"


def open_gguf(settings: Settings) -> EndpointModel:
    """The model of the settings' file, loaded; ModelError where the file or the extra isn't usable."""
    path = gguf_path(settings)
    check_gguf(path)
    from assistant.attempt import Patience
    from assistant.endpoint import EndpointModel

    server = GgufServer(path, settings.context_window or _WINDOW)
    # The file runs on this machine: who is slow here is busy, not gone.
    patience = Patience(10.0, _PATIENCE * settings.llm_timeout, settings.llm_timeout)
    name = f"gguf:{path.name}"
    return EndpointModel(name, server.address, settings=settings, patience=patience, closed=server.close)


def gguf_path(settings: Settings) -> Path:
    """The file that the settings name."""
    return Path(settings.llm.removeprefix("gguf:")).expanduser()


def check_gguf(path: Path) -> None:
    """Nothing; ModelError where the file isn't a GGUF file or what runs it isn't installed."""
    try:
        with path.open("rb") as file:
            magic = file.read(len(_MAGIC))
    except FileNotFoundError as error:
        raise ModelError(
            f"there is no file {str(path)!r}; set ASSISTANT_LLM to gguf: and an existing file", "not_found"
        ) from error
    except OSError as error:
        raise ModelError(
            f"the model {str(path)!r} can't be read: {error.strerror}; check its permissions", "not_found"
        ) from error
    if magic != _MAGIC:
        raise ModelError(
            f"{str(path)!r} isn't a GGUF file: it starts with {magic!r}; get the model in the format GGUF",
            "invalid",
        )
    if importlib.util.find_spec(_ENGINE) is None:
        raise ModelError(f"{_ENGINE}, which runs {str(path)!r}, isn't installed; {_INSTALL}", "not_found")


class GgufServer:
    """A server on a free port of the loopback; its key keeps out others on this machine."""

    def __init__(self, path: Path, window: int) -> None:
        key = secrets.token_urlsafe(24)
        self._server: Any = _start(path, window, key)
        self.address = Address(self._server.listening_address + "/v1", key, proxies=False)

    def close(self) -> None:
        """Nothing; the server stops and its memory is free."""
        self._server = None


def _start(path: Path, window: int, key: str) -> Any:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.api_keys = [key]
    params.ui = False
    params.endpoint_slots = False
    params.verbosity = -1
    # By default it keeps old prompts in up to 8 GB of memory, and waits an hour for a request to be whole.
    params.cache_ram_mib = 0
    params.cache_idle_slots = False
    params.timeout_read = 30
    params.n_parallel = _SLOTS
    params.n_ctx = window * _SLOTS
    params.n_batch = params.n_ubatch = _BATCH
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = _threads()
    try:
        return xllamacpp.Server(params)
    except RuntimeError as error:
        raise ModelError(
            f"{str(path)!r} can't be loaded: the file is damaged, of a kind that xllamacpp "
            f"{_version()} doesn't know, or too large for the memory; get it again or choose a smaller one",
            "invalid",
        ) from error


def _threads() -> int:
    """All processors but one: llama.cpp's threads wait for each other without sleeping.

    Where one of them has to share its processor, a token of a small model took 3 s instead of 7 ms.
    """
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, usable - 1)


def _version() -> str:
    from importlib.metadata import version

    return version(_ENGINE)
