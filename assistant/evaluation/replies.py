"""Replies of models kept in a file by the hash of what was asked, so that nothing is asked twice."""

from __future__ import annotations

import hashlib
import json
import os
import threading
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from assistant.models import Completion
from corpus.errors import InputError


class _Line(BaseModel):
    model_config = ConfigDict(strict=True)
    key: str
    reply: Completion


@dataclass(frozen=True)
class Replies:
    """JSON Lines of key and completion; one is shared by all threads, a file by several processes."""

    path: Path
    _known: dict[str, Completion]
    _lock: threading.Lock

    def find(self, key: str) -> Completion | None:
        """The reply that is kept under the key."""
        return self._known.get(key)

    def add(self, key: str, reply: Completion) -> None:
        """Nothing; the reply is kept. A disk that is full costs the line, not the reply."""
        line = (json.dumps({"key": key, "reply": asdict(reply)}) + "\n").encode()
        with self._lock:
            self._known[key] = reply
            try:
                _append(self.path, line)
            except OSError:
                return


def open_replies(path: Path) -> Replies:
    """The replies of a file, which is made where there is none; a torn or foreign line is left out.

    Raises InputError where the file can't be read and written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a+b") as file:
            file.seek(0)
            lines = file.read().decode("utf-8", "replace").split("\n")
    except OSError as fault:
        raise InputError(
            f"the judge's cache {str(path)!r} can't be used: {fault.strerror}; choose another place"
        ) from fault
    known = dict(found for line in lines if (found := _read(line)))
    return Replies(path, known, threading.Lock())


def key_of(**asked: Any) -> str:
    """A hash of everything that was asked."""
    text = json.dumps(asked, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _append(path: Path, line: bytes) -> None:
    with path.open("a+b") as file:
        # Whoever was stopped within a line would spoil this one too.
        if file.seek(0, os.SEEK_END):
            file.seek(-1, os.SEEK_END)
            line = line if file.read(1) == b"\n" else b"\n" + line
        file.write(line)


def _read(line: str) -> tuple[str, Completion] | None:
    """A line's key and reply, None for one that is torn or something else."""
    try:
        row = _Line.model_validate_json(line)
    except ValidationError:
        return None
    return row.key, row.reply
