"""The parts of a test set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from assistant.evaluation.case import Case
from corpus.errors import InputError


def cases_of_split(cases: Sequence[Case], split: str | None, path: Path) -> tuple[Case, ...]:
    """The cases of that split, all of them for None. InputError, with what there is, where none is of it."""
    if split is None:
        return tuple(cases)
    found = tuple(case for case in cases if case.split == split)
    if found:
        return found
    there = ", ".join(f"{name!r} ({count})" for name, count in split_counts(cases) if name is not None)
    if not there:
        raise InputError(
            f"no question of {str(path)!r} says its split, so none is of {split!r}: leave --split out, or "
            f'give the questions a field "split"'
        )
    raise InputError(f"no question of {str(path)!r} is of the split {split!r}: there are {there}")


def split_counts(cases: Iterable[Case]) -> list[tuple[str | None, int]]:
    """Each split with its number of cases, by name; those without one last, as None."""
    return sorted(Counter(case.split for case in cases).items(), key=lambda item: (item[0] is None, item[0]))
