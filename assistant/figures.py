"""Figures read out of sentences: value, unit, qualifier, what is measured and against what."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from assistant.against import COMPARED, against_of, opening_rival, qualifier_of, shared_out, unqualified
from assistant.amounts import find_amounts
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
    multiple: float
    factor: float
    qualifier: str | None


_RANGE = re.compile(r"\s?[-–—~]\s?|\s?\\sim\s?|\sto\s(?:up to\s|over\s)?")
_SPANS = re.compile(r"\b(?:rang\w+|scal\w+|siz\w+|span\w*|var\w+|anywhere)\b[^,;]{0,40}$", re.I)
_LISTED = re.compile(
    r"\s?/\s?|\s(?:out\s)?of\s(?:the\s)?|,\s?(?:and\s|or\s)?|\s(?:and|or|to|vs\.?|versus|respectively)\s|\s(?:to|and)\s(?:over|below|about|only)\s"
)
_TOGETHER = re.compile(
    r"\s?/\s?|,\s?(?:and\s|or\s)?|\s(?:and|or|respectively)\s(?:up to\s|over\s)?|\s?[-–—]\s?|,?\sup to\s|\svs\.?\s|\sand even\s"
)
_LATER = re.compile(r"\s(?:in|for|on)\s[\w\s-]{2,30}\sand\s$")
_NAME_BEFORE = re.compile(
    r"(?P<word>(?:[\w.'’@+-]*[A-Z][\w.'’@+-]*)|\b(?:section|sec\.|table|figure|fig\.|chapter|step|stage|phase|version|level|equation|eq\.|"
    r"appendix|part|type|case|algorithm|theorem|lemma|round|question|number|no\.|top|v))[\s]$"
)
_PLAIN_WORDS = frozenset(
    "In On With For Over Across From Using By At Of Under The All Only About Around Up Within After And Our We This Its To "
    "Nearly Almost Roughly Approximately More Less Fewer These Those Among Out Both Given When While As Than Just".split()
)
_CHANGES = re.compile(r"(?P<down>halv)|(?:doubl|tripl|quadrupl)(?:es|ed|ing)\b", re.I)
_SCORED = re.compile(
    r"(?:PSNR|SSIM|BLEU|FID|mIoU|AP|mAP|F1|MAE|RMSE|ROUGE(?:-\w+)?|AUC|NDCG|WER|CER|PPL|MFU|Accuracy|Recall|TFLOPS|F1-score|IoU|MRR)"
)
_CHANGE = re.compile(
    r"\b(?:degradations?|drops?|reductions?|improvements?|increases?|gains?|loss|savings?)\s*$"
)
_WAY = re.compile(
    r"\s(?:(?P<down>less|lower|fewer|smaller|reduction|decrease|saving)|(?:more|higher|larger|increase|improvement|gain))s?\b"
)
_PAREN = re.compile(r"\([^()]*\)")
_APART = re.compile(
    r"[;]|[.]\s|\b(?:while|whereas|but|outperform\w*|surpass\w*|exceed\w*)\b|,\s(?:which|\w+ing)\b"
)
_BARE_COMPARATIVE = re.compile(
    r"\s*(?:(?P<up>higher|better|more|greater)|(?P<down>lower|worse|less))(?=\s(?:than|compared)|[,.;)]|$)"
)
_BARE_MEASURES = frozenset(
    "accuracy mIoU mAP AP F1 BLEU ROUGE PSNR SSIM FID AUC nDCG recall precision error perplexity score quality MFU utilization "
    "performance speedup compression".split()
) | {"scaling efficiency", "win rate", "success rate", "acceptance rate", "hit rate", "batch size"}


def figures_of(text: str) -> list[Figure]:
    """The figures of a sentence in order, each with what the sentence says about it."""
    drafts = [one for one in _inherited(text, _drafts(text)) if not _of_a_name(text, one)]
    groups = _groups(text, drafts)
    read = [figure for group in groups for figure in _read(text, drafts, group)]
    return [_finished(one) for one in _shared(text, read) if one.unit or _base(one.measure) in _BARE_MEASURES]


def _finished(figure: Figure) -> Figure:
    """The figure with orders of magnitude as factors, and points as the unit of a score's change."""
    if figure.unit == "orders":
        value, high = (10.0 ** min(one or 0.0, 300.0) for one in (figure.value, figure.high))
        return replace(figure, value=value, high=high if figure.high is not None else None, unit="x")
    changed = figure.measure and figure.measure.endswith((" increase", " reduction"))
    return replace(figure, unit="points") if not figure.unit and changed else figure


def _base(measure: str | None) -> str | None:
    return re.sub(r" (?:increase|reduction)$", "", measure) if measure else None


def _drafts(text: str) -> list[_Draft]:
    """The amounts with their units, ranges as one."""
    found: list[_Draft] = []
    for amount in find_amounts(text):
        if found and amount.start < found[-1].stop:
            continue
        unit = unit_of(text, amount)
        if unit is None:
            continue
        close = len(text[amount.end : unit.end].split()) <= (2 if unit.known else 1)
        draft = _Draft(
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


def _merged(text: str, low: _Draft, high: _Draft) -> _Draft | None:
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


_FACTOR_BEFORE = re.compile(
    r"\bfactors?\s(?:of\s)?(?:(?:up to|about|over|at least|more than|around|nearly|roughly|only|approximately)\s|[~≈<>]\s?)?$"
)
_DECADE = re.compile(r"(?:1[89]|20)\d0s")
_MODELS = re.compile(
    r"\b(?:RTX|GTX|TITAN|Titan|MI|Max|Snapdragon|Xeon|Ryzen|EPYC|Radeon|GeForce|Dimensity|Quadro|iPhone|Pi|Pixel)\s$"
)


def _inherited(text: str, drafts: list[_Draft]) -> list[_Draft]:
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


def _of_a_name(text: str, draft: _Draft) -> bool:
    """Whether the number belongs to a name, a date, a list or a reference after all."""
    before, after = text[: draft.start], text[draft.end : draft.end + 1]
    if _MODELS.search(before) or _DECADE.fullmatch(text, draft.start, draft.end):
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
    named = _NAME_BEFORE.search(before)
    return bool(named and named["word"] not in _PLAIN_WORDS and not _SCORED.fullmatch(named["word"]))


def _groups(text: str, drafts: Sequence[_Draft]) -> list[list[int]]:
    """The indexes of the drafts, those of one list together ("1.2x, 1.3x and 1.5x")."""
    groups: list[list[int]] = []
    for i, one in enumerate(drafts):
        last = drafts[i - 1] if i else None
        if last and last.unit == one.unit and _TOGETHER.fullmatch(text[last.end : one.start]):
            groups[-1].append(i)
        else:
            groups.append([i])
    return groups


def _read(text: str, drafts: Sequence[_Draft], group: Sequence[int]) -> list[Figure]:
    """The figures of one list, read with the words before its first and behind its last."""
    first, last = drafts[group[0]], drafts[group[-1]]
    before, after = _window(text, drafts, first, last)
    bare = unqualified(before)
    measure = measure_of(bare, after, first.unit, _PAREN.sub("", unqualified(text[: first.start])))
    if measure in (None, "time", "memory") and _inside(text, first.start):
        measure = _of_bracket(text, drafts, first) or measure
    if first.unit == "tokens" and measure is None and first.value >= 1e8 and "train" in text:
        measure = "training data"
    against = against_of(bare, after, first.unit)
    if not against and re.search(r"\bby\b", bare) and first.unit in COMPARED:
        against = against_of(_PAREN.sub("", unqualified(text[: first.start])), "", first.unit)
    rivals = shared_out(against or "", len(group))
    found = []
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


def _of_bracket(text: str, drafts: Sequence[_Draft], draft: _Draft) -> str | None:
    """The measure of a figure in brackets, from the words before these; None where a figure there says it."""
    opened = text.rfind("(", 0, draft.start)
    before = [one for one in drafts if one.end <= opened and not _inside(text, one.start)]
    if (
        draft.unit
        and before
        and before[-1].unit == draft.unit
        and not _APART.search(text[before[-1].end : opened])
    ):
        return None
    outside = re.split(
        r"\b(?:compared|than|over|relative)\b", text[before[-1].end if before else 0 : opened]
    )[0]
    measure = measure_of(f"{outside} (", "", draft.unit)
    base = measure if _CHANGE.search(outside) else _base(measure)
    way = _WAY.match(text, draft.end)
    if base and way and base == _base(base):
        return f"{base} {'reduction' if way['down'] else 'increase'}"
    return base


def _window(text: str, drafts: Sequence[_Draft], first: _Draft, last: _Draft) -> tuple[str, str]:
    """The words before and behind, up to the figures on either side; brackets are left out, or not left."""
    inside = _inside(text, first.start)
    others = [one for one in drafts if inside or not _inside(text, one.start)]
    begin = max((one.end for one in others if one.end <= first.start), default=0)
    end = min((one.start for one in others if one.start >= last.end), default=len(text))
    if inside:
        begin = max(begin, text.rfind("(", 0, first.start) + 1)
        closed = text.find(")", last.end)
        return text[begin : first.start], text[last.end : min(end, closed if closed >= 0 else end)]
    return _PAREN.sub("", text[begin : first.start]), _PAREN.sub("", text[last.end : end])


def _inside(text: str, place: int) -> bool:
    opened = text.rfind("(", 0, place)
    return opened > text.rfind(")", 0, place) and opened >= 0


def _signed(text: str, draft: _Draft, measure: str | None) -> str | None:
    """The measure with the direction that a sign gives: "(+9.4%)" is an increase."""
    if (
        measure
        and measure == _base(measure)
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


def _shared(text: str, figures: Sequence[Figure]) -> list[Figure]:
    """The figures with what they share: a measure said before, a rival said behind or for the whole sentence."""
    found = list(figures)
    general = opening_rival(text)
    for i in range(1, len(found)):
        if found[i].unit == found[i - 1].unit and not _APART.search(text[found[i - 1].end : found[i].start]):
            found[i] = _like(text, found[i], found[i - 1])
        elif (
            (bracketed := _of_the_one_outside(text, found[i], found[i - 1]))
            or not found[i].measure
            and _ratios(found[i], found[i - 1], text)
        ):
            found[i] = replace(
                found[i],
                measure=bracketed or found[i - 1].measure,
                against=found[i].against or found[i - 1].against,
            )
        elif _base(found[i].measure) in (None, "performance") and (
            word := _BARE_COMPARATIVE.match(text, found[i].end)
        ):
            found[i] = _more_of(found[i], found[:i], "increase" if word["up"] else "reduction")
    for i in range(len(found) - 2, -1, -1):
        one, following = found[i], found[i + 1]
        joined = following.measure and following.unit == one.unit and _is_change(one)
        if joined and not one.against and not _APART.search(text[one.end : following.start]):
            found[i] = replace(one, against=following.against)
    return [replace(one, against=one.against or (general if one.unit in COMPARED else None)) for one in found]


def _ratios(one: Figure, before: Figure, text: str) -> bool:
    """Whether two figures are ratios of one list ("by 10-40% on attention, 8x on state space models")."""
    return {one.unit, before.unit} <= {"x", "%"} and not _APART.search(text[before.end : one.start])


def _of_the_one_outside(text: str, one: Figure, before: Figure) -> str | None:
    """The measure of a figure in brackets that says the figure before them anew: "to 7.3B (-9%)", "5 hours (1000x less)"."""
    if (
        one.measure
        or one.unit not in ("x", "%")
        or not before.measure
        or not re.fullmatch(r"\s\([+−~<>≈-]?", text[before.end : one.start])
    ):
        return None
    way = _WAY.match(text, one.end)
    down = one.value < 0 or text[one.start - 1] in "-−" or (way is not None and way["down"])
    up = text[one.start - 1] == "+" or (way is not None and not way["down"])
    return f"{_base(before.measure)} {'reduction' if down else 'increase'}" if down or up else before.measure


def _is_change(figure: Figure) -> bool:
    changed = figure.measure and figure.measure.endswith((" increase", " reduction", "speedup"))
    return figure.unit in COMPARED and bool(changed or figure.unit == "x")


def _like(text: str, one: Figure, before: Figure) -> Figure:
    """The figure with what it leaves to the one before it in the same clause and unit."""
    measure = before.measure if one.measure in (None, "time") and before.measure else one.measure
    way = (
        before.measure.rpartition(" ")[2]
        if before.measure and _base(before.measure) != before.measure
        else ""
    )
    if (
        measure
        and one.unit == "x"
        and way
        and _base(measure) == measure
        and measure not in ("speedup", "compression")
    ):
        measure = f"{measure} {way}"
    bare = not one.unit and _inside(text, one.start)
    if bare:
        return replace(one, measure=one.measure or _base(before.measure))
    return replace(one, measure=measure, against=one.against or before.against)


def _more_of(one: Figure, earlier: Sequence[Figure], way: str) -> Figure:
    """The figure as a change of what the last figure of its unit measured ("2% higher")."""
    last = next(
        (_base(figure.measure) for figure in reversed(earlier) if figure.unit == one.unit and figure.measure),
        None,
    )
    return replace(one, measure=f"{last} {way}") if last else one
