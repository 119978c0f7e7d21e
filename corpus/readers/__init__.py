"""Readers: files, folders and streams of papers, the format found by content."""

from __future__ import annotations

import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

from corpus.errors import InputError
from corpus.papers import storable
from corpus.readers.archives import Allowance, Member, size_of
from corpus.readers.formats import FORMATS, Format, Reader, readable, recognise
from corpus.readers.own import with_own
from corpus.readers.records import Record, Rejected

__all__ = ["FORMATS", "Record", "Rejected", "read_path", "read_stream", "readable"]

_HEAD = 64 * 1024
# Archives inside of an archive are read, those inside of them aren't.
_NESTED = 1
# What the process was given open, as by the shell's <(...).
_OPEN = re.compile(r"/dev/(?:fd/\d+|stdin)$|/proc/(?:self|\d+)/fd/\d+$")
_KINDS = (
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def read_path(path: Path, *, format: str | None = None) -> Iterator[Record | Rejected]:
    """The records of a file, or of every file in a folder, streamed; what can't be read comes as Rejected.

    Raises InputError for a `format` that doesn't exist; every other fault costs its own file or record only.
    """
    forced = _forced(format)
    if path.is_dir():
        yield from _read_folder(path, forced)
    elif path.is_file():
        yield from _read_file(path, path.name, forced)
    elif not _OPEN.match(str(path)):
        yield _not_a_file(path, str(path))
    else:  # open already, so no wait for somebody to write; no way back to the start after its head was seen
        with path.open("rb") as stream:
            yield from read_stream(stream, path.name, format=format)


def read_stream(stream: BinaryIO, name: str, *, format: str | None = None) -> Iterator[Record | Rejected]:
    """The records of a stream that can't be rewound, such as standard input; `name` is shown as its file."""
    forced = _forced(format)
    with tempfile.TemporaryFile() as copy:
        shutil.copyfileobj(stream, copy)
        copy.seek(0)
        yield from _read(cast(BinaryIO, copy), name, forced)


def _forced(name: str | None) -> Format | None:
    if name is None:
        return None
    row = next((row for row in FORMATS if row.name == name and row.read), None)
    if row is None:
        raise InputError(f"no format is called {name!r}; use one of: {', '.join(readable())}")
    return row


def _read_folder(folder: Path, forced: Format | None) -> Iterator[Record | Rejected]:
    files = 0
    readable_files = 0
    for path in _files(folder):
        files += 1
        name = path.relative_to(folder).as_posix()
        if not path.is_file():
            yield _not_a_file(path, name)
            continue
        readable_file = False
        for item in _read_file(path, name, forced):
            readable_file = readable_file or isinstance(item, Record) or item.record is not None
            yield item
        readable_files += readable_file
    if not readable_files:
        found = f"{files} looked at" if files else "it is empty"
        yield Rejected(
            str(folder), None, f"this folder holds no file that can be read ({found})", "name another one"
        )


def _files(folder: Path) -> Iterator[Path]:
    """What lies below a folder, sorted; hidden files left out, links to folders not followed."""
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(root, name) for name in sorted(names) if not name.startswith("."))


def _not_a_file(path: Path, name: str) -> Rejected:
    try:
        mode = path.stat().st_mode
    except OSError:
        if not path.is_symlink():
            return Rejected(storable(name), None, "there is no such file or folder", "check the path")
        return Rejected(
            storable(name), None, "is a link to what isn't there", "mend the link or leave it out"
        )
    what = next((words for test, words in _KINDS if test(mode)), "something else")
    remedy = "leave it out, or write what it holds to standard input: `assistant ingest -`"
    return Rejected(storable(name), None, f"is {what}, not a file", remedy)


def _read_file(path: Path, name: str, forced: Format | None) -> Iterator[Record | Rejected]:
    name = storable(name)  # a file's name may be any bytes
    try:
        with path.open("rb") as stream:
            yield from _read(stream, name, forced)
    except OSError as error:
        yield Rejected(
            name, None, f"can't be read: {error.strerror or error}", "check the file and its permissions"
        )


def _read(
    stream: BinaryIO, name: str, forced: Format | None, packed: Allowance | None = None, depth: int = 0
) -> Iterator[Record | Rejected]:
    head = stream.read(_HEAD)
    stream.seek(0)
    row = recognise(head)
    if row is None or row.unpack is None:
        row = forced or row
    if row is None:
        yield Rejected(name, None, "is empty", "leave it out, or check how it was saved")
    elif row.unpack:
        packed = packed or Allowance(size_of(stream))
        if depth > _NESTED:
            yield Rejected(
                name, None, "is an archive inside of archives", "unpack it and ingest what is inside"
            )
        else:
            yield from _read_archive(row.unpack(stream, name, packed), name, forced, packed, depth)
    elif row.read is None:
        yield Rejected(name, None, f"is {row.title}, which can't be read", row.remedy)
    else:
        yield from _read_records(row, row.read, stream, name)


def _read_records(row: Format, read: Reader, stream: BinaryIO, name: str) -> Iterator[Record | Rejected]:
    empty = True
    try:
        for item in read(stream, name):
            empty = False
            yield with_own(item)
    except InputError as error:
        empty = False
        yield Rejected(
            name, None, f"can't be read as {row.title}: {error}", "mend the file, or export it anew"
        )
    if empty:
        yield Rejected(name, None, f"holds no paper (read as {row.title})", "name its format with --format")


def _read_archive(
    members: Iterator[Member | Rejected], name: str, forced: Format | None, packed: Allowance, depth: int
) -> Iterator[Record | Rejected]:
    empty = True
    for member in members:
        empty = False
        if isinstance(member, Rejected):
            yield member
            continue
        with member.stream:
            yield from _read(member.stream, member.name, forced, packed, depth + 1)
        if member.fault:
            yield member.fault
    if empty:
        yield Rejected(name, None, "is an archive without a file in it", "leave it out")
