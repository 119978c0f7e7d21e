"""Places in which an abstract names things, as patterns, and how much they say that the thing is its own."""

from __future__ import annotations

import re
from dataclasses import dataclass

from corpus.shapes import WORD

ACTS = (
    r"(?:is|are|can|could|achieves?|reaches?|outperforms?|enables?|reduces?|uses?|improves?|provides?"
    r"|supports?|first|leverages?|employs?|introduces?|accelerates?|shows?|demonstrates?|performs?|obtains?"
    r"|yields?|has|adds?|runs?|allows?"
    r"|(?!\w*(?:ure|ion|ment|el|er|or|ing|work|rie|tie|hod|tem|set|ant|ric|ice)s\b)[a-z]+[^\Ws](?<![iu])s"
    r"(?! (?:is|are|was|were|has|have|can|of|in|for|on|that|which|and|to|with|at|from)\b))\b"
)
"""A verb in the third person, as a pattern: what stands before it acts."""


@dataclass(frozen=True)
class Cue:
    """Places of names; the weight of a word with a name's shape, and of any other (None: left out)."""

    pattern: re.Pattern[str]
    weight: float
    plain: float | None = None


_OPENING = r"(?:^|[.!?;:] )(?:The )?"
CUES = (
    # "PIT, a compiler"
    Cue(
        re.compile(
            rf"(?<!and )(?<!than )\b({WORD}(?: V?\d+| [A-Z]{WORD}){{0,2}}),"
            r"\s+(?:an?|the|which is)\s+(?=\w)"
        ),
        0.8,
    ),
    # "PIT merges tiles", "Permutation Invariant Transformation (PIT) merges tiles"
    Cue(re.compile(rf"{_OPENING}({WORD})(?: \([^()]*\))?(?:, [^,.]{{3,80}},)? {ACTS}"), 0.9),
    Cue(re.compile(rf"{_OPENING}[A-Z][^.(]{{3,80}} \(({WORD})\)(?:, [^,.]{{3,80}},)? {ACTS}"), 0.9),
    Cue(re.compile(rf"\b[Tt]he resulting ({WORD})"), 1.2),
    # "our new compiler, PIT,"
    Cue(
        re.compile(
            r"\b(?:[Oo]ur|[Tt]he (?:resulting|proposed|new)|[Aa] new)(?: [\w-]+){1,4}, "
            rf"(?:the |called |namely )?({WORD}),"
        ),
        2.4,
        2.4,
    ),
    # "with the Switch Transformer."
    Cue(
        re.compile(
            rf"\b(?:with|call|call it|of|as) the ([A-Z]{WORD} [A-Z]{WORD}(?: [A-Z]{WORD})?)(?=[.,;]| \()"
        ),
        1.6,
        1.6,
    ),
    # "our PIT compiler"
    Cue(
        re.compile(rf"\b(?:[Oo]ur|[Tt]he proposed|proposed)\s+(?:[a-z]+ )?([A-Z0-9]{WORD}(?: [A-Z]{WORD})*)"),
        0.9,
    ),
    # "our method (Pixelated Butterfly)", "or GENets in short"
    Cue(re.compile(rf"\b[Oo]ur(?: \w+){{1,3}} \(({WORD}(?: {WORD}){{0,2}})\)"), 2.0, 2.0),
    Cue(re.compile(rf"(?:, or |\()({WORD})(?: in|,? for) short\b"), 2.4),
    Cue(
        re.compile(
            r"\b(?:development of|led to|resulting in)(?: the development of)? (?:the )?"
            rf"({WORD}(?: [A-Z]{WORD}){{0,2}})"
        ),
        0.9,
    ),
    Cue(re.compile(r"\b(?:github|gitlab)\.com/[\w.-]+/([\w-]+)"), 0.6),
    # "PIT is a compiler"
    Cue(
        re.compile(
            rf"(?:^|[.!?:] |, )(?:The |the )?({WORD}(?: [A-Z0-9]{WORD}){{0,2}}) is (?:an?|the|designed|our)\b"
        ),
        1.6,
        0.8,
    ),
)
