"""What a question asks: its kind, the papers it names, the names that it takes for granted."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from assistant.answer import Kind, Turn
from assistant.followup import (
    asked_again,
    asks_for_others,
    clings,
    describes_one,
    places_of,
    sets_side_by_side,
    speaks_of_another,
    speaks_of_several,
    standalone,
)
from assistant.kinds import kind_of
from assistant.names import Named, Names, NamesIn, find_named, find_roles, is_baseline, names_in
from assistant.words import LISTING_WORDS, content_words

NAMED = 50.0
"""Added to the score of a paper that a question names: nothing else outranks it."""
BASELINE = 2.0
"""Added where the name is only what is measured against, or one topic of a question for many papers."""
RECALLED = 6.0
"""Added where an earlier question named the paper and this one leans on it; NAMED where by a pronoun."""
MENTIONED = 4.0
"""Added to papers that hold a name of the question that is nobody's own, where at most RARE papers do."""
RARE = 5
CARRIED = 3.0
"""Added to the paper that answered the question before, where nothing is named since."""
FEW = 5
"""Papers of an answer that "them" can stand for."""
MOST_SHOWN = 12
"""Papers of an answer that "the last" is looked for among."""

_YEARS = re.compile(
    r"\b(since|after|before|until|from|in|between|of|published in)\s+((?:19|20)\d\d)"
    r"(?:\s*(?:-|–|to|and)\s*((?:19|20)\d\d))?\b",
    re.I,
)
_SAID_OF = {"author": "by", "organisation": "from", "venue": "in"}
_PLACE = r"(?:page|list|site|website|feed|folder|library|export|collection|blog)"


@dataclass(frozen=True)
class Question:
    """A question, understood: `focus` is what is asked now, `query` what is searched.

    The query includes the talk before. `unknown` names occur nowhere in the collection, `mentioned` ones are
    no paper's own; `credits` are authors, organisations and venues; `recalled` names stand only in the talk.
    `carried` are the ids of the papers that answered it, and those `left_out` aren't asked for again ("any
    others?", "their later one").
    """

    text: str
    focus: str
    query: str
    kind: Kind
    named: tuple[Named, ...] = ()
    credits: tuple[Named, ...] = ()
    unknown: tuple[str, ...] = ()
    mentioned: tuple[str, ...] = ()
    recalled: tuple[Named, ...] = ()
    carried: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    before: str = ""

    @property
    def leans(self) -> bool:
        """True where the question is searched with the talk before it."""
        return bool(self.before)

    @property
    def wants_many(self) -> bool:
        """True where the answer is made of many papers."""
        return self.kind in ("list", "aggregate")

    @property
    def topic(self) -> str:
        """What is asked now without what narrows it."""
        return _without(_YEARS.sub(" ", self.focus), self.credits) if self.wants_many else self.focus

    @property
    def topic_words(self) -> list[str]:
        """The words that say which papers are wanted; [] where all are."""
        return [word for word in content_words(self.topic) if word not in LISTING_WORDS]

    @property
    def searched(self) -> str:
        """What the papers are ranked by: the query, without whom it credits where it wants many."""
        return _without(self.query, self.credits) if self.wants_many else self.query

    @property
    def narrowed(self) -> str:
        """What narrows the papers asked for, in the question's words: "since 2024", "by Ada Moreau"."""
        years = _YEARS.search(self.focus) if self.wants_many else None
        parts = [
            f"{word} {' and '.join(names)}"
            for role, word in _SAID_OF.items()
            if (names := [name.text for name in self.credits if name.role == role])
        ]
        return " ".join([*parts, *([years[0]] if years else [])])

    @property
    def credited(self) -> frozenset[str]:
        """The ids of the papers of those that the question credits: of all of them, or else of any."""
        theirs = [frozenset(name.paper_ids) for name in self.credits]
        return frozenset.intersection(*theirs) or frozenset.union(*theirs) if theirs else frozenset()

    @property
    def subjects(self) -> tuple[Named, ...]:
        """The names that the question is about, without those it only measures against ("over X").

        A question for many papers is about none of them.
        """
        if self.wants_many:
            return ()
        named = tuple(name for name in self.named if name.sure or len(self.named) > 1)
        if self.kind != "compare":
            named = tuple(name for name in named if not is_baseline(self.text, name.text))
        return named or (self.recalled if len(self.recalled) == 1 and clings(self.focus) else ())

    @property
    def boosts(self) -> dict[str, float]:
        """Paper id -> what is added to its score for being named: now, as a baseline, or before."""
        sure = tuple(name for name in self.named if name.sure)
        weighed = ((self.recalled, RECALLED), (sure, BASELINE), (self.subjects, NAMED), (self.credits, NAMED))
        boosts: dict[str, float] = {}
        for group, weight in weighed:
            for paper_id in [one for name in group for one in name.paper_ids]:
                boosts[paper_id] = boosts.get(paper_id, 0.0) + weight
        for paper_id in () if self.recalled or self.named else self.carried[:1]:
            weight = NAMED if clings(self.focus) and not describes_one(self.focus) else CARRIED
            boosts[paper_id] = boosts.get(paper_id, 0.0) + weight
        return boosts


def years_of(text: str) -> tuple[int, int] | None:
    """The first and the last year that a question asks for: "since 2024", "from 2022 to 2023", "in 2021"."""
    found = _YEARS.search(text)
    if not found:
        return None
    first, last = int(found[2]), int(found[3] or found[2])
    how = found[1].lower()
    if how in ("since", "after"):
        return first + (how == "after"), 9999
    if how in ("before", "until"):
        return 0, first - (how == "before")
    return min(first, last), max(first, last)


def understand(
    text: str, history: Sequence[Turn], names: Names, answered: Callable[[], Sequence[str]] = tuple
) -> Question:
    """The question with its kind and names, made to stand alone with the history's help.

    `answered` gives the ids of the papers that the last answer cites, in its order; it is called only for a
    question that leans on the talk.
    """
    again = _again(text, history, names)
    text = again or text
    alone = names_in(text, names) if history else NamesIn()
    own = any(name.sure for name in alone.named) or any(
        " " in name.text for name in (_credits(text, names) if history else ())
    )
    others = bool(alone.unknown or alone.mentioned)
    earlier, focus = ((), text) if again else standalone(text, history, names_paper=own, names_other=others)
    if earlier and asks_for_others(focus):
        return replace(_more(earlier[-1], names, answered()), text=text)
    credits = _credits(focus, names)
    found = names_in(_without(focus, credits), names)
    carried = tuple(answered()) if earlier and not any(name.sure for name in found.named) else ()
    old = _recalled(earlier, found.named, names, focus)
    turned = speaks_of_another(focus)
    recalled = () if turned else _meant(focus, old, carried, names)
    sides = len({name.paper_ids for name in (*found.named, *(recalled if sets_side_by_side(focus) else ()))})
    kind = kind_of(focus, sides, default="explain" if earlier else "lookup")
    before = " ".join(name.text for name in old) if turned and old else " ".join(earlier)
    return Question(
        text=text,
        focus=focus,
        query=f"{before} {focus}".strip(),
        kind="number" if before and kind == "compare" and sides < 2 else kind,
        named=found.named,
        credits=tuple(credits),
        unknown=found.unknown,
        mentioned=found.mentioned,
        recalled=recalled,
        carried=() if turned else carried,
        left_out=tuple(one for name in old for one in name.paper_ids) if turned else (),
        before=before,
    )


def _more(earlier: str, names: Names, known: Sequence[str]) -> Question:
    """ "Any others?": the question before, for all but the papers that answered it; of one, more like it."""
    question = understand(earlier, (), names)
    if not question.wants_many and len(known) == 1:
        paper = names.papers(known)[0]
        alike = f"papers like {paper.label}"
        return Question(alike, alike, paper.abstract or paper.label, "list", left_out=tuple(known))
    return replace(question, kind=question.kind if question.wants_many else "list", left_out=tuple(known))


def _again(text: str, history: Sequence[Turn], names: Names) -> str | None:
    """The last question with another name in it: "who wrote X?", "and Y?" is "who wrote Y?"."""
    other = asked_again(text)
    asked = [turn.content for turn in history if turn.role == "user"]
    new = names_in(other, names).named if other and asked else ()
    old = names_in(asked[-1], names).named if new else ()
    if len(new) == 1 and len(old) == 1 and other and len(new[0].text) >= 0.7 * len(other):
        return asked[-1].replace(old[0].text, new[0].text)
    return None


def _recalled(earlier: Sequence[str], named: Sequence[Named], names: Names, focus: str) -> tuple[Named, ...]:
    """The names in the questions before: of the latest that has any, of all where several are spoken of."""
    known = {one for name in named for one in name.paper_ids}
    found: list[Named] = []
    for text in reversed(earlier):
        if not found or speaks_of_several(focus):
            fresh = [*names_in(text, names).named, *_credits(text, names)]
            found = [*(name for name in fresh if not known & set(name.paper_ids)), *found]
    return tuple(found)


def _meant(focus: str, old: tuple[Named, ...], carried: Sequence[str], names: Names) -> tuple[Named, ...]:
    """What the question's words stand for: names of the talk, or papers of the last answer.

    "The second" is the second of the names where there are several, else of the answer's papers.
    """
    placed = bool(places_of(focus, FEW))
    pool = old
    if not old or (placed and len(old) < 2):
        shown = {paper.id: paper for paper in names.papers(carried[:MOST_SHOWN])}
        pool = tuple(Named(shown[one].label, (one,)) for one in carried if one in shown)
    places = places_of(focus, len(pool))
    if places and not (len(places) == 1 and old and sets_side_by_side(focus)):
        return tuple(pool[place] for place in places)
    return old or (pool[:FEW] if len(pool) > 1 and speaks_of_several(focus) else ())


def _credits(focus: str, names: Names) -> list[Named]:
    """The authors, organisations and venues in a question.

    A name that a paper has too is theirs only behind "by". "X's page" says where something stands.
    """
    papers = {name.text for name in find_named(focus, names)}
    return [
        name
        for name in find_roles(focus, names)
        if (
            name.text not in papers
            or re.search(rf"\b(?:by|author|from)\s+{re.escape(name.text)}\b", focus, re.I)
        )
        and not re.search(rf"{re.escape(name.text)}['’]s?\s+{_PLACE}\b", focus, re.I)
    ]


def _without(text: str, names: Sequence[Named]) -> str:
    for name in names:
        text = text.replace(name.text, " ")
    return text
