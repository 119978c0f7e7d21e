"""Drafts of cases: lines of a test set that a person has still to look at."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.answer import Turn
from assistant.evaluation.case import CaseType
from corpus.errors import InputError


@dataclass(frozen=True)
class Draft:
    """One drafted case; `source` is the sentence that it came from, `note` what a person has to see to."""

    id: str
    question: str
    type: CaseType
    gold: tuple[str, ...]
    history: tuple[Turn, ...] = ()
    answer: str | None = None
    must: tuple[tuple[str, ...], ...] = ()
    source: str = ""
    note: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The draft as one line of a test set, without the fields that say nothing."""
        fields: dict[str, Any] = {"id": self.id, "question": self.question, "type": self.type}
        if self.history:
            fields["history"] = [{"role": turn.role, "content": turn.content} for turn in self.history]
        fields["gold"] = list(self.gold)
        if self.answer:
            fields["answer"] = self.answer
        if self.must:
            fields["must"] = [list(entry) for entry in self.must]
        fields["draft"] = True
        if self.source:
            fields["from"] = self.source
        if self.note:
            fields["note"] = self.note
        return fields


def draft_id(prefix: str, *parts: str) -> str:
    """An id that the same parts give again, so that two files of drafts can be put together."""
    return f"{prefix}-{hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:8]}"


def as_lines(drafts: Iterable[Draft]) -> str:
    """The drafts as JSON Lines."""
    return "".join(json.dumps(draft.to_dict(), ensure_ascii=False) + "\n" for draft in drafts)


def write_drafts(drafts: Sequence[Draft], out: Path) -> None:
    """Nothing; the drafts are in the new file `out`. InputError where it exists: people edit these files."""
    try:
        # Half a character, which UTF-8 can't hold, is written as JSON's own escape.
        with out.open("x", encoding="utf-8", errors="backslashreplace") as file:
            file.write(as_lines(drafts))
    except FileExistsError as error:
        raise InputError(f"{str(out)!r} exists already: name a new file, or move that one away") from error
