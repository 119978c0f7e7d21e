"""A prepared question as an Answer, in the abstracts' own words or in words that were made of them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from assistant.answer import Answer, Related, Retrieved

if TYPE_CHECKING:
    from assistant.cite import Cited
    from assistant.prepare import Prepared

SHOWN = 60
"""Papers that `retrieved` of an answer holds at most."""
RELATED = 5
"""Papers that an answer names as near."""


def quoted(prepared: Prepared, version: str) -> Answer:
    """The answer in the abstracts' own words; `version` is the collection's."""
    return answer_of(prepared, prepared.cited, version, answers=prepared.draft.answers)


def answer_of(prepared: Prepared, cited: Cited, version: str, *, answers: bool) -> Answer:
    """The answer with this text; `answers` is False where it only says that there is none."""
    known = {citation.paper_id for citation in cited.citations}
    near = [paper for paper in prepared.draft.papers if paper.id not in known][:RELATED]
    return Answer(
        id="",
        question=prepared.asked.text,
        standalone_question=prepared.standalone,
        kind=prepared.asked.kind,
        status="answered" if answers else "not_found",
        text=cited.text,
        sentences=cited.sentences,
        citations=cited.citations,
        table=cited.table,
        related=tuple(Related(paper.id, paper.label) for paper in near),
        retrieved=tuple(
            Retrieved(one.paper_id, likeness(one.score)) for one in prepared.retrieval.candidates[:SHOWN]
        ),
        collection_version=version,
    )


def likeness(score: float) -> float:
    """A retrieval score as a number between 0 and 1."""
    return round(1 / (1 + math.exp(-max(min(score, 60.0), -60.0) / 4)), 4)
