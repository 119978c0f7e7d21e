"""One JSON line a question in the data folder: what was asked, shown to a model, answered and judged."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpus.errors import InputError

if TYPE_CHECKING:
    from assistant.answer import Answer

FILE = "trace.jsonl"
LARGEST = 5_000_000
"""Bytes of a file before it is moved aside; one older file is kept."""
_SHOWN = 300


@dataclass(frozen=True)
class Trace:
    """The trace of one data folder."""

    folder: Path

    def add(self, answer: Answer) -> None:
        """Writes the answer's line. A folder that can't be written costs the line, not the answer."""
        line = json.dumps(record_of(answer), ensure_ascii=False) + "\n"
        path = self.folder / FILE
        with _LOCK:
            try:
                if path.exists() and path.stat().st_size > LARGEST:
                    path.replace(path.with_suffix(".1.jsonl"))
                torn = is_torn(path)
                # Half a character, which UTF-8 can't hold, is written as JSON's own escape.
                with path.open("a", encoding="utf-8", errors="backslashreplace") as file:
                    file.write(f"\n{line}" if torn else line)
            except OSError:
                return

    def records(self) -> Iterator[dict[str, Any]]:
        """The lines, oldest first; a torn one is left out."""
        for path in (self.folder / FILE).with_suffix(".1.jsonl"), self.folder / FILE:
            if not path.exists():
                continue
            with path.open(encoding="utf-8", errors="replace") as file:
                for line in file:
                    try:
                        record = json.loads(line)
                    except ValueError:
                        continue
                    if isinstance(record, dict):
                        yield record

    def record(self, number: int) -> dict[str, Any]:
        """Line `number`, 1 being the newest. Raises InputError where there is none."""
        records = list(self.records())
        if not 1 <= number <= len(records):
            raise InputError(f"there is no line {number}; the trace holds {len(records)}, 1 being the newest")
        return records[-number]


_LOCK = threading.Lock()


def is_torn(path: Path) -> bool:
    """True where the file's last line has no end: a writer was stopped in it."""
    if not path.exists() or not path.stat().st_size:
        return False
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) != b"\n"


def record_of(answer: Answer) -> dict[str, Any]:
    """What the trace keeps of an answer: no more of the abstracts than the quotes that it cites."""
    return {
        "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "id": answer.id,
        "question": answer.question,
        "standalone_question": answer.standalone_question,
        "kind": answer.kind,
        "status": answer.status,
        "error": answer.error,
        "text": answer.text,
        "evidence": [citation.paper_id for citation in answer.citations],
        "retrieved": [one.paper_id for one in answer.retrieved[:20]],
        "model": answer.model,
        "prompt_hash": answer.prompt_hash,
        "usage": asdict(answer.usage),
        "timings_ms": asdict(answer.timings_ms),
        "verdicts": [
            {"text": one.text[:_SHOWN], "support": one.support, "score": one.score}
            for one in answer.sentences
        ],
        "collection_version": answer.collection_version,
    }
