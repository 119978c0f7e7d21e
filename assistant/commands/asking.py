"""Asking before something is removed for good."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from assistant.console import note
from corpus.errors import InputError

_SHOWN = 20


def confirmed(question: str, what: Sequence[str], *, yes: bool) -> bool:
    """Whether to go on: `yes` says so, else a person at the terminal; InputError where there is none.

    What it is about is on stderr first.
    """
    for line in what[:_SHOWN]:
        note(f"  {line}")
    if len(what) > _SHOWN:
        note(f"  and {len(what) - _SHOWN} more")
    if yes:
        return True
    if not sys.stdin.isatty():
        raise InputError(f"{question} Nobody can be asked here: say --yes. Nothing was removed.")
    sys.stderr.write(f"{question} [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")
