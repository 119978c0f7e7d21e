"""Which sentences of a paper answer a question."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from assistant.roles import roles_of
from assistant.words import content_words, stem, stems, words

if TYPE_CHECKING:
    from assistant.retrieve import Vector
    from corpus.collection import Sentence

OWN_WORK = re.compile(
    r"\b(?:we|this (?:paper|work|study|survey|report|article|dissertation|thesis)"
    r"|our)\b.{0,60}?\b(?:propos|present|introduc|develop|design|describ|releas|devis|creat|show|stud"
    r"|analy|investigat|provid|demonstrat|find|found|buil|explor|review|examin|establish|offer|term|call|prov)"
    r"|\bis an? \b.{0,50}\b(?:system|framework|method|model|library|benchmark|approach|algorithm"
    r"|compiler|architecture|platform)\b",
    re.I,
)
FIGURE = re.compile(r"(?<![\w.-])\d[\d,.]*")


@dataclass(frozen=True)
class Weights:
    """How much each sign counts for a sentence; `margin`: how far behind the best it may be quoted.

    The signs: likeness of meaning, share of the question's words, own work, a figure, place, and the
    sentence's role, by which what is only said of code and data counts less.
    """

    cosine: float = 1.0
    coverage: float = 0.5
    own_work: float = 0.35
    figure: float = 0.0
    place: float = 0.4
    approach: float = 0.0
    availability: float = -0.4
    margin: float = 0.8


WEIGHTS: Mapping[str, Weights] = {
    "lookup": Weights(own_work=0.3, place=0.2, approach=0.1, margin=0.5),
    "number": Weights(own_work=0.0, place=0.0, figure=0.5, margin=0.4),
    "explain": Weights(approach=0.2),
    "talk": Weights(),
    "list": Weights(own_work=0.3, place=0.2),
}
"""By kind, the others as "explain"; "talk" for what leans on the talk before and asks no figure.

Chosen on the development questions, see docs/answers.md.
"""


@dataclass(frozen=True)
class Evidence:
    """A sentence and how well it answers."""

    sentence: Sentence
    score: float


def rarity(doc_freq: Mapping[str, int], size: int) -> dict[str, float]:
    """Word -> its inverse document frequency among `size` papers, Robertson's form, never below 0.1."""
    return {
        word: max(math.log(1 + (size - count + 0.5) / (count + 0.5)), 0.1) for word, count in doc_freq.items()
    }


def weigh(
    sentences: Sequence[Sentence], vector: Vector, rare: Mapping[str, float], kind: str
) -> list[Evidence]:
    """The sentences of one paper with their scores for a question, in their own order.

    `rare` are the rarities of the question's words.
    """
    weights = weights_of(kind)
    total = sum(rare.values()) or 1.0
    found = []
    for sentence, role in zip(sentences, roles_of(sentences), strict=True):
        own = stems(sentence.text)
        covered = sum(weight for word, weight in rare.items() if stem(word) in own)
        score = weights.cosine * float(np.dot(sentence.vector, vector)) + weights.coverage * covered / total
        score += weights.own_work * bool(OWN_WORK.search(sentence.text)) + weights.figure * bool(
            FIGURE.search(sentence.text)
        )
        score += weights.approach * (role == "approach")
        score += weights.availability * (role == "availability")
        score += weights.place * sentence.index / max(len(sentences), 1)
        found.append(Evidence(sentence, score))
    return found


def weights_of(kind: str) -> Weights:
    """The weights for a kind of question."""
    return WEIGHTS.get(kind, WEIGHTS["explain"])


def choose(
    evidence: Sequence[Evidence],
    *,
    words: int,
    most: int,
    margin: float,
    preferred: frozenset[int] = frozenset(),
) -> list[Evidence]:
    """The best sentences that fit into `words`: at least one, at most `most`, in the paper's order.

    None is more than `margin` behind the best. The sentences whose indices are `preferred` come right behind
    the best one, up to twice the margin behind it.
    """
    ranked = sorted(evidence, key=lambda item: -item.score)
    rest = sorted(ranked[1:], key=lambda item: item.sentence.index not in preferred)
    chosen: list[Evidence] = []
    used = 0
    for one in [*ranked[:1], *rest]:
        length = len(one.sentence.text.split())
        behind = ranked[0].score - one.score
        near = behind <= margin * (2 if one.sentence.index in preferred else 1)
        if len(chosen) < most and near and (not chosen or used + length <= words):
            chosen.append(one)
            used += length
    return sorted(chosen, key=lambda item: item.sentence.index)


def asked_words(question: str) -> list[str]:
    """The topic words of a question, each once."""
    return content_words(question) or words(question)
