"""The map as an HTML string: a canvas with the papers' places as data; ui/shelf.js draws them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Sequence
from html import escape

import numpy as np

from corpus.atlas import Places
from corpus.listing import Dot

MOST = 5_000
"""Papers on a map at once."""
_COLOURS = 8
_SCALE = 10_000


def map_html(dots: Sequence[Dot], places: Places, matching: set[int] | None, marked: Collection[str]) -> str:
    """The map; papers that aren't among the matching ones are pale, the marked ones ringed.

    Of very many papers an even choice is shown, the marked ones always.
    """
    at = {int(key): place for key, place in zip(places.keys, places.places, strict=True)}
    known = [dot for dot in dots if dot.key in at]
    if not known:
        return '<p class="nothing" role="status">There is nothing to draw yet.</p>'
    shown = _chosen(known, matching, frozenset(marked))
    words, sources = _frequent_words(known), _frequent_sources(known)
    numbers = np.array([at[dot.key] for dot in shown]) * _SCALE
    data = {
        "ids": [dot.id for dot in shown],
        "x": numbers[:, 0].astype(int).tolist(),
        "y": numbers[:, 1].astype(int).tolist(),
        "labels": [dot.label[:90] for dot in shown],
        "years": [dot.year for dot in shown],
        "words": [next((n for n, word in enumerate(words) if word in dot.words), -1) for dot in shown],
        "sources": [sources.index(dot.source) if dot.source in sources else -1 for dot in shown],
        "pale": [int(matching is not None and dot.key not in matching) for dot in shown],
        "marked": [int(dot.id in marked) for dot in shown],
        "wordNames": words,
        "sourceNames": sources,
    }
    return f"{_told(len(shown), len(known))}{_frame(json.dumps(data, ensure_ascii=False), _ways(data))}"


def waiting_html() -> str:
    """What is shown while the places are worked out."""
    return (
        '<p class="nothing" role="status">Laying out the map. For many papers this takes a minute, once.</p>'
    )


def _told(shown: int, known: int) -> str:
    if shown == known:
        said = f"{known:,} paper{'' if known == 1 else 's'}"
    else:
        said = f"{shown:,} of {known:,} papers, an even choice"
    return f'<p class="told" role="status">{said}; near each other is near in meaning</p>'


def _frame(data: str, ways: str) -> str:
    return (
        '<div class="shelf-map"><div class="map-bar"><label class="choice"><span>Colour</span>'
        f'<select class="map-colour">{ways}</select></label><div class="legend" role="group" '
        'aria-label="Colours"></div><div class="zoom" role="group" aria-label="Zoom">'
        '<button type="button" data-zoom="in" aria-label="Zoom in">+</button>'
        '<button type="button" data-zoom="out" aria-label="Zoom out">−</button>'
        '<button type="button" data-zoom="all">All</button></div></div>'
        f'<div class="map-frame"><canvas tabindex="0" role="application" aria-label="Map of the papers. '
        "Arrow keys go from paper to paper, Enter opens one, plus and minus zoom. A list of the papers shown "
        f'follows." data-map="{escape(data)}"></canvas><div class="map-tip" aria-hidden="true"></div></div>'
        '<p class="map-said" aria-live="polite"></p><details class="map-list"><summary>The papers shown here'
        "</summary><ul></ul></details></div>"
    )


def _ways(data: dict[str, list[object]] | dict[str, object]) -> str:
    names = (("words", "Keyword", "wordNames"), ("year", "Year", ""), ("sources", "File", "sourceNames"))
    years = data["years"]
    there = [
        f'<option value="{value}">{label}</option>'
        for value, label, key in names
        if (data[key] if key else isinstance(years, list) and any(years))
    ]
    return "".join(there) or '<option value="">None</option>'


def _chosen(dots: Sequence[Dot], matching: set[int] | None, marked: frozenset[str]) -> list[Dot]:
    if len(dots) <= MOST:
        return list(dots)
    fits = [dot for dot in dots if matching is None or dot.key in matching]
    rest = [] if matching is None else [dot for dot in dots if dot.key not in matching]
    room = MOST if matching is None else MOST * 4 // 5
    kept = {dot.key for dot in (*_evenly(fits, room), *_evenly(rest, MOST - min(room, len(fits))))}
    return [dot for dot in dots if dot.key in kept or dot.id in marked]


def _evenly(dots: Sequence[Dot], most: int) -> Sequence[Dot]:
    return dots if len(dots) <= most else [dots[n * len(dots) // most] for n in range(most)]


def _frequent_words(dots: Sequence[Dot]) -> list[str]:
    """The keywords that colour the map: those of most papers, rarer ones first, so that they are seen."""
    counts = Counter(word for dot in dots for word in dot.words if word)
    best = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:_COLOURS]
    return [word for word, _ in reversed(best)]


def _frequent_sources(dots: Sequence[Dot]) -> list[str]:
    counts = Counter(dot.source for dot in dots if dot.source)
    return [name for name, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:_COLOURS]]
