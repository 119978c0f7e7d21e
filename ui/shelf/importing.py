"""Imports that run aside: one a collection, followed by whoever looks at it, ended by Stop alone."""

from __future__ import annotations

import logging
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from corpus.errors import AssistantError, BusyError
from corpus.sync import Progress, Report

_TOLD_EVERY = 0.3
_log = logging.getLogger(__name__)

Work = Callable[[Progress], Report]


@dataclass(frozen=True)
class Step:
    """How far an import is; `rate` is what of this stage is done in a second, 0 while that isn't known."""

    stage: str = ""
    done: int = 0
    total: int = 0
    rate: float = 0.0


class Stopped(Exception):
    """Raised into an import to end it."""


class Import:
    """One import: its thread, how far it is, and what came of it."""

    def __init__(self, name: str, note: str = "") -> None:
        self.name, self.note = name, note
        self.halt = threading.Event()
        self.report: Report | None = None
        self.fault: str | None = None
        self.step = Step()
        self.ended = threading.Event()
        self._begun: dict[str, float] = {}

    def run(self, work: Work, files: Sequence[Path]) -> None:
        """Nothing; the work is done or has failed, and the uploaded files are gone."""
        try:
            self.report = work(self._told)
        except Stopped:
            pass
        except BusyError:
            self.fault = (
                f"Another program is writing to {self.name!r} just now. Nothing was changed; "
                "add the files again when it is done."
            )
        except AssistantError as error:
            self.fault = str(error)
        except Exception:
            _log.exception("The import failed")
            self.fault = "The import failed because of a fault in the program; its log says where."
        finally:
            forget(files)
            self.ended.set()

    def follow(self) -> Iterator[Step]:
        """The steps as they come, until the end."""
        last = None
        while not self.ended.wait(_TOLD_EVERY):
            if self.step != last:
                last = self.step
                yield last

    def _told(self, stage: str, done: int, total: int) -> None:
        if self.halt.is_set():
            raise Stopped
        begun = self._begun.setdefault(stage, monotonic())
        passed = monotonic() - begun
        self.step = Step(stage, done, total, done / passed if passed > 0.5 else 0.0)


class Imports:
    """The imports that run now, by collection; belongs to one served page and holds nothing of any user."""

    def __init__(self) -> None:
        self._running: dict[str, Import] = {}
        self._lock = threading.Lock()

    def start(self, name: str, work: Work, files: Sequence[Path], note: str = "") -> Import | None:
        """The import, begun in a thread of its own; None, and the files gone, where one runs already."""
        job = Import(name, note)
        with self._lock:
            running = self._running.get(name)
            if running and not running.ended.is_set():
                forget(files)
                return None
            self._running[name] = job
        threading.Thread(target=job.run, args=(work, files), name="import", daemon=True).start()
        return job

    def running(self, name: str) -> Import | None:
        """The import that runs into this collection."""
        with self._lock:
            job = self._running.get(name)
            return job if job and not job.ended.is_set() else None

    def stop(self, name: str) -> None:
        """Nothing; the import into this collection ends after what it is at."""
        job = self.running(name)
        if job:
            job.halt.set()


def taken(paths: Sequence[str], uploads: Path) -> list[Path]:
    """The uploaded files, moved to a folder of their own; what isn't among the uploads is left alone."""
    aside = Path(tempfile.mkdtemp(prefix="assistant-import-"))
    files = []
    for number, text in enumerate(paths):
        path = Path(text).resolve()
        if path.is_relative_to(uploads.resolve()) and path.is_file():
            target = aside / str(number)
            target.mkdir()
            files.append(Path(shutil.move(path, target / path.name)))
            with suppress(OSError):
                path.parent.rmdir()
    if not files:
        aside.rmdir()
    return files


def forget(files: Sequence[Path]) -> None:
    """Nothing; the files that `taken` gave are gone, with the folder made for them."""
    for aside in {file.parent.parent for file in files}:
        shutil.rmtree(aside, ignore_errors=True)
