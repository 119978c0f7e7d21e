"""Rows and cells of separated text: quoted cells with line breaks, and quotation marks out of order.

The csv module reads on to the next quotation mark wherever one is missing and so loses whole rows; here a
fault costs its own row only, and each row keeps its own text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

_INNER = re.compile(r'[ ]*"(?:[^"]++|"")*+')
# What may be read twice, in characters a character of the text; beyond it each line is a row of its own.
_READ_TWICE = 4


@dataclass(frozen=True)
class Row:
    """The cells of one row, the line that it begins on, counted from 1, and its own text.

    Of a row whose quotation marks are out of order only the first `sound` cells stand in their columns.
    """

    cells: tuple[str, ...]
    line: int
    raw: str
    sound: int


@dataclass(frozen=True)
class _Attempt:
    """Cells, where the row ended, how far it was looked, and the number of the first cell at fault."""

    cells: tuple[str, ...]
    end: int
    seen: int
    fault: int | None = None


@dataclass(frozen=True)
class _Dialect:
    separator: str
    plain: re.Pattern[str]
    blank: re.Pattern[str]
    closing: re.Pattern[str]
    ends: str


@cache
def _dialect(separator: str) -> _Dialect:
    sep = re.escape(separator)
    return _Dialect(
        separator,
        re.compile(rf"[^{sep}\n]*+"),
        re.compile(rf'"(?:"")*+"[ ]*+(?=[{sep}\n]|\Z)'),
        re.compile(rf'(?<!")"(?:"")*+[ ]*+(?=[{sep}\n]|\Z)'),
        f"{separator}\n",
    )


def read_rows(text: str, separator: str, *, width: int | None = None, start: int = 0) -> Iterator[Row]:
    """The rows of a text whose lines end in `\\n`, from `start` on; rows of blank cells come too.

    `width` is the number of columns: how a row with quotation marks out of order is told from its neighbours.
    """
    dialect, size = _dialect(separator), len(text)
    line, spare = 1 + text.count("\n", 0, start), _READ_TWICE * size
    while start < size:
        found, cost = _row(text, start, dialect, width if spare > 0 else -1)
        spare -= cost
        end = min(found.end, size)
        sound = len(found.cells) if found.fault is None else found.fault
        raw = text[start:end]
        yield Row(found.cells, line, raw, sound)
        line += 1 + raw.count("\n")
        start = end + 1


def _row(text: str, start: int, dialect: _Dialect, width: int | None) -> tuple[_Attempt, int]:
    """The row that begins there, and how many characters were read in vain; width -1: one line at most."""
    line_end = text.find("\n", start)
    line_end = len(text) if line_end < 0 else line_end
    strict = _strict(text, start, dialect, line_end if width == -1 else len(text))
    cells = len(strict.cells) if width in (None, -1) else width or 0
    if strict.fault is None and (strict.end <= line_end or _fits(strict, cells)):
        return strict, 0
    cost = strict.seen - start
    ways = [(line_end, True), (line_end, False)]
    ways[2 if dialect.separator == "\t" else 0 : 0] = [] if width in (None, -1) else [(len(text), False)]
    ways = ways if dialect.separator == "\t" else [*ways[:-2], ways[-1], ways[-2]]
    lenient = []
    for stop, literal in ways:
        one = _lenient(text, start, dialect, stop, literal=literal)
        if width is not None and width >= 0 and _fits(one, width):
            return one, cost
        cost += one.seen - start
        lenient.append(one)
    if strict.fault is None:
        return strict, cost
    one = next(one for one in lenient if one.end <= line_end)
    return _Attempt(one.cells, one.end, one.seen, min(strict.fault, len(one.cells))), cost


def _fits(found: _Attempt, width: int) -> bool:
    return len(found.cells) >= width and not any(cell.strip() for cell in found.cells[width:])


def _strict(text: str, start: int, dialect: _Dialect, stop: int) -> _Attempt:
    """Cells as RFC 4180 has them, up to the first that it doesn't allow."""
    cells: list[str] = []
    while True:
        inner = _INNER.match(text, start, stop)
        if inner is None:
            plain = dialect.plain.match(text, start, stop)
            end = plain.end() if plain else start
            cells.append(text[start:end])
        else:
            close = inner.end()
            end = close + 1
            while text[end : end + 1] == " " and end < stop:
                end += 1
            if close >= stop or (end < stop and text[end] not in dialect.ends):
                return _Attempt(tuple(cells), close, end, len(cells))
            cells.append(text[start:close].lstrip(" ")[1:].replace('""', '"'))
        if end >= stop or text[end] == "\n":
            return _Attempt(tuple(cells), end, end)
        start = end + 1


def _lenient(text: str, start: int, dialect: _Dialect, stop: int, *, literal: bool) -> _Attempt:
    """Cells whose quotation marks close only before a separator or a line's end; literal: they never do."""
    cells: list[str] = []
    seen = start
    endless = False  # no mark closes from here on: looking for one again would take its square
    while True:
        opened = text.startswith('"', start) and not literal
        close = dialect.blank.match(text, start, stop) if opened else None
        if opened and close is None and not endless:
            close = dialect.closing.search(text, start + 1, stop)
            endless = close is None
        seen = max(seen, close.end() if close else stop if opened else start)
        if close:
            end = close.end()
            cells.append(text[start + 1 : end].rstrip(" ")[:-1].replace('""', '"'))
        else:
            plain = dialect.plain.match(text, start, stop)
            end = plain.end() if plain else start
            cells.append(_unquoted(text[start:end], dialect.separator))
        if end >= stop or text[end] == "\n":
            return _Attempt(tuple(cells), end, max(seen, end))
        start = end + 1


def _unquoted(cell: str, separator: str) -> str:
    """The cell without the marks around it; one that only opens is a slip, between tabs it is text."""
    if len(cell) > 1 and cell.startswith('"') and cell.endswith('"'):
        return cell[1:-1].replace('""', '"')
    return cell.removeprefix('"') if separator != "\t" and cell.count('"') == 1 else cell
