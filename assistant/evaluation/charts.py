"""Charts of a report as SVG, in the page's own colours, each with its figures in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from assistant.evaluation.intervals import Interval

_WIDTH, _LEFT, _RIGHT, _TOP, _BOTTOM = 460, 122, 118, 10, 44
_ROW = 26
_PLOT = 190
"""Height of a chart with two axes, in the SVG's units."""
_QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)
_LETTER = 15
"""Height of a line of text."""


@dataclass(frozen=True)
class Dot:
    """A named value between 0 and 1, its interval, and what it was in an earlier run."""

    name: str
    value: float
    interval: Interval | None = None
    before: float | None = None


@dataclass(frozen=True)
class Line:
    """A named line through places (x over 0, y between 0 and 1), x rising."""

    name: str
    places: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Cross:
    """A named place in a square, both sides from 0 to 1, with the interval of each side."""

    name: str
    x: float
    y: float
    x_interval: Interval | None = None
    y_interval: Interval | None = None


def dots(title: str, values: Sequence[Dot]) -> str:
    """A dot a value, its interval as a bar, a hollow dot for the earlier run."""
    height = _TOP + _ROW * len(values) + 26
    parts = []
    for share in _QUARTERS:
        parts.append(_rule(_across(share), _TOP, _across(share), height - 24))
        parts.append(_text("tick mid", _across(share), height - 8, f"{share:g}"))
    for number, one in enumerate(values):
        y = _TOP + _ROW * (number + 0.5)
        parts.append(_text("end", _LEFT - 12, y + 4, one.name))
        if one.interval:
            parts.append(_rule(_across(one.interval.low), y, _across(one.interval.high), y, "bar"))
        if one.before is not None:
            parts.append(_circle("before", _across(one.before), y))
        parts.append(_circle("dot", _across(one.value), y))
        parts.append(_text("", _WIDTH - _RIGHT + 14, y + 4, _with_interval(one.value, one.interval)))
    words = "; ".join(f"{one.name} {_with_interval(one.value, one.interval)}" for one in values)
    return _svg(title, height, parts, words)


def lines(title: str, given: Sequence[Line], ticks: Sequence[float], x_name: str) -> str:
    """Lines over a logarithmic axis with these ticks, each named at its end."""
    low, high = math.log(ticks[0]), math.log(ticks[-1])
    wide = max(high - low, 1e-9)

    def over(x: float) -> float:
        return _across(min(max((math.log(max(x, 1e-9)) - low) / wide, 0.0), 1.0))

    parts = _frame(x_name)
    parts += [_text("tick mid", over(tick), _TOP + _PLOT + 18, f"{tick:g}") for tick in ticks]
    ends = _apart([_down(line.places[-1][1]) for line in given])
    for number, (line, end) in enumerate(zip(given, ends, strict=True)):
        path = " ".join(f"{over(x):.1f},{_down(y):.1f}" for x, y in line.places)
        parts.append(f'<polyline class="line c{number % 3}" points="{path}"/>')
        parts.append(_text(f"c{number % 3}", _WIDTH - _RIGHT + 10, end + 4, line.name))
    words = "; ".join(
        f"{line.name}: " + ", ".join(f"{x:g} {y:.2f}" for x, y in line.places) for line in given
    )
    return _svg(title, _TOP + _PLOT + _BOTTOM, parts, words)


def square(title: str, given: Sequence[Cross], x_name: str, y_name: str) -> str:
    """Places in a square with their intervals both ways; the corner at 0, 0 is best."""
    parts = _frame(x_name)
    parts += [_text("tick mid", _across(share), _TOP + _PLOT + 18, f"{share:g}") for share in _QUARTERS]
    parts.append(_text("", _LEFT + 6, _TOP + 12, y_name))
    ends = _apart([_down(one.y) - 10 for one in given])
    for number, (one, end) in enumerate(zip(given, ends, strict=True)):
        x, y = _across(one.x), _down(one.y)
        if one.x_interval:
            parts.append(_rule(_across(one.x_interval.low), y, _across(one.x_interval.high), y, "bar"))
        if one.y_interval:
            parts.append(_rule(x, _down(one.y_interval.low), x, _down(one.y_interval.high), "bar"))
        parts.append(_circle("dot" if number == 0 else "before", x, y))
        parts.append(_text("", x + 10, end, one.name))
    words = "; ".join(f"{one.name}: {x_name} {one.x:.3f}, {y_name} {one.y:.3f}" for one in given)
    return _svg(title, _TOP + _PLOT + _BOTTOM, parts, words)


def _frame(x_name: str) -> list[str]:
    """The rules and numbers of a y axis from 0 to 1, and the name of the x axis."""
    parts = []
    for share in _QUARTERS:
        parts.append(_rule(_LEFT, _down(share), _WIDTH - _RIGHT, _down(share)))
        parts.append(_text("tick end", _LEFT - 10, _down(share) + 4, f"{share:g}"))
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    return [*parts, _text("tick mid", middle, _TOP + _PLOT + 38, x_name)]


def _across(share: float) -> float:
    return _LEFT + share * (_WIDTH - _LEFT - _RIGHT)


def _down(share: float) -> float:
    return _TOP + (1 - share) * _PLOT


def _apart(heights: Sequence[float]) -> list[float]:
    """The heights moved down where two lines of text would overlap."""
    placed = list(heights)
    last = -math.inf
    for at in sorted(range(len(placed)), key=placed.__getitem__):
        last = placed[at] = max(placed[at], last + _LETTER)
    return placed


def _with_interval(value: float, interval: Interval | None) -> str:
    return f"{value:.2f}" + (f" ({interval.low:.2f}–{interval.high:.2f})" if interval else "")


def _rule(x1: float, y1: float, x2: float, y2: float, name: str = "grid") -> str:
    return f'<line class="{name}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _circle(name: str, x: float, y: float) -> str:
    return f'<circle class="{name}" cx="{x:.1f}" cy="{y:.1f}" r="4.5"/>'


def _text(name: str, x: float, y: float, text: str) -> str:
    return f'<text class="{name}" x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'


def _svg(title: str, height: float, parts: Sequence[str], words: str) -> str:
    return (
        f'<figure><figcaption>{escape(title)}</figcaption><svg viewBox="0 0 {_WIDTH} {height:.0f}" '
        f'role="img" aria-label="{escape(f"{title}. {words}")}">' + "".join(parts) + "</svg></figure>"
    )
