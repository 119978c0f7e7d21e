"""Answers in the abstracts' own words: which sentences, how long, how shown."""

from __future__ import annotations

from dataclasses import replace

import pytest
from made import Library

from assistant.cite import Line
from assistant.evidence import asked_words, rarity
from assistant.markdown import plain
from assistant.missing import Missing
from assistant.question import understand
from assistant.quote_writer import write, write_missing
from assistant.retrieve import Retrieval
from corpus.collection import Sentence


def retrieve(library: Library, text: str) -> Retrieval:
    question = understand(text, (), library.collection)
    return library.retriever.retrieve(question.query, boosts=question.boosts)


def lines(library: Library, text: str) -> list[Line]:
    question = understand(text, (), library.collection)
    retrieval = retrieve(library, text)
    rare = rarity(library.collection.doc_freq(asked_words(text)), library.collection.size)
    return write(question, retrieval, library.collection.papers(retrieval.ids[:20]), rare)


@pytest.mark.parametrize(
    "text",
    ["Which paper merges micro-tiles?", "How many GPUs does Quokka use?", "How does Lumen denoise photos?"],
)
def test_sentences_are_quoted_whole_and_in_the_papers_order(library: Library, text: str) -> None:
    line = lines(library, text)[0]
    papers = {paper.id: paper for paper in library.collection.papers()}
    starts = []
    for said in line.said:
        ((paper_id, quote),) = said.sources
        assert papers[paper_id].field(quote.field)[quote.start : quote.end] == quote.text == plain(said.text)
        assert papers[paper_id].label in plain(line.lead)
        starts.append(quote.start)
    assert starts == sorted(set(starts))


def test_the_figure_asked_for_is_bold(library: Library) -> None:
    assert "**5.9x**" in lines(library, "What speedup does TileFlow reach over TVM?")[0].said[0].text


def test_all_papers_of_an_author_are_listed(library: Library) -> None:
    written = lines(library, "What did Ada Moreau write?")
    assert [line.bullet for line in written] == [True, True]
    assert {said.sources[0][0] for line in written for said in line.said} == {"tileflow", "quokka"}


def test_a_paper_without_an_abstract_is_quoted_by_its_title(library: Library) -> None:
    line = lines(library, "Which paper has the beekeeping records of the northern valleys?")[0]
    ((paper_id, quote),) = line.said[0].sources
    assert (paper_id, quote.field, quote.start) == ("bare", "title", 0)


def test_a_sentence_without_end_is_cut_and_still_a_quote(library: Library) -> None:
    text = "How do bees find their way home?"
    retrieval = retrieve(library, text)
    long = "bees " * 2000
    huge = Sentence("bees", 0, 0, len(long), long, retrieval.vector)
    question = understand(text, (), library.collection)
    papers = [replace(library.collection.papers(["bees"])[0], abstract=long)]
    (line,) = write(question, replace(retrieval, sentences={"bees": [huge]}), papers, {})
    ((_, quote),) = line.said[0].sources
    assert long[quote.start : quote.end] == quote.text
    assert len(line.said[0].text.split()) < 210


def test_what_is_missing_is_said_first(library: Library) -> None:
    retrieval = retrieve(library, "What MFU does TileFlow reach?")
    tileflow = library.collection.papers(["tileflow"])[0]
    first, second = write_missing(Missing("It isn't there.", tileflow), retrieval, {})
    assert [(said.text, said.sources) for said in first.said] == [("It isn't there.", ())]
    assert {paper for said in second.said for paper, _ in said.sources} == {"tileflow"}
    assert len(write_missing(Missing("It isn't there."), retrieval, {})) == 1
