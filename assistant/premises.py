"""What a question takes for granted: systems without a paper here, conditions that no paper speaks of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from assistant.facets import Counts, speaks_of
from assistant.markdown import bold
from assistant.missing import Missing
from assistant.names import is_baseline

if TYPE_CHECKING:
    from assistant.question import Question
    from corpus.papers import Paper

LONG = 12
"""A question of more words is about more than the name in it, where the best paper has that name."""
FEW = 8
"""A name that more abstracts use is a topic and no single system."""

_YES_NO = re.compile(
    r"^(?:and |so |but )?(?:in .{3,60}, )?(?:did|does|do|has|have|was|were|can|could|is"
    r"|are)\b.*\b(?:compare[sd]?|beat"
    r"|outperform\w*|evaluate[sd]?|test(?:ed)?|benchmark(?:ed)?|also|tried|try|work|run|support\w*)\b",
    re.I,
)
_BY = re.compile(
    r"\b(?:papers?|works?|everything|anything|published|written|authored|co-?authored) by "
    r"((?:[A-Z][\w.'-]* ){1,3}[A-Z][\w'-]+)"
)
_PROPOSES = r"(?:propos|introduc|present|describ|invent|design|publish|wrote|made)\w*"


def absent_name(
    question: Question, subject: Paper | None, papers: Sequence[Paper], counts: Counts
) -> Missing | None:
    """A system or data set that no abstract here is about; `papers` are the best ones, best first."""
    author = _BY.search(question.text)
    if author and not question.credits:
        return Missing(f"No paper in this collection is by {bold(author[1])}.")
    unknown = [name for name in question.unknown if not _is_plain_acronym(name)]
    if subject:
        return _condition(question, subject, counts)
    weak = [name for name in question.unknown if name not in unknown]
    acting = [
        name
        for name in weak
        if not counts.expansions(name) and _acts(question.text, name, concept=False, few=True)
    ]
    unknown += acting
    ends = question.text.rstrip("?. ").endswith(tuple(weak)) if weak else True
    if question.kind in ("lookup", "list"):
        unknown = [name for name in unknown if not is_baseline(question.text, name)]
    if unknown or (not ends and question.kind in ("lookup", "list")):
        return Missing(f"{bold((unknown or weak)[0])} isn't in this collection: no abstract speaks of it.")
    for name in question.mentioned:
        concept = name.isalpha() and bool(counts.expansions(name))
        if _acts(question.text, name, concept=concept, few=counts.doc_freq([name])[name] <= FEW):
            if name.lower() in (papers[0].abstract or "").lower() and len(question.text.split()) > LONG:
                continue
            by = next((paper for paper in papers if name.lower() in (paper.abstract or "").lower()), None)
            where = f"; {bold(by.label)} names it" if by else ""
            return Missing(f"No paper in this collection is about {bold(name)}{where}.", by, name)
    return None


def is_yes_no(text: str) -> bool:
    """True for "did they compare with X", which an abstract that doesn't speak of X can't answer."""
    return bool(_YES_NO.search(text))


def _condition(question: Question, subject: Paper, counts: Counts) -> Missing | None:
    """A rival, a device or a data set of the question that the subject's abstract doesn't speak of."""
    if question.leans or question.kind not in ("number", "explain", "compare"):
        return None
    for name in (*question.unknown, *question.mentioned):
        strict = name in question.unknown and not _is_plain_acronym(name)
        if _holds(subject, name) or any(speaks_of(subject, form) for form in counts.expansions(name)):
            continue
        if (
            question.kind == "number"
            or is_yes_no(_sentence_with(name, question.text))
            or len(question.text.split()) < 10
        ):
            also = ", nor does any other in this collection" if strict else ""
            return Missing(
                f"The abstract of {bold(subject.label)} doesn't speak of {bold(name)}{also}.", subject
            )
    return None


def _holds(paper: Paper, name: str) -> bool:
    """True where the abstract has the name, in one word or several."""
    return _joined(name) in _joined(paper.abstract or "")


def _joined(text: str) -> str:
    return re.sub(r"[\s-]+", "", text.lower())


def _sentence_with(name: str, text: str) -> str:
    return next((part for part in re.split(r"(?<=[.?!])\s+", text) if name in part), text)


def _is_plain_acronym(name: str) -> bool:
    """True for three or four capitals, which may stand for words that the collection has ("WER")."""
    return bool(re.fullmatch(r"[A-Z]{2,4}s?", name))


def _acts(text: str, name: str, *, concept: bool, few: bool) -> bool:
    """True where the question is about the name: "what does X use", "X's cost", "which paper proposes X".

    For a `concept`, an acronym that abstracts explain, only where its origin is asked for; for a name that
    more than a few abstracts use also where it is asked what it is.
    """
    quoted = rf"(?<!\w){re.escape(name)}(?!\w)"
    origin = rf"\b(?:paper|work|who|one|system)\b.{{0,20}}\b{_PROPOSES}\s+(?:the )?{quoted}"
    identity = (
        rf"^(?:so )?(?:what|who)(?:'s| is| are| was)? (?:the )?{quoted}\s*\??$",
        rf"^(?:explain|describe|tell me about|what about)\s+(?:how |why |what )?(?:the )?{quoted}",
    )
    deeds = (
        rf"\b(?:does|do|did|can|could|has|have|is|are|was|were)\s+(?:the )?{quoted}(?!\s+(?:paper|work)s?\b)",
        rf"{quoted}['’]s\s",
        rf"^{quoted}:",
        rf"^{quoted}\s+\w+[a-z]s\b",
        rf"^{quoted}(?:\s+[^\s]+){{1,6}}$",
    )
    asked = (origin, *(() if concept else identity), *(deeds if few and not concept else ()))
    return any(re.search(pattern, text, re.I) for pattern in asked)
