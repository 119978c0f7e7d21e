"""How alike two texts are: words shared, their longest common order, runs of characters."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

from rapidfuzz.distance import LCSseq

from assistant.evaluation.metrics import MARKER, fold

if TYPE_CHECKING:
    from sacrebleu.metrics.chrf import CHRF

_TOKEN = re.compile(r"\d+(?:\.\d+)?|\w+")


def tokens(text: str) -> list[str]:
    """The words and numbers of a text, folded, its markers left out."""
    return _TOKEN.findall(fold(MARKER.sub(" ", text)))


def token_f1(text: str, reference: str) -> float:
    """2PR / (P + R) over the bags of tokens, P = shared / text's, R = shared / reference's.

    Source: Rajpurkar et al. 2016 (SQuAD), with the contract's folding.
    """
    ours, theirs = tokens(text), tokens(reference)
    return _f1(sum((Counter(ours) & Counter(theirs)).values()), len(ours), len(theirs))


def rouge_l(text: str, reference: str) -> float:
    """F1 of the longest common subsequence of tokens, in [0, 1]. Source: Lin 2004."""
    ours, theirs = tokens(text), tokens(reference)
    return _f1(LCSseq.similarity(ours, theirs), len(ours), len(theirs))


def chrf(text: str, reference: str) -> float:
    """chrF (runs of 1 to 6 characters, beta 2) by sacrebleu, in [0, 1]. Source: Popović 2015."""
    plain = MARKER.sub("", text)
    return float(_chrf().sentence_score(plain, [reference]).score) / 100


@cache
def _chrf() -> CHRF:
    from sacrebleu.metrics.chrf import CHRF

    return CHRF()


def _f1(shared: int, ours: int, theirs: int) -> float:
    return 2 * shared / (ours + theirs) if shared else 0.0
