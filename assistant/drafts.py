"""From a question and its papers to the lines of an answer: which writer writes what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from assistant.aggregate import asks_of_all
from assistant.aggregate_writer import write_aggregate
from assistant.answerable import missing
from assistant.cite import Line, remark
from assistant.compare_writer import write_comparison
from assistant.evidence import asked_words, rarity
from assistant.list_writer import SHOWN, asks_for_all, relevant, write_list
from assistant.markdown import bold, own_words
from assistant.missing import Missing
from assistant.question import years_of
from assistant.quote_writer import write, write_missing
from assistant.sides import Finder, Sides, find_sides

if TYPE_CHECKING:
    from assistant.cite import Grid
    from assistant.question import Question
    from assistant.retrieve import Retrieval, Retriever
    from corpus.collection import Collection
    from corpus.papers import Paper

LOOKED_AT = 60
"""Papers that an answer made of many is chosen from."""
SMALL = 2_000
"""Papers of a collection that is read whole for "the largest of all"."""
READ = 20
"""Papers that any other answer is chosen from."""


@dataclass(frozen=True)
class Draft:
    """The lines of an answer, the papers that they may speak of, and whether they answer."""

    parts: Sequence[Line | Grid]
    papers: Sequence[Paper]
    answers: bool = True


def make_draft(
    question: Question, retrieval: Retrieval, retriever: Retriever, collection: Collection
) -> Draft:
    """The draft of the answer to a question."""
    papers: Sequence[Paper] = collection.papers(retrieval.ids[: LOOKED_AT if question.wants_many else READ])
    narrow = question.credits and question.wants_many
    words = asked_words(retriever.expand(question.topic) if narrow else question.focus)
    rare = rarity(collection.doc_freq(words), collection.size)
    if asks_for_all(question) and collection.size:
        return _everything(question, retrieval, collection, rare)
    lack = missing(question, retrieval, papers, collection)
    if lack:
        return Draft(write_missing(lack, retrieval, rare), papers, answers=False)
    if question.kind == "compare":
        return _comparison(question, retrieval, retriever, collection, papers, rare)
    whole = question.kind == "aggregate" and asks_of_all(question.topic) and collection.size <= SMALL
    if narrow:
        papers = _first(papers, collection.papers(sorted(question.credited)))
    papers, lack = _of_years(question, _first(papers, collection.papers()) if whole else papers)
    if lack:
        return Draft(write_missing(lack, retrieval, rare), papers, answers=False)
    if whole:
        every = replace(retrieval, sentences=collection.sentences([paper.id for paper in papers]))
        return Draft(write_aggregate(question, every, papers, rare, cut=None), papers)
    if question.kind == "aggregate":
        return Draft(write_aggregate(question, retrieval, papers, rare), papers)
    if question.kind == "list":
        chosen = relevant(question, retrieval, papers, rare)
        if not chosen:
            return Draft(write_missing(_none_left(question), retrieval, rare), papers, answers=False)
        return Draft(
            write_list(chosen, retrieval.sentences, retrieval.vector, rare, question.narrowed), papers
        )
    return Draft(write(question, retrieval, papers, rare), papers)


def _everything(
    question: Question, retrieval: Retrieval, collection: Collection, rare: Mapping[str, float]
) -> Draft:
    """All papers, or those of the years that the question gives, newest first."""
    papers, lack = _of_years(question, collection.papers())
    if lack:
        return Draft(write_missing(lack, retrieval, rare), papers, answers=False)
    newest = sorted(papers, key=lambda paper: -(paper.year or 0))
    sentences = collection.sentences([paper.id for paper in newest[:SHOWN]])
    return Draft(write_list(newest, sentences, retrieval.vector, rare, question.narrowed), newest[:SHOWN])


def _of_years(question: Question, papers: Sequence[Paper]) -> tuple[Sequence[Paper], Missing | None]:
    """Those of the papers that are of the years that a question for many papers asks for."""
    years = years_of(question.focus) if question.wants_many else None
    if not years:
        return papers, None
    if not any(paper.year for paper in papers):
        return papers, Missing("No record here gives a year, so papers can't be chosen by year.")
    chosen = [paper for paper in papers if paper.year and years[0] <= paper.year <= years[1]]
    return chosen or papers, None if chosen else Missing(
        f"No paper in this collection that fits is of these years: {own_words(question.narrowed)}."
    )


def _none_left(question: Question) -> Missing:
    if question.left_out:
        return Missing("No other paper in this collection is near enough to it.")
    where = own_words(question.narrowed)
    if not question.topic_words:
        return Missing(f"No paper {where} is in this collection.")
    return Missing(f"No paper {where} in this collection is on that.")


def _comparison(
    question: Question,
    retrieval: Retrieval,
    retriever: Retriever,
    collection: Collection,
    papers: Sequence[Paper],
    rare: Mapping[str, float],
) -> Draft:
    sides = _sides(question, retriever, collection, papers)
    absent = [remark(_absent(name, question)) for name in sides.missing]
    if not sides.papers:
        none = [remark("None of the sides is in this collection.")]
        return Draft(absent or none, papers, answers=False)
    if len(sides.papers) == 1:
        single = replace(question, kind="number")
        return Draft([*absent, *write(single, retrieval, sides.papers, rare)], _first(sides.papers, papers))
    sentences = collection.sentences([paper.id for paper in sides.papers])
    parts = write_comparison(question, sides, sentences, retrieval.vector, rare)
    return Draft([*absent, *parts], _first(sides.papers, papers))


def _absent(name: str, question: Question) -> str:
    if name in question.mentioned:
        return f"No paper in this collection is about {bold(name)}."
    return f"{bold(name)} isn't in this collection: no abstract speaks of it."


def _first(first: Sequence[Paper], papers: Sequence[Paper]) -> list[Paper]:
    known = {paper.id for paper in first}
    return [*first, *(paper for paper in papers if paper.id not in known)]


def _sides(
    question: Question, retriever: Retriever, collection: Collection, papers: Sequence[Paper]
) -> Sides:
    finder = Finder(
        papers=lambda ids: collection.papers(list(ids)),
        search=lambda text: collection.papers(retriever.retrieve(text).ids[:5]),
        holds=lambda word: bool(collection.doc_freq([word])[word]),
    )
    return find_sides(question, papers, finder)
