"""The figures of one list in a sentence, read with the words around it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.figures.drafts import Draft
from assistant.figures.figure import Figure, base_of
from assistant.figures.measures import measure_of
from assistant.figures.qualifiers import qualifier_of, unqualified
from assistant.figures.rivals import COMPARED, against_of, beaten_rival, shared_out

_CHANGES = re.compile(r"(?P<down>halv)|(?:doubl|tripl|quadrupl)(?:es|ed|ing)\b", re.I)
_CHANGE = re.compile(
    r"\b(?:degradations?|drops?|reductions?|improvements?|increases?|gains?|loss|savings?)\s*$"
)
WAY = re.compile(
    r"\s(?:(?P<down>less|lower|fewer|smaller|reduction|decrease|saving)|(?:more|higher|larger|increase|"
    r"improvement|gain))s?\b"
)
_CHANGED = (" increase", " reduction", "speedup")
_PAREN = re.compile(r"\([^()]*\)")
APART = re.compile(
    r"[;]|[.]\s|\b(?:while|whereas|but|outperform\w*|surpass\w*|exceed\w*)\b|,\s(?:which|\w+ing)\b"
)


def read(text: str, drafts: Sequence[Draft], group: Sequence[int]) -> list[Figure]:
    """The figures of one list, read with the words before its first and behind its last."""
    first, last = drafts[group[0]], drafts[group[-1]]
    before, after = _window(text, drafts, first, last)
    bare = unqualified(before)
    measure = measure_of(bare, after, first.unit, _PAREN.sub("", unqualified(text[: first.start])))
    if measure in (None, "time", "memory") and inside(text, first.start):
        measure = _of_bracket(text, drafts, first) or measure
    if first.unit == "tokens" and measure is None and first.value >= 1e8 and "train" in text:
        measure = "training data"
    # "doubles the throughput of X" compares with nothing.
    against = None if _CHANGES.match(text, first.start) else against_of(bare, after, first.unit)
    if not against and re.search(r"\bby\b", bare) and first.unit in COMPARED:
        against = against_of(_PAREN.sub("", unqualified(text[: first.start])), "", first.unit)
    if not against and first.unit in COMPARED and measure and measure.endswith(_CHANGED):
        against = beaten_rival(bare)
    rivals = shared_out(against or "", len(group))
    found: list[Figure] = []
    for place, i in enumerate(group):
        one = drafts[i]
        head = before if place == 0 else text[drafts[i - 1].end : one.start]
        tail = after if one is last else ""
        qualifier = qualifier_of(head, tail) or one.qualifier
        if place and not qualifier:
            qualifier = found[0].qualifier
        found.append(
            Figure(
                one.value,
                one.high,
                one.unit,
                qualifier,
                _signed(text, one, measure),
                rivals[place] if rivals else against,
                one.start,
                one.end,
            )
        )
    return found


def _of_bracket(text: str, drafts: Sequence[Draft], draft: Draft) -> str | None:
    """The measure of a figure in brackets, from the words before these; None where a figure there says it."""
    opened = text.rfind("(", 0, draft.start)
    before = [one for one in drafts if one.end <= opened and not inside(text, one.start)]
    if (
        draft.unit
        and before
        and before[-1].unit == draft.unit
        and not APART.search(text[before[-1].end : opened])
    ):
        return None
    outside = re.split(
        r"\b(?:compared|than|over|relative)\b", text[before[-1].end if before else 0 : opened]
    )[0]
    measure = measure_of(f"{outside} (", "", draft.unit)
    base = measure if _CHANGE.search(outside) else base_of(measure)
    way = WAY.match(text, draft.end)
    if base and way and base == base_of(base):
        return f"{base} {'reduction' if way['down'] else 'increase'}"
    return base


def _window(text: str, drafts: Sequence[Draft], first: Draft, last: Draft) -> tuple[str, str]:
    """The words before and behind, up to the figures on either side; brackets are left out, or not left."""
    enclosed = inside(text, first.start)
    others = [one for one in drafts if enclosed or not inside(text, one.start)]
    begin = max((one.end for one in others if one.end <= first.start), default=0)
    end = min((one.start for one in others if one.start >= last.end), default=len(text))
    if enclosed:
        begin = max(begin, text.rfind("(", 0, first.start) + 1)
        closed = text.find(")", last.end)
        return text[begin : first.start], text[last.end : min(end, closed if closed >= 0 else end)]
    return _PAREN.sub("", text[begin : first.start]), _PAREN.sub("", text[last.end : end])


def inside(text: str, place: int) -> bool:
    """Whether the place is within round brackets."""
    opened = text.rfind("(", 0, place)
    return opened > text.rfind(")", 0, place) and opened >= 0


def _signed(text: str, draft: Draft, measure: str | None) -> str | None:
    """The measure with the direction that a sign gives: "(+9.4%)" is an increase."""
    if (
        measure
        and measure == base_of(measure)
        and (verb := _CHANGES.match(text, draft.start))
        and measure != "speedup"
    ):
        return f"{measure} {'reduction' if verb['down'] else 'increase'}"
    sign = text[draft.start - 1 : draft.start] if draft.value >= 0 else "-"
    signed = sign in ("+", "-") and text[draft.start - 2 : draft.start - 1] in ("", " ", "(")
    if (
        measure is None
        or not (signed or draft.value < 0)
        or measure.endswith(("increase", "reduction", "speedup"))
    ):
        return measure
    return f"{measure} {'increase' if sign == '+' else 'reduction'}"
