"""Which name an abstract gives to its own system."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from corpus.cues import ACTS
from corpus.mentions import Mention, introductions, mentions
from corpus.shapes import WORD, bare_name, folded_name, is_filler, shape

_DOES = re.compile(rf"(?:'s)?\s+{ACTS}")
_OTHERS = re.compile(
    r"\b(?:than|over|outperform\w*|surpass\w*|like|such as|e\.g\.,?"
    r"|(?:[Pp]revious|[Ee]xisting)(?: [\w-]+){0,3}) $"
)
_FAMILY = re.compile(rf"({WORD}?)(?:-(?!\d+$)[A-Z0-9][\w.-]*|(?<=[a-z])s)")
_KIND = re.compile(r"(?:ing|tion|sion|ment|ity|ness|ism|ly|ers?|ors?|[^s]s)$")
_INSIDE = re.compile(r"[\w,)] [\"“(]?$")
# What lies farther in than this no longer presents the work.
_READ = 6000
# From `_OWN` a place says that the name is the work's own, from `_STRONG` surely; all places say `_MOST`.
_OWN = 0.8
_STRONG = 1.6
_MOST = 4.5
# The work's own name mostly comes before those of its parts.
_FIRST = 0.5
# No more than this for a name that no place gives to the work.
_NOT_OWN = 1.0


@dataclass(frozen=True)
class Name:
    """A name, and how surely the abstract's own system goes by it: 2 is likely, 3.5 sure.

    `given` is true where some place gives the name to the work, and its use isn't all that speaks for it;
    `presented` where one does so outright ("we present X").
    """

    text: str
    weight: float
    given: bool
    presented: bool


@dataclass(frozen=True)
class _Use:
    """What the use of a name adds to its weight, and whether it is what acts in the work's own part."""

    weight: float
    acts: bool


def rank_names(abstract: str) -> list[Name]:
    """Names that the abstract gives to its own system, best first."""
    text = abstract[:_READ]
    intros = introductions(text)
    groups = [list(places.values()) for places in _gather(mentions(text, intros), text).values()]
    first = min((one.start for group in groups for one in group if one.weight >= _STRONG), default=len(text))
    begin = _contribution(text, min(first, intros[0].start() if intros else 0))
    names = [_weigh(text, group, begin, first) for group in groups]
    return sorted(names, key=lambda name: -name.weight)


def _gather(found: Iterable[Mention], text: str) -> dict[str, dict[int, Mention]]:
    """The mentions of each name by place, each place once, as the surest of what speaks for it."""
    gathered: dict[str, dict[int, Mention]] = defaultdict(dict)
    for mention in _with_families(found):
        name = bare_name(mention.text)
        if not name or is_filler(name) or shape(name) <= -1 or _is_plain(name, text):
            continue
        key = folded_name(name)
        places = gathered[key[:-1] if key[:-1] in gathered and key.endswith("s") else key]
        if mention.start not in places or places[mention.start].weight < mention.weight:
            places[mention.start] = replace(mention, text=name)
    return gathered


def _with_families(found: Iterable[Mention]) -> Iterator[Mention]:
    """The mentions, and for "TinyNet-E" or "EfficientDets" also the family's name."""
    for mention in found:
        yield mention
        family = _FAMILY.fullmatch(mention.text)
        if family and shape(family[1]) > 0.5:
            yield replace(mention, text=family[1], weight=mention.weight + 0.1)


def _contribution(text: str, place: int) -> int:
    """Where the sentence of a place begins: what stands before it isn't the text's own work."""
    before = text.rfind(". ", 0, place)
    return before + 2 if before >= 0 else 0


def _weigh(text: str, group: Sequence[Mention], begin: int, first: int) -> Name:
    """What all places of a name together say for it."""
    name = group[0].text
    use = _use(text, name, begin)
    weight = min(sum(one.weight for one in group), _MOST) + shape(name) + use.weight
    if any(one.start == first for one in group):
        weight += _FIRST
    given = any(one.weight >= _OWN for one in group)
    presented = any(one.weight >= _STRONG for one in group)
    return Name(name, weight if use.acts or given else min(weight, _NOT_OWN), given, presented)


def _use(text: str, name: str, begin: int) -> _Use:
    """How the text uses the name: as what acts, how often, before its own work, as that work's rival."""
    opened = [start for start in _places(text, name) if not (start and _goes_on(text, start - 1))]
    whole = [start for start in opened if _is_whole(text, start + len(name))]
    acts = any(_DOES.match(text, start + len(name)) for start in opened if start >= begin)
    before = bool(whole) and whole[0] < begin
    rival = any(
        _OTHERS.search(text, max(start - 60, 0), start) or "et al." in text[max(start - 90, 0) : start]
        for start in whole
    )
    weight = min(0.35 * (len(whole) - 1), 1.4) + 1.0 * acts - 2.0 * before - 1.5 * rival
    return _Use(weight, acts and not before and not rival)


def _is_plain(name: str, text: str) -> bool:
    """True for a common word, also where its capital is only that of a sentence ("Third", "Types")."""
    if " " in name or shape(name) > 0.1:
        return False
    if name.islower() and name.isalpha():
        return True
    whole = [start for start in _places(text, name) if not _goes_on(text, start + len(name))]
    if any(_INSIDE.search(text, max(start - 3, 0), start) for start in whole):
        return False
    # One that begins several sentences, is never written small and is said to be something, is a name.
    said = any(f"{name} is {article} " in text for article in ("a", "an"))
    return not said or len(whole) < 2 or bool(_KIND.search(name)) or name.lower() in text


def _places(text: str, name: str) -> Iterator[int]:
    place = text.find(name)
    while place >= 0:
        yield place
        place = text.find(name, place + len(name))


def _is_whole(text: str, end: int) -> bool:
    """True where a name that ends at `end` isn't the beginning of a longer one; a plural's s is none."""
    end += text[end : end + 1] == "s"
    return not _goes_on(text, end) and text[end : end + 1] != "-"


def _goes_on(text: str, place: int) -> bool:
    """True where a letter, digit or underline stands."""
    return text[place : place + 1].isalnum() or text[place : place + 1] == "_"
