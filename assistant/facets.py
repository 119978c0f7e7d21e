"""What a question can ask of a paper, and whether the paper gives it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from assistant.followup import resolve
from assistant.markdown import bold, own_words
from assistant.missing import Missing
from assistant.words import content_words, holds, stem, words
from corpus.sentences import sentence_spans

if TYPE_CHECKING:
    from assistant.question import Question
    from corpus.papers import Paper


class Counts(Protocol):
    """What is asked of a collection."""

    def doc_freq(self, terms: Sequence[str]) -> dict[str, int]: ...
    def close_terms(self, word: str, top_k: int = 3) -> list[str]: ...
    def expansions(self, text: str) -> list[str]: ...


@dataclass(frozen=True)
class Facet:
    """Something that a question can ask of a paper: how it is asked for, what gives it."""

    name: str
    asked: re.Pattern[str]
    given: re.Pattern[str] | None = None
    field: str | None = None

    def is_in(self, paper: Paper) -> bool:
        """True where the paper gives it."""
        return bool(self.field and paper.field(self.field)) or bool(
            self.given and self.given.search(paper.abstract or "")
        )


_FIGURE_OF = (
    r"\d\s?(?:[x×]|times|-?fold)|\b(?:twice|double[sd]?|tripled?|half|halv\w+|twofold|threefold|fourfold"
    r"|orders? of magnitude)\b"
)
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
            r"\b(?:what|which) year\b|\bwhen (?:was|did|were) .{0,60}\b(?:publish\w*|appear\w*|come "
            r"out|came out|released|hit|land)"
            r"|\bpublication (?:date|year)\b|\bhow old is\b",
            re.I,
        ),
        field="year",
    ),
    Facet(
        "citation count",
        re.compile(
            r"\bhow (?:often|many times) .{0,60}\bcited\b|\bcitation counts?\b|\bhow many citations\b", re.I
        ),
    ),
    Facet(
        "venue",
        re.compile(r"\b(?:what|which) (?:conference|journal|venue)\b|\bwhere was .{0,60}published\b", re.I),
        field="venue",
    ),
    Facet(
        "organisation",
        re.compile(
            r"\b(?:which|what) (?:organi[sz]ations?|institut\w+|compan\w+|labs?|universit\w+)\b"
            r"|\baffiliat\w+",
            re.I,
        ),
        field="organisations",
    ),
    Facet("DOI", re.compile(r"\bdoi\b", re.I), field="doi"),
    Facet(
        "author",
        re.compile(r"\bwho (?:wrote|are the authors|authored)\b|\bauthors? of\b|\bby whom\b", re.I),
        field="authors",
    ),
)
"""Checked in this order."""


def record_fields(text: str) -> list[str]:
    """The fields of a record that a question asks for."""
    return [
        facet.field for facet in FACETS if facet.field and facet.given is None and facet.asked.search(text)
    ]


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
_ASKED_OF = re.compile(
    r"\b(?:what|which)\s+((?:[\w-]+\s+){0,2}?[\w-]+)(?=\s+(?:and|at|with|for|to|in|on|under|per)\b|\s*[?,;]|\s*$)",
    re.I,
)
_OWNED = r"['’]s\s+((?:[\w-]+\s+){0,2}?[\w-]+)(?=\s+(?:on|at|for|in|over|score|please)\b|[?.]|$)"
_A_NUMBER = re.compile(
    r"(?<![\w.-])\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|dozens?|hundreds?|thousands?"
    r"|millions?|billions?|trillions?|single|both|half|double|twice|several orders)\b",
    re.I,
)
_NOT_COUNTED = frozenset(
    "times percent exactly more much papers works studies abstracts many ones others".split()
)
# Words for figures that abstracts give without the word.
_MEASURES = frozenset(
    "gain improvement saving savings reduction cost difference effect result results score performance"
    " number figure value share fraction part portion lead average total amount percentage times"
    " first second third fourth fifth former latter last left".split()
)
_MEANS = {
    "cards": ("gpu", "accelerator", "device"),
    "card": ("gpu", "accelerator", "device"),
    "ram": ("memory",),
    "mem": ("memory",),
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


def lacks_facet(question: Question, subject: Paper | None, top: Paper) -> Missing | None:
    paper = subject or top
    for facet in FACETS:
        if question.kind == "lookup" and subject is None and not facet.field:
            continue
        if facet.asked.search(question.text) and not facet.is_in(paper):
            if not paper.abstract and not facet.field:
                return Missing(
                    f"{bold(paper.label)} is here without an abstract: its title is all there is.", paper
                )
            known = "record" if facet.field and facet.given is None else "abstract"
            article = "an" if facet.name[0].lower() in "aeiou" else "a"
            return Missing(f"The {known} of {bold(paper.label)} doesn't give {article} {facet.name}.", paper)
    return None


def lacks_count(question: Question, paper: Paper, counts: Counts) -> Missing | None:
    """ "How many steps": a sentence of the abstract has to hold a number and speak of steps."""
    if question.kind not in ("number", "explain"):
        return None
    for found in _COUNTED.finditer(question.text):
        noun = found[2].lower()
        forms = [noun, *(counts.close_terms(noun) if not counts.doc_freq([noun]).get(noun) else [])]
        if noun in _NOT_COUNTED or "times" in found[1] or any(_counts(paper, form) for form in forms):
            continue
        return Missing(f"The abstract of {bold(paper.label)} gives no number of {forms[-1]}.", paper)
    return None


def _counts(paper: Paper, noun: str) -> bool:
    """True where a sentence has a number of its own, in digits or as a word, and the noun."""
    text = paper.abstract or ""
    parts = (text[start:end] for start, end in sentence_spans(text))
    return any(_A_NUMBER.search(part) and speaks_of(replace(paper, abstract=part), noun) for part in parts)


def lacks_asked(
    question: Question, subject: Paper | None, expand: Callable[[str], list[str]]
) -> Missing | None:
    """ "What MFU does X reach": the abstract of X has to speak of it, in short or at length."""
    if subject is None or question.kind not in ("number", "explain") or record_fields(question.text):
        return None
    owners = [name.text for name in question.subjects]
    owned = "|".join(map(re.escape, owners))
    text = resolve(question.text, owners) if question.leans else question.text
    phrases = [
        *(found[1] for found in _ASKED.finditer(text)),
        *(found[1].split()[-1] for found in _ASKED_OF.finditer(text) if not re.search(owned, found[1])),
        *(found[1] for found in re.finditer(rf"(?:{owned}){_OWNED}", text, re.I)),
    ]
    for phrase in phrases:
        for word in content_words(phrase):
            known = any(facet.asked.search(word) for facet in FACETS) or word in _MEASURES
            if not known and not any(speaks_of(subject, form) for form in (word, *_long_forms(word, expand))):
                return Missing(
                    f"The abstract of {bold(subject.label)} doesn't speak of {own_words(phrase.strip())}.",
                    subject,
                )
    return None


def _long_forms(word: str, expand: Callable[[str], list[str]]) -> list[str]:
    return [form for form in expand(word) if form.lower() != word]


def speaks_of(paper: Paper, noun: str) -> bool:
    """True where the abstract has all words of the noun, in one word or several, or what means the same."""
    text = paper.abstract or ""
    if all(holds(text, word) for word in words(noun)) or any(
        other in text.lower() for other in _MEANS.get(noun, ())
    ):
        return True
    return len(noun) > 5 and stem(noun) in "".join(words(text))
