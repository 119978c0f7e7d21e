"""The trace: one line an answer, whatever happens to the file."""

from __future__ import annotations

import json
from pathlib import Path
from threading import Thread

import pytest

from assistant import trace
from assistant.answer import Answer, Usage
from assistant.trace import FILE, Trace
from corpus.errors import InputError


def answer(number: int, text: str = "It is fast.") -> Answer:
    return Answer(
        f"a{number}", f"question {number}", f"question {number}?", "lookup", "answered", text, usage=Usage()
    )


def test_lines_are_kept_in_order(tmp_path: Path) -> None:
    kept = Trace(tmp_path)
    assert list(kept.records()) == []
    for number in range(3):
        kept.add(answer(number))
    assert [one["id"] for one in kept.records()] == ["a0", "a1", "a2"]
    assert kept.record(1)["question"] == "question 2"
    assert kept.record(3)["standalone_question"] == "question 0?"
    for number in (0, 4, -1):
        with pytest.raises(InputError, match=f"no line {number}; the trace holds 3"):
            kept.record(number)


def test_a_full_file_is_moved_aside_and_one_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Trace(tmp_path)
    kept.add(answer(0))
    monkeypatch.setattr(trace, "LARGEST", (tmp_path / FILE).stat().st_size)
    for number in range(1, 5):
        kept.add(answer(number))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["trace.1.jsonl", "trace.jsonl"]
    assert [one["id"] for one in kept.records()] == ["a2", "a3", "a4"]


@pytest.mark.parametrize(
    "torn", [b'{"id": "half', b'{"id": "\xc3', b"[1]\n", b"\x00\xff\n", b"\n\n", b"null"]
)
def test_a_torn_line_costs_itself_alone(tmp_path: Path, torn: bytes) -> None:
    kept = Trace(tmp_path)
    kept.add(answer(0))
    with (tmp_path / FILE).open("ab") as file:
        file.write(torn)
    kept.add(answer(1))
    assert [one["id"] for one in kept.records()] == ["a0", "a1"]


def test_any_text_is_kept(tmp_path: Path) -> None:
    kept = Trace(tmp_path)
    text = "half \udcff, line \u2028 and\nnew, ü, \U0001f41d"
    kept.add(answer(0, text))
    assert kept.record(1)["text"] == text
    assert (tmp_path / FILE).read_text(encoding="utf-8").count("\n") == 1


def test_a_folder_that_can_not_be_written_costs_the_line(tmp_path: Path) -> None:
    Trace(tmp_path / "nowhere").add(answer(0))
    assert not (tmp_path / "nowhere").exists()
    (tmp_path / FILE).mkdir()
    Trace(tmp_path).add(answer(0))
    assert list((tmp_path / FILE).iterdir()) == []


def test_threads_write_whole_lines(tmp_path: Path) -> None:
    kept = Trace(tmp_path)
    threads = [Thread(target=kept.add, args=(answer(number, "x" * 20_000),)) for number in range(16)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    lines = (tmp_path / FILE).read_text(encoding="utf-8").splitlines()
    assert {json.loads(line)["id"] for line in lines} == {f"a{number}" for number in range(16)}
