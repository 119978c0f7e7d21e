"""Answer and its parts: what every way out of the assistant (CLI, UI, files) shows."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

Kind = Literal["lookup", "number", "explain", "compare", "list", "aggregate"]
Status = Literal["answered", "not_found", "error"]
Support = Literal["verbatim", "supported", "partly", "unsupported"]


LONGEST_QUESTION = 4_000
"""Characters of the longest question that is answered."""


@dataclass(frozen=True)
class Turn:
    """One message of a conversation."""

    role: Literal["user", "assistant"]
    content: str


@dataclass(frozen=True)
class Quote:
    """The very words of a paper: `text` is exactly `paper.field(field)[start:end]` (code points)."""

    field: str
    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Mark:
    """A marker in a sentence or cell, with the indices of the citation's quotes that it stands on."""

    marker: int
    quotes: tuple[int, ...]


@dataclass(frozen=True)
class Statement:
    """One sentence of an answer and what it stands on."""

    text: str
    citations: tuple[Mark, ...]
    support: Support
    score: float
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True)
class Citation:
    """One cited paper; `marker` counts from 1 in order of first use."""

    marker: int
    paper_id: str
    label: str
    quotes: tuple[Quote, ...]


@dataclass(frozen=True)
class Cell:
    """One cell of a comparison; its text carries no markers of its own."""

    text: str
    citations: tuple[Mark, ...]


@dataclass(frozen=True)
class Row:
    """One aspect of a comparison, a cell for each column; None where the abstract doesn't state it."""

    aspect: str
    cells: tuple[Cell | None, ...]


@dataclass(frozen=True)
class Table:
    """A comparison: one column a paper."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Related:
    """A paper that is named as near, not cited."""

    paper_id: str
    label: str


@dataclass(frozen=True)
class Retrieved:
    """A paper that retrieval found, best first."""

    paper_id: str
    score: float


@dataclass(frozen=True)
class Usage:
    """What the LLM cost: calls, tokens, US dollars (None where the price is unknown)."""

    llm_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = None

    def plus(self, other: Usage) -> Usage:
        """Both together; the cost is unknown where that of either is."""
        known = all(one.cost_usd is not None or not one.llm_calls for one in (self, other))
        calls = self.llm_calls + other.llm_calls
        return Usage(
            calls,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            (self.cost_usd or 0.0) + (other.cost_usd or 0.0) if known and calls else None,
        )


@dataclass(frozen=True)
class Notice:
    """One plain line for people while an answer is made: what is being waited for."""

    text: str


@dataclass(frozen=True)
class Timings:
    """Milliseconds."""

    retrieve: float = 0.0
    answer: float = 0.0
    total: float = 0.0


@dataclass(frozen=True)
class Answer:
    """One answer, as in the contract."""

    id: str
    question: str
    standalone_question: str
    kind: Kind
    status: Status
    text: str
    error: str | None = None
    sentences: tuple[Statement, ...] = ()
    citations: tuple[Citation, ...] = ()
    table: Table | None = None
    related: tuple[Related, ...] = ()
    retrieved: tuple[Retrieved, ...] = ()
    model: str | None = None
    prompt_hash: str | None = None
    collection_version: str = ""
    usage: Usage = field(default_factory=Usage)
    timings_ms: Timings = field(default_factory=Timings)

    def to_dict(self) -> dict[str, Any]:
        """The answer as one JSON object."""
        return asdict(self)


def failed(id: str, question: str, fault: Exception) -> Answer:
    """What stands in a run's results for a question that failed, with the fault's words."""
    return Answer(
        id, question, standalone_question=question, kind="lookup", status="error", text="", error=str(fault)
    )
