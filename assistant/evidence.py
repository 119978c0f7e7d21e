"""Which sentences of a paper answer a question."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from assistant.words import content_words, holds, stem, stems, words

if TYPE_CHECKING:
    from assistant.answer import Kind
    from assistant.retrieve import Vector
    from corpus.collection import Sentence

_OWN_WORK = re.compile(
    r"\b(?:we|this (?:paper|work|study|survey|report|article|dissertation|thesis)|our)\b.{0,60}?\b(?:propos|present|introduc|develop|design|describ|releas|devis|creat|show|stud"
    r"|analy|investigat|provid|demonstrat|find|found|buil|explor|review|examin|establish|offer|term|call|prov)"
    r"|\bis an? \b.{0,50}\b(?:system|framework|method|model|library|benchmark|approach|algorithm|compiler|architecture|platform)\b",
    re.I,
)
FIGURE = re.compile(r"(?<![\w.-])\d[\d,.]*")


@dataclass(frozen=True)
class Weights:
    """How much each sign counts for a sentence: likeness of meaning, share of the question's words, own work, a figure, place."""

    cosine: float = 1.0
    coverage: float = 1.0
    own_work: float = 0.2
    figure: float = 0.0
    place: float = 0.0


WEIGHTS: Mapping[str, Weights] = {
    "lookup": Weights(own_work=0.3, place=0.2),
    "number": Weights(own_work=0.0, figure=0.5),
    "explain": Weights(own_work=0.2, place=0.2),
}
"""By kind; chosen on the development questions over the seeds (docs/retrieval.md)."""


@dataclass(frozen=True)
class Evidence:
    """A sentence and how well it answers."""

    sentence: Sentence
    score: float


def rarity(doc_freq: Mapping[str, int], size: int) -> dict[str, float]:
    """Word -> its inverse document frequency in a collection of `size` papers, Robertson's form, never below 0.1."""
    return {
        word: max(math.log(1 + (size - count + 0.5) / (count + 0.5)), 0.1) for word, count in doc_freq.items()
    }


def weigh(
    sentences: Sequence[Sentence], vector: Vector, rare: Mapping[str, float], kind: Kind
) -> list[Evidence]:
    """The sentences of one paper with their scores for a question, in their own order; `rare`: its words' rarities."""
    weights = WEIGHTS.get(kind, WEIGHTS["explain"])
    total = sum(rare.values()) or 1.0
    found = []
    for sentence in sentences:
        own = stems(sentence.text)
        covered = sum(weight for word, weight in rare.items() if stem(word) in own)
        score = weights.cosine * float(np.dot(sentence.vector, vector)) + weights.coverage * covered / total
        score += weights.own_work * bool(_OWN_WORK.search(sentence.text)) + weights.figure * bool(
            FIGURE.search(sentence.text)
        )
        score += weights.place * sentence.index / max(len(sentences), 1)
        found.append(Evidence(sentence, score))
    return found


def choose(evidence: Sequence[Evidence], budget: int, most: int) -> list[Evidence]:
    """The best sentences that fit into `budget` words, at most `most`, at least one, in the paper's order."""
    chosen: list[Evidence] = []
    used = 0
    for one in sorted(evidence, key=lambda item: -item.score):
        length = len(one.sentence.text.split())
        if len(chosen) < most and (not chosen or used + length <= budget):
            chosen.append(one)
            used += length
    return sorted(chosen, key=lambda item: item.sentence.index)


def uncovered(question: str, text: str) -> list[str]:
    """The topic words of a question that a text holds in no form."""
    return [word for word in content_words(question) if not holds(text, word)]


def asked_words(question: str) -> list[str]:
    """The topic words of a question, each once."""
    return content_words(question) or words(question)
