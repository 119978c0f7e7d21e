"""What may be a name in an abstract, and how surely each place gives it to the abstract's own work."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from corpus.cues import CUES
from corpus.shapes import WORD, shape, spelled_from

_VERBS = (
    r"(?:(?:present|design|build|implement|offer|unveil|establish|deliver|construct|develop"
    r"|challenge \w+ \w+ with|(?:put|bring) forward)(?:s|ed|es)?"
    r"|(?:propose|introduce|describe|release|devise|create|contribute)[sd]?)"
)
_LOOKED_AT = r"(?:explore[sd]?|examine[sd]?|study|studie[sd]|report(?:s|ed)? on)"
_ACTORS = (
    r"(?:we|paper|work|report|article|study|authors?|survey|thesis|dissertation|hence|here|thus|then|and"
    r"|therefore|to|further|also|by)"
)
_INTRO = re.compile(
    rf"\b(?:{_ACTORS}\b[^.;:]{{0,60}}?\b(?:{_VERBS}|({_LOOKED_AT}))"
    r"|by (?:introducing|proposing|presenting|developing|designing|building))\b\s+",
    re.I,
)
_CALLED = re.compile(
    r"\b(?:called|named|dubbed|termed|coined|namely|titled|pronounced|refer(?:red)? to (?:\w+ ){1,4}as"
    r"|(?:we|that we|which we) (?:term|call|name|dub)(?: (?:this|our|the|it)\b[\w -]{0,40}?(?= \"?[A-Z]))?)"
    r"\s+(?:as\s+)?(?:the\s+|an?\s+)?[\"“']?",
    re.I,
)
_EXPANDED = re.compile(rf"[^.;:()]{{3,80}}\(({WORD})\)")
_BRACKETED = re.compile(rf"\(({WORD})(?:[,;][^)]*)?\)")
_MENTION = re.compile(rf"(?<![/\w]){WORD}(?!/)")
# What stands behind one of these isn't what is presented.
_LEADS_OFF = "with|by|in|on|at|for|from|to|as|into|than|that|which|how|using|via|through|over"
_AWAY = re.compile(rf"\b(?:{_LEADS_OFF}|of|between|and|combining|based|where|when|while)\b")
_NAME_START = re.compile(
    rf"(?:(?!\d|(?:{_LEADS_OFF})\b)[a-z][a-z-]*\s+){{0,4}}?[\"“‘']?"
    rf"((?=\w*[A-Z0-9.]){WORD}(?:[ -](?:V?\d[\w.]*|[A-Z][\w-]*)){{0,7}})"
)
# A name in small letters stands alone, set off by a comma: "we introduce robust-kbench, a new benchmark".
_SMALL_NAME = re.compile(r"((?=[a-z]*[-._\d])[a-z][\w.-]*\w)(?: \([^()]*\))?, (?:an?|the|our)\b")
# A name that only describes what follows it: "a MoE architecture", "Jensen-Shannon (JS) divergence".
_ATTRIBUTE = re.compile(r"(?:-\w+)? (?!(?:to|that|which|as|for|with|in|on|and|by|using|is|can)\b)[a-z][\w-]+")
_BRACKET_GOES_ON = re.compile(rf"\)[ -](?!(?:{_LEADS_OFF}|and|is|can)\b)[A-Za-z][\w-]+")
_HEAD_ENDS = re.compile(r"\s*(?:,|\(|:|[—–-]|to\b|that\b|which\b|$)")
_CLAUSE_END = re.compile(r"[.;:](?:\s|$)")
_SET_OFF = re.compile(
    rf"(\w+)(?:,|:)? (?:the |namely )?({WORD}(?: V?\d)?)(?=[,:(]| \(|$| (?:to|that|which|for)\b)"
)
# A name behind one of these is somebody else's: "systems like DeepSpeed", "on ImageNet".
_BEFORE_OTHERS = frozenset(
    "like as over than and or to on in from for by using e g and vs versus against include including".split()
)
_CLAUSE = 200


@dataclass(frozen=True)
class Mention:
    """A name in a place of the text; `weight`: how surely the place gives it to the work, 0 to 2.8."""

    text: str
    weight: float
    start: int


def introductions(text: str) -> list[re.Match[str]]:
    """The places where the text says that it presents something, "we propose"; not what others proposed."""
    return [
        intro
        for intro in _INTRO.finditer(text)
        if "et al" not in text[max(intro.start() - 30, 0) : intro.end()]
    ]


def mentions(text: str, intros: Sequence[re.Match[str]]) -> Iterator[Mention]:
    """All that may be a name in the text; one place may come several times, with different weights.

    `intros` are the text's `introductions`.
    """
    for intro in intros:
        stop = _CLAUSE_END.search(text, intro.end())
        # What is only studied is less surely the work's own.
        share = 0.6 if intro[1] else 1.0
        for found in _in_clause(text[intro.end() : stop.start() if stop else intro.end() + 300]):
            yield replace(found, weight=share * found.weight, start=found.start + intro.end())
    yield from _called(text)
    for cue in CUES:
        for place in cue.pattern.finditer(text):
            weight = cue.weight if shape(place[1]) > 0 else cue.plain
            if weight is not None:
                yield Mention(place[1], weight, place.start(1))
    yield from _shaped(text)


def _shaped(text: str) -> Iterator[Mention]:
    """What has the shape of a name, wherever it stands; a little more for what is spelled out before it."""
    for place in _BRACKETED.finditer(text):
        if shape(place[1]) > 0 and spelled_from(place[1], text[: place.start()]) is not None:
            yield Mention(place[1], 0.5, place.start(1))
    for place in _MENTION.finditer(text):
        word = place[0]
        if not (word.islower() and "." not in word) and shape(word) > 0.5 and "/" not in word:
            yield Mention(word, 0.0, place.start())


def _called(text: str) -> Iterator[Mention]:
    for called in _CALLED.finditer(text):
        expanded = _EXPANDED.match(text, called.end())
        if expanded and shape(expanded[1]) > 0:
            yield Mention(expanded[1], 2.4, expanded.start(1))
        else:
            expanded = None
        found = _NAME_START.match(text, called.end())
        if found:
            long_form = expanded is not None and found.end() < expanded.start(1)
            yield Mention(found[1], 0.6 if long_form else _called_weight(text, found), found.start(1))


def _called_weight(text: str, found: re.Match[str]) -> float:
    if _ATTRIBUTE.match(text, found.end()):
        return 1.2
    set_off = text[found.end() : found.end() + 1] in {",", "."} and not found[1].isalpha()
    return 2.2 if set_off or shape(found[1]) > 0 else 1.2


def _in_clause(clause: str) -> Iterator[Mention]:
    """Names in the words after "we propose": its head, in brackets what abbreviates it, set off by commas."""
    short = _shortened(clause[:_CLAUSE])
    yield from (mention for mention, _ in short)
    head = _NAME_START.match(clause)
    small = _SMALL_NAME.match(clause)
    if small:
        yield Mention(small[1], 2.8, 0)
    elif head and any(begin < head.end() <= mention.start for mention, begin in short):
        yield Mention(head[1], 0.6, head.start(1))
    elif head and shape(head[1]) > 0:
        attribute = 1.3 if shape(head[1]) > 0.5 else 1.0
        yield Mention(head[1], attribute if _ATTRIBUTE.match(clause, head.end()) else 2.4, head.start(1))
    elif head and head[1][0].isupper() and _HEAD_ENDS.match(clause, head.end()):
        yield Mention(head[1], 1.4, head.start(1))
    for found in _SET_OFF.finditer(clause[:_CLAUSE]):
        if shape(found[2]) > 0 and found[1].lower() not in _BEFORE_OTHERS:
            yield Mention(found[2], 1.4 if shape(found[2]) > 0.5 else 0.8, found.start(2))


def _shortened(clause: str) -> list[tuple[Mention, int]]:
    """Short forms in the clause and where their long forms begin.

    Those of what is only spoken of on the way weigh less: "trained by X (Y)".
    """
    found = []
    for place in _BRACKETED.finditer(clause):
        start = spelled_from(place[1], clause[: place.start()])
        if start is not None:
            led_off = _AWAY.search(clause, 0, start)
            weight = 0.5 if led_off else 1.0 if _BRACKET_GOES_ON.match(clause, place.end(1)) else 2.6
            found.append((Mention(place[1], weight, place.start(1)), start))
    return found
