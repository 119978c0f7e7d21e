"""What in a sentence of an abstract points to its role: its words, its cues, its place, its neighbours."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from assistant.role_words import cues_of

_TOKEN = re.compile(r"\d[\d.,]*|[^\W\d_][\w'^+*-]*|[;:?%×]|https?://")
_ODD = re.compile(r"[^\W\d_].*(?:[A-Z]|\d)")
# There are many words, pairs and staged cues, and many cues of neighbours: each counts less.
_PHRASE, _NEIGHBOUR = 0.7, 0.5
# Code points of a sentence that are read; no real one is longer.
_LONGEST = 2000
_UNITS = frozenset("% x × times point points ms s gb mb w tflops petaflops tops gbps mfu map fps".split())

# The cues that may be a sentence's first verb or sign.
_LEADING = frozenset("propose means trial found beat reach hard lack general need others contrast".split())
# The cues that mean one thing before the work has been introduced and another afterwards.
_STAGED = frozenset("hard lack others general need contrast found beat figure reach means".split()) | {
    "own subject"
}
_OUTCOMES = frozenset(("beat", "reach", "found", "figure"))
_SPEAKERS = frozenset("we authors paper work study article survey here they is are was proposed".split())
_POINTERS = frozenset("this in the our present".split())
_OWN = frozenset("we our it its this these they their both two each the".split())


class Clue(NamedTuple):
    """Something that is true of a sentence, and how much it counts; there are a thousand in an abstract."""

    name: str
    weight: float = 1.0


@dataclass(frozen=True)
class _Read:
    """A sentence, read: its words folded, its cues, the odd-shaped names in it, the one that opens it."""

    words: tuple[str, ...]
    cues: frozenset[str]
    names: frozenset[str]
    opening: str
    introduces: bool
    length: int


@dataclass(frozen=True)
class _Stage:
    """How far an abstract has come at a sentence: its work introduced, names known, outcomes told."""

    introduces: bool
    introduced: int
    ahead: bool
    next: bool
    known: frozenset[str]
    told: bool
    names_opening: bool


def clues_of(texts: Sequence[str]) -> list[list[Clue]]:
    """The clues to the role of each sentence of one abstract, in order."""
    read = [_read(text) for text in texts]
    found = []
    for index, (one, stage) in enumerate(zip(read, _stages(read), strict=True)):
        clues = [*_own_clues(one), *_stage_clues(one, stage), *_place(index, len(read))]
        for name, neighbour in (("before", index - 1), ("after", index + 1)):
            if 0 <= neighbour < len(read):
                clues += [Clue(f"{name} {cue}", _NEIGHBOUR) for cue in read[neighbour].cues]
        found.append(clues)
    return found


def _stages(read: Sequence[_Read]) -> list[_Stage]:
    openings = {one.opening for one in read if one.opening}
    known = [frozenset[str]()]
    for one in read:
        known.append(known[-1] | one.names)
    naming = [bool((one.names - before) & openings) for one, before in zip(read, known, strict=False)]
    introduces = [one.introduces or names for one, names in zip(read, naming, strict=True)]
    told = [
        "figure" in one.cues or {"beat", "trial"} <= one.cues or {"beat", "found"} <= one.cues for one in read
    ]
    return [
        _Stage(
            introduces=introduces[index],
            introduced=sum(introduces[:index]),
            ahead=any(introduces[index + 1 :]),
            next=any(introduces[index + 1 : index + 2]),
            known=known[index],
            told=any(told[:index]),
            names_opening=naming[index],
        )
        for index in range(len(read))
    ]


def _stage_clues(one: _Read, stage: _Stage) -> list[Clue]:
    when = "late" if stage.introduced or stage.introduces else "early"
    true = [
        f"introduced {min(stage.introduced, 2)}",
        f"{when}, to be introduced" if stage.ahead else f"{when}, not to be introduced",
    ]
    if stage.next:
        true.append(f"{when}, introduced next")
    if stage.introduces:
        true += ["introduces"] if stage.introduced else ["introduces", "introduces first"]
    if stage.told:
        true.append("after an outcome")
    if one.opening:
        true.append("opens with a known name" if one.opening in stage.known else "opens with a new name")
    if stage.names_opening:
        true.append("names what opens later")
    return [*map(Clue, true), *(Clue(f"{when}: {cue}", _PHRASE) for cue in one.cues & _STAGED)]


def _own_clues(one: _Read) -> list[Clue]:
    words = one.words
    pairs = (f"{left} {right}" for left, right in pairwise(words))
    said = {*words[1:], *pairs, " ".join(words[:3]) + " "}
    return [
        *map(Clue, one.cues),
        *(Clue(f"={phrase}", _PHRASE) for phrase in said),
        Clue("length", min(one.length, 400) / 300),
    ]


def _place(index: int, count: int) -> list[Clue]:
    share = index / max(1, count - 1)
    clues = [Clue("share", share), Clue("share squared", share * share)]
    clues += [Clue(f"place {index}")] if index < 3 else []
    clues += [Clue(f"place -{count - index}")] if count - index <= 3 else []
    return clues


def _read(text: str) -> _Read:
    tokens = _TOKEN.findall(text[:_LONGEST])
    words = ("^", *(_fold(token, not index) for index, token in enumerate(tokens)))
    names = frozenset(token for token in tokens if _ODD.match(token))
    opening = next((token for token in tokens[:2] if token in names), "")
    is_a = any(
        verb in ("is", "are") and article in ("a", "an", "the") for verb, article in pairwise(words[1:10])
    )
    cues = _cues(tokens, len(words))
    cues |= {"is a"} if is_a else set()
    cues |= {"own subject"} if words[1:2] and words[1] in _OWN else set()
    introduces = (is_a and bool(opening)) or _introduces(words)
    return _Read(words, frozenset(cues), names, opening, introduces, len(text))


def _cues(tokens: Sequence[str], length: int) -> set[str]:
    inside = dict.fromkeys(cue for token in tokens for cue in cues_of(token.lower()))
    cues = {*inside, "first " + next((cue for cue in inside if cue in _LEADING), "none")}
    if any(token[0].isdecimal() and _is_figure(tokens, index) for index, token in enumerate(tokens)):
        cues.add("figure")
    if {"goods", "open"} <= cues:
        cues |= {"goods open", "goods open, short"} if length < 16 else {"goods open"}
    if not cues & _OUTCOMES:
        cues |= {
            "no outcome",
            *(f"no outcome, {cue}" for cue in ("trial", "tried", "bounds", "stuff") if cue in cues),
        }
        cues |= {"no outcome, tried stuff"} if {"tried", "stuff"} <= cues else set()
    return cues


@lru_cache(maxsize=1 << 14)
def _fold(token: str, first: bool) -> str:
    if token[0].isdecimal():
        return "0"
    if _ODD.match(token):
        return "NAME"
    return "Cap" if not first and token[0].isupper() else token.lower()


def _is_figure(tokens: Sequence[str], index: int) -> bool:
    following = tokens[index + 1].lower() if index + 1 < len(tokens) else ""
    return following in _UNITS or "." in tokens[index].rstrip(".,")


def _introduces(words: Sequence[str]) -> bool:
    """Whether the work speaks of itself: "we propose", "is presented", "this paper", "the proposed"."""
    for index, word in enumerate(words[1:], start=1):
        if word in _SPEAKERS and words[index - 1] in _POINTERS:
            return True
        if "propose" in cues_of(word) and not _SPEAKERS.isdisjoint(words[max(0, index - 3) : index]):
            return True
    return False
