"""All papers that deal with something: the count first, then one bullet a paper with its gist."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from assistant.alike import grouped
from assistant.answer import Quote
from assistant.cite import Line, Said, Source, bold_figures, remark
from assistant.evidence import weigh
from assistant.markdown import bold, own_words
from assistant.roles import roles_of
from assistant.words import holds

if TYPE_CHECKING:
    from assistant.question import Question
    from assistant.retrieve import Retrieval, Vector
    from corpus.collection import Sentence
    from corpus.papers import Paper

CUT = 0.63
COVERAGE = 0.25
"""A paper belongs on the list where its score as a share of the best one's, plus COVERAGE times the share of
the question's words that it holds, again of the best one's, reaches CUT; see docs/questions.md."""
OF_TOPIC = 0.6
"""The share of the topic's words that puts a credited paper on the list."""

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
    """The papers that belong on the list, best first; of those that the question credits, if any.

    There a paper that holds the words of the topic belongs too.
    """
    chosen = [paper for paper in papers if paper.id not in question.left_out]
    first = chosen[:1] if len(question.left_out) == 1 else [one for one in papers[:1] if one in chosen]
    scores = {candidate.paper_id: candidate.score for candidate in retrieval.candidates}
    if question.credits:
        chosen = [paper for paper in chosen if paper.id in question.credited]
        if not question.topic_words:
            return chosen
        boosts, first = question.boosts, []
        scores = {one: score - boosts.get(one, 0.0) for one, score in scores.items()}
    least = OF_TOPIC if question.credits else math.inf
    best = max(scores[first[0].id] if first else max(scores.values(), default=0.0), 1e-9)
    covered = {paper.id: _covered(paper, rare) for paper in papers}
    most = max(sorted(covered.values())[-10:], default=0.0) or 1.0
    return [
        paper
        for paper in chosen
        if paper in first
        or scores.get(paper.id, 0.0) / best + COVERAGE * covered[paper.id] / most >= cut
        or covered[paper.id] / most >= least
    ]


def asks_for_all(question: Question) -> bool:
    """True where nothing but years narrows the papers asked for: "which papers since 2024"."""
    if question.leans or question.named or question.credits or question.unknown or question.mentioned:
        return False
    return question.wants_many and not question.topic_words


def write_list(
    papers: Sequence[Paper],
    sentences: Mapping[str, Sequence[Sentence]],
    vector: Vector,
    rare: Mapping[str, float],
    narrowed: str = "",
) -> list[Line]:
    """The lines of a list: how many papers, then each with the sentence that says best why it is there.

    `narrowed` says what else the papers were chosen by: "since 2024". Those of nearly the same words share a
    bullet.
    """
    count = f"{len(papers)} papers" if len(papers) > 1 else "One paper"
    lines = [remark(f"{count} in this collection{f' {own_words(narrowed)}' if narrowed else ''}:")]
    for alike in grouped(papers[:SHOWN], sentences):
        said = [_gist(paper, sentences.get(paper.id, ()), vector, rare) for paper in alike]
        lead = bold(alike[0].label)
        if len(alike) > 1:
            lead += (
                f" and, in nearly the same words, {' and '.join(bold(paper.label) for paper in alike[1:])}"
            )
        lines.append(Line(_united(said), f"{lead}: ", bullet=True))
    if len(papers) > SHOWN:
        rest = ", ".join(paper.label for paper in papers[SHOWN : SHOWN + NAMED])
        etc = ", …" if len(papers) > SHOWN + NAMED else ""
        lines.append(remark(f"and {len(papers) - SHOWN} more: {own_words(rest)}{etc or '.'}"))
    return lines


def _united(said: Sequence[Said]) -> tuple[Said, ...]:
    """The sentences, each text once, with the sources of all that have it."""
    sources: dict[str, tuple[Source, ...]] = {}
    for one in said:
        sources[one.text] = (*sources.get(one.text, ()), *one.sources)
    return tuple(Said(text, found) for text, found in sources.items())


def _gist(paper: Paper, sentences: Sequence[Sentence], vector: Vector, rare: Mapping[str, float]) -> Said:
    if not sentences:
        title = paper.title or paper.label
        return Said(
            own_words(title), ((paper.id, Quote("title", 0, len(title), title)),) if paper.title else ()
        )
    roles = dict(zip((one.index for one in sentences), roles_of(sentences), strict=True))
    weighed = weigh(sentences, vector, rare, "list")
    own = [one for one in weighed if roles[one.sentence.index] != "problem"] or weighed
    best = max(own, key=lambda one: one.score).sentence
    return Said(bold_figures(best.text), ((paper.id, Quote("abstract", best.start, best.end, best.text)),))


def _covered(paper: Paper, rare: Mapping[str, float]) -> float:
    text = f"{paper.title or ''} {paper.abstract or ''} {' '.join(paper.keywords)}"
    return sum(weight for word, weight in rare.items() if holds(text, word))
