"""Runs of evaluations that are kept in the data folder, each for the person who asked for it alone."""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import shutil
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, get_args

from pydantic import TypeAdapter, ValidationError

from corpus.errors import InputError, StoreError
from corpus.layout import Layout
from corpus.remedies import remedy_for

State = Literal["running", "done", "stopped", "failed"]
FOLDER = "runs"
"""The folder in the data folder; a run is `runs/COLLECTION/TIME-xxxx`."""
KEPT = 50
"""Runs of one person; the oldest go first."""
_ID = re.compile(r"\d{8}-\d{6}-[0-9a-f]{6}")
_ABOUT = "about.json"
_NAME = re.compile(r"[^\w.-]+")


@dataclass(frozen=True)
class Run:
    """One run: on what, by whom, how far it came. `owner` is a hash, for an owner's id may be a secret."""

    id: str
    owner: str
    collection: str
    testset: str
    split: str | None = None
    judged: bool = False
    state: State = "running"
    model: str = "none"
    answered: int = 0
    questions: int = 0
    fault: str = ""
    faults: tuple[str, ...] = ()
    home: Path = field(default=Path(), compare=False)

    @property
    def folder(self) -> Path:
        """Where its reports, answers and test set are."""
        return self.home / FOLDER / self.collection / self.id

    @property
    def testset_file(self) -> Path:
        """The copy of the test set: apart from the reports, for it may have any name."""
        return self.folder / "testset" / self.testset

    @property
    def begun(self) -> str:
        """When it began, in this machine's time: "2026-11-30 16:40"."""
        then = datetime.strptime(self.id[:15], "%Y%m%d-%H%M%S").replace(tzinfo=UTC)
        return then.astimezone().strftime("%Y-%m-%d %H:%M")


def begin(
    home: Path,
    collection: str,
    owner: str,
    testset: tuple[str, bytes],
    *,
    split: str | None = None,
    judged: bool = False,
) -> Run:
    """A new run with its folder, which no other user of the machine can read, and a copy of the test set.

    `testset` is its name, of which what a file can be called is kept, and its bytes. Raises StoreError.
    """
    name, data = testset
    run = Run(
        id=f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(3)}",
        owner=_hashed(owner),
        collection=Layout(home, collection).name,
        testset=file_name(name),
        split=split,
        judged=judged,
        home=home,
    )
    try:
        run.folder.mkdir(mode=0o700, parents=True)
        run.testset_file.parent.mkdir()
        run.testset_file.write_bytes(data)
    except OSError as error:
        remedy = remedy_for(error, "check the path, its permissions and the disk")
        raise StoreError(f"The run can't be kept: {error.strerror or error}; {remedy}.") from error
    write(run)
    for old in [one for one in runs_of(home, owner) if one.state != "running"][KEPT:]:
        delete(old)
    return run


def write(run: Run) -> None:
    """Nothing; what is known of the run is in its folder, in one step."""
    fields = asdict(replace(run, home=Path()))
    fields.pop("home")
    aside = run.folder / (_ABOUT + ".new")
    try:
        aside.write_text(json.dumps(fields, ensure_ascii=False) + "\n", "utf-8", "backslashreplace")
        os.replace(aside, run.folder / _ABOUT)
    except OSError as error:
        remedy = remedy_for(error, "check the path, its permissions and the disk")
        raise StoreError(f"The run can't be kept: {error.strerror or error}; {remedy}.") from error


def runs_of(home: Path, owner: str) -> list[Run]:
    """The runs of this owner, newest first; what can't be read is passed over."""
    mine = _hashed(owner)
    found = [run for path in home.glob(f"{FOLDER}/*/*/{_ABOUT}") if (run := _read(home, path))]
    return sorted((run for run in found if run.owner == mine), key=lambda run: run.id, reverse=True)


def run_of(home: Path, owner: str, id: str) -> Run:
    """The owner's run of that id. InputError where there is none."""
    found = next((run for run in runs_of(home, owner) if run.id == id), None)
    if found is None:
        raise InputError("This run isn't here any more; choose another.")
    return found


def delete(run: Run) -> None:
    """Nothing; the run and all its files are gone."""
    shutil.rmtree(run.folder, ignore_errors=True)


def file_name(name: str) -> str:
    """A name that a file can have, made of one that anybody may have sent."""
    base = _NAME.sub("_", name.replace("\\", "/").rpartition("/")[2]).strip("._")
    stem, dot, ending = base.rpartition(".")
    return f"{stem[:60]}.{ending[:8]}" if dot and stem else (base[:60] or "testset.jsonl")


def _read(home: Path, path: Path) -> Run | None:
    try:
        run = TypeAdapter(Run).validate_python(json.loads(path.read_bytes()))
    except (OSError, ValueError, RecursionError, ValidationError):
        return None
    whole = replace(run, home=home)
    placed = _ID.fullmatch(run.id) and whole.folder == path.parent and run.state in get_args(State)
    return whole if placed and run.testset == file_name(run.testset) else None


def _hashed(owner: str) -> str:
    return hashlib.sha256(b"owner of runs\0" + owner.encode("utf-8", "backslashreplace")).hexdigest()
