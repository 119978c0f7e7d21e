"""What the browser asks of the Collection tab, checked: whatever it sends, it is one of these values."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from corpus.listing import SORTS, Wanted

_LONGEST = 400
_MARKED = 50


@dataclass(frozen=True)
class Asked:
    """The view that is asked for: the words searched, the filters, the table or the map."""

    query: str = ""
    wanted: Wanted = field(default_factory=Wanted)
    view: str = "table"
    marked: tuple[str, ...] = ()
    """Ids of the last answer's papers."""


def text_of(event: Any, name: str) -> str:
    """The event's value of that name as one line of text, "" where it has none."""
    value = getattr(event, name, "")
    return " ".join(value.split())[:_LONGEST] if isinstance(value, str) else ""


def exact_of(event: Any, name: str) -> str:
    """The event's value of that name just as it is, "" where it has none or one that is no value of ours."""
    value = getattr(event, name, "")
    return value if isinstance(value, str) and len(value) <= 4000 else ""


def asked_of(event: Any) -> Asked:
    """The view that an event of the form asks for."""
    sort, marked = text_of(event, "sort"), getattr(event, "marked", ())
    ids = [one for one in marked if isinstance(one, str)] if isinstance(marked, list) else []
    return Asked(
        text_of(event, "query"),
        Wanted(
            (_year(event, "first"), _year(event, "last")),
            exact_of(event, "venue"),
            exact_of(event, "source"),
            exact_of(event, "keyword"),
            sort if sort in SORTS else "added",
            _page(getattr(event, "page", 1)),
        ),
        "map" if getattr(event, "view", "") == "map" else "table",
        tuple(one[:_LONGEST] for one in ids[:_MARKED]),
    )


def turned(asked: Asked, event: Any) -> Asked:
    """The same view at the page that an event asks for."""
    return replace(asked, wanted=replace(asked.wanted, page=_page(getattr(event, "page", 1))))


def _year(event: Any, name: str) -> int | None:
    text = text_of(event, name)
    return int(text) if len(text) <= 4 and text.isascii() and text.isdigit() else None


def _page(value: object) -> int:
    return value if isinstance(value, int) and 0 < value < 10_000_000 else 1
