"""What a judge is shown of a question, its answer and the cited papers: as text that can't pass for more."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assistant.evaluation.verdicts import form_of
from assistant.sources import harmless

if TYPE_CHECKING:
    from assistant.answer import Answer, Citation, Turn
    from assistant.evaluation.testset import Case
    from assistant.evaluation.verdicts import Form
    from corpus.papers import Paper

_NONE = "(none)"
_NOT_HELD = "The collection doesn't hold the answer."
# Nothing that a judge says again of what it is shown can be JSON.
_BRACES = str.maketrans("{}", "()")


@dataclass(frozen=True)
class Source:
    """A cited paper: the number that the answer gives it, its label, its abstract, quotes of other fields."""

    number: int
    label: str
    abstract: str
    quotes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Item:
    """What is judged. To a question that isn't `answerable`, a refusal is right."""

    question: str
    answer: str
    reference: str | None = None
    answerable: bool = True
    history: tuple[Turn, ...] = ()
    sources: tuple[Source, ...] = ()

    @property
    def form(self) -> Form | None:
        """What is to be filled in; None for an empty answer and for one with nothing to hold it against.

        Correctness is asked for where there is a reference or no answer to be had, faithfulness where
        something is cited.
        """
        known = bool(self.reference and self.reference.strip()) or not self.answerable
        said = bool(self.answer.strip())
        return form_of(correctness=said and known, faithfulness=said and bool(self.sources))


def item_of(case: Case, answer: Answer, papers: Mapping[str, Paper]) -> Item:
    """A test set's question with an answer to it; `papers` by id, aliases too.

    An answer with the status "error" says nothing, so that nothing of it is judged.
    """
    return Item(
        case.question,
        answer.text if answer.status != "error" else "",
        case.answer,
        case.answerable,
        tuple(case.history),
        tuple(_source(citation, papers.get(citation.paper_id)) for citation in answer.citations),
    )


def shown(item: Item) -> dict[str, str]:
    """The values of the prompt's variables, but for the schema.

    Whatever others wrote stands on lines that begin with ">", without anything that could end them.
    """
    reference = [] if item.answerable else [_NOT_HELD]
    reference += [item.reference] if item.reference else []
    return {
        "talk": _lines(f"{turn.role}: {' '.join(turn.content.split())}" for turn in item.history),
        "question": _lines([item.question]),
        "reference": _lines(reference),
        "sources": "\n".join(
            f"Source {one.number}:\n{_lines([one.label, one.abstract, *one.quotes])}" for one in item.sources
        )
        or _NONE,
        "answer": _lines([item.answer]),
    }


def _source(citation: Citation, paper: Paper | None) -> Source:
    abstract = (paper.abstract if paper else None) or ""
    others = [quote for quote in citation.quotes if quote.text not in abstract]
    quotes = dict.fromkeys(f"{quote.field}: {quote.text}" for quote in others)
    return Source(citation.marker, paper.label if paper else citation.label, abstract, tuple(quotes))


def _lines(texts: Iterable[str]) -> str:
    lines = [harmless(line.translate(_BRACES)) for text in texts for line in text.splitlines()]
    return "\n".join(f"> {line}" for line in lines if line) or _NONE
