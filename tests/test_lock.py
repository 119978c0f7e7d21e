"""One writer at a time, and a killed one blocks nobody."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from corpus.errors import BusyError
from corpus.layout import Layout
from corpus.lock import writer_lock, writer_pid

_HOLD = """
import sys, time
from pathlib import Path
from corpus.layout import Layout
from corpus.lock import writer_lock
with writer_lock(Layout(Path(sys.argv[1]), "mine")):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_second_writer_is_told_at_once_who_writes(tmp_path: Path) -> None:
    layout = Layout(tmp_path, "mine")
    with (
        writer_lock(layout),
        pytest.raises(BusyError, match=f"'mine' .* process {os.getpid()}"),
        writer_lock(layout),
    ):
        pass


def test_the_lock_is_free_again(tmp_path: Path) -> None:
    layout = Layout(tmp_path, "mine")
    for _ in range(3):
        with writer_lock(layout):
            assert writer_pid(layout) == os.getpid()


def test_another_collection_is_not_locked(tmp_path: Path) -> None:
    with writer_lock(Layout(tmp_path, "mine")), writer_lock(Layout(tmp_path, "other")):
        pass


def test_the_lock_of_a_killed_process_blocks_nobody(tmp_path: Path) -> None:
    layout = Layout(tmp_path, "mine")
    holder = subprocess.Popen([sys.executable, "-c", _HOLD, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    with holder, holder.stdout:
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(BusyError, match=f"process {holder.pid}"), writer_lock(layout):
            pass
        holder.send_signal(signal.SIGKILL)
        holder.wait(30)
        with writer_lock(layout):
            assert writer_pid(layout) == os.getpid()
