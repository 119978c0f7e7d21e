"""The folder of a run: one run at a time, its answers kept, no other run's report beside them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from assistant.evaluation.comparison import REPORT
from corpus.errors import InputError

ANSWERS = "answers.jsonl"
"""The answers: what `--resume` goes on from, and what can be scored again."""
PAGES = ("report.md", "report.html")
_MADE_WITH = "run.json"
_LOCK = ".lock"


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """The folder, made if need be, for one run alone.

    Raises InputError where it can't be written, or another run has it.
    """
    lock = FileLock(folder / _LOCK, timeout=0)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except Timeout as fault:
        raise InputError(
            f"another run is writing to {str(folder)!r}; wait for it, or name another folder"
        ) from fault
    except OSError as fault:
        raise InputError(
            f"the folder {str(folder)!r} can't be made: {fault.strerror}; choose another"
        ) from fault
    try:
        yield
    finally:
        lock.release()


def begin(folder: Path, made_with: Mapping[str, Any], *, resume: bool) -> bool:
    """True where the answers there were made with the same and are to be kept; reports there are removed."""
    known = folder / _MADE_WITH
    text = json.dumps(made_with, ensure_ascii=False, indent=1, sort_keys=True, default=str) + "\n"
    same = known.is_file() and known.read_text(encoding="utf-8") == text
    for name in (REPORT, *PAGES):
        (folder / name).unlink(missing_ok=True)
    known.write_text(text, encoding="utf-8")
    return resume and same
