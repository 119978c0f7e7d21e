"""From a question to what answers it: the question understood, the papers found, the quotes chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from assistant.cite import Cited, cite
from assistant.drafts import Draft, make_draft
from assistant.followup import resolve, speaks_of_several
from assistant.question import MENTIONED, NAMED, RARE, Question, understand
from assistant.retrieve import RERANK, Filters, Retrieval, Retriever

if TYPE_CHECKING:
    from assistant.answer import Turn
    from corpus.collection import Collection
    from corpus.embedder import Embedder

BACK = 2
"""Questions of the talk that are answered again for one that leans on them."""


@dataclass(frozen=True)
class Prepared:
    """A question with its papers and its quotes: all that a writer needs."""

    asked: Question
    retrieval: Retrieval
    draft: Draft
    cited: Cited

    @property
    def standalone(self) -> str:
        """The question as it stands alone: with the names that it leans on."""
        asked = self.asked
        if not asked.leans or (asked.kind != "compare" and asked.named and asked.named == asked.subjects):
            return asked.focus
        if not asked.recalled and speaks_of_several(asked.focus):
            return f"{asked.focus} ({asked.before})"
        names = [name.text for name in asked.recalled] or [paper.label for paper in self.draft.papers[:1]]
        return resolve(asked.focus, names)

    @property
    def quoted(self) -> list[str]:
        """The ids of the papers that the quotes are from, in order."""
        return [citation.paper_id for citation in self.cited.citations]


@dataclass(frozen=True)
class Preparation:
    """Prepares questions over one collection."""

    collection: Collection
    embedder: Embedder

    def prepare(self, question: str, history: Sequence[Turn], filters: Filters | None) -> Prepared:
        """The question with its papers and quotes."""
        return self.of(self.understand(question, history, filters), filters)

    def again(self, text: str, before: Prepared, filters: Filters | None) -> Prepared:
        """The same question in other words, which stand alone; what answered the talk stays a candidate."""
        asked = understand(text, (), self.collection)
        return self.of(replace(asked, carried=before.asked.carried), filters)

    def of(self, asked: Question, filters: Filters | None) -> Prepared:
        """What answers a question that is understood."""
        retrieval = self._retrieve(asked, filters)
        draft = make_draft(asked, retrieval, Retriever(self.collection, self.embedder), self.collection)
        labels = {paper.id: paper.label for paper in draft.papers}
        return Prepared(asked, retrieval, draft, cite(draft.parts, labels))

    def understand(
        self, question: str, history: Sequence[Turn], filters: Filters | None, back: int = BACK
    ) -> Question:
        """The question, understood; where it leans on the talk, the question before is answered again.

        So what "the second" stands for doesn't hang on how a program that asks has kept the answers.
        """

        def answered() -> Sequence[str]:
            asked = [at for at, turn in enumerate(history) if turn.role == "user" and turn.content.strip()]
            if not asked or not back:
                return ()
            last, before = history[asked[-1]].content.strip(), history[: asked[-1]]
            return self.of(self.understand(last, before, filters, back - 1), filters).quoted

        return understand(question, history, self.collection, answered)

    def _retrieve(self, asked: Question, filters: Filters | None) -> Retrieval:
        """The papers for the question; the one that the talk before was about is kept as a candidate."""
        boosts = asked.boosts
        for name in () if asked.subjects or asked.wants_many else asked.mentioned:
            held = self.collection.doc_freq([name])[name]
            for hit in self.collection.lexical(name, held) if held <= RARE else ():
                boosts[hit.paper_id] = boosts.get(hit.paper_id, 0.0) + MENTIONED
        if not asked.wants_many:
            boosts.update(dict.fromkeys(asked.left_out, -NAMED))
        found = Retriever(self.collection, self.embedder).retrieve(
            asked.searched, boosts=boosts, filters=filters, rerank=0.0 if asked.wants_many else RERANK
        )
        return replace(found, vector=self.embedder.embed_query(asked.focus)) if asked.leans else found
