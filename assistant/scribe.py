"""Answers with a language model: the question made to stand alone, written, checked, put together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import TYPE_CHECKING

from assistant.answer import Answer, Usage
from assistant.cite import Grid, Line, cite
from assistant.condense import condensed
from assistant.missing import Missing
from assistant.quote_writer import QUOTABLE, write_missing
from assistant.quotes import answer_of, quoted
from assistant.sources import task_of
from corpus.errors import ModelError

if TYPE_CHECKING:
    import threading

    from assistant.answer import Turn
    from assistant.llm_writer import Checked, LlmWriter
    from assistant.models import Notify
    from assistant.prepare import Preparation, Prepared
    from assistant.retrieve import Filters
    from assistant.sources import Task


@dataclass(frozen=True)
class Scribe:
    """Answers prepared questions with a model."""

    preparation: Preparation
    writer: LlmWriter
    filters: Filters | None = None
    sources: int | None = None

    def write(
        self, prepared: Prepared, history: Sequence[Turn], stop: threading.Event, notify: Notify
    ) -> Iterator[str | Answer]:
        """Pieces of the model's text as they come, then the checked answer, in quotes where the model fails.

        A question that leans on the talk is first made to stand alone by the model. What the collection
        doesn't hold, or holds in a record alone, costs no other call. Raises ModelError where it is stopped.
        """
        usage, version = Usage(), self.preparation.collection.version
        try:
            if prepared.asked.leans and history:
                prepared, usage = self._condensed(prepared, history, stop, notify)
            task = self.task(prepared)
            if not prepared.draft.answers or not task.sources or _of_record(prepared):
                yield replace(quoted(prepared, version), usage=usage)
                return
            for piece in self.writer.write(task, stop=stop, notify=notify):
                if isinstance(piece, str):
                    yield piece
                    continue
                usage = usage.plus(piece.usage)
                if piece.fault:
                    raise ModelError(piece.fault, "unsupported")
                yield replace(self._finished(prepared, piece, version), usage=usage)
        except ModelError as fault:
            if fault.kind == "stopped":
                raise
            yield replace(quoted(prepared, version), error=told_of(fault), usage=usage)

    def task(self, prepared: Prepared) -> Task:
        """What the model is asked."""
        sentences = dict(prepared.retrieval.sentences)
        lacking = [one for one in prepared.quoted if not sentences.get(one)]
        return task_of(prepared, sentences | self.preparation.collection.sentences(lacking), self.sources)

    def _condensed(
        self, prepared: Prepared, history: Sequence[Turn], stop: threading.Event, notify: Notify
    ) -> tuple[Prepared, Usage]:
        """The question prepared as the model makes it stand alone; as it was where the model can't."""
        known = " ".join(paper.label for paper in self.preparation.collection.papers(prepared.asked.carried))
        text, done = condensed(
            self.writer.model, prepared.asked.text, history, known, stop=stop, notify=notify
        )
        usage = self.writer.used(done)
        return (self.preparation.again(text, prepared, self.filters) if text else prepared), usage

    def _finished(self, prepared: Prepared, checked: Checked, version: str) -> Answer:
        """The checked lines as an answer, a table of quotes below where the question asks for one."""
        if checked.empty:
            lack = Missing("The language model found no answer in the abstracts nearest to the question.")
            parts: list[Line | Grid] = list(write_missing(lack, prepared.retrieval, {}))
        else:
            grids = (part for part in prepared.draft.parts if isinstance(part, Grid))
            parts = [*_absent(prepared), *checked.lines, *grids]
        labels = {paper.id: paper.label for paper in prepared.draft.papers}
        answer = answer_of(prepared, cite(parts, labels), version, answers=not checked.empty)
        return replace(answer, model=self.writer.model.name, prompt_hash=checked.prompt_hash)


def told_of(fault: ModelError) -> str:
    """What the `error` of an answer in quotes says: one line."""
    why = str(fault).rstrip(". ")
    return f"The language model didn't answer: {why}. These are the abstracts' own words."


def _of_record(prepared: Prepared) -> bool:
    """True where the answer is a field of a record: who wrote it, when. A model is shown abstracts alone."""
    return any(quote.field in QUOTABLE for one in prepared.cited.citations for quote in one.quotes)


def _absent(prepared: Prepared) -> list[Line]:
    """The lines over a comparison that say which side isn't in the collection."""
    lines = takewhile(
        lambda part: isinstance(part, Line) and not any(one.sources for one in part.said),
        prepared.draft.parts if prepared.asked.kind == "compare" else (),
    )
    return [line for line in lines if isinstance(line, Line)]
