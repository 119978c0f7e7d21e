"""The papers that a language model is shown: which, how much of each, in which words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assistant.unspoken import SENTINEL

if TYPE_CHECKING:
    from assistant.answer import Kind
    from assistant.prepare import Prepared
    from corpus.collection import Sentence
    from corpus.papers import Paper

SOURCES = 6
"""Papers shown for a question on one paper; for others all that the answer is made of, at most MOST."""
MOST = 12
BRIEF = 3
"""Sentences shown of each paper where more than SOURCES are shown."""

# What a model may take for the prompt's own: markers, the tags and roles of chat templates, the sentinel.
_MARKER = re.compile(r"\[(\s*(?:sources?\s+)?\d[\d\s,;–-]*|/?(?:INST|SYS))\]", re.I)
_TAG = re.compile(r"<(?=[A-Za-z/|!<])")
_SENTINEL = re.compile(SENTINEL.replace("_", r"\\?_"), re.I)


@dataclass(frozen=True)
class Shown:
    """A paper as the model sees it: its number, and those of its sentences that are shown."""

    number: int
    paper: Paper
    sentences: tuple[Sentence, ...]
    authors: bool = False

    @property
    def text(self) -> str:
        """The source in the prompt, on one line: number, label, authors if asked for, sentences."""
        body = " ".join(one.text for one in self.sentences)
        by = f" (by {', '.join(self.paper.authors)})" if self.authors and self.paper.authors else ""
        return f"[{self.number}] {harmless(f'{self.paper.label}{by}: {body}')}"


@dataclass(frozen=True)
class Task:
    """What a model is asked: the question as it stands alone, its kind, the sources."""

    question: str
    kind: Kind
    sources: tuple[Shown, ...]


def harmless(text: str) -> str:
    """The text on one line, with nothing in it that looks like a part of the prompt, nor unseen letters."""
    seen = "".join(letter for letter in text if letter.isspace() or unicodedata.category(letter)[0] != "C")
    line = " ".join(seen.split())
    line = _SENTINEL.sub(lambda found: found[0].replace("\\", "").replace("_", " "), line)
    return _TAG.sub("< ", _MARKER.sub(r"(\1)", line))


def task_of(prepared: Prepared, sentences: Mapping[str, Sequence[Sentence]], most: int | None = None) -> Task:
    """The task: the papers that the quotes stand on, for a question on one paper the nearest others too.

    `most` is how many papers there may be in place of SOURCES, and of MOST where that is more. Where more
    than SOURCES are shown, each is in its BRIEF sentences that are nearest to the question. A
    paper without an abstract isn't shown: nothing could be checked against it.
    """
    asked, ids = prepared.asked, prepared.quoted
    papers = [paper for paper in prepared.draft.papers if paper.abstract]
    by_id = {paper.id: paper for paper in papers}
    chosen = [by_id[one] for one in ids if one in by_id][: min(MOST, most or MOST)]
    if asked.kind in ("lookup", "number", "explain"):
        chosen = [*chosen, *(paper for paper in papers if paper.id not in ids)][: most or SOURCES]
    vector = prepared.retrieval.vector
    shown = []
    for number, paper in enumerate(chosen, 1):
        own = list(sentences.get(paper.id, ()))
        if len(chosen) > SOURCES:
            nearest = sorted(own, key=lambda one: -float(one.vector @ vector))[:BRIEF]
            own = [one for one in own if one in nearest]
        shown.append(Shown(number, paper, tuple(own), authors=bool(asked.credits)))
    return Task(prepared.standalone, asked.kind, tuple(shown))
