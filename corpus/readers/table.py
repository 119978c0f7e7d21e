"""Tables: CSV and TSV with a row a record, and the other ways: a row a field, a column a record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import BinaryIO

from corpus.readers.cells import Row, read_rows
from corpus.readers.columns import column_name, column_names, columns_of, field_of, known_fields
from corpus.readers.encodings import read_whole
from corpus.readers.records import Record, Rejected
from corpus.readers.tablefields import fields_from

SEPARATORS = "\t,;|"
# How far down a header is looked for: exporters put a line or two about the search above it.
_ROWS = 20
_LABELS = 60
_LOOK = 256 * 1024
_TEXT = {"title", "abstract"}
_MEND = "mend that row and ingest the file again; the other rows went in"
_NO_HEADER = "give it a first row that names the columns, such as Title, Abstract, Authors, Year, DOI"


@dataclass(frozen=True)
class Layout:
    """How a table is laid out: its separator, where its header begins, its header; none: fields are rows."""

    separator: str
    start: int
    header: tuple[str, ...]


def table_mark(head: str) -> int | None:
    """Where the header of a table stands, None for what is none."""
    layout = find_layout(head, least=2)
    return layout.start if layout else None


def read_table(stream: BinaryIO, file: str) -> Iterator[Record | Rejected]:
    """One Record or Rejected for each row with anything in it; repeated headers are passed over."""
    text = read_whole(stream).removeprefix("\ufeff")
    layout = find_layout(text, least=1)
    if layout is None:
        yield Rejected(file, None, "has no row of column names", _NO_HEADER)
    elif layout.header:
        yield from _read_rows(text, layout, file)
    elif _is_turned(text, layout.separator):
        yield from _read_turned(text, layout.separator, file)
    else:
        yield from _read_blocks(text, layout.separator, file)


def find_layout(text: str, *, least: int) -> Layout | None:
    """How the table is laid out, None for what isn't one; its header has to name `least` fields."""
    text = text[:_LOOK]
    best, layout = 0, None
    for separator in SEPARATORS:
        place = 0
        for number, row in enumerate(islice(read_rows(text, separator), _ROWS)):
            fields = known_fields(row.cells) if len(row.cells) > 1 or least == 1 else set()
            needed = least if number < 2 or not text[:place].strip() else 3
            if fields & _TEXT and len(fields) >= needed and len(fields) > best:
                best, layout = len(fields), Layout(separator, place, row.cells)
            place += len(row.raw) + 1
    for separator in SEPARATORS:
        labels = {field_of(column_name(row.cells[0])) for row in _labelled(text, separator)} - {None}
        if "title" in labels and len(labels) >= 3 and len(labels) > best:
            best, layout = len(labels), Layout(separator, 0, ())
    return layout


def _labelled(text: str, separator: str) -> Iterable[Row]:
    return (row for row in islice(read_rows(text, separator), _LABELS) if len(row.cells) > 1)


def _read_rows(text: str, layout: Layout, file: str) -> Iterator[Record | Rejected]:
    header = layout.header
    width = max(place for place, cell in enumerate(header, 1) if cell.strip())
    columns, names = columns_of(header), column_names(header)
    rows = read_rows(text, layout.separator, width=width, start=layout.start)
    next(rows)
    number = 0
    for row in rows:
        if not any(map(str.strip, row.cells)) or _is_header(row.cells, names):
            continue
        number += 1
        cells = row.cells[: row.sound]
        fields = fields_from(
            {
                field: [cells[place] for place in places if place < len(cells)]
                for field, places in columns.items()
            }
        )
        yield _record(fields, number, row, file)


def _is_header(cells: Sequence[str], names: list[str]) -> bool:
    """Whether a row is the header once more, as after a page break or where files were joined."""
    filled = sum(map(bool, names))
    same = (column_name(cell) == name for cell, name in zip(cells, names, strict=False) if name)
    if names and names[0] and cells and column_name(cells[0]) != names[0]:
        return False
    return column_names(cells) == names or sum(same) > 0.9 * filled


def _record(fields: dict[str, object], number: int, row: Row, file: str) -> Record | Rejected:
    if "title" in fields or "abstract" in fields:
        return Record(number, fields, row.raw, file)
    where = f"the row at line {row.line}"
    if row.sound < len(row.cells):
        reason = f"{where} has a quotation mark that isn't closed or doubled; its cells can't be told apart"
        return Rejected(file, number, reason, _MEND)
    return Rejected(file, number, f"{where} has neither a title nor an abstract", _MEND)


def _is_turned(text: str, separator: str) -> bool:
    """Whether the columns are the records: one row of titles, and more than one in it."""
    titles = [row for row in read_rows(text, separator) if field_of(column_name(row.cells[0])) == "title"]
    return len(titles) == 1 and sum(bool(cell.strip()) for cell in titles[0].cells) > 2


def _read_turned(text: str, separator: str, file: str) -> Iterator[Record | Rejected]:
    rows = [row for row in read_rows(text, separator) if row.cells[0].strip()]
    columns = columns_of([row.cells[0] for row in rows])
    for number in range(1, max(len(row.cells) for row in rows)):
        column = [row.cells[number] if number < row.sound else "" for row in rows]
        raw = "\n".join(f"{row.cells[0]}{separator}{cell}" for row, cell in zip(rows, column, strict=True))
        fields = fields_from(
            {field: [column[place] for place in places] for field, places in columns.items()}
        )
        if any(map(str.strip, column)):
            yield _record(fields, number, Row(tuple(column), 1, raw, len(column)), file)


def _read_blocks(text: str, separator: str, file: str) -> Iterator[Record | Rejected]:
    number = 0
    for block in _blocks(read_rows(text, separator)):
        columns = columns_of([row.cells[0] for row in block])
        if not columns:
            continue
        number += 1
        values = {
            field: [_value(field, block[place]) for place in places] for field, places in columns.items()
        }
        raw = "\n".join(row.raw for row in block)
        cells = tuple(cell for row in block for cell in row.cells)
        yield _record(fields_from(values), number, Row(cells, block[0].line, raw, len(cells)), file)


def _blocks(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """Rows of one record each: up to a blank row, or to the label that the first one began with."""
    block: list[Row] = []
    first = ""
    for row in rows:
        label = column_name(row.cells[0])
        blank = not any(map(str.strip, row.cells))
        if block and (
            blank or (label in (first, "title") and any(column_name(r.cells[0]) == label for r in block))
        ):
            yield block
            block = []
        if not blank:
            first = first or label
            block.append(row)
    if block:
        yield block


def _value(field: str, row: Row) -> str:
    """The row's cells as one; lists keep them apart."""
    cells = [cell for cell in row.cells[1 : row.sound] if cell.strip()]
    joint = "; " if field in ("authors", "keywords", "terms", "organisations") else " "
    return joint.join(cells)
