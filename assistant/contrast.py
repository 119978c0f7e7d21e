"""What several papers share and what only one of them speaks of, in their own terms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from assistant.answer import Quote
from assistant.cite import Line, Said, Source
from assistant.markdown import own_words
from corpus.topics import noun_phrases

if TYPE_CHECKING:
    from corpus.collection import Sentence
    from corpus.papers import Paper

SHOWN = 2
"""Terms named of each side, and of what they share."""


def contrast(papers: Sequence[Paper], sentences: Mapping[str, Sequence[Sentence]]) -> list[Line]:
    """One line: the terms that all sides use and those that only one uses, each cited where it stands."""
    texts = {paper.id: (paper.abstract or "").lower() for paper in papers}
    terms = {paper.id: Counter(noun_phrases(texts[paper.id])) for paper in papers}
    said = []
    shared = [
        term
        for term in _ranked(sum(terms.values(), Counter()))
        if all(term in text for text in texts.values())
    ]
    if shared := shared[:SHOWN]:
        cited = [
            place for paper in papers if (place := _place(paper, sentences.get(paper.id, ()), shared[0]))
        ]
        word = "Both" if len(papers) == 2 else "All"
        said.append(
            Said(f"{word} speak of {own_words(' and '.join(shared))}.", tuple(cited), "supported", 0.9)
        )
    for paper in papers:
        others = [text for one, text in texts.items() if one != paper.id]
        own = [term for term in _ranked(terms[paper.id]) if not any(term in text for text in others)][:SHOWN]
        found = [_place(paper, sentences.get(paper.id, ()), term) for term in own]
        places = tuple(dict.fromkeys(place for place in found if place))
        if places:
            said.append(
                Said(
                    f"Only {own_words(paper.label)} speaks of {own_words(' and '.join(own))}.",
                    places,
                    "supported",
                    0.9,
                )
            )
    return [Line(tuple(said))] if said else []


def _ranked(terms: Counter[str]) -> list[str]:
    """The terms that are used most first, no word in two of them."""
    chosen: list[str] = []
    for term, _ in terms.most_common():
        if not any(set(term.split()) & set(other.split()) for other in chosen):
            chosen.append(term)
    return chosen


def _place(paper: Paper, sentences: Sequence[Sentence], term: str) -> Source | None:
    """The first sentence of the paper that has the term."""
    for one in sentences:
        if term in one.text.lower():
            return paper.id, Quote("abstract", one.start, one.end, one.text)
    return None
