"""Whether the collection holds the answer: what a question takes for granted, and what its papers don't say."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from assistant.words import content_words, holds, stem, words

if TYPE_CHECKING:
    from assistant.question import Question
    from assistant.retrieve import Retrieval
    from corpus.papers import Paper

LEAST_COSINE = 0.3
"""A question to explain or to give a figure that names no paper needs a sentence at least this near (docs/refusals.md)."""


@dataclass(frozen=True)
class Missing:
    """Why there is no answer, as one sentence in Markdown; `about` is the paper that it speaks of, if any."""

    reason: str
    about: Paper | None = None


@dataclass(frozen=True)
class Facet:
    """Something that a question can ask of a paper: how it is asked for, what an abstract that gives it has in it."""

    name: str
    asked: re.Pattern[str]
    given: re.Pattern[str] | None = None
    field: str | None = None

    def is_in(self, paper: Paper) -> bool:
        """True where the paper gives it."""
        return bool(self.field and paper.field(self.field)) or bool(
            self.given and self.given.search(paper.abstract or "")
        )


_FIGURE_OF = r"\d\s?(?:[x×]|times|-?fold)|\b(?:twice|double[sd]?|tripled?|half|halv\w+|twofold|threefold|fourfold|orders? of magnitude)\b"
FACETS: tuple[Facet, ...] = (
    Facet(
        "percentage",
        re.compile(r"\b(?:how many|what|which) (?:percent|percentage|%)|\bby what percent", re.I),
        re.compile(r"\d\s?(?:%|percent)", re.I),
    ),
    Facet(
        "speedup figure",
        re.compile(
            r"\b(?:speed-?ups?|(?:how much|how many times) (?:faster|quicker|slower|shorter)|x faster)\b",
            re.I,
        ),
        re.compile(rf"{_FIGURE_OF}|\d\s?(?:%|percent)|\d+ (?:ms|s|seconds?|minutes?|hours?|days?)\b", re.I),
    ),
    Facet(
        "web address",
        re.compile(
            r"\b(?:url|repo(?:sitory)?|github|website|homepage)\b|\blink to\b|\bcode (?:link"
            r"|available|public|online)\b",
            re.I,
        ),
        re.compile(r"https?://|github\.com", re.I),
        "url",
    ),
    Facet(
        "year",
        re.compile(
            r"\b(?:what|which) year\b|\bwhen (?:was|did) .{0,60}(?:published|appear|come out"
            r"|released)\b|\bpublication (?:date|year)\b",
            re.I,
        ),
        field="year",
    ),
    Facet(
        "venue",
        re.compile(r"\b(?:what|which) (?:conference|journal|venue)\b|\bwhere was .{0,60}published\b", re.I),
        field="venue",
    ),
    Facet("DOI", re.compile(r"\bdoi\b", re.I), field="doi"),
    Facet(
        "author",
        re.compile(r"\bwho (?:wrote|are the authors|authored)\b|\bauthors? of\b|\bby whom\b", re.I),
        field="authors",
    ),
)
"""Checked in this order."""

_COUNTED = re.compile(
    r"\b(?:how many|(?:number|nr|no\.|count) of)\s+((?:[\w-]+\s+){0,2}?)([a-z][\w-]+)(?=\s+(?:of|do"
    r"|does|did|was|were|is|are|in|on|for|can|has|have|per|to|it|they|you|at|with)\b|[?,.]|$)",
    re.I,
)
# "What MFU does X reach": what is asked for stands before the verb.
_ASKED = re.compile(
    r"\b(?:what|which)(?:'s| is| are| was| were)?\s+(?:the |its |their )?((?:[\w-]+\s+){0,3}?[\w-]+)"
    r"\s+(?:does|do|did|has|have|is|are|was|were|can|of)\b",
    re.I,
)
_OWNED = r"['’]s\s+((?:[\w-]+\s+){0,2}?[\w-]+)(?=\s+(?:on|at|for|in|over|score|please)\b|[?.]|$)"
_NOT_COUNTED = frozenset(
    "times percent exactly more much papers works studies abstracts many ones others".split()
)
# Words for figures that abstracts give without the word.
_MEASURES = frozenset(
    "gain improvement saving savings reduction cost difference effect result results score performance number figure value".split()
)
_MEANS = {
    "cards": ("gpu", "accelerator", "device"),
    "gpus": ("gpu", "accelerator", "gcd"),
    "machines": ("node", "machine", "device"),
    "params": ("parameter",),
    "parameters": ("param", "billion", "million"),
    "subnets": ("sub-network", "subnetwork"),
    "nets": ("network", "model"),
    "languages": ("lingual", "language"),
    "chips": ("gpu", "tpu", "npu"),
    "examples": ("sample",),
    "samples": ("example", "image"),
    "pictures": ("image",),
    "nodes": ("vertices",),
    "hours": ("hour", " h "),
    "steps": ("iteration",),
    "iterations": ("step",),
    "epochs": ("epoch",),
    "labs": ("institution",),
}
_YES_NO = re.compile(
    r"^(?:and |so |but )?(?:in .{3,60}, )?(?:did|does|do|has|have|was|were)\b.*\b(?:compare[sd]?|beat"
    r"|outperform\w*|evaluate[sd]?|test(?:ed)?|benchmark(?:ed)?|also|tried|try)\b",
    re.I,
)


class Counts(Protocol):
    """What is asked of a collection."""

    def doc_freq(self, terms: Sequence[str]) -> dict[str, int]: ...
    def close_terms(self, word: str, top_k: int = 3) -> list[str]: ...
    def expansions(self, text: str) -> list[str]: ...


def missing(
    question: Question, retrieval: Retrieval, papers: Sequence[Paper], counts: Counts
) -> Missing | None:
    """What the collection lacks of what the question asks; None where nothing is known to be missing.

    `papers` are the best ones, best first.
    """
    if not papers:
        return Missing("This collection has no paper on it.")
    top = papers[0]
    subject = next(
        (paper for paper in papers for name in question.subjects if paper.id in name.paper_ids), None
    )
    if question.kind == "compare" and not _YES_NO.search(question.text):
        return None
    lack = _unknown_name(question, subject)
    if not lack and not question.wants_many:
        about = subject or top
        lack = _facet(question, subject, top) or _counted(question, about, counts)
        lack = lack or _asked_for(question, subject, counts.expansions)
    return lack or _far(question, retrieval, subject)


def _unknown_name(question: Question, subject: Paper | None) -> Missing | None:
    """A system or data set that no abstract speaks of."""
    unknown = [name for name in question.unknown if not _is_plain_acronym(name)]
    if subject is None:
        weak = [name for name in question.unknown if name not in unknown]
        if unknown or (
            weak and question.kind in ("lookup", "list") and not question.text.rstrip("?. ").endswith(weak[0])
        ):
            name = (unknown or weak)[0]
            return Missing(f"**{name}** isn't in this collection: no abstract speaks of it.")
        return None
    if unknown and (
        question.kind == "number"
        or _YES_NO.search(question.text)
        or (question.kind == "explain" and len(question.text.split()) < 10)
    ):
        return Missing(
            f"The abstract of **{subject.label}** doesn't speak of **{unknown[0]}**, nor does any "
            f"other in this collection.",
            subject,
        )
    return None


def _is_plain_acronym(name: str) -> bool:
    """True for three or four capitals, which may stand for words that the collection has ("WER")."""
    return bool(re.fullmatch(r"[A-Z]{2,4}s?", name))


def _facet(question: Question, subject: Paper | None, top: Paper) -> Missing | None:
    paper = subject or top
    for facet in FACETS:
        if question.kind == "lookup" and subject is None and not facet.field:
            continue
        if facet.asked.search(question.text) and not facet.is_in(paper):
            known = "record" if facet.field and facet.given is None else "abstract"
            article = "an" if facet.name[0].lower() in "aeiou" else "a"
            return Missing(f"The {known} of **{paper.label}** doesn't give {article} {facet.name}.", paper)
    return None


def _counted(question: Question, paper: Paper, counts: Counts) -> Missing | None:
    """ "How many steps": the abstract has to speak of steps."""
    if question.kind not in ("number", "explain"):
        return None
    for found in _COUNTED.finditer(question.text):
        noun = found[2].lower()
        forms = [noun, *(counts.close_terms(noun) if not counts.doc_freq([noun]).get(noun) else [])]
        if noun in _NOT_COUNTED or "times" in found[1] or any(_speaks_of(paper, form) for form in forms):
            continue
        return Missing(f"The abstract of **{paper.label}** gives no number of {forms[-1]}.", paper)
    return None


def _asked_for(
    question: Question, subject: Paper | None, expand: Callable[[str], list[str]]
) -> Missing | None:
    """ "What MFU does X reach": the abstract of X has to speak of it, in short or at length."""
    if subject is None or question.kind not in ("number", "explain"):
        return None
    owned = "|".join(re.escape(name.text) for name in question.subjects)
    phrases = [
        *(found[1] for found in _ASKED.finditer(question.text)),
        *(found[1] for found in re.finditer(rf"(?:{owned}){_OWNED}", question.text, re.I)),
    ]
    for phrase in phrases:
        for word in content_words(phrase):
            known = any(facet.asked.search(word) for facet in FACETS) or word in _MEASURES
            if not known and not any(
                _speaks_of(subject, form) for form in (word, *_long_forms(word, expand))
            ):
                return Missing(
                    f"The abstract of **{subject.label}** doesn't speak of {phrase.strip()}.", subject
                )
    return None


def _long_forms(word: str, expand: Callable[[str], list[str]]) -> list[str]:
    return [form for form in expand(word) if form.lower() != word]


def _speaks_of(paper: Paper, noun: str) -> bool:
    """True where the abstract has all words of the noun, in one word or several, or what means the same."""
    text = paper.abstract or ""
    if all(holds(text, word) for word in words(noun)) or any(
        other in text.lower() for other in _MEANS.get(noun, ())
    ):
        return True
    return len(noun) > 5 and stem(noun) in "".join(words(text))


def _far(question: Question, retrieval: Retrieval, subject: Paper | None) -> Missing | None:
    if (
        subject is None
        and not question.recalled
        and not question.authors
        and question.kind in ("explain", "number")
    ):
        best = max((candidate.cosine for candidate in retrieval.candidates[:3]), default=0.0)
        if best < LEAST_COSINE:
            return Missing("No abstract in this collection speaks of it.")
    return None
