"""Answers in the abstracts' own words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from assistant.answer import Quote
from assistant.cite import Line, Said, bold_figures
from assistant.evidence import Evidence, choose, weigh, weights_of

if TYPE_CHECKING:
    from assistant.answerable import Missing
    from assistant.question import Question
    from assistant.retrieve import Retrieval
    from corpus.papers import Paper


@dataclass(frozen=True)
class Length:
    """How long an answer of a kind may be: words in all, labels and markers included, sentences a paper, papers."""

    words: int
    sentences: int
    papers: int = 1


LENGTHS: Mapping[str, Length] = {
    "lookup": Length(120, 5),
    "number": Length(100, 4),
    "explain": Length(200, 5),
    "compare": Length(240, 3, papers=5),
    "list": Length(400, 1, papers=12),
    "aggregate": Length(400, 2, papers=8),
}
"""By kind."""

_ASKS_WHO = re.compile(
    r"\bwho (?:else )?(?:is on|are|is|wrote|authored)\b|\bauthors?\b|\bby whom\b|\bwho else\b", re.I
)

NEAR_BEST = 0.55
"""A list holds the papers whose share of the best one's score is at least this."""


def write(
    question: Question, retrieval: Retrieval, papers: Sequence[Paper], rare: Mapping[str, float]
) -> list[Line]:
    """The answer's lines: of each paper that answers, its label and its best sentences, in its own order."""
    length = LENGTHS[question.kind]
    chosen = _papers(question, retrieval, papers, length)
    each = length.words // len(chosen)
    lines = []
    for paper in chosen:
        weighed = weigh(retrieval.sentences.get(paper.id, ()), retrieval.vector, rare, question.kind)
        free = each - len(paper.label.split()) - length.sentences
        best = choose(weighed, words=free, most=length.sentences, margin=weights_of(question.kind).margin)
        if best:
            line = _line(paper, best, bullet=len(chosen) > 1)
            lines.append(replace(line, said=(*_bylines(question, paper), *line.said)))
        elif paper.title:
            lines.append(_title_line(paper, bullet=len(chosen) > 1))
    return lines


def write_missing(lack: Missing, retrieval: Retrieval, rare: Mapping[str, float]) -> list[Line]:
    """The lines that say what is missing, and what the paper that it is missing from does say."""
    lines = [Line((), lead=lack.reason)]
    if lack.about:
        weighed = weigh(retrieval.sentences.get(lack.about.id, ()), retrieval.vector, rare, "number")
        best = choose(weighed, words=50, most=1, margin=0.0)
        if best:
            lines.append(replace(_line(lack.about, best, bullet=False), lead="What it does say: "))
    return lines


def _papers(question: Question, retrieval: Retrieval, papers: Sequence[Paper], length: Length) -> list[Paper]:
    """The papers to be quoted, best first."""
    if question.authors and not question.named and question.kind in ("lookup", "list", "aggregate"):
        theirs = set.intersection(*(set(name.paper_ids) for name in question.authors))
        theirs = theirs or {one for name in question.authors for one in name.paper_ids}
        return [paper for paper in papers if paper.id in theirs][:12]
    if question.kind == "compare":
        sides = [paper for paper in papers if any(paper.id in name.paper_ids for name in question.named)]
        return (sides + [paper for paper in papers if paper not in sides])[
            : max(2, len(sides[: length.papers]))
        ]
    if question.wants_many:
        scores = {candidate.paper_id: candidate.score for candidate in retrieval.candidates}
        cut = NEAR_BEST * scores[papers[0].id]
        return [paper for paper in papers if scores.get(paper.id, 0.0) >= cut][: length.papers]
    return list(papers[:1])


def _line(paper: Paper, best: Sequence[Evidence], *, bullet: bool) -> Line:
    said = tuple(Said(bold_figures(one.sentence.text), ((paper.id, _quote(one)),)) for one in best)
    return Line(said, lead=f"**{paper.label}**: ", bullet=bullet)


def _bylines(question: Question, paper: Paper) -> tuple[Said, ...]:
    """Who wrote the paper, where the question asks for it and the record says."""
    known = paper.field("authors")
    if not known or not _ASKS_WHO.search(question.text):
        return ()
    return (Said(f"Authors: {known}.", ((paper.id, Quote("authors", 0, len(known), known)),)),)


def _title_line(paper: Paper, *, bullet: bool) -> Line:
    title = paper.title or ""
    return Line((Said(title, ((paper.id, Quote("title", 0, len(title), title)),)),), bullet=bullet)


def _quote(evidence: Evidence) -> Quote:
    sentence = evidence.sentence
    return Quote("abstract", sentence.start, sentence.end, sentence.text)
