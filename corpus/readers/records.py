"""Record and Rejected: what every reader gives back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Record:
    """One record as it stood in a file: `fields` are named like Paper's, `raw` is the record's own text.

    `number` counts from 1: the abstract's place in a page, the line's number in JSON Lines.
    """

    number: int
    fields: Mapping[str, object]
    raw: str
    file: str = ""


@dataclass(frozen=True)
class Notice:
    """Something in a record that was left out of the paper made of it; the raw record keeps it."""

    file: str
    record: int
    text: str


@dataclass(frozen=True)
class Rejected:
    """A record (or with `record` None a whole file) that was left out, why, and what to do about it."""

    file: str
    record: int | None
    reason: str
    remedy: str
