"""Figures of many papers: the extreme first, then a table of each paper's figure and its sentence."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from assistant.aggregate import Aim, Found, aim_of, figures_for
from assistant.answer import Quote
from assistant.cite import Grid, Line, Said, bold_figures, remark
from assistant.list_writer import relevant, write_list
from assistant.markdown import bold, own_words
from assistant.words import content_words, holds

if TYPE_CHECKING:
    from assistant.question import Question
    from assistant.retrieve import Retrieval
    from corpus.papers import Paper

ROWS = 8
"""Rows of the table at most."""
NEAR = 0.4
"""How near a paper has to be for its figures to be read; lists have a narrower cut."""

_PROPER = re.compile(r"(?<=[a-z] )[A-Z][\w-]+|\b[A-Z][\w-]*[A-Z][\w-]*")

_GROUP = re.compile(
    r"\b(?:among|of|in|across|which|sort|rank|order)\s+(?:(?:all|these|those|the)\s+)*((?:[a-zA-Z-]+\s+){1,3}?)"
    r"(?:papers?|works?|systems?|methods?|approaches|studies)\b",
    re.I,
)


def write_aggregate(
    question: Question,
    retrieval: Retrieval,
    papers: Sequence[Paper],
    rare: Mapping[str, float],
    *,
    cut: float | None = NEAR,
) -> list[Line | Grid]:
    """The lines of an answer that is made of many papers' figures, or of how many papers there are.

    `cut` is how near a paper has to be for its figures to be read; None reads all.
    """
    aim = aim_of(question.focus, question.mentioned)
    looked = list(papers) if cut is None else relevant(question, retrieval, papers, rare, cut=cut)
    looked = _of_topic(question.focus, looked)
    found = figures_for(aim, looked, retrieval.sentences, [name.text for name in question.named])
    if aim.way == "count":
        return _count(question, aim, retrieval, papers, rare, found)
    if not found:
        return list(write_list(looked[:ROWS], retrieval.sentences, retrieval.vector, rare))
    return [
        _extreme(aim, found[0]),
        _table(found[:ROWS]),
        _looked_at(len(looked), len(found), whole=cut is None),
    ]


def _of_topic(text: str, papers: list[Paper]) -> list[Paper]:
    """Of "the speculative decoding papers" those that speak of it, or all where none does."""
    found = _GROUP.search(text)
    topic = content_words(found[1]) if found else []
    about = [
        paper
        for paper in papers
        if all(holds(f"{paper.title or ''} {paper.abstract or ''}", word) for word in topic)
    ]
    return about or papers


def _count(
    question: Question,
    aim: Aim,
    retrieval: Retrieval,
    papers: Sequence[Paper],
    rare: Mapping[str, float],
    found: Sequence[Found],
) -> list[Line | Grid]:
    """How many papers, and which; those that pass the limit where the question sets one."""
    if aim.past is not None and found:
        return [remark(_papers(len(found))), _table(found)]
    proper = [name for name in _PROPER.findall(question.focus) if name not in ("GPUs", "LLM", "LLMs")]
    chosen = relevant(question, retrieval, papers, rare)
    if proper and not question.credits:
        holding = [paper for paper in papers if all(name in (paper.abstract or "") for name in proper)]
        chosen = holding or chosen
    lines: list[Line | Grid] = list(
        write_list(chosen, retrieval.sentences, retrieval.vector, rare, question.narrowed)
    )
    own = figures_for(Aim("most", aim.terms), chosen, retrieval.sentences, ())
    return [*lines, _extreme(Aim("most", aim.terms), own[0])] if own and aim.terms else lines


def _extreme(aim: Aim, found: Found) -> Line:
    word = "Smallest" if aim.way == "least" else "Largest"
    figure = found.sentence.text[found.figure.start : found.figure.end]
    text = f"{word}: {bold(figure)}, {own_words(found.paper.label)}."
    return Line((Said(text, ((found.paper.id, _quote(found)),), "supported", 0.95),))


def _table(found: Sequence[Found]) -> Grid:
    rows = []
    for one in found:
        start, end = one.figure.start, one.figure.end
        place = one.sentence.start
        short = Quote("abstract", place + start, place + end, one.sentence.text[start:end])
        cells = (
            (Said(bold(short.text), ((one.paper.id, short),)),),
            (Said(bold_figures(one.sentence.text), ((one.paper.id, _quote(one)),)),),
        )
        rows.append((one.paper.label, cells))
    return Grid(("Figure", "In its words"), tuple(rows))


def _looked_at(looked: int, found: int, *, whole: bool) -> Line:
    without = f"; {looked - found} give none of this kind" if looked > found else ""
    which = f"all {looked} papers" if whole else f"{looked} papers near the question"
    return remark(f"Looked at {which}{without}.")


def _papers(count: int) -> str:
    return f"{count} papers in this collection:" if count > 1 else "1 paper in this collection:"


def _quote(found: Found) -> Quote:
    sentence = found.sentence
    return Quote("abstract", sentence.start, sentence.end, sentence.text)
