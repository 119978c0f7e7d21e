"""All papers that deal with something: the count first, then one bullet a paper with its gist."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from assistant.answer import Quote
from assistant.cite import Line, Said, bold_figures, remark
from assistant.evidence import weigh
from assistant.markdown import bold, own_words
from assistant.words import content_words, holds

if TYPE_CHECKING:
    from assistant.question import Question
    from assistant.retrieve import Retrieval, Vector
    from corpus.collection import Sentence
    from corpus.papers import Paper

CUT = 0.63
COVERAGE = 0.25
"""A paper belongs on the list where its score as a share of the best one's, plus COVERAGE times the share of
the question's words that it holds, again of the best one's, reaches CUT; see docs/questions.md."""
_OF_EVERY_LIST = frozenset(
    "paper papers work works abstract abstracts study studies article articles published publication"
    " publications collection library list show give find everything year years newest latest recent count"
    " number total have appeared written come came out dated hold contain".split()
)

SHOWN = 12
"""Bullets; the rest is only named."""
NAMED = 40
"""Papers named behind the bullets; the rest is only counted."""


def relevant(
    question: Question,
    retrieval: Retrieval,
    papers: Sequence[Paper],
    rare: Mapping[str, float],
    *,
    cut: float = CUT,
) -> list[Paper]:
    """The papers that belong on the list, best first; those of an author where the question names one."""
    if question.authors:
        theirs = [set(name.paper_ids) for name in question.authors]
        wanted = set.intersection(*theirs) or set.union(*theirs)
        return [paper for paper in papers if paper.id in wanted]
    scores = {candidate.paper_id: candidate.score for candidate in retrieval.candidates}
    covered = {paper.id: _covered(paper, rare) for paper in papers}
    best = max(scores[papers[0].id], 1e-9)
    most = max(sorted(covered.values())[-10:], default=0.0) or 1.0
    return [
        paper
        for place, paper in enumerate(papers)
        if place == 0 or scores[paper.id] / best + COVERAGE * covered[paper.id] / most >= cut
    ]


def asks_for_all(question: Question) -> bool:
    """True where nothing but years narrows the papers asked for: "which papers since 2024"."""
    if question.leans or question.named or question.authors or question.unknown or question.mentioned:
        return False
    return question.wants_many and all(word in _OF_EVERY_LIST for word in content_words(question.topic))


def write_list(
    papers: Sequence[Paper],
    sentences: Mapping[str, Sequence[Sentence]],
    vector: Vector,
    rare: Mapping[str, float],
    narrowed: str = "",
) -> list[Line]:
    """The lines of a list: how many papers, then each with the sentence that says best why it is there.

    `narrowed` says what else the papers were chosen by: "since 2024".
    """
    count = f"{len(papers)} papers" if len(papers) > 1 else "One paper"
    lines = [remark(f"{count} in this collection{f' {own_words(narrowed)}' if narrowed else ''}:")]
    for paper in papers[:SHOWN]:
        lines.append(
            Line(
                (_gist(paper, sentences.get(paper.id, ()), vector, rare),),
                f"{bold(paper.label)}: ",
                bullet=True,
            )
        )
    if len(papers) > SHOWN:
        rest = ", ".join(paper.label for paper in papers[SHOWN : SHOWN + NAMED])
        etc = ", …" if len(papers) > SHOWN + NAMED else ""
        lines.append(remark(f"and {len(papers) - SHOWN} more: {own_words(rest)}{etc or '.'}"))
    return lines


def _gist(paper: Paper, sentences: Sequence[Sentence], vector: Vector, rare: Mapping[str, float]) -> Said:
    if not sentences:
        title = paper.title or paper.label
        return Said(
            own_words(title), ((paper.id, Quote("title", 0, len(title), title)),) if paper.title else ()
        )
    best = max(weigh(sentences, vector, rare, "list"), key=lambda one: one.score).sentence
    return Said(bold_figures(best.text), ((paper.id, Quote("abstract", best.start, best.end, best.text)),))


def _covered(paper: Paper, rare: Mapping[str, float]) -> float:
    text = f"{paper.title or ''} {paper.abstract or ''} {' '.join(paper.keywords)}"
    return sum(weight for word, weight in rare.items() if holds(text, word))
