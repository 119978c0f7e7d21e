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
    """How long an answer of a kind may be: words in all, labels and markers included, and sentences a paper."""

    words: int
    sentences: int


LENGTHS: Mapping[str, Length] = {
    "lookup": Length(120, 5),
    "number": Length(100, 4),
    "explain": Length(200, 5),
}
"""By kind."""

MOST_OF_AUTHOR = 5
"""Papers quoted where a question asks what somebody wrote."""

_ASKS_WHO = re.compile(
    r"\bwho (?:else )?(?:is on|are|is|wrote|authored)\b|\bauthors?\b|\bby whom\b|\bwho else\b", re.I
)


def write(
    question: Question, retrieval: Retrieval, papers: Sequence[Paper], rare: Mapping[str, float]
) -> list[Line]:
    """The answer's lines: of each paper that answers, its label and its best sentences, in its own order."""
    length = LENGTHS[question.kind]
    chosen = _papers(question, papers)
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


def _papers(question: Question, papers: Sequence[Paper]) -> list[Paper]:
    """The papers to be quoted, best first: all of an author that a question names, else the one."""
    if question.authors and not question.named and question.kind == "lookup":
        theirs = [set(name.paper_ids) for name in question.authors]
        wanted = set.intersection(*theirs) or set.union(*theirs)
        return [paper for paper in papers if paper.id in wanted][:MOST_OF_AUTHOR]
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
