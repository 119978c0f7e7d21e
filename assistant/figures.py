"""Figures read out of sentences: value, unit, qualifier, what is measured and against what."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from assistant.against import against_of, opening_rival, qualifier_of, shared_out
from assistant.amounts import Amount, find_amounts
from assistant.measured import measure_of
from assistant.units import unit_of


@dataclass(frozen=True)
class Figure:
    """One figure at `start:end` of its sentence.

    `value` is in the unit's base: 7e9 parameters for "7B", 1e3 x for "three orders of magnitude"; "halves" and other
    fractions are percent, "doubles" and "twice" are 2 x. `high` is the other end of a range. `unit` is "" for a bare number.
    `measure` says "reduction" or "increase" where the figure is a change.
    """

    value: float
    high: float | None
    unit: str
    qualifier: str | None
    measure: str | None
    against: str | None
    start: int
    end: int


@dataclass(frozen=True)
class _Draft:
    """A figure before the words around it are read; `known` where the unit is more than a noun."""

    start: int
    end: int
    stop: int
    value: float
    high: float | None
    unit: str
    known: bool
    scaled: bool
    qualifier: str | None


_RANGE = re.compile(r"\s?[-–—~]\s?|\s?\\sim\s?|\sto\s(?:up to\s|over\s)?")
_SPANS = re.compile(r"\b(?:rang\w+|scal\w+|siz\w+|span\w*|var\w+|anywhere)\b[^,;]{0,40}$", re.I)
_LISTED = re.compile(r"\s?/\s?|,\s?(?:and\s|or\s)?|\s(?:and|or|to|vs\.?|versus|respectively)\s|\s(?:to|and)\s(?:over|below|about|only)\s")
_TOGETHER = re.compile(r"\s?/\s?|,\s?(?:and\s|or\s)?|\s(?:and|or|respectively)\s(?:up to\s|over\s)?|\s?[-–—]\s?|,?\sup to\s|\svs\.?\s|\sand even\s")
_LATER = re.compile(r"\s(?:in|for|on)\s[\w\s-]{2,30}\sand\s$")
_NAME_BEFORE = re.compile(
    r"(?P<word>(?:[\w.'’@+-]*[A-Z][\w.'’@+-]*)|\b(?:section|sec\.|table|figure|fig\.|chapter|step|stage|phase|version|level|equation|eq\.|"
    r"appendix|part|type|case|algorithm|theorem|lemma|round|question|number|no\.|top|v))[\s]$"
)
_PLAIN_WORDS = frozenset(
    "In On With For Over Across From Using By At Of Under The All Only About Around Up Within After And Our We This Its To "
    "Nearly Almost Roughly Approximately More Less Fewer These Those Among Out Both Given When While As Than Just".split()
)
_SCORED = re.compile(r"(?:PSNR|SSIM|BLEU|FID|mIoU|AP|mAP|F1|MAE|RMSE|ROUGE(?:-\w+)?|AUC|NDCG|WER|CER|PPL|MFU|Accuracy|Recall|TFLOPS|F1-score|IoU|MRR)")
_YEAR_UNITS = frozenset(("", "years"))
_PAREN = re.compile(r"\([^()]*\)")
_RELATIVE = frozenset(("x", "%", "points", ""))
_APART = re.compile(r"[;.]|\b(?:while|whereas|but)\b")


def figures_of(text: str) -> list[Figure]:
    """The figures of a sentence in order, each with what the sentence says about it."""
    drafts = [one for one in _inherited(text, _drafts(text)) if not _of_a_name(text, one)]
    groups = _groups(text, drafts)
    read = [figure for group in groups for figure in _read(text, drafts, group)]
    kept = [one for one in _shared(text, read) if one.unit or one.measure]
    return [replace(one, value=10.0**one.value, high=one.high and 10.0**one.high, unit="x") if one.unit == "orders" else one for one in kept]


def _drafts(text: str) -> list[_Draft]:
    """The amounts with their units, ranges as one."""
    found: list[_Draft] = []
    for amount in find_amounts(text):
        if found and amount.start < found[-1].end:
            continue
        unit = unit_of(text, amount)
        if unit is None:
            continue
        close = len(text[amount.end : unit.end].split()) < 2
        draft = _Draft(
            amount.start,
            unit.end if close else amount.end,
            unit.end,
            amount.value * unit.factor,
            None,
            unit.name,
            unit.known and bool(unit.name),
            bool(amount.scale),
            amount.qualifier,
        )
        merged = _merged(text, found[-1], draft, amount) if found else None
        if merged:
            found[-1] = merged
        else:
            found.append(draft)
    return found


def _merged(text: str, low: _Draft, high: _Draft, amount: Amount) -> _Draft | None:
    """The range from `low` to `high` as one draft, or None where they are two figures."""
    gap = text[low.end : high.start]
    between = gap == " and " and re.search(r"\bbetween\s\S{0,2}$", text[: low.start])
    if low.high is not None or not (between or _RANGE.fullmatch(gap)) or low.unit not in ("", high.unit):
        return None
    if low.known and low.stop > high.start:
        low = replace(low, unit=high.unit)
    steps = "to" in gap and re.search(r"\bfrom\s(?:[a-z~<>]+\s)?$", text[: low.start])
    if steps and not _SPANS.search(text[: low.start]):
        return None
    value = low.value
    if low.unit != high.unit or not low.unit:
        ratio = high.value / amount.value if amount.value and not low.scaled else 1.0
        worth = _SCALE_OF(text, amount) if not low.scaled else 1.0
        value = low.value * ratio * worth
    if value > high.value:
        return None
    return replace(high, start=low.start, value=value, high=high.value, qualifier=low.qualifier or high.qualifier, known=high.known)
