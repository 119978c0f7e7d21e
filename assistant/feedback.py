"""What people said of answers: one JSON line a verdict in the collection's folder, never changed."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, get_args

from filelock import FileLock, Timeout

from assistant.answer import Answer, Turn
from assistant.trace import is_torn
from corpus.errors import BusyError, StoreError
from corpus.layout import FEEDBACK, Layout
from corpus.remedies import remedy_for

Verdict = Literal["up", "down"]
Reason = Literal["wrong figure", "citation doesn't say it", "missed a paper", "should have refused", "other"]
REASONS: tuple[Reason, ...] = get_args(Reason)
_WAIT_SECONDS = 10.0


@dataclass(frozen=True)
class Feedback:
    """One verdict on one answer; `history` is the talk before the question, `reason` why it is "down"."""

    time: str
    conversation: str
    question: str
    history: tuple[Turn, ...]
    answer: Answer
    verdict: Verdict
    reason: Reason | None = None
    note: str = ""


def append(
    layout: Layout,
    answer: Answer,
    verdict: Verdict,
    *,
    conversation: str,
    history: Sequence[Turn] = (),
    reason: Reason | None = None,
    note: str = "",
) -> Feedback:
    """The verdict as it was written, behind all earlier ones of that collection.

    Who changes their mind appends again: `read` takes the last verdict on a question of a conversation.
    Raises ValueError for words that are no verdict or no reason, StoreError where the folder can't be
    written, BusyError where another process holds the file for seconds.
    """
    if verdict not in get_args(Verdict):
        raise ValueError(f"{verdict!r} is no verdict")
    if reason is not None and reason not in REASONS:
        raise ValueError(f"{reason!r} is no reason; there are {', '.join(REASONS)}")
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    feedback = Feedback(
        now, conversation, answer.question, tuple(history), answer, verdict, reason, note.strip()
    )
    _write_line(layout, json.dumps(asdict(feedback), ensure_ascii=False) + "\n")
    return feedback


def read(layout: Layout) -> tuple[Feedback, ...]:
    """The last verdict on each question of each conversation, in the order of the first; () without any.

    A line that can't be read, such as one whose writer was stopped in it, costs itself alone.
    """
    path = _path(layout)
    if not path.exists():
        return ()
    found: dict[tuple[str, str], Feedback] = {}
    try:
        for line in path.read_bytes().split(b"\n"):
            one = _parsed(line)
            if one:
                found[one.conversation, one.question] = one
    except OSError as error:
        remedy = remedy_for(error, "check its permissions")
        raise StoreError(f"{str(path)!r} can't be read: {error.strerror or error}; {remedy}.") from error
    return tuple(found.values())


def _parsed(line: bytes) -> Feedback | None:
    # Here, for it costs a chat that only writes a tenth of a second.
    from pydantic import TypeAdapter, ValidationError

    try:
        return TypeAdapter(Feedback).validate_python(json.loads(line)) if line.strip() else None
    except (ValueError, RecursionError, ValidationError):
        return None


def _path(layout: Layout) -> Path:
    return layout.folder / FEEDBACK


def _write_line(layout: Layout, line: str) -> None:
    path = _path(layout)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _locked(path), path.open("ab") as file:
            # Half a character, which UTF-8 can't hold, is written as JSON's own escape.
            data = line.encode("utf-8", "backslashreplace")
            file.write(b"\n" + data if is_torn(path) else data)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        remedy = remedy_for(error, "check the path, its permissions and the disk")
        raise StoreError(
            f"Feedback can't be kept in {str(path)!r}: {error.strerror or error}; {remedy}."
        ) from error


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Nothing, while this process alone writes feedback. The collection's own lock is held while it grows."""
    lock = FileLock(path.with_suffix(".lock"), timeout=_WAIT_SECONDS)
    try:
        lock.acquire()
    except Timeout as error:
        raise BusyError(
            f"{str(path)!r} is being written by another process: try again in a moment."
        ) from error
    try:
        yield
    finally:
        lock.release()
