"""Evaluations that run: one for each person, two on the server; a page that comes back finds its own."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from assistant.evaluation.runs import Run, State, write
from assistant.lines import LinesError
from corpus.errors import AssistantError, BusyError

AT_ONCE = 2
_log = logging.getLogger(__name__)


@dataclass
class Job:
    """One evaluation that runs or has run; its thread writes, pages read."""

    owner: str
    run: Run
    halt: threading.Event = field(default_factory=threading.Event)
    done: int = 0
    total: int = 0
    since: float = field(default_factory=time.monotonic)
    ended: threading.Event = field(default_factory=threading.Event)

    def told(self, _what: str, done: int, total: int) -> None:
        """Nothing; how far it is can be read."""
        self.done, self.total = done, total

    @property
    def left(self) -> float | None:
        """Seconds that the rest may take; None until enough is known."""
        if self.done < 5 or not self.total:
            return None
        return (time.monotonic() - self.since) / self.done * (self.total - self.done)


Work = Callable[[Job], Run]
"""Does the job; gives the run as it ended."""


class Jobs:
    """The jobs of one server."""

    def __init__(self) -> None:
        self._jobs: dict[str, Job] = {}
        self._lock = threading.Lock()

    def start(self, owner: str, run: Callable[[], Run], work: Work) -> Job:
        """The job, begun in a thread of its own on the run that `run` makes. BusyError where it must wait."""
        with self._lock:
            running = [job for job in self._jobs.values() if not job.ended.is_set()]
            if any(job.owner == owner for job in running):
                raise BusyError("An evaluation of yours is running; wait for its end, or stop it.")
            if len(running) >= AT_ONCE:
                raise BusyError("Two evaluations are running on this server; try again when one has ended.")
            job = self._jobs[owner] = Job(owner, run())
        threading.Thread(target=_worked, args=(job, work), name="evaluation", daemon=True).start()
        return job

    def of(self, owner: str) -> Job | None:
        """The job of this owner that runs."""
        with self._lock:
            job = self._jobs.get(owner)
        return job if job and not job.ended.is_set() else None

    def ended(self, owner: str) -> Run | None:
        """The run of the owner's job that has ended, once."""
        with self._lock:
            job = self._jobs.get(owner)
            if job is None or not job.ended.is_set():
                return None
            return self._jobs.pop(owner).run

    def close(self) -> None:
        """Nothing; every job is told to end."""
        with self._lock:
            for job in self._jobs.values():
                job.halt.set()


def _worked(job: Job, work: Work) -> None:
    try:
        job.run = work(job)
    except AssistantError as error:
        job.run = _failed(job, str(error).replace(f"{job.run.testset_file.parent}/", ""))
        if isinstance(error, LinesError):  # the collection has changed since the test set was checked
            job.run = replace(job.run, faults=error.problems)
    except Exception:
        _log.exception("The evaluation failed")
        job.run = _failed(job, "It failed because of a fault in the program; the server's log says where.")
    finally:
        try:
            write(job.run)
        except AssistantError as error:
            _log.warning("%s", error)
        job.ended.set()


def _failed(job: Job, fault: str) -> Run:
    state: State = "stopped" if job.halt.is_set() else "failed"
    return replace(job.run, state=state, fault=fault, answered=job.done, questions=job.total)
