"""Questions for a paper by what it proposes, without its name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from assistant.drafting.material import Material
from assistant.drafting.wording import article, cut_phrase
from corpus.papers import text_key

_WHO = (
    r"^(?:(?:In|To|For|With|By|Based|Motivated|Therefore|Thus|Hence)\b[^,]{0,100},\s)?"
    r"(?:[Ww]e|[Tt]his (?:paper|work|study|article)|[Tt]he (?:paper|work|authors|study))\s"
    r"(?:(?:therefore|then|thus|also|further|first|here)\s)?"
)
_OFFERS = r"(?:propos|present|introduc|develop|design|offer|put forward|devis|creat)\w*\s"
_A = r"(?P<what>(?:an?|the first)\s[^.].*)"
NOT_DOING = frozenset(
    "is has was does needs reaches outperforms achieves attains surpasses shows gains beats exceeds matches "
    "runs becomes keeps remains improves performs demonstrates delivers obtains yields speeds cuts takes "
    "offers works consists sets stays retains leads equals gives scores comes addresses fails generalizes "
    "scales exhibits enjoys".split()
)


@dataclass(frozen=True)
class Described:
    """What a sentence says of a paper's system: `what` begins with an article, or with a verb (`does`)."""

    what: str
    sentence: str
    does: bool


_NOUN_FRAMES = (
    "Which paper proposes {0}?",
    "Is there {0}?",
    "I'm looking for {0}. Which paper is that?",
    "Has anybody come up with {0}?",
)
_VERB_FRAMES = (
    "Which method {0}?",
    "Is there a method that {0}?",
    "Which paper describes a system that {0}?",
)


def described(material: Material) -> Iterator[Described]:
    """What the sentences say that the paper's system is or does, the paper's name left out of it."""
    name = material.bare_name
    for sentence, role in zip(material.sentences, material.roles, strict=True):
        if role not in ("approach", "problem", "result"):
            continue
        if name:
            yield from _of_named(sentence, name)
        found = re.match(_WHO + _OFFERS + _A, sentence)
        what = _without_novelty(found["what"]) if found else None
        if what and (phrase := cut_phrase(what, 5, 26)) and not _names(phrase, name):
            yield Described(phrase, sentence, does=False)


def question_for(one: Described, choice: int) -> str:
    """The description as a question; `choice` says in which words."""
    frames = _VERB_FRAMES if one.does else _NOUN_FRAMES
    return frames[choice % len(frames)].format(one.what)


def _of_named(sentence: str, name: str) -> Iterator[Described]:
    called = rf"{re.escape(name)}(?:\s\([^()]*\))?"
    long = rf"(?:[A-Z][\w-]+\s){{1,5}}\({re.escape(name)}\)"
    nouns = (
        rf"^(?:{called}|{long})\s(?:is|are)\s{_A}",
        rf"(?:{_OFFERS}|\b(?:gives|yields|using|is|called)\s)(?:{called}|{long}),\s(?P<what>an?\s.*)",
        rf"^(?:{called}|{long}),\s(?P<what>an?\s[^,]*),",
        rf"{_OFFERS}(?P<what>an?\s[^,.;]*?),?\s(?:called|named|termed|dubbed)\s(?:{called}|{long})",
    )
    for pattern in nouns:
        found = re.search(pattern, sentence)
        phrase = cut_phrase(_without_novelty(found["what"]), 5, 26) if found else None
        if phrase and not _names(phrase, name):
            yield Described(phrase, sentence, does=False)
    found = re.match(rf"(?:{called}|{long})\s(?P<what>(?P<verb>[a-z]+s)\s.*)", sentence)
    if found and found["verb"] not in NOT_DOING:
        phrase = cut_phrase(found["what"], 6, 26)
        if phrase and not _names(phrase, name):
            yield Described(phrase, sentence, does=True)


def _without_novelty(what: str) -> str:
    """What is proposed, without the praise: "a novel, simple router" is "a router"."""
    found = re.match(r"(an?)\s(?:novel|new|simple|efficient|effective)(?:,|\sand|\syet|\sbut)*\s(.+)", what)
    if not found:
        return what
    return _without_novelty(f"{article(found[2])} {found[2]}")


def _names(phrase: str, name: str | None) -> bool:
    """Whether the phrase gives the name away, or one of its parts."""
    if not name:
        return False
    key = text_key(phrase)
    parts = [name, *(part for part in re.split(r"[\s-]", name) if len(part) > 3 and part != part.lower())]
    return any(text_key(part) in key for part in parts)
