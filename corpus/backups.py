"""Backups: one file that holds a collection's catalogue, taken while others read and write."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import tempfile
import zipfile
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import BinaryIO

from corpus.catalogue import Catalogue
from corpus.database import translated
from corpus.errors import InputError, StoreError
from corpus.layout import FEEDBACK, Layout
from corpus.lost import check_existing
from corpus.remedies import remedy_for

KIND = "abstracts-assistant backup"
MANIFEST = "manifest.json"
CATALOGUE = "catalogue.sqlite"
MEMBERS = (CATALOGUE, FEEDBACK)
"""What a backup may hold beside its manifest; the indexes are made again from the catalogue."""
_AT_ONCE = 1024 * 1024
_MANIFEST_MOST = 64 * 1024


@dataclass(frozen=True)
class Member:
    """A file in a backup: its name, size and SHA-256."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True)
class Manifest:
    """What a backup says of itself."""

    collection: str
    papers: int
    version: str
    members: tuple[Member, ...]


def back_up(home: Path, name: str, target: Path, *, force: bool = False) -> Manifest:
    """What the backup of a collection at one moment holds; it is at `target` as a whole or not at all."""
    layout = Layout(home, name)
    check_existing(layout)
    if target.exists() and not force:
        raise InputError(f"{str(target)!r} is there already: name another file, or say --force.")
    try:
        with tempfile.TemporaryDirectory(prefix=".backup-", dir=target.parent) as aside:
            manifest = _collect(layout, Path(aside))
            made = Path(aside, "made.zip")
            _pack(made, Path(aside), manifest)
            os.replace(made, target)
    except OSError as error:
        remedy = remedy_for(error, "check the path, its permissions and the disk")
        raise StoreError(
            f"The backup {str(target)!r} can't be written: {error.strerror or error}; {remedy}."
        ) from error
    return manifest


def read_manifest(path: Path) -> Manifest:
    """What the backup at `path` holds by its own word; InputError for what isn't a whole backup."""
    with _opened(path) as archive:
        return _manifest(path, archive)


def unpack(path: Path, folder: Path) -> Manifest:
    """What the backup holds; its files are in `folder`, compared with their checksums.

    Nothing else is taken out of it, whatever names it holds.
    """
    with _opened(path) as archive:
        manifest = _manifest(path, archive)
        for member in manifest.members:
            try:
                with archive.open(member.name) as packed, Path(folder, member.name).open("xb") as out:
                    found = _copy(packed, out, member.size)
            except (
                zipfile.BadZipFile,
                EOFError,
                RuntimeError,
                NotImplementedError,
                ValueError,
                KeyError,
            ) as error:
                raise _torn(path, str(error)) from error
            except Exception as error:
                if type(error).__module__ == "zlib":
                    raise _torn(path, str(error)) from error
                raise
            if found != (member.size, member.sha256):
                raise _torn(path, f"{member.name} isn't what was written")
    return manifest


def _collect(layout: Layout, aside: Path) -> Manifest:
    """The manifest of what was copied aside."""
    copy = aside / CATALOGUE
    source = Catalogue(layout.catalogue)
    try:
        with translated(layout.catalogue), closing(sqlite3.connect(copy)) as target:
            source.copy_to(target)
    finally:
        source.close()
    if (layout.folder / FEEDBACK).is_file():
        (aside / FEEDBACK).write_bytes((layout.folder / FEEDBACK).read_bytes())
    with closing(Catalogue(copy)) as catalogue:
        state = catalogue.state()
        if state is None:
            raise InputError(f"The collection {layout.name!r} is empty: there is nothing to back up.")
        papers, version = catalogue.size(), state.version
        with translated(copy):
            # So that the copy is one file.
            catalogue.rows("PRAGMA journal_mode = DELETE")
    members = tuple(_member(aside / name) for name in MEMBERS if (aside / name).is_file())
    return Manifest(layout.name, papers, version, members)


def _member(path: Path) -> Member:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while data := file.read(_AT_ONCE):
            digest.update(data)
    return Member(path.name, path.stat().st_size, digest.hexdigest())


def _pack(made: Path, folder: Path, manifest: Manifest) -> None:
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr(MANIFEST, json.dumps({"kind": KIND, "format": 1, **asdict(manifest)}, indent=2))
        for member in manifest.members:
            archive.write(folder / member.name, member.name)
    with made.open("rb") as file:
        os.fsync(file.fileno())


def _opened(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except OSError as error:
        raise InputError(
            f"{str(path)!r} can't be read: {error.strerror or error}; check the path."
        ) from error
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise InputError(
            f"{str(path)!r} is no backup, or a torn one: {error}. Copy it again from where it was kept."
        ) from error


def _manifest(path: Path, archive: zipfile.ZipFile) -> Manifest:
    try:
        names = sorted(info.filename for info in archive.infolist())
        with archive.open(MANIFEST) as file:
            data = json.loads(file.read(_MANIFEST_MOST))
        kind, number = data["kind"], data["format"]
        members = tuple(Member(str(m["name"]), int(m["size"]), str(m["sha256"])) for m in data["members"])
        manifest = Manifest(str(data["collection"]), int(data["papers"]), str(data["version"]), members)
    except Exception as error:
        if isinstance(error, OSError | MemoryError):
            raise
        raise InputError(
            f"{str(path)!r} is a ZIP file, but no backup of a collection: `assistant backup FILE` makes one."
        ) from error
    if kind != KIND or number != 1:
        raise InputError(
            f"{str(path)!r} is {kind!r}, format {number!r}: this program restores {KIND!r}, format 1."
        )
    held = sorted([MANIFEST, *(member.name for member in members)])
    if names != held or not {CATALOGUE} <= set(held) <= {MANIFEST, *MEMBERS}:
        raise InputError(
            f"{str(path)!r} holds other files than a backup does ({', '.join(names[:5])}): not restored."
        )
    return manifest


def _copy(packed: object, out: BinaryIO, size: int) -> tuple[int, str]:
    """Size and SHA-256 of what was copied; it is left off after more than `size` bytes."""
    digest, done = hashlib.sha256(), 0
    while done <= size and (data := packed.read(_AT_ONCE)):  # type: ignore[attr-defined]
        out.write(data)
        digest.update(data)
        done += len(data)
    return done, digest.hexdigest()


def _torn(path: Path, reason: str) -> InputError:
    return InputError(
        f"The backup {str(path)!r} is torn or was changed: {reason}. Copy it again from where it was kept; "
        "nothing was restored."
    )
