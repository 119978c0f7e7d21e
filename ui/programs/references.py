"""An answer as one text for programs: its Markdown, and below it the list of what its markers mean."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from assistant.markdown import escaped
from assistant.references import address_of

if TYPE_CHECKING:
    from assistant.answer import Answer
    from assistant.assistant import Assistant
    from corpus.papers import Paper

_AUTHORS_SHOWN = 3
_LINE = re.compile(r"\[\d{1,4}\] \S")


def references(answer: Answer, assistant: Assistant) -> list[str]:
    """A line "[1] label. Authors (year). url" for each marker, in their order."""
    papers = assistant.collection.papers([citation.paper_id for citation in answer.citations])
    known = {id: paper for paper in papers for id in (paper.id, *paper.aliases)}
    return [_line(one.marker, one.label, known.get(one.paper_id)) for one in answer.citations]


def with_references(text: str, lines: Iterable[str]) -> str:
    """The text with the list at its end, each line of which stays a line in Markdown."""
    listed = "  \n".join(lines)
    return f"{text.rstrip()}\n\n{listed}" if listed else text


def without_references(text: str) -> str:
    """The text as it was before `with_references`: what a client sends back as history."""
    lines = text.rstrip().split("\n")
    while lines and _LINE.match(lines[-1]):
        lines.pop()
    # The list stands below an empty line, and something above that.
    is_list = bool(lines) and not lines[-1].strip()
    return "\n".join(lines).rstrip() if is_list else text


def _line(marker: int, label: str, paper: Paper | None) -> str:
    parts = [_plain(label).rstrip(".") + "."]
    if paper:
        people = ", ".join(paper.authors[:_AUTHORS_SHOWN])
        if len(paper.authors) > _AUTHORS_SHOWN:
            people += " et al."
        about = " ".join(part for part in (_plain(people), f"({paper.year})" if paper.year else "") if part)
        parts += [about if about.endswith(".") else f"{about}."] if about else []
        parts += [address_of(paper) or ""]
    return f"[{marker}] " + " ".join(part for part in parts if part)


def _plain(text: str) -> str:
    return escaped(" ".join(text.split()))
