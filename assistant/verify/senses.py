"""How the way and the denial of a claim's words agree with a source where its context is most alike."""

from __future__ import annotations

import numpy as np

from assistant.verify.alignment import Alignment
from assistant.verify.polarity import Term, signs_of, terms_of
from assistant.verify.texts import Source, Text, Vectors

# How sharply the likest words, and the likest contexts, are preferred.
_SHARP, _SHARPER = 15, 25


def senses_of(claim: Text, source: Source, beside: Alignment) -> list[Vectors]:
    """The columns agree, alike and denial, an entry for each word of the claim.

    For a word of direction: its sign times the mean sign of the source's words of that axis, weighed by
    context, and how alike the best of those contexts is. For every word: whether it is denied less whether
    what it is most like is.
    """
    mine, theirs = _by_word(claim), _by_word(source)
    context, both = beside.context, beside.likeness + beside.context
    agree, alike, denial = (np.zeros(len(claim.words), dtype=np.float32) for _ in range(3))
    weights = np.exp(_SHARP * (both - both.max(axis=1, keepdims=True)))
    denied = np.array([bool(term and term.denied) for term in theirs], dtype=np.float32)
    signs = [dict(signs_of(term.stem)) if term else {} for term in theirs]
    for k, term in enumerate(mine):
        if term is None:
            continue
        denial[k] = float(term.denied) - float(weights[k] @ denied / weights[k].sum())
        for axis, sign in signs_of(term.stem):
            at = [j for j, one in enumerate(signs) if axis in one]
            if not at:
                continue
            near = np.exp(_SHARPER * (context[k, at] - context[k, at].max()))
            way = [signs[j][axis] * (-1 if denied[j] else 1) for j in at]
            value = (-sign if term.denied else sign) * float(near @ np.array(way) / near.sum())
            if alike[k] == 0 or value < agree[k]:
                agree[k], alike[k] = value, context[k, at].max()
    return [agree, alike, denial]


def _by_word(text: Text) -> list[Term | None]:
    terms = {term.start: term for term in terms_of(text.text)}
    return [terms.get(start) for start, _ in text.spans]
