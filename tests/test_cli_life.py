"""Commands for a collection's life: remove, export, collections, backup, restore, ingest's report."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from test_cli import ABSTRACTS, assert_one_line, call, papers

from assistant.commands.asking import confirmed
from assistant.commands.reporting import write_report
from corpus.leaving import Shrunk
from corpus.readers.records import Notice, Rejected
from corpus.sync import Report


@pytest.fixture(scope="module")
def stocked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with three papers of two files, one of them in both."""
    home = tmp_path_factory.mktemp("stocked")
    made = [
        {"id": name, "abstract": text, "year": 2020 + number, "authors": [author]}
        for number, (name, text, author) in enumerate(
            zip(
                ("alpha", "beta", "gamma"),
                ABSTRACTS,
                ("Ada Lovelace", "Bob Stone", "Ada Lovelace"),
                strict=True,
            )
        )
    ]
    (home / "one.jsonl").write_text("\n".join(map(json.dumps, made)))
    (home / "two.jsonl").write_text(json.dumps(made[1]))
    done = call(home, "ingest", "one.jsonl", "two.jsonl")
    assert done.stdout.startswith("added 3, updated 0, unchanged 0, merged duplicates 1"), done.stdout
    return home


@pytest.fixture
def home(stocked: Path, tmp_path: Path) -> Path:
    """A copy of the stocked data folder."""
    backup = tmp_path / "stocked.zip"
    assert call(stocked, "backup", str(backup)).returncode == 0
    folder = tmp_path / "home"
    folder.mkdir()
    assert call(folder, "restore", str(backup)).stdout == "restored 3 papers into 'default'\n"
    return folder


def ids(home: Path) -> list[object]:
    return [paper["id"] for paper in papers(home)] if call(home, "collections").stdout else []


def test_remove_by_id_says_which(home: Path) -> None:
    done = call(home, "remove", "alpha", "Beta")
    assert done.stdout == "removed 2\n  alpha\tAlpha\n  beta\tBeta\n"
    assert ids(home) == ["gamma"]
    assert_one_line(call(home, "remove", "gamma", "delta-x"), "has no paper 'delta-x'")
    assert ids(home) == ["gamma"]


def test_remove_a_file(home: Path) -> None:
    done = call(home, "remove", "--source", "one.jsonl")
    assert done.returncode == 1
    assert "  alpha\tAlpha\n  gamma\tGamma\n" in done.stderr
    assert "Remove 2 papers read from 'one.jsonl' only" in done.stderr
    assert "say --yes. Nothing was removed" in done.stderr
    assert len(ids(home)) == 3
    done = call(home, "remove", "--source", "one.jsonl", "--yes")
    assert done.stdout.startswith("removed 2\n  alpha\tAlpha\n  gamma\tGamma\nkept 1 that other files hold")
    assert [paper["sources"] for paper in papers(home)] == [[{"file": "two.jsonl", "record": 1}]]
    assert_one_line(call(home, "remove", "--source", "three.jsonl", "--yes"), "there is 'two.jsonl'")


@pytest.mark.parametrize(
    ("options", "left"),
    [
        (["--query", "Compiler TILES"], ["beta", "gamma"]),
        (["--query", "plan"], ["alpha", "beta"]),
        (["--query", "memory", "--year", "2022"], ["alpha", "beta"]),
        (["--year", "2020-2021"], ["gamma"]),
        (["--author", "lovelace"], ["beta"]),
        (["--author", "lovelace", "--year", "2021"], ["alpha", "beta", "gamma"]),
        (["--query", "compile"], ["alpha", "beta", "gamma"]),
    ],
)
def test_remove_by_words_and_filters(home: Path, options: list[str], left: list[str]) -> None:
    done = call(home, "remove", *options, "--yes")
    assert done.returncode == 0, done.stderr
    assert ids(home) == left
    if len(left) == 3:
        assert done.stderr == "No paper matches; nothing was removed.\n"


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["remove"], "say what to remove in one way"),
        (["remove", "alpha", "--query", "x"], "say what to remove in one way"),
        (["remove", "--source", "one.jsonl", "--year", "2020"], "say what to remove in one way"),
        (["remove", "--query", "?!", "--yes"], "which holds no word"),
        (["remove", "alpha", "--collection", "efficient-ml"], "built in"),
        (["export", "--format", "ris", "nobody-at-all"], "has no paper 'nobody-at-all'"),
        (["export", "--format", "ris", "--year", "1999"], "No paper passes"),
        (
            ["export", "--format", "ris", "--out", "no/such/folder.ris"],
            "'no/such/folder.ris' can't be written",
        ),
        (["collections", "remove", "nowhere"], "no collection 'nowhere'"),
        (["collections", "rename", "nowhere", "x"], "no collection 'nowhere'"),
        (["collections", "rename", "default", "a b"], "can't be a collection's name"),
        (["restore", "one.jsonl"], "'one.jsonl'"),
        (["backup", "no/such/folder.zip"], "can't be written"),
        (["backup", "x.zip", "--collection", "nowhere"], "no collection 'nowhere'"),
        (["ingest", "one.jsonl", "--report", "no/such/x.json"], "report 'no/such/x.json' can't be written"),
    ],
)
def test_faults_change_nothing_and_are_told(stocked: Path, arguments: list[str], text: str) -> None:
    done = call(stocked, *arguments)
    assert done.returncode == 1
    assert text in done.stderr
    assert "Traceback" not in done.stderr
    assert len(papers(stocked)) == 3


def test_wrong_usage(stocked: Path) -> None:
    for arguments in (
        ["export"],
        ["export", "--format", "word"],
        ["collections", "burn"],
        ["backup"],
        ["restore"],
    ):
        assert call(stocked, *arguments).returncode == 2


def test_export(stocked: Path, tmp_path: Path) -> None:
    done = call(stocked, "export", "--format", "bibtex", "alpha")
    assert done.stdout.startswith("@misc{alpha,\n")
    assert "author = {Lovelace, Ada}" in done.stdout
    out = tmp_path / "p.jsonl"
    done = call(stocked, "export", "--format", "jsonl", "--author", "lovelace", "--out", str(out))
    assert done.stderr == f"2 papers in {str(out)!r}\n"
    assert [json.loads(line)["id"] for line in out.read_text().splitlines()] == ["alpha", "gamma"]
    assert [path.name for path in tmp_path.iterdir()] == ["p.jsonl"]
    again = call(stocked, "ingest", str(out), "--collection", "again")
    assert again.stdout.startswith("added 2"), again.stderr
    call(stocked, "collections", "remove", "again", "--yes")


def test_collections(home: Path) -> None:
    [row] = json.loads(call(home, "collections", "--json").stdout)
    assert (row["name"], row["papers"], row["built_in"]) == ("default", 3, False)
    assert call(home, "collections", "rename", "default", "mine").stdout == "'default' is 'mine' now\n"
    header, line = call(home, "collections").stdout.splitlines()
    assert header.split("\t")[:4] == ["name", "papers", "size", "version"]
    assert line.startswith("mine\t3\t")
    assert json.loads(call(home, "search", "compiler", "--json", "--collection", "mine").stdout)
    refused = call(home, "collections", "remove", "mine")
    assert (refused.returncode, "say --yes" in refused.stderr) == (1, True)
    assert call(home, "collections", "remove", "mine", "--yes").stdout.startswith(
        "removed the collection 'mine'"
    )
    assert "There is no collection" in call(home, "collections").stderr


def test_a_backup_goes_into_the_collection_named(home: Path, tmp_path: Path) -> None:
    said = call(home, "backup", str(tmp_path / "b.zip")).stdout
    assert said.startswith("3 papers of 'default' in ")
    assert_one_line(call(home, "restore", str(tmp_path / "b.zip")), "'default' holds 3 papers")
    done = call(home, "--collection", "other", "restore", str(tmp_path / "b.zip"))
    assert done.stdout == "restored 3 papers into 'other'\n"
    assert call(home, "restore", str(tmp_path / "b.zip"), "--force").returncode == 0
    assert len(ids(home)) == 3


@pytest.mark.parametrize(("said", "goes"), [("y\n", True), ("YES\n", True), ("n\n", False), ("", False)])
def test_a_person_is_asked(said: str, goes: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal:
        def isatty(self) -> bool:
            return True

        def readline(self) -> str:
            return said

    monkeypatch.setattr(sys, "stdin", Terminal())
    assert confirmed("Remove 1 paper?", ["a"], yes=False) is goes


def test_three_hundred_faults_are_told_by_kind(tmp_path: Path) -> None:
    lines = [json.dumps({"title": f"Title {n}"}) for n in range(2)] + ["{oops"] * 300 + ['{"id": "x"}'] * 2
    (tmp_path / "big.jsonl").write_text("\n".join(lines))
    done = call(tmp_path, "ingest", "big.jsonl", "--report", "report.json")
    assert done.returncode == 0
    counts, kind, places, *single = done.stdout.splitlines()
    assert "rejected 302" in counts
    assert kind.startswith("  300 times, such as line 3 isn't JSON")
    assert kind.endswith("ingest the file again; the other lines went in:")
    assert places == "    big.jsonl, record 3; big.jsonl, record 4; big.jsonl, record 5; …"
    assert [line.partition(":")[0] for line in single] == [
        "  big.jsonl, record 303",
        "  big.jsonl, record 304",
    ]
    assert len(json.loads((tmp_path / "report.json").read_text())["rejected"]) == 302
    assert len(json.loads(call(tmp_path, "ingest", "big.jsonl", "--json").stdout)["rejected"]) == 302


def test_the_report_tells_kinds_apart_and_files_that_shrank(capsys: pytest.CaptureFixture[str]) -> None:
    rejected = tuple(Rejected("a.bib", n, f"the entry 'k{n}' (line {n}) has {kind}", "mend it")
                     for kind in ("no end", "no title") for n in range(5))  # fmt: skip
    odd = tuple(Rejected(f"{n}.x", None, "odd " + "x" * n, "leave it") for n in range(30))
    report = Report(
        1, 0, 0, 0, (*rejected, *odd), 1, (Notice("a", 1, "year 'x'"),), shrunk=(Shrunk("a", 5, 3),)
    )
    write_report(report)
    shown = capsys.readouterr()
    lines = shown.out.splitlines()
    assert lines[1] == "  5 times, such as the entry 'k0' (line 0) has no end; mend it:"
    assert lines[2] == "    a.bib, record 0; a.bib, record 1; a.bib, record 2; …"
    assert "  … and 12 other kinds of faults" in lines
    assert "  a, record 1: year 'x'" in lines
    assert lines[-1].startswith("  a: had 5 records when it was read before, 3 now")
    assert "--report FILE" in shown.err
