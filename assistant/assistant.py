"""The composition root: a question in, an answer with checked citations out."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING

from assistant.answer import LONGEST_QUESTION, Answer, Notice, Timings, Turn
from assistant.choices import Choices
from assistant.config import Settings
from assistant.prepare import Preparation, Prepared
from assistant.question import understand
from assistant.quotes import likeness, quoted
from assistant.retrieve import Filters, Retrieval, Retriever
from assistant.shared import SharedModel
from assistant.told import told
from assistant.trace import Trace
from corpus.collection import Collection, open_collection
from corpus.embedder import Embedder, LocalEmbedder
from corpus.errors import InputError, ModelError
from corpus.layout import BUILT_IN

if TYPE_CHECKING:
    from assistant.llm_writer import LlmWriter
    from assistant.models import Message, Notify
    from assistant.verify import Verifier


@dataclass(frozen=True)
class SearchHit:
    """A paper found, with the sentence of it that is nearest to the query ("" where it has no abstract)."""

    paper_id: str
    label: str
    score: float
    quote: str


@dataclass(frozen=True)
class Plan:
    """What a model would be sent: the messages, their tokens, the longest answer, the most it would cost."""

    messages: tuple[Message, ...]
    model: str
    prompt_tokens: int
    max_output: int
    cost_usd: float | None


class Assistant:
    """Answers questions about one collection; safe to share between threads, holds nothing of any user."""

    def __init__(
        self,
        collection: Collection,
        embedder: Embedder,
        stand_in: Collection | None = None,
        settings: Settings | None = None,
        model: SharedModel | None = None,
    ) -> None:
        self._own = collection
        self._stand_in = stand_in
        self._embedder = embedder
        self._settings = settings
        self._trace = Trace(settings.home) if settings and settings.trace else None
        self._shares = model is not None
        self._model = model or SharedModel(settings)
        self._verifier: tuple[Collection, Verifier] | None = None

    @property
    def collection(self) -> Collection:
        """The collection that is asked: its stand-in while it is empty."""
        return self._stand_in if self._stand_in and self._own.size == 0 else self._own

    @property
    def llm(self) -> str:
        """The language model of the settings, "none" where answers are made of quotes."""
        return self._settings.llm if self._settings else "none"

    @property
    def settings(self) -> Settings | None:
        """The settings that it was opened with."""
        return self._settings

    @classmethod
    def open(cls, settings: Settings, beside: Assistant | None = None) -> Assistant:
        """The assistant over the collection of the settings, or the built-in one while `default` is empty.

        It shares the embedder and the language model of the one that it is opened `beside`.
        """
        embedder = beside._embedder if beside else embedder_of(settings)
        model = beside._model if beside else None
        collection = open_collection(
            settings.home, settings.collection, embedder, chroma_url=settings.chroma_url
        )
        if collection.size or settings.collection not in ("default", BUILT_IN):
            return cls(collection, embedder, settings=settings, model=model)
        from corpus.builtin import open_builtin

        built_in = open_builtin(settings.home, chroma_url=settings.chroma_url)
        own = built_in if settings.collection == BUILT_IN else collection
        return cls(own, embedder, built_in, settings, model)

    def ask(
        self,
        question: str,
        *,
        history: Sequence[Turn] = (),
        filters: Filters | None = None,
        id: str = "",
        notify: Notify | None = None,
        stop: threading.Event | None = None,
        choices: Choices | None = None,
    ) -> Answer:
        """The answer to one question; an empty question is an InputError, a missing answer is none.

        `notify` gets a plain line for each thing that is waited for.
        """
        answer = None
        pieces = self.stream(question, history=history, filters=filters, id=id, stop=stop, choices=choices)
        for piece in pieces:
            if isinstance(piece, Notice) and notify:
                notify(piece.text)
            elif isinstance(piece, Answer):
                answer = piece
        assert answer is not None, "a stream ends with its Answer"
        return answer

    def stream(
        self,
        question: str,
        *,
        history: Sequence[Turn] = (),
        filters: Filters | None = None,
        id: str = "",
        stop: threading.Event | None = None,
        choices: Choices | None = None,
    ) -> Iterator[str | Notice | Answer]:
        """Pieces of the answer's text as they come, then the whole Answer.

        With a language model the text is its own, and the Answer's is the checked one. Where the model fails,
        the answer is made of quotes, and its `error` says why. `stop`, or closing the iterator, ends it.
        """
        started = perf_counter()
        if not question.strip():
            raise InputError(f"the question is {question[:20]!r}: ask something")
        if len(question) > LONGEST_QUESTION:
            raise InputError(
                f"the question has {len(question):,} characters; at most {LONGEST_QUESTION:,} can be asked: "
                "shorten it to what you want to know"
            )
        preparation = Preparation(self._refreshed(), self._embedder)
        prepared = preparation.prepare(question.strip(), history, filters)
        retrieved = perf_counter()
        answer = None
        for piece in self._written(preparation, prepared, history, filters, stop, choices or Choices()):
            if isinstance(piece, Answer):
                answer = piece
            else:
                yield piece
        assert answer is not None, "whatever fails, there are quotes"
        done = perf_counter()
        timings = Timings(
            retrieve=1000 * (retrieved - started),
            answer=1000 * (done - retrieved),
            total=1000 * (done - started),
        )
        answer = replace(answer, id=id, question=question.strip(), timings_ms=timings)
        if self._trace:
            self._trace.add(answer)
        yield answer

    def _written(
        self,
        preparation: Preparation,
        prepared: Prepared,
        history: Sequence[Turn],
        filters: Filters | None,
        stop: threading.Event | None,
        choices: Choices,
    ) -> Iterator[str | Notice | Answer]:
        """The answer by the model, where there is one and the collection holds an answer; else by quotes."""
        error = None
        if (
            self._settings
            and self._settings.llm != "none"
            and choices.model
            and (prepared.draft.answers or prepared.asked.leans)
        ):
            from assistant.scribe import Scribe, told_of

            try:
                writer = self._open_writer(preparation.collection, choices)
            except ModelError as fault:
                error = told_of(fault)
            else:
                scribe = Scribe(preparation, writer, filters, choices.sources)
                halt = stop or threading.Event()
                with closing(told(lambda tell: scribe.write(prepared, history, halt, tell), halt)) as pieces:
                    yield from pieces
                return
        answer = replace(quoted(prepared, preparation.collection.version), error=error)
        yield from re.findall(r"\S+\s*", answer.text)
        yield answer

    def _open_writer(self, collection: Collection, choices: Choices | None = None) -> LlmWriter:
        """The writer with the model of the settings, which is opened at first use and shared by threads."""
        from assistant.llm_writer import LlmWriter

        assert self._settings is not None, "only the settings name a model"
        unsupported = (choices and choices.unsupported) or self._settings.unsupported
        return LlmWriter(
            self._model.open(),
            self.verifier(collection),
            repairs=self._settings.repair,
            drops=unsupported == "drop",
            prices=self._settings.prices,
        )

    def plan(self, question: str, *, history: Sequence[Turn] = (), filters: Filters | None = None) -> Plan:
        """What the model would be sent for a question; nothing is. InputError where no model is set."""
        from assistant.models import cost_usd
        from assistant.scribe import Scribe

        if self._settings is None or self._settings.llm == "none":
            raise InputError(
                "llm is 'none', so nothing would be sent; set ASSISTANT_LLM to 'openai:MODEL' or 'gguf:FILE'"
            )
        preparation = Preparation(self._refreshed(), self._embedder)
        writer = self._open_writer(preparation.collection)
        messages = writer.messages(
            Scribe(preparation, writer).task(preparation.prepare(question.strip(), history, filters))
        )
        tokens, model = writer.model.count(messages), writer.model
        cost = cost_usd(model.name, tokens, model.max_output, self._settings.prices)
        return Plan(tuple(messages), model.name, tokens, model.max_output, cost)

    def verifier(self, collection: Collection | None = None) -> Verifier:
        """What checks sentences against the collection that is asked, or another."""
        from assistant.verify import Verifier

        collection = collection or self._refreshed()
        known = self._verifier
        if known is None or known[0] is not collection:
            own = self._embedder if isinstance(self._embedder, LocalEmbedder) else LocalEmbedder()
            # It keeps what it has read of the abstracts; that is found by their words, so it never grows old.
            self._verifier = known = (collection, Verifier(collection, own))
        return known[1]

    def close(self) -> None:
        """Nothing; the model's server, where one was started, ends, unless it is another assistant's too."""
        if not self._shares:
            self._model.close()

    def refresh(self) -> None:
        """Nothing; what some process has written since is asked from now on."""
        self._refreshed()

    def _refreshed(self) -> Collection:
        self._own.refresh()
        if self.collection is self._stand_in:
            self._stand_in.refresh()
        return self.collection

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


def embedder_of(settings: Settings) -> Embedder:
    """The embedder that the settings ask for."""
    if settings.embeddings != "local":
        raise InputError(f"embeddings is {settings.embeddings!r}; only 'local' can be used so far")
    return LocalEmbedder()


def _nearest(retrieval: Retrieval, paper_id: str) -> str:
    sentences = retrieval.sentences.get(paper_id, ())
    return max(sentences, key=lambda one: float(one.vector @ retrieval.vector)).text if sentences else ""
