"""True sentences made wrong by rule, for training the check: one change each, and where it stands."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

Span = tuple[int, int]
Changed = tuple[str, Span] | None
"""The sentence with one change, and the characters that are wrong in it; None where it can't be made."""

_NUMBER = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)*")
_NAME = re.compile(r"(?<![\w-])(?=[\w+-]*[A-Z])[A-Za-z][\w+.-]*\w(?![\w-])")
_CLAUSE = re.compile(r",|;|:|\b(?:and|which|while|so that|because|by|with|on|for)\b")
_TURNS = dict(
    pair.split(":")
    for pair in (
        "faster:slower|slower:faster|quicker:slower|increases:decreases|increase:decrease|reduces:increases"
        "|reduce:increase|reducing:increasing|reduced:increased|lowers:raises|lower:higher"
        "|higher:lower|larger:smaller|smaller:larger"
        "|more:less|fewer:more|less:more|better:worse|worse:better|improves:worsens|improve:worsen"
        "|improving:worsening"
        "|outperforms:underperforms|outperform:underperform|beats:loses to|beat:lose to"
        "|exceeds:falls short of|cuts:raises"
        "|cut:raise|cutting:raising|saves:wastes|gains:loses|rises:falls|rise:fall|grows:shrinks"
        "|grow:shrink|before:after"
        "|after:before|above:below|below:above|high:low|low:high|long:short|short:long|large:small"
        "|small:large"
        "|accelerates:slows|accelerate:slow|static:dynamic|dynamic:static|dense:sparse|sparse:dense"
        "|online:offline"
        "|offline:online|forward:backward|backward:forward|global:local|local:global"
        "|surpasses:trails|longer:shorter"
        "|shorter:longer|superior:inferior|greater:smaller|often:rarely|rarely:often|many:few"
        "|few:many|similar:different"
    ).split("|")
)
_DENIALS = (
    (r"\bwithout\b", "with"), (r"\bno longer\b", "still"), (r"\bno\b", "a"), (r"\bneeds no\b", "needs"),
    (r"\bnot\b ?", ""), (r"\bcannot\b", "can"), (r"\bnever\b", "always"), (r"\bfails? to\b", "manages to"),
    (r"\bneither\b", "both"), (r"\bis\b", "is not"), (r"\bare\b", "are not"), (r"\bcan\b", "cannot"),
    (r"\bneeds\b", "does not need"), (r"\brequires\b", "does not require"), (r"\buses\b", "does not use"),
    (r"\bachieves\b", "does not achieve"), (r"\breaches\b", "does not reach"), (r"\bwith\b", "without"),
    (r"\busing\b", "without using"), (r"\bonly\b", "not only"), (r"\bgives\b", "does not give"),
)  # fmt: skip
_QUALIFIERS = (
    (r"\bup to\b", ("an average of", "at least", "exactly")), (r"\bas much as\b", ("on average", "at least")),
    (r"\bat least\b", ("at most", "up to", "exactly")), (r"\bmore than\b", ("less than", "nearly", "up to")),
    (r"\b(?:about|around|roughly|approximately)\b(?= \d)", ("exactly", "at most", "more than")),
    (r"\bless than\b", ("more than", "exactly")), (r"\bon average\b", ("at most", "at best")),
    (r"\ban average of\b", ("up to", "at most")), (r"\baverages?\b", ("peaks at",)),
)  # fmt: skip
_UNITS = (
    (r"(?<=\d)\s?%", ("x", " percentage points")), (r"(?<=\d)\s?[x×]\b", ("%",)),
    (r"(?<=\d) times\b", (" percent",)),
    (r"\bmillion\b", ("billion",)), (r"\bbillion\b", ("million", "trillion")), (r"(?<=\d)\s?ms\b", (" s",)),
    (r"(?<=\d)\s?GB\b", ("MB", "TB")), (r"(?<=\d)\s?MB\b", ("GB",)), (r"(?<=\d)B\b", ("M",)),
    (r"(?<=\d)M\b", ("B",)),
    (r"(?<=\d) hours?\b", (" minutes", " days")), (r"(?<=\d) minutes?\b", (" seconds", " hours")),
    (r"(?<=\d )GPUs\b", ("nodes", "CPUs")), (r"(?<=\d )tokens\b", ("parameters",)),
    (r"(?<=\d )parameters\b", ("tokens",)),
)  # fmt: skip
_JOINTS = ("and", "while", "by", "because", "for", "on", "with", "so that", "which gives")


@dataclass(frozen=True)
class Corruptor:
    """Makes sentences wrong; `others` are the sentences on each paper, `near` those like it."""

    abstracts: Mapping[str, str]
    others: Mapping[str, Sequence[str]]
    near: Mapping[str, Sequence[str]]
    dice: random.Random

    @property
    def kinds(self) -> dict[str, Callable[[str, str], Changed]]:
        """What can be done to a sentence on a paper."""
        return {
            "figure": self.figure, "qualifier": lambda text, _: self._put(text, _QUALIFIERS),
            "unit": lambda text, _: self._put(text, _UNITS), "system": self.system,
            "direction": self.direction,
            "negation": lambda text, _: self._put(text, [(sign, (new,)) for sign, new in _DENIALS]),
            "other_paper": self.other_paper, "addition": self.addition,
        }  # fmt: skip

    def figure(self, text: str, paper: str) -> Changed:
        """Another number in the place of one; of the same abstract where it has one."""
        found = list(_NUMBER.finditer(text))
        if not found:
            return None
        one = self.dice.choice(found)
        pool = [number for number in _NUMBER.findall(self.abstracts[paper]) if number != one[0]]
        new = self.dice.choice(pool) if pool and self.dice.random() < 0.6 else str(self.dice.randint(2, 99))
        return _placed(text, one.span(), new) if new != one[0] else None

    def system(self, text: str, paper: str) -> Changed:
        """Another name in the place of one; in half of the cases of the same abstract."""
        found = [match for match in _NAME.finditer(text) if re.search(r"[A-Z0-9]", match[0][1:])]
        if not found:
            return None
        one = self.dice.choice(found)
        source = paper if self.dice.random() < 0.5 else self.dice.choice(list(self.abstracts))
        mine = one[0].lower()
        pool = [
            name
            for name in _NAME.findall(self.abstracts[source])
            if re.search(r"[A-Z0-9]", name[1:]) and name.lower() not in mine and mine not in name.lower()
        ]
        return _placed(text, one.span(), self.dice.choice(pool)) if pool else None

    def direction(self, text: str, _: str) -> Changed:
        """A word that goes one way turned to one that goes the other."""
        found = [match for match in re.finditer(r"[a-z]+", text) if match[0] in _TURNS]
        one = self.dice.choice(found) if found else None
        return _placed(text, one.span(), _TURNS[one[0]]) if one else None

    def other_paper(self, _: str, paper: str) -> Changed:
        """A sentence on a paper like this one."""
        text = self.dice.choice(self.others[self.dice.choice(self.near[paper][:8])])
        return text, (0, len(text))

    def addition(self, text: str, paper: str) -> Changed:
        """A clause that another paper's sentence has, appended."""
        other = self.dice.choice(self.others[self.dice.choice(self.near[paper][:25])]).rstrip(".")
        clauses = [part.strip() for part in _CLAUSE.split(other) if 3 <= len(part.split()) <= 14]
        if not clauses:
            return None
        clause, bare = self.dice.choice(clauses), text.rstrip(".")
        new = f"{bare}, {self.dice.choice(_JOINTS)} {clause[0].lower()}{clause[1:]}."
        return new, (len(bare), len(new))

    def _put(self, text: str, table: Sequence[tuple[str, Sequence[str]]]) -> Changed:
        options = [
            (match.span(), new)
            for sign, news in table
            for match in re.finditer(sign, text, re.I)
            for new in news
        ]
        return _placed(text, *self.dice.choice(options)) if options else None


def _placed(text: str, span: Span, new: str) -> Changed:
    start, end = span
    return text[:start] + new + text[end:], (start, start + max(len(new), 1))
