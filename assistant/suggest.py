"""Questions to ask next: made from an answer's papers, each one that their abstracts answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from assistant.answer import Answer
from assistant.figures import figures_of
from assistant.figures.figure import base_of
from corpus.papers import Paper
from corpus.sentences import sentence_spans

SUGGESTED = 3
"""The most questions that are suggested."""

_LONGEST_NAME = 60
_LOOKED_AT = 4  # cited papers
# What is asked for by name and stands in many abstracts; a rarer measure is seldom understood in a question.
_ASKED = {
    "speedup": "What speedup does {} reach?",
    "throughput": "What throughput does {} reach?",
    "latency": "What does {} report on latency?",
    "accuracy": "What accuracy does {} report?",
    "memory": "How much memory does {} save?",
    "energy": "What does {} report on energy?",
    "MFU": "What MFU does {} reach?",
}


def next_questions(answer: Answer, papers: Mapping[str, Paper]) -> tuple[str, ...]:
    """Up to three questions on the papers of the answer, none that it answers already; () for none.

    `papers` are the papers by id. Where nothing was found they are on the nearest ones.
    """
    near = [one.paper_id for one in answer.related]
    cited = [one.paper_id for one in answer.citations]
    ids = cited if answer.status == "answered" and cited else [*cited, *near]
    known = [papers[id] for id in dict.fromkeys(ids) if id in papers]
    named = [paper for paper in known if paper.abstract and _is_name(paper.label)]
    found = _figures(answer, named[:_LOOKED_AT]), _pairs(answer, named), _ways(answer, named)
    asked = {_folded(answer.question), _folded(answer.standalone_question)}
    questions = list[str]()
    for question in _in_turn(found):
        if _folded(question) not in asked and question not in questions:
            questions.append(question)
    return tuple(questions[:SUGGESTED])


def _in_turn(kinds: Sequence[Iterator[str]]) -> Iterator[str]:
    """The first of each kind, then the second of each."""
    rest = [list(kind) for kind in kinds]
    for place in range(max(map(len, rest), default=0)):
        yield from (kind[place] for kind in rest if place < len(kind))


def _figures(answer: Answer, papers: Sequence[Paper]) -> Iterator[str]:
    """Questions for figures that an abstract gives and the answer doesn't show, one a paper."""
    shown = _folded(answer.text)
    for paper in papers:
        abstract = paper.abstract or ""
        for start, end in sentence_spans(abstract):
            sentence = abstract[start:end]
            wanted = [
                _ASKED[base_of(one.measure) or ""]
                for one in figures_of(sentence)
                if base_of(one.measure) in _ASKED and _folded(sentence[one.start : one.end]) not in shown
            ]
            if wanted:
                yield wanted[0].format(paper.label)
                break


def _pairs(answer: Answer, papers: Sequence[Paper]) -> Iterator[str]:
    if answer.kind != "compare" and len(papers) > 1:
        yield f"Compare {papers[0].label} and {papers[1].label}"


def _ways(answer: Answer, papers: Sequence[Paper]) -> Iterator[str]:
    """How a paper's system works, unless that was asked, and what else is like it."""
    if answer.kind != "explain":
        yield from (f"How does {paper.label} work?" for paper in papers[:2])
    elif papers:
        yield f"What results does {papers[0].label} report?"
    if papers:
        yield f"Which other papers are like {papers[0].label}?"


def _is_name(label: str) -> bool:
    """Whether the label can stand in a question."""
    return len(label) <= _LONGEST_NAME and not re.search(r"[?\n]|\.\s", label)


def _folded(text: str) -> str:
    return re.sub(r"[\W_]+", " ", text.replace("×", "x")).strip().casefold()
