"""The head of the Collection tab as HTML strings: which collection, a new one, and the form of filters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from assistant.library import Volume
from corpus.layout import BUILT_IN
from corpus.listing import Choices, Counted
from ui.shelf.asked import Asked
from ui.shelf.marks import made

_SORTS = (
    ("added", "As added"),
    ("newest", "Newest first"),
    ("oldest", "Oldest first"),
    ("title", "Title"),
    ("author", "First author"),
    ("venue", "Venue"),
)


def papers_in_words(count: int | None) -> str:
    """A number of papers in words."""
    if count is None:
        return "can't be read"
    return "empty" if count == 0 else "1 paper" if count == 1 else f"{count:,} papers"


def bar_html(volumes: Sequence[Volume], name: str, said: str = "") -> str:
    """The picker of collections, a new one's form, and what became of that."""
    options = "".join(
        f'<option value="{escape(one.name)}"{" selected" if one.name == name else ""}>'
        f"{escape(one.name)} · {papers_in_words(one.papers)}"
        f"{' · built in' if one.name == BUILT_IN else ''}</option>"
        for one in volumes
    )
    return (
        '<div class="shelf-bar"><label class="pick-collection"><span>Collection</span>'
        f'<select data-act="pick">{options}</select></label>'
        '<details class="make"><summary>New collection</summary><form data-act="make">'
        '<label><span>Name</span><input name="name" required maxlength="63" autocomplete="off" '
        'placeholder="letters, digits, - and _"></label><button type="submit">Make it</button>'
        "</form></details>"
        f"{said}</div>"
    )


def form_html(choices: Choices, asked: Asked) -> str:
    """The form that searches, filters and sorts; it is sent as it is filled in."""
    wanted = asked.wanted
    first, last = wanted.years
    years = ""
    if choices.years:
        low, high = choices.years
        years = (
            '<fieldset class="years"><legend>Years</legend>'
            f'{_year("first", "From year", first, low)}<span aria-hidden="true">–</span>'
            f"{_year('last', 'To year', last, high)}</fieldset>"
        )
    return (
        '<form class="shelf-form" role="search" aria-label="Papers of the collection"'
        f"{made()}>"
        '<input type="search" name="query" class="shelf-search" aria-label="Search the papers" '
        f'placeholder="Search titles, abstracts, authors" value="{escape(asked.query)}" autocomplete="off">'
        f'<div class="filters">{years}{_select("venue", "Venue", choices.venues, wanted.venue)}'
        f"{_select('keyword', 'Keyword', choices.keywords, wanted.keyword)}"
        f"{_select('source', 'File', choices.sources, wanted.source)}"
        f'<label class="choice"><span>Sort</span><select name="sort">'
        f"{_options(_SORTS, wanted.sort)}</select></label>"
        '<button type="button" class="quiet" data-act="reset">Reset</button>'
        '<div class="views" role="radiogroup" aria-label="View">'
        f"{_view('table', 'Table', asked.view)}{_view('map', 'Map', asked.view)}</div></div></form>"
    )


def _year(name: str, label: str, value: int | None, otherwise: int) -> str:
    shown = "" if value is None else str(value)
    return (
        f'<input name="{name}" inputmode="numeric" pattern="[0-9]{{4}}" maxlength="4" aria-label="{label}" '
        f'placeholder="{otherwise}" value="{shown}">'
    )


def _select(name: str, label: str, values: Sequence[Counted], chosen: str) -> str:
    if not values:
        return ""
    known = [(one.value, f"{_short(one.value)} ({one.papers:,})") for one in values]
    if chosen and chosen not in {one.value for one in values}:
        known.insert(0, (chosen, _short(chosen)))
    options = _options([("", "Any"), *known], chosen)
    return f'<label class="choice"><span>{label}</span><select name="{name}">{options}</select></label>'


def _options(pairs: Iterable[tuple[str, str]], chosen: str) -> str:
    return "".join(
        f'<option value="{escape(value)}"{" selected" if value == chosen else ""}>{escape(shown)}</option>'
        for value, shown in pairs
    )


def _view(value: str, label: str, chosen: str) -> str:
    checked = " checked" if value == chosen else ""
    return f'<label><input type="radio" name="view" value="{value}"{checked}><span>{label}</span></label>'


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"
