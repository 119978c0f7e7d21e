"""Whether the collection holds the answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from assistant.facets import Counts, lacks_asked, lacks_count, lacks_facet
from assistant.followup import clings
from assistant.markdown import own_words
from assistant.missing import Missing
from assistant.premises import absent_name, is_yes_no
from assistant.words import content_words, holds

if TYPE_CHECKING:
    from assistant.question import Question
    from assistant.retrieve import Retrieval
    from corpus.papers import Paper

LEAST_COSINE = {"explain": 0.3, "number": 0.3, "lookup": 0.18}
"""A question of this kind that names no paper needs a sentence at least this near; see docs/refusals.md."""
SHARE_ABSENT = 0.2
HELD = 0.6
"""A topic isn't here where this share of its words is in no abstract, and the best abstract holds less."""
_ON_TOPIC = re.compile(
    r"\b(?:papers?|works?|anything|something|studies|research|articles?)\b.{0,30}\b(?:on|about|for|do"
    r"|doing|with|of)\b|\bwork(?:s|ing)? on\b"
    r"|\bwhat have we got\b|\bwho(?:'?s| is| are)? (?:working|doing)\b|\bwhich (?:papers?|works?)\b",
    re.I,
)
LEAST_COVERED = 0.45
"""... or a paper that holds this share of the question's words."""


def missing(
    question: Question, retrieval: Retrieval, papers: Sequence[Paper], counts: Counts
) -> Missing | None:
    """What the collection lacks of what the question asks; None where nothing is known to be missing.

    `papers` are the best ones, best first.
    """
    if not papers:
        return Missing("This collection has no paper on it.")
    if _asks_nothing(question, counts):
        return Missing("That asks nothing that the papers of this collection speak of.")
    top = papers[0]
    subject = next(
        (paper for paper in papers for name in question.subjects if paper.id in name.paper_ids), None
    )
    if question.kind == "compare" and not is_yes_no(question.text):
        return None
    lack = absent_name(question, subject, papers, counts) or _no_such_topic(question, counts, top)
    if not lack and not question.wants_many:
        lack = lacks_facet(question, subject, top) or lacks_count(question, subject or top, counts)
        lack = lack or lacks_asked(question, subject, counts.expansions)
    return lack or _far(question, retrieval, subject, top)


def _asks_nothing(question: Question, counts: Counts) -> bool:
    """True where no word of the question is in the collection: a greeting, signs, another language."""
    asked = content_words(question.topic)
    leans = question.leans and (not asked or clings(question.focus))
    if leans or question.named or question.credits:
        return False
    return not any(counts.doc_freq(asked).values()) and not any(
        counts.close_terms(word) for word in asked[:3]
    )


def _no_such_topic(question: Question, counts: Counts, top: Paper) -> Missing | None:
    """ "Papers on X" where no abstract has the word X, nor one like it."""
    if question.kind not in ("list", "lookup") or question.leans or not _ON_TOPIC.search(question.focus):
        return None
    asked = content_words(question.topic)
    known = counts.doc_freq(asked)
    absent = [
        word
        for word in asked
        if not known[word] and not counts.close_terms(word) and not holds(top.abstract or "", word)
    ]
    held = sum(holds(top.abstract or "", word) for word in asked)
    if len(absent) >= SHARE_ABSENT * len(asked) and held < HELD * len(asked):
        return Missing(f"No abstract in this collection speaks of {own_words(absent[0])}.")
    return None


def _far(question: Question, retrieval: Retrieval, subject: Paper | None, top: Paper) -> Missing | None:
    least = LEAST_COSINE.get(question.kind)
    if least is None or subject or question.recalled or question.carried or question.credits:
        return None
    asked = content_words(question.focus)
    covered = sum(holds(top.abstract or "", word) for word in asked) / max(len(asked), 1)
    best = max((candidate.cosine for candidate in retrieval.candidates[:3]), default=0.0)
    if best < least and covered < LEAST_COVERED:
        return Missing("No abstract in this collection answers it.")
    return None
