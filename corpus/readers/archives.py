"""Files inside of .zip and .gz files, unpacked one at a time into a temporary file; nothing else on disk."""

from __future__ import annotations

import gzip
import io
import stat
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import BinaryIO, cast

from corpus.papers import storable
from corpus.readers.records import Rejected

# Text packs about 3 to 20 times, tables of one word a hundred; a bomb a thousand times and more.
RATIO = 200
FREE = 32 * 1024 * 1024
"""Bytes that may come out of an archive whatever its size; beyond it at most RATIO times its size."""
MOST = 4 * 1024 * 1024 * 1024
MEMBERS = 10_000
_BLOCK = 256 * 1024
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2)
_FAULTS = (
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError, ValueError, OverflowError,
    LookupError, NotImplementedError, TypeError, AttributeError,
)  # fmt: skip
_MEND = "unpack it yourself and ingest the files inside"
_PASSED_OVER = ("__MACOSX/",)
_OFFICE = {
    "word/": "a Word document",
    "xl/": "an Excel workbook",
    "ppt/": "a PowerPoint presentation",
}
_SAVE = "save the sheet as CSV (UTF-8) and ingest that file"
_EXPORT = "export the papers from your reference manager or database (RIS, BibTeX, CSV) and ingest that file"


@dataclass(frozen=True)
class Member:
    """One file of an archive, unpacked: "archive.zip/member.bib"; `fault` says what cut it short."""

    name: str
    stream: BinaryIO
    fault: Rejected | None = None


class Allowance:
    """How many bytes may still be unpacked, for an archive and those inside of it together."""

    def __init__(self, size: int) -> None:
        self.left = min(MOST, FREE + RATIO * size)

    def take(self, size: int) -> bool:
        """Whether this many more may be unpacked."""
        self.left -= size
        return self.left >= 0


def size_of(stream: BinaryIO) -> int:
    """The bytes of a stream that can be rewound."""
    size = stream.seek(0, 2)
    stream.seek(0)
    return size


def zip_members(stream: BinaryIO, name: str, allowance: Allowance) -> Iterator[Member | Rejected]:
    """The files in a ZIP archive, in its order; what can't or mustn't be unpacked comes as Rejected."""
    try:
        archive = zipfile.ZipFile(stream)
        infos = [one for one in archive.infolist() if not one.is_dir()]
    except _FAULTS as error:
        yield Rejected(name, None, f"is a damaged ZIP archive: {error}", "get it anew, or pack it again")
        return
    with archive:
        if whole := _refused(infos, name):
            yield whole
            return
        for info in infos:
            inside = f"{name}/{storable(info.filename)}"
            if _is_hidden(info.filename):
                continue
            refused = _refused_member(info, inside, allowance)
            yield refused or _zip_member(archive, info, inside, allowance)


def gzip_members(stream: BinaryIO, name: str, allowance: Allowance) -> Iterator[Member | Rejected]:
    """The one file in a gzip file; where that is cut off or damaged, what there is of it, and a fault."""
    own = PurePosixPath(name).name.removesuffix(".gz")
    inside = f"{name}/{own if own != PurePosixPath(name).name else 'content'}"
    with gzip.GzipFile(fileobj=stream, mode="rb") as packed:
        yield _unpacked(packed, inside, allowance, keep=True)


def _refused(infos: list[zipfile.ZipInfo], name: str) -> Rejected | None:
    """Why the archive as a whole isn't read."""
    names = [info.filename for info in infos]
    if "[Content_Types].xml" in names:
        what = next((title for mark, title in _OFFICE.items() if any(n.startswith(mark) for n in names)), "")
        remedy = _SAVE if "Excel" in what else _EXPORT
        return Rejected(name, None, f"is {what or 'an Office document'}, which can't be read", remedy)
    if "mimetype" in names and {"content.xml", "META-INF/container.xml", "META-INF/manifest.xml"} & set(
        names
    ):
        remedy = f"{_EXPORT}; of a spreadsheet, {_SAVE}"
        return Rejected(name, None, "is an OpenDocument or EPUB file, which can't be read", remedy)
    if len(infos) > MEMBERS:
        return Rejected(name, None, f"holds {len(infos):,} files (the limit is {MEMBERS:,})", _MEND)
    return None


def _refused_member(info: zipfile.ZipInfo, inside: str, allowance: Allowance) -> Rejected | None:
    """Why a file of the archive isn't unpacked."""
    path = info.filename.replace("\\", "/")
    mode = info.external_attr >> 16
    if path.startswith("/") or path[1:2] == ":" or ".." in path.split("/"):
        return Rejected(inside, None, "has a name that leads out of its archive", _MEND)
    if stat.S_ISLNK(mode):
        return Rejected(inside, None, "is a link, not a file", "pack the file that it leads to")
    if info.flag_bits & 0x1:
        return Rejected(inside, None, "is encrypted", "unpack it with its password and ingest what is inside")
    if info.compress_type not in _METHODS:
        return Rejected(
            inside, None, f"is packed by ZIP's method {info.compress_type}, which isn't read", _MEND
        )
    if info.file_size > allowance.left:  # no more than this is ever taken out of it
        return _bomb(inside, f"{info.file_size / 1e6:,.0f} MB")
    return None


def _is_hidden(path: str) -> bool:
    parts = path.replace("\\", "/").split("/")
    return path.startswith(_PASSED_OVER) or any(one.startswith(".") and one != ".." for one in parts)


def _zip_member(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, inside: str, allowance: Allowance
) -> Member | Rejected:
    try:
        with archive.open(info) as packed:
            return _unpacked(cast(io.BufferedIOBase, packed), inside, allowance, keep=False)
    except _FAULTS as error:
        return _damaged(inside, error)


def _unpacked(
    packed: io.BufferedIOBase, inside: str, allowance: Allowance, *, keep: bool
) -> Member | Rejected:
    """The unpacked file, at its start; with `keep` also the sound beginning of a damaged one."""
    copy = cast(BinaryIO, tempfile.TemporaryFile())  # noqa: SIM115  the Member's reader closes it
    fault = None
    try:
        while block := packed.read1(_BLOCK):  # read() drops what comes before a fault
            if not allowance.take(len(block)):
                copy.close()
                return _bomb(inside, f"more than {RATIO} times its size")
            copy.write(block)
    except _FAULTS as error:
        fault = _damaged(inside, error)
        if not keep or not copy.tell():
            copy.close()
            return fault
    copy.seek(0)
    return Member(inside, copy, fault)


def _damaged(inside: str, error: Exception) -> Rejected:
    reason = " ".join(str(error).split())[:200] or type(error).__name__
    return Rejected(inside, None, f"is damaged: {reason}", "get the archive anew, or pack it again")


def _bomb(name: str, size: str) -> Rejected:
    limit = f"the limit is {RATIO} times the archive's size and {MOST / 2**30:.0f} GB"
    return Rejected(name, None, f"unpacks to {size} ({limit})", f"if it is sound, {_MEND}")
