"""What several papers share and what only one of them speaks of, in their own terms."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from assistant.answer import Quote
from assistant.cite import Line, Said, Source
from assistant.words import ASKING_WORDS, FUNCTION_WORDS, stem

if TYPE_CHECKING:
    from corpus.collection import Sentence
    from corpus.papers import Paper

# Words that say nothing of what a paper is about.
_EMPTY = frozenset(
    "propose proposed proposes present introduce novel new existing recent state art significantly achieve achieves"
    " achieving improve improves performance results experiments demonstrate demonstrates show compared average enable"
    " enables however including high low large small significant effective efficient efficiently efficiency better best"
    " model models training task tasks problem design furthermore moreover additionally extensive various across".split()
)
_TERM = re.compile(r"[A-Za-z][\w-]*[A-Za-z]")
SHOWN = 3
"""Terms named of each side, and of what they share."""


def contrast(papers: Sequence[Paper], sentences: Mapping[str, Sequence[Sentence]]) -> list[Line]:
    """One line: the terms that all sides use, and those that only one side uses, each cited where it stands."""
    terms = {paper.id: _terms(sentences.get(paper.id, ())) for paper in papers}
    common = set.intersection(*(set(found) for found in terms.values()))
    anywhere = Counter(stems for found in terms.values() for stems in found)
    said = []
    if shared := _top(terms[papers[0].id], common):
        word = "Both" if len(papers) == 2 else "All"
        places = [_place(paper, sentences.get(paper.id, ()), shared[0]) for paper in papers]
        said.append(
            Said(f"{word} speak of {_list(shared)}.", tuple(one for one in places if one), "supported", 0.9)
        )
    for paper in papers:
        own = _top(terms[paper.id], {stems for stems in terms[paper.id] if anywhere[stems] == 1})
        found = [_place(paper, sentences.get(paper.id, ()), term) for term in own]
        cited = tuple(dict.fromkeys(place for place in found if place))
        if cited:
            said.append(Said(f"Only {paper.label} speaks of {_list(own)}.", cited, "supported", 0.9))
    return [Line(tuple(said))] if said else []


_Stems = tuple[str, ...]


def _terms(sentences: Sequence[Sentence]) -> dict[_Stems, Counter[str]]:
    """Stems of words and pairs of words -> how they are written and how often."""
    found: dict[_Stems, Counter[str]] = {}
    for sentence in sentences:
        words = _TERM.findall(sentence.text)
        for first, second in zip(words, words[1:], strict=False):
            pair = f"{first} {second}"
            if _telling(first) and _telling(second) and pair in sentence.text:
                found.setdefault((stem(first.lower()), stem(second.lower())), Counter())[pair] += 1
    return found


def _telling(word: str) -> bool:
    low = word.lower()
    return len(word) > 2 and not low.endswith("ly") and low not in FUNCTION_WORDS | ASKING_WORDS | _EMPTY


def _top(terms: Mapping[_Stems, Counter[str]], among: set[_Stems]) -> list[str]:
    """The terms that are used most, as they are written, no word in two of them."""
    ranked = sorted((stems for stems in terms if stems in among), key=lambda one: -sum(terms[one].values()))
    chosen: list[_Stems] = []
    for stems in ranked:
        if len(chosen) < SHOWN and not any(set(stems) & set(other) for other in chosen):
            chosen.append(stems)
    return [terms[stems].most_common(1)[0][0] for stems in chosen]


def _place(paper: Paper, sentences: Sequence[Sentence], term: str) -> Source | None:
    """The first sentence of the paper that has the term, in any form of its words."""
    wanted = [stem(word.lower()) for word in _TERM.findall(term)]
    for one in sentences:
        own = [stem(word.lower()) for word in _TERM.findall(one.text)]
        if any(own[at : at + len(wanted)] == wanted for at in range(len(own))):
            return paper.id, Quote("abstract", one.start, one.end, one.text)
    return None


def _list(terms: Sequence[str]) -> str:
    return ", ".join(terms[:-1]) + f" and {terms[-1]}" if len(terms) > 1 else terms[0]
