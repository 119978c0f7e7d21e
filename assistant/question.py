"""What a question asks: its kind, the papers it names, the names that it takes for granted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from assistant.answer import Kind, Turn
from assistant.followup import (
    asked_again,
    clings,
    picked,
    sets_side_by_side,
    speaks_of_another,
    speaks_of_several,
    standalone,
)
from assistant.kinds import kind_of
from assistant.names import Named, Names, NamesIn, find_named, is_baseline, names_in

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
"""Added to the paper that answered the talk before, where that named none."""

_YEARS = re.compile(
    r"\b(since|after|before|until|from|in|between|of|published in)\s+((?:19|20)\d\d)"
    r"(?:\s*(?:-|–|to|and)\s*((?:19|20)\d\d))?\b",
    re.I,
)


@dataclass(frozen=True)
class Question:
    """A question, understood: `focus` is what is asked now, `query` what is searched.

    The query includes the talk before. `unknown` names occur nowhere in the collection, `mentioned` ones are
    no paper's own, `recalled` ones stand only in the talk before.
    """

    text: str
    focus: str
    query: str
    kind: Kind
    named: tuple[Named, ...] = ()
    authors: tuple[Named, ...] = ()
    unknown: tuple[str, ...] = ()
    mentioned: tuple[str, ...] = ()
    recalled: tuple[Named, ...] = ()
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
        """What is asked now without the years that narrow it."""
        return _YEARS.sub(" ", self.focus) if self.wants_many else self.focus

    @property
    def narrowed(self) -> str:
        """What narrows the papers asked for, in the question's words: "since 2024", "by Ada Moreau"."""
        years = _YEARS.search(self.focus) if self.wants_many else None
        who = " and ".join(name.text for name in self.authors)
        return " ".join(part for part in (f"by {who}" if who else "", years[0] if years else "") if part)

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
        weighed = ((self.recalled, RECALLED), (sure, BASELINE), (self.subjects, NAMED), (self.authors, NAMED))
        boosts: dict[str, float] = {}
        for group, weight in weighed:
            for paper_id in [one for name in group for one in name.paper_ids]:
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


def understand(text: str, history: Sequence[Turn], names: Names) -> Question:
    """The question with its kind and names, made to stand alone with the history's help."""
    again = _again(text, history, names)
    text = again or text
    alone = names_in(text, names) if history else NamesIn()
    own = any(name.sure for name in alone.named) or any(
        " " in name.text for name in (_authors(text, names) if history else ())
    )
    others = bool(alone.unknown or alone.mentioned)
    earlier, focus = ((), text) if again else standalone(text, history, names_paper=own, names_other=others)
    authors = _authors(focus, names)
    found = names_in(_without(focus, authors), names)
    recalled = () if speaks_of_another(focus) else _recalled(earlier, found.named, names, focus)
    sides = len({name.paper_ids for name in (*found.named, *(recalled if sets_side_by_side(focus) else ()))})
    kind = kind_of(focus, sides, default="explain" if earlier else "lookup")
    before = " ".join(earlier)
    return Question(
        text=text,
        focus=focus,
        query=f"{before} {focus}".strip(),
        kind="number" if before and kind == "compare" and sides < 2 else kind,
        named=found.named,
        authors=tuple(authors),
        unknown=found.unknown,
        mentioned=found.mentioned,
        recalled=recalled,
        before=before,
    )


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
            fresh = [*names_in(text, names).named, *find_named(text, names, role=True)]
            found = [*(name for name in fresh if not known & set(name.paper_ids)), *found]
    return tuple(found[picked(focus)])


def _authors(focus: str, names: Names) -> list[Named]:
    """The authors in a question; a name that a paper has too is an author's only behind "by"."""
    papers = {name.text for name in find_named(focus, names, role=False)}
    return [
        name
        for name in find_named(focus, names, role=True)
        if name.text not in papers
        or re.search(rf"\b(?:by|author|from)\s+{re.escape(name.text)}\b", focus, re.I)
    ]


def _without(text: str, names: Sequence[Named]) -> str:
    for name in names:
        text = text.replace(name.text, " ")
    return text
