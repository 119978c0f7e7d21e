"""Writers killed at random moments: the next run completes what they began, as if nothing had happened."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import killed_writer
import pytest
from made_up import HashEmbedder
from snapshot import snapshot

from corpus.collection import open_collection

_WRITER = Path(killed_writer.__file__)


def start(home: Path, what: str) -> subprocess.Popen[str]:
    """A writer that is about to begin."""
    path = os.pathsep.join([str(_WRITER.parent), str(_WRITER.parent.parent)])
    writer = subprocess.Popen(
        [sys.executable, str(_WRITER), str(home), what],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert writer.stdout is not None
    assert writer.stdout.readline().startswith("ready")
    return writer


def kill_after(writer: subprocess.Popen[str], seconds: float) -> float | None:
    """How long the writer took where it was done before it was killed, None where it wasn't."""
    time.sleep(seconds)
    writer.send_signal(signal.SIGKILL)
    return finish(writer)


def finish(writer: subprocess.Popen[str]) -> float | None:
    """How long the writer took by its own word, None where it didn't come to say so."""
    assert writer.stdout is not None
    with writer.stdout:
        said = writer.stdout.read().split()
    writer.wait(60)
    return float(said[1]) if said[:1] == ["done"] else None


@pytest.mark.parametrize(("what", "moments"), [("ingest", 20), ("change", 8)])
def test_a_killed_run_is_completed_by_the_next(tmp_path: Path, what: str, moments: int) -> None:
    run = {"ingest": killed_writer.begin, "change": killed_writer.change}[what]
    undisturbed, before = tmp_path / "undisturbed", tmp_path / "before"
    if what == "change":
        killed_writer.begin(before)
        shutil.copytree(before, undisturbed)
    whole = finish(start(undisturbed, what))
    assert whole
    expected = snapshot(undisturbed)
    dice = random.Random(20)
    killed = 0
    for attempt in range(3 * moments):
        home = tmp_path / str(attempt)
        if before.exists():
            shutil.copytree(before, home)
        # A moment in each part of the run, so that none is left out by chance.
        share = (killed + dice.random()) / moments
        took = kill_after(start(home, what), share * whole)
        if took:
            whole = min(whole, took)
            continue
        killed += 1
        for paper in open_collection(home, "mine", HashEmbedder()).papers():
            assert paper.abstract
        run(home)
        assert snapshot(home) == expected, f"killed after {share:.3f} of {whole:.3f} s"
        if killed == moments:
            return
    raise AssertionError(f"only {killed} runs of {3 * moments} could be killed before they were done")
