"""The composition root: a question in, an answer with checked citations out."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

from assistant.answer import Answer, Related, Retrieved, Timings, Turn
from assistant.cite import cite
from assistant.config import Settings
from assistant.drafts import Draft, make_draft
from assistant.followup import resolve, speaks_of_several
from assistant.question import MENTIONED, NAMED, RARE, Question, understand
from assistant.retrieve import RERANK, Filters, Retrieval, Retriever
from corpus.collection import Collection, open_collection
from corpus.embedder import Embedder, LocalEmbedder
from corpus.errors import InputError
from corpus.layout import BUILT_IN

SHOWN = 60
"""Papers that `retrieved` of an answer holds at most."""
BACK = 2
"""Questions of the talk that are answered again for one that leans on them."""
RELATED = 5
"""Papers that an answer names as near."""


@dataclass(frozen=True)
class SearchHit:
    """A paper found, with the sentence of it that is nearest to the query ("" where it has no abstract)."""

    paper_id: str
    label: str
    score: float
    quote: str


class Assistant:
    """Answers questions about one collection; safe to share between threads, holds nothing of any user."""

    def __init__(
        self, collection: Collection, embedder: Embedder, stand_in: Collection | None = None
    ) -> None:
        self._own = collection
        self._stand_in = stand_in
        self._embedder = embedder

    @property
    def collection(self) -> Collection:
        """The collection that is asked: its stand-in while it is empty."""
        return self._stand_in if self._stand_in and self._own.size == 0 else self._own

    @classmethod
    def open(cls, settings: Settings) -> Assistant:
        """The assistant over the collection of the settings, or the built-in one while `default` is empty."""
        embedder = embedder_of(settings)
        collection = open_collection(
            settings.home, settings.collection, embedder, chroma_url=settings.chroma_url
        )
        if collection.size or settings.collection not in ("default", BUILT_IN):
            return cls(collection, embedder)
        from corpus.builtin import open_builtin

        built_in = open_builtin(settings.home, chroma_url=settings.chroma_url)
        return cls(built_in if settings.collection == BUILT_IN else collection, embedder, built_in)

    def ask(
        self, question: str, *, history: Sequence[Turn] = (), filters: Filters | None = None, id: str = ""
    ) -> Answer:
        """The answer to one question; an empty question is an InputError, a missing answer is none."""
        started = perf_counter()
        if not question.strip():
            raise InputError(f"the question is {question[:20]!r}: ask something")
        collection = self._refreshed()
        asked = self._understand(collection, question.strip(), history, filters)
        retrieval = self._retrieve(collection, asked, filters)
        retrieved = perf_counter()
        answer = self._answer(collection, asked, retrieval, id)
        done = perf_counter()
        timings = Timings(
            retrieve=1000 * (retrieved - started),
            answer=1000 * (done - retrieved),
            total=1000 * (done - started),
        )
        return replace(answer, timings_ms=timings)

    def _understand(
        self,
        collection: Collection,
        question: str,
        history: Sequence[Turn],
        filters: Filters | None,
        back: int = BACK,
    ) -> Question:
        """The question, understood; where it leans on the talk, the question before is answered again.

        So what "the second" stands for doesn't hang on how a program that asks has kept the answers.
        """

        def answered() -> Sequence[str]:
            asked = [
                place for place, turn in enumerate(history) if turn.role == "user" and turn.content.strip()
            ]
            if not asked or not back:
                return ()
            last, before = history[asked[-1]].content.strip(), history[: asked[-1]]
            earlier = self._understand(collection, last, before, filters, back - 1)
            retrieval = self._retrieve(collection, earlier, filters)
            cited = self._answer(collection, earlier, retrieval, "").citations
            return [citation.paper_id for citation in cited]

        return understand(question, history, collection, answered)

    def _retrieve(self, collection: Collection, asked: Question, filters: Filters | None) -> Retrieval:
        """The papers for the question; the one that the talk before was about is kept as a candidate."""
        retriever = Retriever(collection, self._embedder)
        boosts = asked.boosts
        for name in () if asked.subjects or asked.wants_many else asked.mentioned:
            held = collection.doc_freq([name])[name]
            for hit in collection.lexical(name, held) if held <= RARE else ():
                boosts[hit.paper_id] = boosts.get(hit.paper_id, 0.0) + MENTIONED
        if not asked.wants_many:
            boosts.update(dict.fromkeys(asked.left_out, -NAMED))
        found = retriever.retrieve(
            asked.searched, boosts=boosts, filters=filters, rerank=0.0 if asked.wants_many else RERANK
        )
        return replace(found, vector=self._embedder.embed_query(asked.focus)) if asked.leans else found

    def _refreshed(self) -> Collection:
        self._own.refresh()
        if self.collection is self._stand_in:
            self._stand_in.refresh()
        return self.collection

    def stream(
        self, question: str, *, history: Sequence[Turn] = (), filters: Filters | None = None
    ) -> Iterator[str | Answer]:
        """Pieces of the answer's text as they come, then the whole Answer."""
        answer = self.ask(question, history=history, filters=filters)
        yield from re.findall(r"\S+\s*", answer.text)
        yield answer

    def search(self, query: str, *, top_k: int = 10, filters: Filters | None = None) -> list[SearchHit]:
        """The best papers for a query, best first, each with its nearest sentence."""
        collection = self._refreshed()
        asked = understand(query, (), collection)
        retrieval = Retriever(collection, self._embedder).retrieve(
            query, boosts=asked.boosts, filters=filters, rerank=0.0
        )
        papers = {paper.id: paper for paper in collection.papers(retrieval.ids[:top_k])}
        return [
            SearchHit(
                one.paper_id,
                papers[one.paper_id].label,
                likeness(one.score),
                _nearest(retrieval, one.paper_id),
            )
            for one in retrieval.candidates[:top_k]
            if one.paper_id in papers
        ]

    def _answer(self, collection: Collection, asked: Question, retrieval: Retrieval, id: str) -> Answer:
        draft = make_draft(asked, retrieval, Retriever(collection, self._embedder), collection)
        cited = cite(draft.parts, {paper.id: paper.label for paper in draft.papers})
        quoted = {citation.paper_id for citation in cited.citations}
        near = [Related(paper.id, paper.label) for paper in draft.papers if paper.id not in quoted][:RELATED]
        return Answer(
            id=id,
            question=asked.text,
            standalone_question=_resolved(asked, draft),
            kind=asked.kind,
            status="answered" if draft.answers else "not_found",
            text=cited.text,
            sentences=cited.sentences,
            citations=cited.citations,
            table=cited.table,
            related=tuple(near),
            retrieved=tuple(
                Retrieved(one.paper_id, likeness(one.score)) for one in retrieval.candidates[:SHOWN]
            ),
            collection_version=collection.version,
        )


def _resolved(asked: Question, draft: Draft) -> str:
    """The question as it stands alone: with the names that it leans on."""
    if not asked.leans or (asked.kind != "compare" and asked.named and asked.named == asked.subjects):
        return asked.focus
    if not asked.recalled and speaks_of_several(asked.focus):
        return f"{asked.focus} ({asked.before})"
    names = [name.text for name in asked.recalled] or [paper.label for paper in draft.papers[:1]]
    return resolve(asked.focus, names)


def embedder_of(settings: Settings) -> Embedder:
    """The embedder that the settings ask for."""
    if settings.embeddings != "local":
        raise InputError(f"embeddings is {settings.embeddings!r}; only 'local' can be used so far")
    return LocalEmbedder()


def likeness(score: float) -> float:
    """A retrieval score as a number between 0 and 1."""
    return round(1 / (1 + math.exp(-max(min(score, 60.0), -60.0) / 4)), 4)


def _nearest(retrieval: Retrieval, paper_id: str) -> str:
    sentences = retrieval.sentences.get(paper_id, ())
    return max(sentences, key=lambda one: float(one.vector @ retrieval.vector)).text if sentences else ""
