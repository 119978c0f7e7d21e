"""Answers with a language model: the question made to stand alone, written, checked, put together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from assistant.answer import Answer, Usage
from assistant.cite import Grid, Line, cite
from assistant.condense import condensed
from assistant.llm_writer import task_of
from assistant.missing import Missing
from assistant.quote_writer import write_missing
from assistant.quotes import answer_of, quoted

if TYPE_CHECKING:
    import threading

    from assistant.answer import Turn
    from assistant.llm_writer import Checked, LlmWriter, Task
    from assistant.models import Notify
    from assistant.prepare import Preparation, Prepared
    from assistant.retrieve import Filters


@dataclass(frozen=True)
class Scribe:
    """Answers prepared questions with a model."""

    preparation: Preparation
    writer: LlmWriter
    filters: Filters | None = None

    def write(
        self, prepared: Prepared, history: Sequence[Turn], stop: threading.Event, notify: Notify
    ) -> Iterator[str | Answer]:
        """Pieces of the model's text as they come, then the checked answer. Raises ModelError.

        A question that leans on the talk is first made to stand alone by the model. What the collection
        doesn't hold costs no call.
        """
        usage = Usage()
        if prepared.asked.leans and history:
            prepared, usage = self._condensed(prepared, history, stop, notify)
        version = self.preparation.collection.version
        if not prepared.draft.answers:
            yield replace(quoted(prepared, version), usage=usage)
            return
        for piece in self.writer.write(self.task(prepared), stop=stop, notify=notify):
            if isinstance(piece, str):
                yield piece
            else:
                answer = self._finished(prepared, piece, version)
                yield replace(answer, usage=usage.plus(piece.usage))

    def task(self, prepared: Prepared) -> Task:
        """What the model is asked."""
        sentences = dict(prepared.retrieval.sentences)
        lacking = [one for one in prepared.quoted if not sentences.get(one)]
        return task_of(prepared, sentences | self.preparation.collection.sentences(lacking))

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
            parts = [*checked.lines, *(part for part in prepared.draft.parts if isinstance(part, Grid))]
        labels = {paper.id: paper.label for paper in prepared.draft.papers}
        answer = answer_of(prepared, cite(parts, labels), version, answers=not checked.empty)
        return replace(answer, model=self.writer.model.name, prompt_hash=checked.prompt_hash)
