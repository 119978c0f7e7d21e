"""The test sets that can be run: the built-in one, a file that was uploaded, answers that were rated down."""

from __future__ import annotations

import json
import os
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from assistant.evaluation.runs import file_name
from assistant.evaluation.splits import split_counts
from assistant.evaluation.testset import read_testset
from assistant.lines import LinesError
from corpus.builtin import QUESTIONS
from corpus.errors import InputError
from corpus.layout import Layout

if TYPE_CHECKING:
    from assistant.assistant import Assistant
    from corpus.papers import Paper

Source = Literal["builtin", "upload", "feedback"]
LARGEST = 10_000_000
"""Bytes of a test set; some 20,000 questions."""


@dataclass(frozen=True)
class TestSet:
    """A test set in memory; `faults` has a line for each thing that is wrong with it."""

    name: str
    data: bytes
    questions: int = 0
    splits: tuple[tuple[str | None, int], ...] = ()
    faults: tuple[str, ...] = ()

    __test__ = False  # for pytest, which takes classes of this name for its own

    @property
    def usable(self) -> bool:
        """True where it can be run."""
        return self.questions > 0 and not self.faults


def builtin() -> TestSet:
    """The test set of the built-in collection, which needs no check."""
    data = QUESTIONS.read_bytes()
    splits = Counter(json.loads(line).get("split") for line in data.splitlines())
    known = sorted((name, count) for name, count in splits.items() if name)
    return TestSet(QUESTIONS.name, data, splits.total(), tuple(known))


def uploaded(path: str, papers: Sequence[Paper]) -> TestSet:
    """What is in the file that the server received, which is gone then."""
    name = os.path.basename(path)
    try:
        with open(path, "rb") as file:
            data = file.read(LARGEST + 1)
    except OSError:
        return TestSet(file_name(name), b"", faults=("The file didn't arrive whole; upload it again.",))
    finally:
        Path(path).unlink(missing_ok=True)
    if len(data) > LARGEST:
        fault = f"The file is over {LARGEST // 1_000_000} MB; cut it into smaller test sets."
        return TestSet(file_name(name), b"", faults=(fault,))
    return checked(name, data, papers)


def rated_down(assistant: Assistant) -> tuple[bytes, int]:
    """Drafts of a test set from the answers rated down, as JSON Lines, and how many they are."""
    from assistant.evaluation.drafts import as_lines
    from assistant.evaluation.feedback_cases import cases_of
    from assistant.feedback import read

    collection = assistant.collection
    assert assistant.settings is not None, "feedback lies in the data folder"
    feedback = read(Layout(assistant.settings.home, collection.name))
    ids = {name: paper.id for paper in collection.papers() for name in (*paper.aliases, paper.id)}
    drafts = cases_of(feedback, ids) if feedback else []
    return as_lines(drafts).encode("utf-8", "backslashreplace"), len(drafts)


def checked(name: str, data: bytes, papers: Sequence[Paper]) -> TestSet:
    """The test set with its number of questions, its splits, or its faults line by line."""
    name = file_name(name)
    with tempfile.TemporaryDirectory(prefix="testset-") as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        try:
            cases = read_testset(path, papers)
        except LinesError as fault:
            return TestSet(name, data, faults=fault.problems)
        except InputError as fault:
            return TestSet(name, data, faults=(str(fault).replace(str(path), name),))
    return TestSet(name, data, len(cases), tuple(split_counts(cases)))
