"""What is kept of a conversation, as values."""

from __future__ import annotations

import json
import unicodedata
from dataclasses import dataclass
from hashlib import sha256
from re import fullmatch
from typing import Literal

from assistant.answer import Answer
from assistant.lines import answer_of
from corpus.papers import storable

State = Literal["running", "elsewhere", "cut", "answered", "stopped", "failed"]
"""What became of a question: `elsewhere` another process writes its answer, `cut` the writer ended first."""

LONGEST_TITLE = 120
_SHORT_TITLE = 60


@dataclass(frozen=True)
class Kept:
    """One question of a kept conversation and what came of it."""

    number: int
    question: str
    asked: float
    state: State
    collection: str = ""
    text: str = ""
    fault: str = ""
    answer: Answer | None = None


@dataclass(frozen=True)
class Talk:
    """A kept conversation as the list shows it."""

    id: str
    title: str
    created: float
    changed: float
    running: bool = False


@dataclass(frozen=True)
class Listing:
    """The newest conversations of one owner; `version` grows with each change of any of them."""

    talks: tuple[Talk, ...]
    total: int
    version: int


def owner_of(login: str | None, browser: str | None) -> str:
    """Whose the conversations are: the login's, else the browser's by its random id; "" is nobody.

    Who reads the file doesn't learn the browser's id, with which anybody could ask for its conversations.
    """
    if login:
        return f"login {storable(login)}"
    if isinstance(browser, str) and fullmatch(r"[0-9a-f]{32}", browser):
        return f"browser {sha256(browser.encode()).hexdigest()}"
    return ""


def title_of(question: str) -> str:
    """A conversation's name, from its first question: as many whole words as fit."""
    words = " ".join(question.split())
    if len(words) <= _SHORT_TITLE:
        return words
    cut = words[:_SHORT_TITLE].rpartition(" ")[0] or words[:_SHORT_TITLE]
    return cut.rstrip(" ,;:.") + "…"


def folded(text: str) -> str:
    """The text as it is searched: without accents and case."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(part for part in parts if not unicodedata.combining(part))


def packed(answer: Answer | None) -> str | None:
    """The whole answer as one JSON object."""
    return None if answer is None else storable(json.dumps(answer.to_dict(), ensure_ascii=False))


def unpacked(text: str | None) -> Answer | None:
    """The answer again; None where another version of this program kept what this one can't read."""
    try:
        return None if text is None else answer_of(json.loads(text))
    except (ValueError, RecursionError):
        return None
