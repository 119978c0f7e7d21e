"""Answers in a language model's own words, every sentence checked against what it cites."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from assistant.answer import Usage
from assistant.cite import Line, Said
from assistant.markdown import own_words
from assistant.markers import Paragraph, Renumbering, Written, read_paragraphs
from assistant.models import Completion, Message, cost_usd
from assistant.unspoken import SENTINEL, Unspoken, spoken
from corpus.errors import ModelError
from prompts import Prompt, load

if TYPE_CHECKING:
    import threading
    from pathlib import Path

    from assistant.answer import Kind
    from assistant.models import Model, Notify
    from assistant.sources import Task
    from assistant.verify import Verdict, Verifier

FORMS: Mapping[Kind, str] = {
    "lookup": "Answer in one to three sentences: which paper it is, and what in it shows that.",
    "number": "Answer in one or two sentences, the figure asked for first.",
    "explain": "Answer in two to five sentences.",
    "compare": "Compare in three to six sentences: what they share, where they differ, the figures.",
    "list": "Answer as a list, one bullet of one sentence a source that fits; leave out the others.",
    "aggregate": "Answer in one to three sentences: the figure asked for and the paper that gives it.",
}
_LEAST_OUTPUT = 200
_NUMBERED = re.compile(r"\s*(\d{1,3})\s*[:.)]\s*(.+)")


@dataclass(frozen=True)
class Checked:
    """What came of it: checked lines; none where the sources don't hold the answer, or nothing is usable.

    `fault` says why nothing is.
    """

    lines: tuple[Line, ...]
    usage: Usage
    prompt_hash: str
    fault: str = ""

    @property
    def empty(self) -> bool:
        """True where the model says that the sources don't hold the answer."""
        return not self.lines and not self.fault


@dataclass(frozen=True)
class LlmWriter:
    """Writes with one model and checks with one verifier; holds nothing of any question."""

    model: Model
    verifier: Verifier
    repairs: bool = True
    drops: bool = False
    prices: Path | None = None
    answer: Prompt = field(default_factory=lambda: load("answer"))
    repair: Prompt = field(default_factory=lambda: load("repair"))

    def messages(self, task: Task) -> list[Message]:
        """The prompt, with the sources that fit."""
        return self._messages(self.fitted(task))

    def fitted(self, task: Task) -> Task:
        """The task with as many sources, from the first, as fit the model's context; at least one."""
        least = min(_LEAST_OUTPUT, self.model.max_output)
        while len(task.sources) > 1:
            if self.model.context_window - self.model.count(self._messages(task)) >= least:
                break
            task = replace(task, sources=task.sources[:-1])
        return task

    def _messages(self, task: Task) -> list[Message]:
        text = self.answer.fill(
            form=FORMS[task.kind],
            sentinel=SENTINEL,
            sources=_listed(task),
            question=" ".join(task.question.split()),
        )
        return [Message("user", text)]

    def write(
        self, task: Task, *, stop: threading.Event | None = None, notify: Notify | None = None
    ) -> Iterator[str | Checked]:
        """The text in pieces, markers renumbered, then the Checked. Raises ModelError."""
        task = self.fitted(task)
        unspoken, renumbering = Unspoken(), Renumbering([one.number for one in task.sources])
        done, begun = None, False
        with closing(self.model.stream(self._messages(task), stop=stop, notify=notify)) as pieces:
            for piece in pieces:
                if isinstance(piece, Completion):
                    done, shown = piece, renumbering.feed(unspoken.rest()) + renumbering.rest()
                else:
                    shown = renumbering.feed(unspoken.feed(piece))
                # What follows a sentinel explains it.
                if shown and (begun or not unspoken.missing):
                    begun = begun or not shown.isspace()
                    yield shown
        assert done is not None, "a stream ends with its Completion"
        yield self._checked(task, done, stop, notify)

    def _checked(
        self, task: Task, done: Completion, stop: threading.Event | None, notify: Notify | None
    ) -> Checked:
        """The lines that the model wrote, each sentence with its verdict, repaired once where that helps."""
        usage = self.used(done)
        text, missing, thinks = spoken(done.text)
        paragraphs = read_paragraphs(text)
        checked = {one: self._verdict(one, task) for part in paragraphs for one in part.sentences}
        faulty = [one for one, verdict in checked.items() if verdict.support == "unsupported"]
        if missing and len(faulty) == sum(bool(one.text) for one in checked.values()):
            # What stands beside the sentinel explains it.
            return Checked((), usage, self.answer.hash)
        if faulty and self.repairs:
            mended, usage = self._repaired(faulty, task, usage, stop, notify)
            checked |= mended
        lines = self._lines(paragraphs, checked)
        if any(said.sources for line in lines for said in line.said):
            return Checked(lines, usage, self.answer.hash)
        if thinks or done.finish == "length":
            fault = "its answer is longer than it may be; raise ASSISTANT_MAX_OUTPUT"
        else:
            fault = "nothing of what it wrote stands in the abstracts; ask in other words"
        return Checked((), usage, self.answer.hash, fault)

    def _lines(self, paragraphs: Sequence[Paragraph], checked: Mapping[Written, Verdict]) -> tuple[Line, ...]:
        lines = []
        for part in paragraphs:
            verdicts = [checked[one] for one in part.sentences]
            said = [
                _said(one)
                for one in verdicts
                if one.text and not (self.drops and one.support == "unsupported")
            ]
            if said:
                lines.append(Line(tuple(said), bullet=part.bullet))
        return tuple(lines)

    def _verdict(self, sentence: Written, task: Task) -> Verdict:
        by_number = {one.number: one.paper for one in task.sources}
        cited = [by_number[number] for number in sentence.markers if number in by_number]
        return self.verifier.check(sentence.text, cited, others=[one.paper for one in task.sources])

    def _repaired(
        self,
        faulty: Sequence[Written],
        task: Task,
        usage: Usage,
        stop: threading.Event | None,
        notify: Notify | None,
    ) -> tuple[dict[Written, Verdict], Usage]:
        """The verdicts of the sentences that a second call mended; those it didn't stay as they are."""
        numbered = "\n".join(
            f"{place}: {one.text} {' '.join(f'[{number}]' for number in one.markers)}".rstrip()
            for place, one in enumerate(faulty, 1)
        )
        text = self.repair.fill(sentinel=SENTINEL, sources=_listed(task), sentences=numbered)
        try:
            done = self.model.complete([Message("user", text)], stop=stop, notify=notify)
        except ModelError as fault:
            if fault.kind == "stopped":
                raise
            return {}, usage
        mended: dict[Written, Verdict] = {}
        for line in spoken(done.text)[0].splitlines():
            found = _NUMBERED.fullmatch(line)
            place = int(found[1]) - 1 if found else -1
            parts = [one for part in read_paragraphs(found[2]) for one in part.sentences] if found else []
            if 0 <= place < len(faulty) and len(parts) == 1:
                verdict = self._verdict(parts[0], task)
                if verdict.quotes and verdict.support != "unsupported":
                    mended[faulty[place]] = verdict
        return mended, usage.plus(self.used(done))

    def used(self, done: Completion) -> Usage:
        """What a call cost."""
        cost = cost_usd(self.model.name, done.prompt_tokens, done.completion_tokens, self.prices)
        return Usage(1, done.prompt_tokens, done.completion_tokens, cost)


def _listed(task: Task) -> str:
    return "\n\n".join(one.text for one in task.sources)


def _said(verdict: Verdict) -> Said:
    # What isn't borne out carries no marker: a marker is a promise.
    grounds = () if verdict.support == "unsupported" else verdict.quotes
    sources = tuple((one.paper_id, one.quote) for one in grounds)
    return Said(own_words(verdict.text), sources, verdict.support, verdict.score, verdict.reasons)
