"""What is measured, found among words, and which way it goes."""

from __future__ import annotations

import re

from assistant.figures.metric_table import (
    ACCELERATED,
    BETTERED,
    DOWN,
    HEADS,
    LESS_IS_BETTER,
    METRIC,
    METRIC_NAMES,
    NEW_PHRASE,
    UP,
    VAGUE_METRICS,
    WAITS,
)


def name_of(match: re.Match[str]) -> str:
    return METRIC_NAMES[match.lastgroup or "m0"]


def first_metric(ahead: str) -> re.Match[str] | None:
    """The first metric behind the figure, or the word that it only describes ("wall clock time speedup")."""
    found = METRIC.search(ahead)
    following = METRIC.match(ahead, found.end() + 1) if found else None
    return following if following and name_of(following) in HEADS else found


def last_metric(behind: str) -> re.Match[str] | None:
    """The last metric before the figure; a vague one displaces none, nothing an acceleration."""
    found: re.Match[str] | None = None
    for match in METRIC.finditer(behind):
        if found is None or _displaces(match, found, behind):
            found = match
    return found


def _displaces(match: re.Match[str], found: re.Match[str], behind: str) -> bool:
    name, known = name_of(match), name_of(found)
    if known in WAITS and name == "speedup":
        return False
    between = behind[found.end() : match.start()]
    if known == "speedup" and name not in WAITS and not direction(between) and not NEW_PHRASE.search(between):
        return False
    near = len(behind[match.end() :].split()) < 3 and name != "size"
    return near or name not in VAGUE_METRICS or known in VAGUE_METRICS


def named(behind: str, ahead: str, allowed: frozenset[str]) -> str | None:
    """The nearest of the allowed metrics: the first ahead, else the last behind."""
    names = [name_of(match) for match in METRIC.finditer(ahead)]
    names += [name_of(match) for match in METRIC.finditer(behind)][::-1]
    return next((name for name in names if name in allowed), None)


def direction(words: str) -> str:
    """ "reduction" or "increase", whichever word stands last; "" without one."""
    down = max((match.start() for match in DOWN.finditer(words)), default=-1)
    up = max((match.start() for match in UP.finditer(words)), default=-1)
    return "" if down == up else "reduction" if down > up else "increase"


def meant(way: str, name: str, words: str) -> str:
    """The direction meant: latency that is improved goes down."""
    if name in WAITS and ACCELERATED.search(words):
        return "reduction"
    ups = UP.findall(words)
    bettered = bool(ups) and BETTERED.match(ups[-1])
    return "reduction" if way == "increase" and name in LESS_IS_BETTER and bettered else way


def put(name: str, way: str, *, relative: bool) -> str:
    if name in ("speedup", "slowdown"):
        return "slowdown" if name == "speedup" and way == "reduction" and relative else name
    if name == "compression":
        return name
    return f"{name} {way}" if way and relative else name
