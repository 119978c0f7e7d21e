"""What the figures of a sentence leave to one another: measures, rivals."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from assistant.figures.figure import Figure, base_of
from assistant.figures.reading import APART, WAY, inside
from assistant.figures.rivals import COMPARED, opening_rival

_BARE_COMPARATIVE = re.compile(
    r"\s*(?:(?P<up>higher|better|more|greater)|(?P<down>lower|worse|less))(?=\s(?:than|compared)|[,.;)]|$)"
)


def shared(text: str, figures: Sequence[Figure]) -> list[Figure]:
    """The figures with what they leave to one another: a measure said before, a rival said behind."""
    found = list(figures)
    for i in range(1, len(found)):
        if found[i].unit == found[i - 1].unit and not APART.search(text[found[i - 1].end : found[i].start]):
            found[i] = _like(text, found[i], found[i - 1])
        elif (bracketed := _of_the_one_outside(text, found[i], found[i - 1])) or (
            not found[i].measure and _ratios(found[i], found[i - 1], text)
        ):
            found[i] = replace(
                found[i],
                measure=bracketed or found[i - 1].measure,
                against=found[i].against or found[i - 1].against,
            )
        elif base_of(found[i].measure) in (None, "performance") and (
            word := _BARE_COMPARATIVE.match(text, found[i].end)
        ):
            found[i] = _more_of(found[i], found[:i], "increase" if word["up"] else "reduction")
    for i in range(1, len(found)):
        if _belongs_before(text, found[i], found[i - 1]):
            found[i - 1] = replace(found[i - 1], against=found[i].against)
            found[i] = replace(found[i], against=None)
    for i in range(len(found) - 2, -1, -1):
        one, following = found[i], found[i + 1]
        share = re.match(r"\s+of\b", text[following.end :])
        joined = following.measure and not share and following.unit == one.unit and _is_change(one)
        if joined and not one.against and not APART.search(text[one.end : following.start]):
            found[i] = replace(one, against=following.against)
    return [
        replace(one, against=opening_rival(text, one.start))
        if one.unit in COMPARED and not one.against
        else one
        for one in found
    ]


def _belongs_before(text: str, one: Figure, before: Figure) -> bool:
    """Whether a rival is the one of the change before: "2x faster at 90% sparsity than X"."""
    told = one.against and not before.against and _is_change(before) and not _is_change(one)
    return bool(told and re.match(r"[\w\s-]{0,30}\bthan\b", text[one.end :]))


def _ratios(one: Figure, before: Figure, text: str) -> bool:
    """Whether two figures are ratios of one list ("by 10-40% on attention, 8x on state space models")."""
    return {one.unit, before.unit} <= {"x", "%"} and not APART.search(text[before.end : one.start])


def _of_the_one_outside(text: str, one: Figure, before: Figure) -> str | None:
    """The measure of a figure in brackets that says the one before them anew: "to 7.3B (-9%)"."""
    if (
        one.measure
        or one.unit not in ("x", "%")
        or not before.measure
        or not re.fullmatch(r"\s\([+−~<>≈-]?", text[before.end : one.start])
    ):
        return None
    way = WAY.match(text, one.end)
    down = one.value < 0 or text[one.start - 1] in "-−" or (way is not None and way["down"])
    up = text[one.start - 1] == "+" or (way is not None and not way["down"])
    return (
        f"{base_of(before.measure)} {'reduction' if down else 'increase'}" if down or up else before.measure
    )


def _is_change(figure: Figure) -> bool:
    changed = figure.measure and figure.measure.endswith((" increase", " reduction", "speedup"))
    return figure.unit in COMPARED and bool(changed or figure.unit == "x")


def _like(text: str, one: Figure, before: Figure) -> Figure:
    """The figure with what it leaves to the one before it in the same clause and unit."""
    measure = before.measure if one.measure in (None, "time") and before.measure else one.measure
    way = (
        before.measure.rpartition(" ")[2]
        if before.measure and base_of(before.measure) != before.measure
        else ""
    )
    if (
        measure
        and one.unit == "x"
        and way
        and base_of(measure) == measure
        and measure not in ("speedup", "slowdown", "compression")
    ):
        measure = f"{measure} {way}"
    bare = not one.unit and inside(text, one.start)
    if bare:
        return replace(one, measure=one.measure or base_of(before.measure))
    return replace(one, measure=measure, against=one.against or before.against)


def _more_of(one: Figure, earlier: Sequence[Figure], way: str) -> Figure:
    """The figure as a change of what the last figure of its unit measured ("2% higher")."""
    last = next(
        (
            base_of(figure.measure)
            for figure in reversed(earlier)
            if figure.unit == one.unit and figure.measure
        ),
        None,
    )
    return replace(one, measure=f"{last} {way}") if last else one
