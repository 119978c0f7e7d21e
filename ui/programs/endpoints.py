"""What programs may call by Gradio's API and, with the extra `mcp`, by MCP: the same four functions.

Their names, parameters and docstrings are what an MCP client's model is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import gradio as gr
from gradio.events import api

from assistant.answer import Answer, Turn
from assistant.commands.chosen import chosen_papers
from assistant.retrieve import Filters
from corpus.errors import AssistantError, InputError
from ui.conversation import refusal
from ui.programs.references import references

if TYPE_CHECKING:
    from assistant.assistant import Assistant
    from ui.programs.rooms import Rooms

_MOST_HITS = 100
_MOST_COMPARED = 8


def offer(rooms: Rooms) -> None:
    """Nothing; the Blocks that are open have the four endpoints."""
    for function in endpoints(rooms):
        # Without Gradio's queue MCP calls the function itself; by the queue it would call its own server.
        api(function, api_name=function.__name__, queue=False)


def endpoints(rooms: Rooms) -> tuple[Callable[..., Any], ...]:
    """The functions `ask`, `search`, `get_paper` and `compare`."""

    def ask(
        question: str, history: list[dict[str, str]] | None = None, collection: str = ""
    ) -> dict[str, Any]:
        """Answer a question from a collection of research-paper abstracts, in short, with a citation behind
        every sentence. Markers such as [1] in the text are papers; each citation holds the very words of the
        abstract that were used. "not_found" as status means that the collection doesn't hold the answer.

        Args:
            question: The question, in one or a few sentences.
            history: Earlier messages, oldest first: objects with "role" (user or assistant) and "content".
            collection: The name of the collection; empty for the one that is asked by default.
        """
        with _told():
            _check(question)
            assistant = rooms.assistant(collection)
            return _answer(assistant.ask(question, history=_turns(history)), assistant)

    def search(query: str, top_k: int = 10, collection: str = "") -> list[dict[str, Any]]:
        """Find the papers nearest to a query, best first: id, label, score, and the nearest sentence of each
        abstract.

        Args:
            query: Words, a name or a question.
            top_k: How many papers, 1 to 100.
            collection: The name of the collection; empty for the one that is asked by default.
        """
        with _told():
            _check(query)
            if not 1 <= top_k <= _MOST_HITS:
                raise InputError(f"top_k is {top_k!r}; it has to be 1 to {_MOST_HITS}")
            return [asdict(hit) for hit in rooms.assistant(collection).search(query, top_k=top_k)]

    def get_paper(paper: str, collection: str = "") -> dict[str, Any]:
        """Get one paper of the collection: its title, whole abstract, authors, year, identifiers and address.

        Args:
            paper: The paper's id, label, DOI, arXiv id, or how its abstract begins.
            collection: The name of the collection; empty for the one that is asked by default.
        """
        with _told():
            _check(paper)
            held = rooms.assistant(collection).collection
            held.refresh()
            return held.papers(chosen_papers([paper], held))[0].to_dict()

    def compare(papers: list[str], aspect: str = "", collection: str = "") -> dict[str, Any]:
        """Compare papers of the collection side by side: a table of problem, approach, results, setting and
        limits, every cell cited, "not stated in the abstract" where it isn't.

        Args:
            papers: Two to eight papers, each by id, label, DOI or arXiv id.
            aspect: What the comparison is about; empty for everything.
            collection: The name of the collection; empty for the one that is asked by default.
        """
        with _told():
            assistant = rooms.assistant(collection)
            assistant.collection.refresh()
            ids = chosen_papers([ref for ref in papers if ref.strip()], assistant.collection)
            if not 2 <= len(ids) <= _MOST_COMPARED:
                raise InputError(f"{len(ids)} papers can't be compared; name 2 to {_MOST_COMPARED}")
            labels = [paper.label for paper in assistant.collection.papers(ids)]
            about = f" regarding {aspect.strip()}" if aspect.strip() else ""
            question = f"Compare {', '.join(labels[:-1])} and {labels[-1]}{about}."
            return _answer(assistant.ask(question, filters=Filters(papers=ids)), assistant)

    return ask, search, get_paper, compare


def _answer(answer: Answer, assistant: Assistant) -> dict[str, Any]:
    if answer.status == "error":
        raise AssistantError(answer.error or answer.text)
    return {**answer.to_dict(), "references": references(answer, assistant)}


def _turns(history: list[dict[str, str]] | None) -> list[Turn]:
    turns = []
    for message in history or []:
        role, content = (
            message.get(name) if isinstance(message, dict) else None for name in ("role", "content")
        )
        if role not in ("user", "assistant") or not isinstance(content, str):
            raise InputError("each message of the history needs 'role' (user or assistant) and 'content'")
        turns.append(Turn("user" if role == "user" else "assistant", content))
    return turns


def _check(text: str) -> None:
    if not isinstance(text, str) or not text.strip():
        raise InputError(f"the text is {str(text)[:20]!r}: say what you want to know")
    if reason := refusal(text):
        raise InputError(reason)


@contextmanager
def _told() -> Iterator[None]:
    """Nothing; an error that the caller can mend goes to the caller, others stay in the log."""
    try:
        yield
    except AssistantError as error:
        raise gr.Error(str(error), print_exception=False) from error
