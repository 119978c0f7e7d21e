"""Answers in a language model's own words, every sentence checked against what it cites."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from assistant.answer import Usage
from assistant.cite import Line, Said
from assistant.markdown import own_words
from assistant.markers import Renumbering, Written, read_paragraphs
from assistant.models import Completion, Message, cost_usd
from corpus.errors import ModelError
from prompts import Prompt, load

if TYPE_CHECKING:
    import threading
    from pathlib import Path

    from assistant.answer import Kind
    from assistant.models import Model, Notify
    from assistant.prepare import Prepared
    from assistant.verify import Verdict, Verifier
    from corpus.collection import Sentence
    from corpus.papers import Paper

SENTINEL = "NOT_IN_SOURCES"
"""What a model writes where the sources don't hold the answer."""
SOURCES = 6
"""Papers shown for a question on one paper; for others all that the answer is made of, at most MOST."""
MOST = 12
BRIEF = 3
"""Sentences shown of each paper where more than SOURCES are shown."""
FORMS: Mapping[Kind, str] = {
    "lookup": "Answer in one to three sentences: which paper it is, and what in it shows that.",
    "number": "Answer in one or two sentences, the figure asked for first.",
    "explain": "Answer in two to five sentences.",
    "compare": "Compare in three to six sentences: what they share, where they differ, the figures.",
    "list": "Answer as a list, one bullet of one sentence a source that fits; leave out the others.",
    "aggregate": "Answer in one to three sentences: the figure asked for and the paper that gives it.",
}
_LEAST_OUTPUT = 200
_THINKS = "<think>"


@dataclass(frozen=True)
class Shown:
    """A paper as the model sees it: its number, and those of its sentences that are shown."""

    number: int
    paper: Paper
    sentences: tuple[Sentence, ...]

    @property
    def text(self) -> str:
        """The source in the prompt: number, label, sentences."""
        body = " ".join(" ".join(one.text.split()) for one in self.sentences) or (self.paper.title or "")
        return f"[{self.number}] {self.paper.label}: {body}"


@dataclass(frozen=True)
class Task:
    """What a model is asked: the question as it stands alone, its kind, the sources."""

    question: str
    kind: Kind
    sources: tuple[Shown, ...]


@dataclass(frozen=True)
class Checked:
    """What came of it: checked lines, or none where the model says that the sources don't hold the answer."""

    lines: tuple[Line, ...]
    usage: Usage
    prompt_hash: str

    @property
    def empty(self) -> bool:
        """True where the model says that the sources don't hold the answer."""
        return not self.lines


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
        """The prompt; sources are left out from the last until it fits the model's context."""
        sources = task.sources
        while True:
            text = self.answer.fill(
                form=FORMS[task.kind],
                sentinel=SENTINEL,
                sources="\n\n".join(one.text for one in sources),
                question=" ".join(task.question.split()),
            )
            messages = [Message("user", text)]
            room = self.model.context_window - self.model.count(messages)
            if room >= min(_LEAST_OUTPUT, self.model.max_output) or len(sources) <= 1:
                return messages
            sources = sources[:-1]

    def write(
        self, task: Task, *, stop: threading.Event | None = None, notify: Notify | None = None
    ) -> Iterator[str | Checked]:
        """The text in pieces, markers renumbered, then the Checked. Raises ModelError."""
        renumbering = Renumbering([one.number for one in task.sources])
        done, held = None, ""
        with closing(self.model.stream(self.messages(task), stop=stop, notify=notify)) as pieces:
            for piece in pieces:
                if isinstance(piece, Completion):
                    done = piece
                    continue
                held = _thought(held + piece)
                if not _undecided(held):
                    if shown := renumbering.feed(held):
                        yield shown
                    held = ""
        if held and SENTINEL not in held and not held.lstrip().startswith(_THINKS):
            yield renumbering.feed(held)
        if rest := renumbering.rest():
            yield rest
        assert done is not None, "a stream ends with its Completion"
        yield self._checked(task, done, stop, notify)

    def _checked(
        self, task: Task, done: Completion, stop: threading.Event | None, notify: Notify | None
    ) -> Checked:
        """The lines that the model wrote, each sentence with its verdict, repaired once where that helps."""
        usage = self.used(done)
        text = _thought(done.text)
        paragraphs = read_paragraphs(text.replace(SENTINEL, " "))
        checked = {one: self._verdict(one, task) for part in paragraphs for one in part.sentences}
        faulty = [one for one, verdict in checked.items() if verdict.support == "unsupported"]
        if faulty and self.repairs:
            mended, usage = self._repaired(faulty, task, usage, stop, notify)
            checked |= mended
        lines = []
        for part in paragraphs:
            said = [
                _said(verdict)
                for one in part.sentences
                if (verdict := checked[one]).text and not (self.drops and verdict.support == "unsupported")
            ]
            if said:
                lines.append(Line(tuple(said), bullet=part.bullet))
        if not any(said.sources for line in lines for said in line.said) and SENTINEL not in text:
            raise ModelError("nothing of what it wrote is supported by the abstracts", "unsupported")
        return Checked(tuple(lines), usage, self.answer.hash)

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
        text = self.repair.fill(
            sentinel=SENTINEL, sources="\n\n".join(one.text for one in task.sources), sentences=numbered
        )
        try:
            done = self.model.complete([Message("user", text)], stop=stop, notify=notify)
        except ModelError as fault:
            if fault.kind == "stopped":
                raise
            return {}, usage
        mended: dict[Written, Verdict] = {}
        for line in done.text.splitlines():
            number, colon, rest = line.strip().partition(":")
            place = int(number) - 1 if colon and number.strip().isdigit() else -1
            if not 0 <= place < len(faulty) or SENTINEL in rest:
                continue
            parts = [one for part in read_paragraphs(rest) for one in part.sentences]
            if len(parts) == 1 and (verdict := self._verdict(parts[0], task)).support != "unsupported":
                mended[faulty[place]] = verdict
        return mended, usage.plus(self.used(done))

    def used(self, done: Completion) -> Usage:
        """What a call cost."""
        cost = cost_usd(self.model.name, done.prompt_tokens, done.completion_tokens, self.prices)
        return Usage(1, done.prompt_tokens, done.completion_tokens, cost)


def _thought(text: str) -> str:
    """The text without what a model thinks aloud before it answers."""
    return re.sub(r"^\s*<think>.*?</think>\s*", "", text, flags=re.S)


def _undecided(held: str) -> bool:
    """True while what came may still turn out to be the sentinel, or a thought: neither is shown."""
    start = held.strip()
    return any(sign.startswith(start[: len(sign)]) for sign in (SENTINEL, _THINKS))


def task_of(prepared: Prepared, sentences: Mapping[str, Sequence[Sentence]]) -> Task:
    """The task: the papers that the quotes stand on, for a question on one paper the nearest others too.

    Where more than SOURCES are shown, each is in its BRIEF sentences that are nearest to the question.
    """
    papers, ids, kind = prepared.draft.papers, prepared.quoted, prepared.asked.kind
    by_id = {paper.id: paper for paper in papers}
    chosen = [by_id[one] for one in ids if one in by_id][:MOST]
    if kind in ("lookup", "number", "explain"):
        rest = [paper for paper in papers if paper.id not in ids and paper.abstract]
        chosen = [*chosen, *rest][:SOURCES]
    vector = prepared.retrieval.vector
    shown = []
    for number, paper in enumerate(chosen, 1):
        own = list(sentences.get(paper.id, ()))
        if len(chosen) > SOURCES:
            nearest = sorted(own, key=lambda one: -float(one.vector @ vector))[:BRIEF]
            own = [one for one in own if one in nearest]
        shown.append(Shown(number, paper, tuple(own)))
    return Task(prepared.standalone, kind, tuple(shown))


def _said(verdict: Verdict) -> Said:
    # What isn't borne out carries no marker: a marker is a promise.
    grounds = () if verdict.support == "unsupported" else verdict.quotes
    sources = tuple((one.paper_id, one.quote) for one in grounds)
    return Said(own_words(verdict.text), sources, verdict.support, verdict.score, verdict.reasons)
