"""Whether a question leans on those before it, and the question that stands alone."""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.answer import Turn
from assistant.words import content_words

# What goes on from the talk, whatever follows; and what does so where little follows.
_GOES_ON = re.compile(
    r"^(?:and|or|but|no|yes|any (?:other|more))\b|^(?:ok(?:ay)?|so|then|also)[,.]? (?:and|or|but)\b"
    r"|^(?:\w+ )?compare (?:it|this|that|them|these|those|both)\b|\bI meant?\b"
    r"|^[^:(]{0,40}\bthe one (?:on|about|from|with)\b",
    re.I,
)
_GOES_ON_BRIEFLY = re.compile(
    r"^(?:ok(?:ay)?|so|then|also|what about|how about|why|what else)\b"
    r"|^(?:on|with|for|at|by|in|to|from|over) (?:which|what|how|whom)\b",
    re.I,
)
# What stands for something said before, here or in the talk. "That" doesn't where a clause follows it.
_STANDS_FOR = re.compile(
    r"\b(?:its?|they|them|theirs?|those|these|he|she|his|her)\b"
    r"|^that\b|\b(?:does|did|do|is|was|has|would|could|can|will) (?:that|this)\b(?! \w+ of\b)"
    r"|\b(?:of|to|with|than|from|for|about|like|after|on|by|at) that\b(?! (?:the|an?)\b)"
    r"|\b(?:that|this|there)(?=\W*$|,)"
    r"|\b(?:this|that) (?:one|paper|work|method|system|approach|model|study)\b"
    r"|\bthe (?:first|second|third|last|other|former|latter|later|earlier)\b"
    r"|\bthe (?:[\w-]+ )?(?:ones?|variant|version)\b",
    re.I,
)
# What asks the collection: nothing of the talk is needed for it.
_OF_THE_COLLECTION = re.compile(
    r"\b(?:the|these|which|what|all|any|list|find|show|many|several) (?:[\w-]+ )?"
    r"(?:papers|works|abstracts|studies|surveys)\b|\b(?:is|are) there\b|\bin this collection\b"
    r"|\b(?:which|what) (?:[\w-]+ )?(?:paper|work|study|system|method)\b"
    r"|\b(?:largest|biggest|highest|longest|smallest|lowest|shortest|fewest|greatest)\b",
    re.I,
)
# Words of topic before such a word that let it stand for one of them.
_ANTECEDENT = 3
# Words of topic in a question that says little by itself.
_BRIEF = 3
_TURNS = re.compile(
    r"\b(?:different|new|another|other) (?:topic|question|subject)\b|\bswitching to\b|\bchange of "
    r"(?:topic|subject)\b"
    r"|\bsomething else\b|\bunrelated\b",
    re.I,
)
_COURTESY = re.compile(
    r"(?:thanks?|thank you|thx|ok(?:ay)?|great|cool|nice|perfect|hello|hi|hey|bye|good)\b[\w ,]{0,20}[.!]*",
    re.I,
)
# Questions before this one that are looked back to.
_BACK = 2
_ANOTHER = re.compile(
    r"\b(?:later|newer|next|older|earlier|other|another) (?:one|paper|work|version|system)s?\b"
    r"|\bsecond (?:version|paper|work)\b"
    r"|\bsuccessor\b|\bany others?\b|\bthe other [A-Z]",
    re.I,
)
_CLINGS = re.compile(
    r"\b(?:it|its|this (?:paper|system|method|one)|they|their|them)\b"
    r"|\bthe (?:former|latter|(?:first|second|third|fourth|fifth|last)(?: (?:one|two|three))?)"
    r"(?=\W*$| (?:one|paper|is|was|do|does|uses?|about)\b)"
    r"|\b(?:does|did|do|is|was|has|would|could|can|will) (?:that|this)\b",
    re.I,
)
_PLACES = ("first", "second", "third", "fourth", "fifth")
_ORDINAL = rf"(?:former|latter|last|{'|'.join(_PLACES)})"
_PLACE = re.compile(
    rf"\b(?:the|and|with|to|or) ({_ORDINAL})\b(?: (two|three|four|five)\b)?(?! \w+ of\b)", re.I
)
_COUNTED = ("two", "three", "four", "five")
_DESCRIBED = re.compile(
    rf"\bthe one (?:on|about|from|with|by|in|for)\b"
    rf"|\bthe (?!(?:{_ORDINAL}|same|right|only)\b)(?:[\w-]+ ){{1,3}}(?:one|version|paper)\b",
    re.I,
)
_OTHERS = re.compile(
    r"(?:(?:ok(?:ay)?|so|and|but|are there|do (?:you|we) have|is there|what|which|who)[, ]+)*"
    r"(?:any(?:thing|one|body)? |some |the |more )?(?:others?|else|more)"
    r"(?: (?:papers?|works?|ones?|systems?|methods?|like (?:that|this|it|these)|in (?:here|this collection)"
    r"|on (?:that|this|it)))*\W*",
    re.I,
)
_AGAIN = re.compile(r"(?:ok,? )?(?:and|what about|how about)\s+(?:for |with )?([\w .+-]{2,40}?)\s*\?*$", re.I)
_SIDE_BY_SIDE = re.compile(
    r"\bcompar|\bdiffer|\bvs\b|\bversus\b|\bwhich (?:one )?of (?:them|the two|these)\b"
    r"|^(?:and |so )?which (?:one )?(?:is|has|gets|gives|needs|reports) (?:the |a )?"
    r"(?:more|less|better|\w+e[rs]t?)\b",
    re.I,
)
_PLURAL = re.compile(r"\b(?:them|they|both|those|these|the two|each|their)\b", re.I)


def standalone(
    text: str, history: Sequence[Turn], *, names_paper: bool, names_other: bool
) -> tuple[tuple[str, ...], str]:
    """The questions before that this one leans on, latest last (() where it stands alone), and its own words.

    A question that turns to another topic leans on nothing; the words that name the turn are dropped. A short
    one leans where it names nothing, and one with a pronoun where it names no paper for it to stand for.
    """
    turned = _TURNS.search(text)
    if turned:
        return (), text[turned.end() :].lstrip(" :,;.-–—") or text
    if not _leans(text, names_paper, names_other):
        return (), text
    asked = [turn.content.strip() for turn in history if turn.role == "user" and turn.content.strip()]
    first = max(len(asked) - _BACK, 0)
    while first and asked[first:] and all(_leans(one, False, False) for one in asked[first:]):
        first -= 1
    return tuple(asked[first:]), text


def _leans(text: str, names_paper: bool, names_other: bool) -> bool:
    """True where the question can't be understood without the talk before it."""
    if _COURTESY.fullmatch(text.strip()):
        return False
    brief = len(content_words(text)) <= _BRIEF
    if _GOES_ON.search(text) or (brief and _GOES_ON_BRIEFLY.search(text)):
        return True
    own = _OF_THE_COLLECTION.sub(" ", text)
    if brief and not (names_paper or names_other):
        return own == text
    stands_for = _STANDS_FOR.search(own)
    before = content_words(own[: stands_for.start()]) if stands_for else []
    return bool(stands_for) and len(before) < _ANTECEDENT and not (names_paper and before)


def clings(text: str) -> bool:
    """True where the question is about the paper before it: it has a pronoun or hardly a word of its own."""
    return bool(_CLINGS.search(text)) or len(content_words(text)) < _BRIEF


def asked_again(text: str) -> str | None:
    """What a question puts in the place of what was asked about: "and SuperScaler?" gives "SuperScaler"."""
    found = _AGAIN.match(text.strip())
    return found[1] if found else None


def sets_side_by_side(text: str) -> bool:
    """True where the question sets what was spoken of side by side."""
    return bool(_SIDE_BY_SIDE.search(text))


def speaks_of_several(text: str) -> bool:
    """True where the question's words stand for several papers."""
    return bool(_PLURAL.search(text) or _SIDE_BY_SIDE.search(text))


def places_of(text: str, count: int) -> tuple[int, ...]:
    """Which of `count` before are meant, from 0; () for all.

    "The first two" gives (0, 1), "the first and the third" (0, 2), "the latter" the last.
    """
    found: list[int] = []
    for match in _PLACE.finditer(text):
        word, many = match[1].lower(), match[2]
        if word in ("latter", "last"):
            found += range(count)[-(_COUNTED.index(many.lower()) + 2 if many else 1) :]
        elif many:
            found += range(_COUNTED.index(many.lower()) + 2)
        else:
            found.append(_PLACES.index(word) if word in _PLACES else 0)
    return tuple(dict.fromkeys(place for place in found if place < count))


def describes_one(text: str) -> bool:
    """True where the question says which one it means: "the graph one", "the one on HELM"."""
    return bool(_DESCRIBED.search(text))


def asks_for_others(text: str) -> bool:
    """True where the question asks for nothing but more of the same: "any others?", "more like this"."""
    return bool(_OTHERS.fullmatch(text.strip()))


def speaks_of_another(text: str) -> bool:
    """True where the question turns from the paper spoken of to another: "their later one"."""
    return bool(_ANOTHER.search(text))


def resolve(text: str, names: Sequence[str]) -> str:
    """The question with its pronoun replaced by the names, or with the names behind it.

    Without names it is the question itself.
    """
    if not names:
        return text
    who = " and ".join(names)
    for pattern, replacement in (
        (r"\b(?:its|their)\b", f"{who}'s"),
        (r"\b(?:it|they|them|the two|both of them)\b", who),
    ):
        replaced, count = re.subn(pattern, replacement, text, count=1, flags=re.I)
        if count:
            return replaced
    return f"{text.rstrip()} ({who})"
