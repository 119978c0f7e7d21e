"""The figures of a sentence with value and unit, before the words around them are read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from assistant.figures.amounts import find_amounts
from assistant.figures.units import unit_of

_RANGE = re.compile(r"\s?[-–—~]\s?|\s?\\sim\s?|\sto\s(?:up to\s|over\s)?")
_SPANS = re.compile(r"\b(?:rang\w+|scal\w+|siz\w+|span\w*|var\w+|anywhere)\b[^,;]{0,40}$", re.I)
_LISTED = re.compile(
    r"\s?/\s?|\s(?:out\s)?of\s(?:the\s)?|,\s?(?:and\s|or\s)?|\s(?:and|or|to|vs\.?|versus|respectively)\s|"
    r"\s(?:to|and)\s(?:over|below|about|only)\s"
)
_LATER = re.compile(r"\s(?:in|for|on)\s[\w\s-]{2,30}\sand\s$")
_TOGETHER = re.compile(
    r"\s?/\s?|,\s?(?:and\s|or\s)?|\s(?:and|or|respectively)\s(?:up to\s|over\s)?|\s?[-–—]\s?|,?\sup to\s|"
    r"\svs\.?\s|\sand even\s"
)
_NAME_BEFORE = re.compile(
    r"(?P<word>(?:[\w.'’@+-]*[A-Z][\w.'’@+-]*)|\b(?:section|sec\.|table|figure|fig\.|chapter|step|stage|"
    r"phase|version|level|equation|eq\.|"
    r"appendix|part|type|case|algorithm|theorem|lemma|round|question|number|no\.|top|v))[\s]$"
)
_NAMED = 100
"""Characters before a number in which the name that it belongs to is looked for."""
_PLAIN_WORDS = frozenset(
    "In On With For Over Across From Using By At Of Under The All Only About Around Up Within After And "
    "Our We This Its To "
    "Nearly Almost Roughly Approximately More Less Fewer These Those Among Out Both Given When While As "
    "Than Just".split()
)
_SCORED = re.compile(
    r"(?:PSNR|SSIM|BLEU|FID|mIoU|AP|mAP|F1|MAE|RMSE|ROUGE(?:-\w+)?|AUC|NDCG|WER|CER|PPL|MFU|Accuracy|"
    r"Recall|TFLOPS|F1-score|IoU|MRR)"
)
_FACTOR_BEFORE = re.compile(
    r"\bfactors?\s(?:of\s)?(?:(?:up to|about|over|at least|more than|around|nearly|roughly|only|"
    r"approximately)\s|[~≈<>]\s?)?$"
)
_DECADE = re.compile(r"(?:1[89]|20)\d0s")
_CARDS = re.compile(r"(?:1080|20[678]0|30[6789]0|40[6789]0|50[6789]0)(?=\sTi\b|\sGPUs?\b)")
_MODELS = re.compile(
    r"\b(?:RTX|GTX|TITAN|Titan|MI|Max|Snapdragon|Xeon|Ryzen|EPYC|Radeon|GeForce|Dimensity|Quadro|iPhone|Pi|"
    r"Pixel)\s$"
)


@dataclass(frozen=True)
class Draft:
    """A figure before the words around it are read; `known` where the unit is more than a noun."""

    start: int
    end: int
    stop: int
    value: float
    high: float | None
    unit: str
    known: bool
    multiple: float
    factor: float
    qualifier: str | None


def drafts_of(text: str) -> list[Draft]:
    """The numbers of the sentence that are figures, with their units, ranges as one."""
    return [one for one in _inherited(text, _united(text)) if not _of_a_name(text, one)]


def _united(text: str) -> list[Draft]:
    """The amounts with their own units, ranges as one."""
    found: list[Draft] = []
    for amount in find_amounts(text):
        if found and amount.start < found[-1].stop:
            continue
        unit = unit_of(text, amount)
        if unit is None:
            continue
        close = len(text[amount.end : unit.end].split()) <= (2 if unit.known else 1)
        draft = Draft(
            amount.start,
            unit.end if close else amount.end,
            unit.end,
            amount.value * unit.factor,
            None,
            unit.name,
            unit.known and bool(unit.name),
            amount.multiple * unit.factor,
            unit.factor,
            amount.qualifier,
        )
        merged = _merged(text, found[-1], draft) if found else None
        if merged:
            found[-1] = merged
        else:
            found.append(draft)
    return found


def _merged(text: str, low: Draft, high: Draft) -> Draft | None:
    """The range from `low` to `high` as one draft, or None where they are two figures."""
    gap = text[low.end : high.start]
    between = gap == " and " and re.search(r"\bbetween\s\S{0,2}$", text[: low.start])
    if low.high is not None or not (between or _RANGE.fullmatch(gap)) or low.unit not in ("", high.unit):
        return None
    steps = "to" in gap and re.search(r"\bfrom\s(?:[a-z~<>]+\s)?$", text[: low.start])
    if steps and not _SPANS.search(text[: low.start]):
        return None
    missing = high.multiple if not low.multiple > 1 else high.factor
    value = low.value * missing if low.unit != high.unit else low.value
    if value > high.value:
        return None
    return replace(
        high,
        start=low.start,
        value=value,
        high=high.value,
        qualifier=low.qualifier or high.qualifier,
        known=high.known,
    )


def _inherited(text: str, drafts: list[Draft]) -> list[Draft]:
    """The drafts with the units that bare numbers share with a neighbour in a list ("10, 20 and 30 GPUs")."""
    for i in range(len(drafts) - 2, -1, -1):
        one, following = drafts[i], drafts[i + 1]
        if not one.unit and following.unit and _LISTED.fullmatch(text[one.end : following.start]):
            multiple = following.multiple if one.multiple == 1 else following.factor
            drafts[i] = replace(one, unit=following.unit, value=one.value * multiple, known=following.known)
    for i, one in enumerate(drafts):
        if one.unit:
            continue
        gap = text[drafts[i - 1].end : one.start] if i else ""
        if _FACTOR_BEFORE.search(text[: one.start]) or (
            gap and drafts[i - 1].unit == "x" and (_LATER.fullmatch(gap) or _LISTED.fullmatch(gap))
        ):
            drafts[i] = replace(one, unit="x", known=True)
    return drafts


def _of_a_name(text: str, draft: Draft) -> bool:
    """Whether the number belongs to a name, a date, a list or a reference after all."""
    before, after = text[: draft.start], text[draft.end : draft.end + 1]
    if (
        _MODELS.search(before[-_NAMED:])
        or _DECADE.fullmatch(text, draft.start, draft.end)
        or _CARDS.match(text, draft.start)
    ):
        return True
    if draft.known:
        return False
    whole = draft.value == int(draft.value) if abs(draft.value) < 1e15 else False
    if whole and 1950 <= draft.value <= 2035 and "," not in text[draft.start : draft.end]:
        noun = draft.unit and not re.search(r"\b(?:[Ii]n|[Ss]ince|[Uu]ntil|[Bb]y|of|[Ff]rom|year)\s$", before)
        if not noun:
            return True
    if not draft.unit and whole and (after == ")" or (after == "." and not before.strip())):
        opened = before.rfind("(")
        if opened <= before.rfind(")") or opened == len(before) - 1:
            return True
    named = _NAME_BEFORE.search(before[-_NAMED:])
    return bool(named and named["word"] not in _PLAIN_WORDS and not _SCORED.fullmatch(named["word"]))


def groups_of(text: str, drafts: Sequence[Draft]) -> list[list[int]]:
    """The indexes of the drafts, those of one list together ("1.2x, 1.3x and 1.5x")."""
    groups: list[list[int]] = []
    for i, one in enumerate(drafts):
        last = drafts[i - 1] if i else None
        if last and last.unit == one.unit and _TOGETHER.fullmatch(text[last.end : one.start]):
            groups[-1].append(i)
        else:
            groups.append([i])
    return groups
