"""The Settings tab's words as HTML strings. No key and no password gets here."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import PurePath
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from assistant.config import Settings
    from assistant.doctor import Check


def model_html(settings: Settings | None, endpoint: str, *, key: bool) -> str:
    """The state of the language model: which, where, whether a key is set; never the key."""
    if settings is None or settings.llm == "none":
        return (
            "<p>None is set: answers are quotes, in the abstracts' own words. To set one, start the program "
            "with <code>ASSISTANT_LLM</code>, and <code>OPENAI_API_KEY</code> or "
            "<code>OPENAI_BASE_URL</code>, in its environment.</p>"
        )
    rows = [("Model", model_name(settings.llm))]
    if settings.llm.startswith("openai:"):
        rows += [("Endpoint", endpoint or "none")]
        rows += [("Key", "set on the server, and never sent here" if key else "none")]
    else:
        rows += [("Runs", "in this program, on this machine")]
    return listed(rows)


def endpoint_host(shown: str) -> str:
    """Host and port of an address."""
    try:
        return urlsplit(shown).netloc.rpartition("@")[2]
    except ValueError:
        return ""


def model_name(llm: str) -> str:
    """The model's name, a GGUF file's without its folder."""
    kind, _, name = llm.partition(":")
    return PurePath(name).name if kind == "gguf" else name


def check_html(check: Check, llm: str) -> str:
    """What the test of the connection found, and what mends it."""
    found, remedy = (_without_folder(text, llm) for text in (check.found, check.remedy))
    if check.well:
        return f'<p class="well" role="status">It works: {escape(found)}.</p>'
    return (
        f'<p class="fault" role="alert">It doesn’t work: {escape(found)}. To mend it, {escape(remedy)}.</p>'
    )


def about_html(rows: Sequence[tuple[str, str]]) -> str:
    """Versions, the collection, the data folder where it may be seen."""
    return listed(rows)


def listed(rows: Sequence[tuple[str, str]]) -> str:
    """Names and values."""
    items = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in rows)
    return f'<dl class="facts">{items}</dl>'


def _without_folder(text: str, llm: str) -> str:
    kind, _, name = llm.partition(":")
    folder = str(PurePath(name).parent)
    return text.replace(f"{folder}/", "") if kind == "gguf" and folder != "." else text
