"""What a browser has chosen for its questions, as the values that it keeps."""

from __future__ import annotations

from typing import Any

from assistant.choices import Choices
from assistant.sources import MOST, SOURCES

FEWEST = 2
WRITERS = {"model": "The language model", "quotes": "Quotes from the abstracts"}
UNSUPPORTED = {"show": "Shown, and named as unsupported", "drop": "Left out"}


def choices_of(kept: object) -> Choices:
    """The choices that were kept; whatever isn't one is as if it weren't there."""
    fields: dict[str, Any] = kept if isinstance(kept, dict) else {}
    sources = fields.get("sources")
    within = isinstance(sources, int) and not isinstance(sources, bool) and FEWEST <= sources <= MOST
    unsupported = fields.get("unsupported")
    return Choices(
        model=fields.get("writer") != "quotes",
        unsupported=unsupported if isinstance(unsupported, str) and unsupported in UNSUPPORTED else None,
        sources=int(sources) if within and sources is not None else None,
    )


def kept_of(writer: object, unsupported: object, sources: object) -> dict[str, Any]:
    """The values of the page's fields as a browser keeps them."""
    count = int(sources) if isinstance(sources, int | float) else SOURCES
    return {
        "writer": "quotes" if writer == "quotes" else "model",
        "unsupported": unsupported if unsupported in UNSUPPORTED else None,
        "sources": None if count == SOURCES else count,
    }
