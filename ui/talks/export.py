"""A conversation as a file: Markdown for people, JSON with the whole answers for programs."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from assistant.answer import Answer, Citation
from assistant.markdown import at_line_start, escaped
from assistant.references import address_of
from corpus.papers import Paper
from ui.talks.kept import Kept, Talk

_FORMAT = 1
_UNANSWERED = {
    "stopped": "Stopped.",
    "cut": "Cut off: the program ended before the answer was written.",
    "running": "Being written.",
    "elsewhere": "Being written.",
}


@dataclass(frozen=True)
class Parcel:
    """A file for the browser to save."""

    name: str
    kind: str
    text: str

    def to_json(self) -> str:
        """As the page's script takes it."""
        return json.dumps({"name": self.name, "type": self.kind, "text": self.text})


def as_markdown(talk: Talk, turns: Sequence[Kept], papers: Mapping[str, Paper]) -> Parcel:
    """Questions as headings, answers below them, each with the papers that its markers mean."""
    collections = ", ".join(dict.fromkeys(escaped(turn.collection) for turn in turns if turn.collection))
    about = f"{_day(talk.created)}{f' · collection {collections}' if collections else ''}"
    parts = [f"# {_line(talk.title)}", about, *(_turn(turn, papers) for turn in turns)]
    return Parcel(f"{_file_name(talk.title)}.md", "text/markdown", "\n\n".join(parts) + "\n")


def as_json(talk: Talk, turns: Sequence[Kept]) -> Parcel:
    """One JSON object with the whole answers, as `assistant ask --json` gives them."""
    whole = {
        "format": _FORMAT,
        "title": talk.title,
        "created": _time(talk.created),
        "changed": _time(talk.changed),
        "turns": [
            {
                "number": turn.number,
                "asked": _time(turn.asked),
                "question": turn.question,
                "collection": turn.collection,
                "state": turn.state,
                "text": turn.text,
                "fault": turn.fault or None,
                "answer": turn.answer.to_dict() if turn.answer else None,
            }
            for turn in turns
        ],
    }
    text = json.dumps(whole, ensure_ascii=False, indent=1) + "\n"
    return Parcel(f"{_file_name(talk.title)}.json", "application/json", text)


def cited_ids(turns: Sequence[Kept]) -> list[str]:
    """The papers that the answers cite, each once."""
    cited = (citation.paper_id for turn in turns if turn.answer for citation in turn.answer.citations)
    return list(dict.fromkeys(cited))


def _turn(turn: Kept, papers: Mapping[str, Paper]) -> str:
    parts = [f"## {_line(turn.question)}", turn.text.strip()]
    if turn.state in _UNANSWERED:
        parts.append(f"*{_UNANSWERED[turn.state]}*")
    if turn.fault:
        parts.append(f"*{_line(turn.fault)}*")
    if turn.answer and turn.answer.citations:
        parts.append(_references(turn.answer, papers))
    return "\n\n".join(part for part in parts if part)


def _references(answer: Answer, papers: Mapping[str, Paper]) -> str:
    return "\n".join(_reference(one, papers.get(one.paper_id)) for one in answer.citations)


def _reference(citation: Citation, paper: Paper | None) -> str:
    quotes = "".join(f"\n  > {_line(quote.text)}\n" for quote in citation.quotes)
    return f"- \\[{citation.marker}\\] {_record(citation.label, paper)}\n{quotes}"


def _record(label: str, paper: Paper | None) -> str:
    if paper is None:
        return f"{escaped(label)} (no longer in the collection)."
    title = "" if not paper.title or paper.title == label else paper.title
    people = ", ".join(paper.authors)
    year = f"({paper.year})" if paper.year else ""
    said = [label, title, f"{people} {year}".strip(), paper.venue or ""]
    record = " ".join(f"{escaped(' '.join(part.split())).rstrip('.')}." for part in said if part)
    address = address_of(paper)
    return f"{record} <{address}>" if address and not re.search(r"[\s<>]", address) else record


def _line(text: str) -> str:
    return at_line_start(escaped(" ".join(text.split())))


def _file_name(title: str) -> str:
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9]+", "-", plain).strip("-")[:60].strip("-").lower() or "conversation"


def _day(seconds: float) -> str:
    moment = datetime.fromtimestamp(seconds)
    return f"{moment.day} {moment:%B %Y}"


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).astimezone().isoformat(timespec="seconds")
