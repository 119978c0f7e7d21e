"""How many tokens a model takes and gives: from the settings, the endpoint's own word, or a safe guess."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from assistant.address import OPENAI, Address
from assistant.config import Settings
from corpus.errors import ModelError

_ASK_SECONDS = 2.0
_LARGEST = 4_000_000
_UNKNOWN_WINDOW = 8192
_UNKNOWN_OUTPUT = 1024
_KNOWN_OUTPUT = 4096
_LEAST_OUTPUT = 16
_WINDOW_KEYS = ("max_model_len", "context_length", "context_window", "max_context_length")
"""What vLLM, OpenRouter, Groq and LM Studio call it in their lists of models."""


@dataclass(frozen=True)
class Limits:
    """Tokens of prompt and answer together, and of the answer."""

    context_window: int
    max_output: int

    def room(self, prompt: int, wanted: int | None, model: str) -> int:
        """The output limit of a call; ModelError where the prompt leaves no room for an answer."""
        left = self.context_window - prompt
        limit = min(wanted or self.max_output, self.max_output)
        if left < min(limit, _LEAST_OUTPUT):
            raise ModelError(
                f"the prompt has about {prompt} tokens, and {model} takes {self.context_window} with the "
                "answer; ask about fewer papers, or set ASSISTANT_CONTEXT_WINDOW to what it takes",
                "overflow",
            )
        return min(limit, left)


def limits_of(model: str, address: Address, settings: Settings) -> Limits:
    """The limits of a model; an endpoint of one's own is asked, OpenAI's own isn't: it doesn't say."""
    from assistant.vendor import known_window

    known = known_window(model)
    asked = None
    if settings.context_window is None and address.url.rstrip("/") != OPENAI:
        asked = asked_window(model, address)
    window = settings.context_window or asked or known or _UNKNOWN_WINDOW
    output = settings.max_output or min(_KNOWN_OUTPUT if known else _UNKNOWN_OUTPUT, window // 2)
    return Limits(window, output)


def asked_window(model: str, address: Address) -> int | None:
    """The context window that the endpoint names, None where it names none within a few seconds."""
    base = address.url.rstrip("/")
    try:
        rows = model_rows(get_json(base + "/models", address, seconds=_ASK_SECONDS))
        if found := _window_of(model, rows):
            return found
        props = get_json(base.removesuffix("/v1") + "/props", address, seconds=_ASK_SECONDS)
    except (OSError, ValueError):
        return None
    settings = props.get("default_generation_settings") if isinstance(props, dict) else None
    return _tokens(settings.get("n_ctx")) if isinstance(settings, dict) else None


def model_rows(answer: Any) -> list[Mapping[str, Any]]:
    """The models of an endpoint's list, [] where it isn't one."""
    rows = answer.get("data") if isinstance(answer, dict) else answer
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def get_json(url: str, address: Address, *, seconds: float) -> Any:
    """What an address answers as JSON; OSError or ValueError where it doesn't within the seconds."""
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {address.sent_key}"})
    handlers = [] if address.proxies else [urllib.request.ProxyHandler({})]
    until = time.monotonic() + seconds
    with urllib.request.build_opener(*handlers).open(request, timeout=seconds) as response:
        body = b""
        while part := response.read1(65536):
            body += part
            if time.monotonic() > until or len(body) > _LARGEST:
                raise TimeoutError("the list of models doesn't end")
    return json.loads(body)


def _window_of(model: str, rows: list[Mapping[str, Any]]) -> int | None:
    # A server of one model answers to any name.
    row = next((row for row in rows if row.get("id") == model), rows[0] if len(rows) == 1 else None)
    return next(_windows(row), None) if row else None


def _windows(row: Mapping[str, Any]) -> Iterator[int]:
    for key in _WINDOW_KEYS:
        if found := _tokens(row.get(key)):
            yield found
    meta = row.get("meta")
    if isinstance(meta, dict) and (own := _tokens(meta.get("n_ctx"))):
        trained = _tokens(meta.get("n_ctx_train"))
        yield min(own, trained or own)


def _tokens(value: Any) -> int | None:
    return value if type(value) is int and value > 0 else None
