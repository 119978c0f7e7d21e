"""What the contract asks of every answer, whoever wrote it."""

from __future__ import annotations

import json
import re

from assistant.answer import Answer
from corpus.collection import Collection
from ui.prose import read_prose


def check_contract(answer: Answer, collection: Collection) -> None:
    """Nothing; an AssertionError where markers, quotes, sentences or lists of papers aren't as promised."""
    papers = {paper.id: paper for paper in collection.papers()}
    shown = [int(number) for number in re.findall(r"(?<!\\)\[(\d+)\]", answer.text)]
    numbers = [citation.marker for citation in answer.citations]
    assert list(dict.fromkeys(shown)) == numbers == list(range(1, len(numbers) + 1))
    assert list(read_prose(answer.text).markers) == shown
    assert [mark.marker for one in answer.sentences for mark in one.citations] == shown
    for citation in answer.citations:
        paper = papers[citation.paper_id]
        assert citation.label == paper.label
        assert citation.quotes
        for quote in citation.quotes:
            assert quote.text
            assert paper.field(quote.field)[quote.start : quote.end] == quote.text
    used = {
        (mark.marker, place) for one in answer.sentences for mark in one.citations for place in mark.quotes
    }
    assert used == {(one.marker, place) for one in answer.citations for place in range(len(one.quotes))}
    said = _bare(re.sub(r"(?<!\\)\[\d+\]", "", answer.text))
    for sentence in answer.sentences:
        assert _bare(sentence.text) in said
    assert answer.text
    assert answer.status in ("answered", "not_found")
    if answer.status == "answered":
        assert answer.citations
    assert len(answer.retrieved) >= min(20, len(papers))
    assert not {one.paper_id for one in answer.related} & {one.paper_id for one in answer.citations}
    assert answer.collection_version == collection.version
    assert answer.error is None or "\n" not in answer.error
    json.dumps(answer.to_dict())


def _bare(text: str) -> str:
    return "".join(re.sub(r"[*\\]", "", text).split())
