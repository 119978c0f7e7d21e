"""The list of conversations as HTML: by day, the open one marked, each with what can be done to it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from html import escape
from itertools import groupby

from ui.talks.kept import Listing, Talk

SHOWN = 50
"""Conversations listed at first, and how many more each time."""
_ACTS = (
    ("rename", "Rename"),
    ("markdown", "Export as Markdown"),
    ("json", "Export as JSON"),
    ("delete", "Delete"),
)


def listing_html(
    listing: Listing,
    *,
    chosen: str = "",
    searched: str = "",
    undo: Talk | None = None,
    trouble: str = "",
    today: date | None = None,
) -> str:
    """The list; `undo` is a conversation just deleted, `trouble` what the reader should know of the store."""
    day = today or date.today()
    groups = groupby(listing.talks, key=lambda talk: _day(talk.changed, day))
    parts = [_note(trouble), _undo(undo), *(_group(name, list(talks), chosen) for name, talks in groups)]
    if not listing.talks:
        nothing = "No conversation holds these words." if searched.strip() else "No conversations yet."
        parts.append(f'<p class="none">{nothing}</p>')
    left = listing.total - len(listing.talks)
    if left > 0:
        parts.append(
            f'<button type="button" class="further" data-act="further">Show more ({left:,} left)</button>'
        )
    return f'<div class="talks" data-version="{listing.version}">{"".join(parts)}</div>'


def unkept_html(reason: str) -> str:
    """One line that says why something isn't kept."""
    return f'<p class="unkept" role="status">{escape(" ".join(reason.split()))}</p>'


def _group(name: str, talks: Sequence[Talk], chosen: str) -> str:
    items = "".join(_item(talk, talk.id == chosen) for talk in talks)
    return f"<section><h3>{name}</h3><ul>{items}</ul></section>"


def _item(talk: Talk, chosen: bool) -> str:
    id, title = escape(talk.id), escape(talk.title)
    mark = ' aria-current="true"' if chosen else ""
    busy = '<span class="busy"><span class="unseen">, being answered</span></span>' if talk.running else ""
    acts = "".join(f'<button type="button" data-act="{act}">{name}</button>' for act, name in _ACTS)
    return (
        f'<li class="talk" data-talk="{id}"><button type="button" class="open" data-act="open" '
        f'title="{title}"{mark}><span class="name">{title}</span>{busy}</button>'
        f'<button type="button" class="more" aria-expanded="false" aria-label="More for {title}">'
        f'<span aria-hidden="true">⋯</span></button><div class="acts" hidden>{acts}</div></li>'
    )


def _undo(talk: Talk | None) -> str:
    if talk is None:
        return ""
    return (
        f'<p class="undo" role="status" data-talk="{escape(talk.id)}">'
        f"<span>Deleted “{escape(talk.title)}”.</span> "
        '<button type="button" data-act="restore">Undo</button></p>'
    )


def _note(trouble: str) -> str:
    return f'<p class="trouble" role="status">{escape(trouble)}</p>' if trouble else ""


def _day(changed: float, today: date) -> str:
    day = datetime.fromtimestamp(changed).date()
    if day >= today:
        return "Today"
    if day == today - timedelta(days=1):
        return "Yesterday"
    return "Last seven days" if day > today - timedelta(days=7) else f"{day:%B %Y}"
