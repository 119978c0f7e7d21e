"""What commands write: plain in a pipe, rich on a terminal, JSON that is JSON."""

from __future__ import annotations

import json
import re
from itertools import count

import pytest

from assistant import console


def test_a_table_in_a_pipe_is_tabs(capsys: pytest.CaptureFixture[str]) -> None:
    console.write_table(("id", "label"), [("p1", "one\ttwo\nthree"), ("p2", "[bold]x[/bold]")])
    assert capsys.readouterr().out == "id\tlabel\np1\tone two three\np2\t[bold]x[/bold]\n"


def test_on_a_terminal_nothing_is_taken_for_markup(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    console.write_table(("label",), [("[red]EfficientViT[/red]",)])
    console.write_markdown("It is **2.43x** faster [1] than `alpha`.")
    out = capsys.readouterr().out
    assert "[red]EfficientViT[/red]" in out
    assert "2.43x" in out
    assert "**" not in out
    assert "[1]" in out


def test_markdown_in_a_pipe_stays_markdown(capsys: pytest.CaptureFixture[str]) -> None:
    console.write_markdown("It is **2.43x** faster [1].")
    assert capsys.readouterr().out == "It is **2.43x** faster [1].\n"


def test_json_keeps_its_letters(capsys: pytest.CaptureFixture[str]) -> None:
    console.write_json({"label": "Týr\n≥ 5"})
    out = capsys.readouterr().out
    assert "Týr" in out
    assert json.loads(out) == {"label": "Týr\n≥ 5"}


def test_notes_go_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    console.note("one")
    assert capsys.readouterr() == ("", "one\n")


def test_progress_only_on_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with console.show_progress() as progress:
        assert progress is None
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    with console.show_progress() as progress:
        assert progress is not None
        progress("embed", 1, 2)
        progress("embed", 2, 2)
        progress("read", 100, 0)
        progress("read", 20_000, 0)
    assert capsys.readouterr().out == ""


def test_progress_shows_rate_and_time_left(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = count(0, 2)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setattr("rich.console.monotonic", lambda: float(next(clock)))
    monkeypatch.setenv("COLUMNS", "120")
    with console.show_progress() as progress:
        assert progress is not None
        for done in range(0, 4001, 1000):
            progress("embed", done, 200_000)
            progress("read", done, 0)
    shown = re.sub(r"\x1b\[[\d;?]*\w", "", capsys.readouterr().err)
    assert re.search(r"embed .*4000/200000 +[\d,.]+/s +\d+:\d\d:\d\d", shown)
    assert re.search(r"read .*4000/\? +[\d,.]+/s", shown)
