"""How many tokens a prompt has; imported only where an LLM is used."""

from __future__ import annotations

import importlib.util
import math
import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import tiktoken

from assistant.models import Message

_SHIPPED = ("o200k_base", "cl100k_base")
_FRAME = 4
"""Tokens around each message of OpenAI's: its role and its marks; three more open the answer."""

_UNKNOWN_FACTOR = 1.2
_UNKNOWN_FRAME = 8
_UNKNOWN_START = 32
"""Other vendors' templates may put a system message of their own before the prompt."""


def count_tokens(model: str, messages: Sequence[Message]) -> int:
    """The tokens of the messages for this model; for models that aren't OpenAI's rather too many."""
    name = _known_encoding(model)
    texts = sum(count_text(message.content, name or _SHIPPED[0]) for message in messages)
    if name:
        return texts + _FRAME * len(messages) + 3
    return math.ceil(texts * _UNKNOWN_FACTOR) + _UNKNOWN_FRAME * len(messages) + _UNKNOWN_START


def count_text(text: str, encoding: str = _SHIPPED[0]) -> int:
    """The tokens of one text in an encoding of tiktoken's."""
    # Marks such as <|endoftext|> in an abstract are text like any other.
    return len(_encoding(encoding).encode(text, disallowed_special=()))


def _known_encoding(model: str) -> str | None:
    """The name of OpenAI's encoding for a model, where it is one that needs no download."""
    try:
        name = tiktoken.encoding_name_for_model(model)
    except KeyError:
        return None
    return name if name in _SHIPPED else None


@cache
def _encoding(name: str) -> tiktoken.Encoding:
    # tiktoken downloads its tables, unless it finds them here. llama-index ships them; asking where its
    # package lies doesn't import it.
    spec = importlib.util.find_spec("llama_index.core")
    if spec and spec.origin:
        tables = Path(spec.origin).parent / "_static" / "tiktoken_cache"
        os.environ.setdefault("TIKTOKEN_CACHE_DIR", str(tables))
    return tiktoken.get_encoding(name)
