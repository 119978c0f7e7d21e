"""Questions for the figures of abstracts."""

from __future__ import annotations

import re
from collections.abc import Collection as Names
from collections.abc import Iterator
from dataclasses import dataclass

from assistant.drafting.material import Material, Stated
from assistant.drafting.number_words import Asking, askings_for, noun_of
from assistant.figures import Figure
from assistant.figures.reading import inside

_MOST = ("up to", "at most", "peak")
_VAGUE = re.compile(r"^orders|dozens?|hundreds|thousands|several|many|tens", re.I)
# What stands before a figure that belongs to somebody else.
_OTHERS = re.compile(
    r"\b(?:against|compared (?:to|with)|versus|vs\.?|than|from|instead of|rather than|whereas|while|"
    r"state of the art|even|such as|baselines?|previous(?:ly)?|prior|existing|only|losing|removing|removes?|"
    r"prun(?:es?|ing)|"
    r"unlike|at (?:a|an)?\s?(?:fixed|equal|same))\s+(?:(?!and\b)[\w~-]+\s){0,4}$",
    re.I,
)
_NOT_OWN = re.compile(
    r"^(?:Existing|Current|Previous|Prior|Recent|Earlier|Many|Most|Some|Although|While|Despite|However|Today)\b"
)
_SETTING_AHEAD = re.compile(r"^(?P<all>(?:On|For|In|With|At|Over|Across|Using)\s(?P<what>[^,;:()]{2,60})),\s")
_SETTING_BEHIND = re.compile(
    r"^[^,;.()]{0,30}?\s(?P<all>(?:on|for)\s(?:the\s)?(?P<what>[^,;:.()]*?[A-Z\d][^,;:.()]*?))"
    r"(?=[,;:(]|\.(?:\s|$)|\s(?:and|as|with|while|over|compared|against|than|by|at|using|in|when|without|"
    r"relative)\s)"
)
_NAMED = re.compile(r"[A-Z\d]")
_APART = re.compile(r"[,;:]|\b(?:while|whereas|but|and|with)\b")
_COMPARED = re.compile(
    r"\s*(?:%|points?)?\s*(?:absolute\s|relative\s)?"
    r"(?:above|below|higher|lower|better|worse|more|less|greater|over that|drop|loss|gain)\b"
)
_UNFINISHED = re.compile(
    r"^(?:an?\s|the\s)?(?:dense|sparse|standard|full|best|original|existing|previous|vanilla|naive|plain|"
    r"state-of-the-art|strong|conventional|traditional)$",
    re.I,
)
_LISTED = re.compile(r"[^,]{1,30}(?:,[^,]{1,30})*\sand\s[^,]{1,40},")
_RIVAL_OUT = re.compile(
    r"\b(?:its|their|our|this|these|such|that|those|ours|it|them|any|each|one)\b|[()\d]{6,}"
)
_SETTING_OUT = re.compile(rf"{_RIVAL_OUT.pattern}|\b(?:and|while|over|than|by|relative|compared|average)\b")


@dataclass(frozen=True)
class Numbered:
    """A question for a figure; `measure` says what kind it is of."""

    question: str
    measure: str
    answer: str
    must: tuple[tuple[str, ...], ...]
    sentence: str


def numbered(material: Material, strangers: Names[str]) -> Iterator[Numbered]:
    """The questions for the figures of a named paper that can be told from its other figures.

    `strangers` are the names of the other papers: a sentence that begins with one speaks of that.
    """
    if material.name is None:
        return
    for stated in material.figures:
        askings = askings_for(stated.figure.measure, stated.figure.unit, stated.sentence)
        own = (one for one in askings if _is_own(one, stated, material, strangers))
        question = next(filter(None, (_worded(one, stated, material) for one in own)), None)
        if question:
            figure = stated.figure
            shown = f"{figure.qualifier} {stated.shown}" if figure.qualifier else stated.shown
            measure = figure.measure or figure.unit
            yield Numbered(question, measure, shown, must_of(figure, stated.shown), stated.sentence)


def must_of(figure: Figure, shown: str) -> tuple[tuple[str, ...], ...]:
    """What an answer has to hold: the figure as it is shown, or in the other ways of writing it.

    Each end of a range is an entry of its own.
    """
    shown = shown.lstrip("+-−")
    numbers = re.findall(r"\d[\d,]*(?:\.\d+)?", shown)
    if not numbers or re.search(r"\b(?:million|billion|trillion|thousand|orders?)\b", shown):
        return ((shown,),)
    if len(numbers) > 1:
        return tuple((number,) for number in numbers)
    number = numbers[0]
    forms = {
        "x": (f"{number}x", f"{number}-fold", f"factor of {number}"),
        "%": (f"{number}%", f"{number} %", f"{number} percent"),
    }.get(figure.unit, (re.sub(r"(?<=\d) (?=\w{1,4}$)", "", shown), re.sub(r"(?<=\d)-", " ", shown)))
    return (tuple(dict.fromkeys((shown, *forms, *([number] if "." in number else [])))),)


def _is_own(asking: Asking, stated: Stated, material: Material, strangers: Names[str]) -> bool:
    """Whether the figure is the paper's own result, so far as the sentence tells."""
    text, start = stated.sentence, stated.figure.start
    if stated.role not in ("result", "setting") or inside(text, start) or _NOT_OWN.match(text):
        return False
    bare = material.bare_name or ""
    before = re.sub(r"\b(?:up to|at most|at least|on average|over|about|around|by)\s*$", "", text[:start])
    if stated.figure.unit == "%" and re.search(r"\bat\s+$", text[:start]):
        return False  # "at 70% sparsity" is where something else was measured
    if asking.level and _COMPARED.match(text[stated.figure.end :]):
        return False
    if asking.near and not re.search(asking.near, text[max(start - 50, 0) : stated.figure.end + 50]):
        return False
    if _OTHERS.search(before) or stated.figure.qualifier == "only" or _VAGUE.search(stated.shown):
        return False
    opening = " ".join(text.split()[:4])
    return bare in text or not any(re.match(rf"{re.escape(one)}(?![\w-])", opening) for one in strangers)


def _worded(asking: Asking, stated: Stated, material: Material) -> str | None:
    figure, others = stated.figure, _like(stated, material)
    rival = _rival(stated, material)
    if (asking.rival and not rival) or (figure.against and not rival):
        return None
    setting = _setting(stated, material)
    quantity = _quantity(figure)
    if others:
        alone = all(_quantity(one.figure) != quantity for one in others)
        if not alone and (not setting or any(_setting(one, material) == setting for one in others)):
            return None
    return asking.frame.format(
        n=material.name,
        q=quantity if others or quantity == " on average" else "",
        vs=f" compared with {rival}" if rival else "",
        than=f" than {rival}" if rival else "",
        rival=rival,
        on=f" {setting}" if setting else "",
        m=noun_of(asking, figure.measure or ""),
        unit=figure.unit,
    )


def _like(stated: Stated, material: Material) -> list[Stated]:
    """The paper's other figures that the same question may mean."""
    mine = stated.figure
    return [
        one
        for one in material.figures
        if one != stated
        and one.figure.unit == mine.unit
        and (
            one.figure.measure == mine.measure or (not one.figure.measure and one.sentence == stated.sentence)
        )
    ]


def _quantity(figure: Figure) -> str:
    return " on average" if figure.qualifier == "average" else " at best" if figure.qualifier in _MOST else ""


def _rival(stated: Stated, material: Material) -> str | None:
    """What the figure is against, as it stands in the figure's own clause; None where it can't be asked."""
    against, text = stated.figure.against, stated.sentence
    if not against or len(against.split()) > 9 or _RIVAL_OUT.search(against) or _UNFINISHED.match(against):
        return None
    place = text.find(against)
    if place < 0 or (material.bare_name and material.bare_name in against.split()):
        return None
    between = (
        text[stated.figure.end : place]
        if place > stated.figure.end
        else text[place + len(against) : stated.figure.start]
    )
    if _APART.search(between) and place > stated.figure.end:
        return None
    before = re.search(r"\b(the|an?|its|their|our|his|this|these)\s$", text[:place])
    if before and before[1] not in ("the", "a", "an"):
        return None
    return f"{before[1]} {against}" if before else against


def _setting(stated: Stated, material: Material) -> str | None:
    """Under which conditions the figure holds: "on GSM8K"."""
    text, figure = stated.sentence, stated.figure
    behind = _SETTING_BEHIND.match(text[figure.end :])
    ahead = _SETTING_AHEAD.match(text)
    if ahead and _LISTED.match(text, ahead.end()):
        ahead = None
    for found in (behind, ahead if ahead and ahead.end() <= figure.start else None):
        if found and _NAMED.search(found["what"]) and len(found["what"].split()) <= 8:
            words = found["all"].strip()
            if (material.bare_name or "") not in words and not _SETTING_OUT.search(words):
                return words[0].lower() + words[1:]
    return None
