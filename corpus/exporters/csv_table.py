"""Papers as a table (CSV): one column for each field, lists joined by "; "."""

from __future__ import annotations

import csv
import io
from dataclasses import fields
from typing import Any

from corpus.papers import Paper, Source

_FIRST = ("id", "label", "title", "abstract")
COLUMNS = (*_FIRST, *(field.name for field in fields(Paper) if field.name not in _FIRST))
# Spreadsheets take a cell that begins so for a formula; a space before it is text, and isn't read back.
_FORMULAS = ("=", "+", "-", "@", "\t")


def head() -> str:
    """The header; the mark at its beginning tells spreadsheets that this is UTF-8."""
    return "\ufeff" + _row([*COLUMNS, "assistant"])


def row(paper: Paper, own: str, key: str) -> str:
    """The paper as one row; `assistant` holds what columns alone can't tell."""
    return _row([*(_cell(getattr(paper, name)) for name in COLUMNS), own])


def _cell(value: Any) -> str:
    if isinstance(value, tuple):
        return "; ".join(_item(one) for one in value)
    return "" if value is None else str(value)


def _item(value: object) -> str:
    """One entry of a list; one with a semicolon stands in quotes."""
    text = f"{value.file}#{value.record}" if isinstance(value, Source) else str(value)
    return '"' + text.replace('"', '""') + '"' if ";" in text else text


def _row(cells: list[str]) -> str:
    out = io.StringIO()
    safe = [f" {cell}" if cell.startswith(_FORMULAS) else cell for cell in cells]
    csv.writer(out, lineterminator="\r\n").writerow(safe)
    return out.getvalue()
