"""Readers of tagged exports: RIS, MEDLINE (nbib), Web of Science, EndNote, RefWorks, Ovid."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import BinaryIO

from corpus.readers.databases import NBIB, OVID, WOS
from corpus.readers.dialects import BARE_RIS, ENDNOTE, LOOSE_RIS, REFWORKS, RIS
from corpus.readers.encodings import read_whole
from corpus.readers.records import Record, Rejected
from corpus.readers.tagfields import Dialect
from corpus.readers.taglines import Tagged, tagged_records

_MEND = "mend that record and ingest the file again; the other records went in"
_RIS_BOUND = re.compile(r"^[ \t\xa0]*(?:TY[ \t\xa0]{0,5}[-–—]|ER[ \t\xa0]{0,5}[-–—][ \t\xa0]*$)", re.M)
_RIS_LOOSE = re.compile(r"^[ \t\xa0]*TY[ \t\xa0]?[-–—]", re.M)
_RIS_TYPED = re.compile(
    r"^[ \t\xa0]*TY[ \t\xa0]{0,5}[-–—] *[A-Z].*\n\s*[A-Z][A-Z0-9][ \t\xa0]{0,5}[-–—]", re.M
)
_RIS_TWO = re.compile(
    rf"{_RIS_TYPED.pattern}|"
    r"^[ \t\xa0]*[A-Z][A-Z0-9]  -.*\n[ \t\xa0]*[A-Z][A-Z0-9]  -.*\n[ \t\xa0]*[A-Z][A-Z0-9]  -",
    re.M,
)


def _reader(*, dialect: Dialect) -> Callable[[BinaryIO, str], Iterator[Record | Rejected]]:
    return lambda stream, file: _records(read_whole(stream), dialect, file)


def read_ris(stream: BinaryIO, file: str) -> Iterator[Record | Rejected]:
    """One Record or Rejected for each record; where no TY or ER bounds them, blank lines do."""
    text = read_whole(stream)
    spaced = LOOSE_RIS if _RIS_LOOSE.search(text) else RIS
    yield from _records(text, spaced if _RIS_BOUND.search(text) else BARE_RIS, file)


read_nbib = _reader(dialect=NBIB)
read_wos = _reader(dialect=WOS)
read_endnote = _reader(dialect=ENDNOTE)
read_refworks = _reader(dialect=REFWORKS)
read_ovid = _reader(dialect=OVID)


def _records(text: str, dialect: Dialect, file: str) -> Iterator[Record | Rejected]:
    text = text.replace("\n\ufeff", "\n")  # files were joined, each with its mark
    for number, item in enumerate(tagged_records(text, dialect.grammar), 1):
        yield _record(item, number, dialect, file)


def _record(item: Tagged, number: int, dialect: Dialect, file: str) -> Record | Rejected:
    if item.fault:
        return Rejected(file, number, f"line {item.line} {item.fault}", _MEND)
    found = {name: take(item.values) for name, take in dialect.fields.items()}
    fields = {name: value for name, value in found.items() if value}
    if fields.get("venue") == fields.get("title"):
        fields.pop("venue", None)
    if "title" not in fields and "abstract" not in fields:
        reason = f"the record at line {item.line} has neither a title nor an abstract"
        return Rejected(file, number, reason, f"add a title ({dialect.title_tag}) or leave it out")
    return Record(number, fields, item.raw, file)


def ris_mark(text: str) -> int | None:
    """Where a line with TY is followed by another tagged line, or three tagged lines stand together."""
    return _place(_RIS_TYPED, text) if nbib_mark(text) is not None else _place(_RIS_TWO, text)


def nbib_mark(text: str) -> int | None:
    """Where a line gives a PubMed id with its number, or two of MEDLINE's own tags stand together."""
    return _place(
        r"^PM(?:ID|C|CR) {0,2}- {0,2}(?:(?:PMC)?\d+[ \t]*$|\S.*\n[A-Z]{2,4} {0,2}- )"
        r"|^(?:OWN |STAT|DCOM|FAU |LID |MHDA|EDAT)- .*\n[A-Z]{2,4} {0,2}- ",
        text,
    )


def wos_mark(text: str) -> int | None:
    """Where Web of Science's first line stands, or a PT line with a tagged line after it."""
    return _place(r"\A\s*FN \S.*\n\s*(?:VR|PT) |^PT [A-Z]\s*\n[A-Z][A-Z0-9] \S", text)


def endnote_mark(text: str) -> int | None:
    """The place of two tagged lines at the beginning, or of the type with another beside it."""
    return _place(r"\A\s*(?:%[0-9A-Z@] \S.*(?:\n\s*|\Z)){2}|^%0 [A-Z].*\n%\S |^%[A-Z] \S.*\n%0 [A-Z]", text)


def refworks_mark(text: str) -> int | None:
    """Where a line with the type (RT) is followed by another tagged line."""
    return _place(
        r"^RT +[A-Z][\w ,/()-]*\n\s*(?:SR|ID|[ATU]\d|AU|JF|JO|YR|K1|AB|DO|UL|LA|PB|SN|VO|FD|NO) +\S", text
    )


def ovid_mark(text: str) -> int | None:
    """0 for a numbered record at the beginning ("<1>") with a field's name, or Ovid's name as the vendor."""
    return _place(
        r"\A\s*(?:<\d{1,7}\.? *> *\n\s*"
        r"(?:[A-Z][A-Z0-9]\s{1,3}-|[A-Z][\w /()&'.-]{1,60}:?[ \t]*\n)|VN {1,3}- Ovid)",
        text,
    )


def _place(pattern: str | re.Pattern[str], text: str) -> int | None:
    found = re.search(pattern, text, re.M) if isinstance(pattern, str) else pattern.search(text)
    return found.start() if found else None
