"""The doctor's look at the language model: is it there, does it take the key, does it know the model."""

from __future__ import annotations

import urllib.error
from typing import TYPE_CHECKING

from assistant.address import OPENAI, Address, address_from_environment
from assistant.config import Settings
from assistant.gguf import check_gguf, gguf_path
from assistant.limits import asked_window, get_json, model_rows
from corpus.errors import ModelError

if TYPE_CHECKING:
    from assistant.doctor import Check

_TIMEOUT_SECONDS = 5.0
_NAMED = 5


def check_llm(settings: Settings) -> Check:
    """One check of the model; nothing is generated, so nothing is paid for, and no GGUF file is loaded."""
    from assistant.doctor import Check

    name = f"LLM {settings.llm}"
    if settings.llm == "none":
        return Check(
            name, "no LLM is set, answers are quotes; set ASSISTANT_LLM or OPENAI_API_KEY for others"
        )
    try:
        if settings.llm.startswith("gguf:"):
            check_gguf(gguf_path(settings))
            return Check(name, f"{gguf_path(settings).stat().st_size / 1e9:.1f} GB")
        return Check(name, *_endpoint(settings, address_from_environment()))
    except ModelError as error:
        found, _, remedy = str(error).rpartition("; ")
        return Check(name, found, remedy)


def _endpoint(settings: Settings, address: Address) -> tuple[str, str]:
    """What was found, and what mends it."""
    shown = address.shown
    model = settings.llm.partition(":")[2]
    try:
        names = [str(row.get("id")) for row in model_rows(_models(address))]
    except urllib.error.HTTPError as error:
        error.close()
        if error.code in (401, 403):
            return f"{shown} refuses the key ({error.code})", "set OPENAI_API_KEY to a key that it takes"
        return f"{shown} answers ({error.code}), but lists no models", ""
    except OSError as error:
        reason = address.cleaned(str(getattr(error, "reason", error)))
        return (
            f"{shown} can't be reached: {reason}",
            "check OPENAI_BASE_URL and the connection, or set ASSISTANT_LLM=none",
        )
    except ValueError:
        return f"{shown} answers, but lists no models", ""
    if names and model not in names and not _of_one_model(names, address):
        listed = address.cleaned(", ".join(names[:_NAMED])) + (", ..." if len(names) > _NAMED else "")
        return (
            f"{shown} doesn't know {model!r}",
            f"set ASSISTANT_LLM to openai: and one of its models: {listed}",
        )
    return f"{shown} answers and takes the key{_window(settings, address)}", ""


def _models(address: Address) -> object:
    return get_json(address.url.rstrip("/") + "/models", address, seconds=_TIMEOUT_SECONDS)


def _of_one_model(names: list[str], address: Address) -> bool:
    # A llama.cpp server has one model and answers to any name.
    return len(names) == 1 and address.url.rstrip("/") != OPENAI and not address.key


def _window(settings: Settings, address: Address) -> str:
    window = settings.context_window
    if window is None and address.url.rstrip("/") != OPENAI:
        window = asked_window(settings.llm.partition(":")[2], address)
    return f"; context window {window} tokens" if window else ""
