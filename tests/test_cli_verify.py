"""`assistant verify` and `assistant trace`: exit status, what goes to which stream, bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from test_cli import ABSTRACTS, assert_one_line, call, papers
from test_cli import home as home

CITED = f"""# What we found

Alpha is 2.4x faster than the best earlier compiler [1]. Alpha is 3.4x faster than any other compiler. [1]
Gamma cuts fragmentation by 79.2% on average. Gamma is written in Rust [2][7].

| System | Figure |
|---|---|
| Beta | reaches 3.5x the speed of hand-made plans on sixteen machines [3] |

## References

[1] Alpha
[2] {ABSTRACTS[2][:60]}
[3] Betta
"""
FIELDS = ["support", "score", "reasons", "paper_id", "quote", "start", "end"]


@pytest.fixture
def cited(tmp_path: Path) -> Path:
    path = tmp_path / "answer.md"
    path.write_text(CITED, encoding="utf-8")
    return path


def test_a_cited_text_as_json(home: Path, cited: Path) -> None:
    done = call(home, "verify", str(cited), "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert list(found) == ["sentences", "counts"]
    assert done.stderr == "[3]: this reference isn't in the collection 'default'\n"
    by_id = {str(paper["id"]): paper for paper in papers(home)}
    shown = {}
    for row in found["sentences"]:
        assert list(row) == ["text", "markers", *FIELDS]
        if row["quote"]:
            assert str(by_id[row["paper_id"]]["abstract"])[row["start"] : row["end"]] == row["quote"]
        shown[row["text"]] = (row["markers"], row["support"], "; ".join(row["reasons"]))
    assert shown["Alpha is 2.4x faster than the best earlier compiler."][:2] == ([1], "supported")
    assert shown["Alpha is 3.4x faster than any other compiler."] == (
        [1],
        "unsupported",
        "the figure 3.4 x isn't there",
    )
    assert shown["Gamma cuts fragmentation by 79.2% on average."] == ([], "verbatim", "")
    markers, support, reasons = shown["Gamma is written in Rust."]
    assert (markers, support) == ([2, 7], "unsupported")
    assert "'Rust' isn't named there" in reasons
    assert "[7] means no paper of this collection" in reasons
    counts = found["counts"]
    assert list(counts) == ["verbatim", "supported", "partly", "unsupported"]
    assert sum(counts.values()) == len(found["sentences"])


def test_a_cited_text_for_a_person(home: Path, cited: Path) -> None:
    done = call(home, "verify", str(cited))
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert "+ Alpha is 2.4x faster than the best earlier compiler. [1]" in lines
    at = lines.index("! Alpha is 3.4x faster than any other compiler. [1]")
    assert lines[at + 1] == "    unsupported: the figure 3.4 x isn't there"
    assert lines[at + 2].startswith("    “")
    assert "1 verbatim, 1 supported, " in done.stderr


def test_claims_into_a_file(home: Path, tmp_path: Path) -> None:
    by_label = {str(paper["label"]): str(paper["id"]) for paper in papers(home)}
    claims, out = tmp_path / "claims.jsonl", tmp_path / "verdicts.jsonl"
    lines = [
        {"id": "a", "text": "Gamma cuts fragmentation by 79.2% on average.", "papers": [by_label["Gamma"]]},
        {"id": "b", "text": "Gamma cuts fragmentation by 80.2% on average.", "papers": "Gamma"},
        {"id": "c", "text": "Gamma cuts fragmentation by 79.2% on average."},
        {"id": "d", "text": "Alpha finds tiles that fit the GPU.", "papers": ["nowhere"]},
        {"id": "e", "text": "Half a \udcff character is 3x 'Faster\udcff' here.", "papers": ["Alpha"]},
        {"id": "f", "text": "Gamma cuts " * 100_000, "papers": ["Gamma"]},
        {"text": "No \u2028 id", "papers": ["Alpha", "Beta"]},
    ]
    claims.write_text("\n\n".join(map(json.dumps, lines)))
    done = call(home, "verify", str(claims), "--out", str(out))
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert done.stderr == f"7 verdicts in {str(out)!r}\n"
    found = [json.loads(line) for line in out.read_text(encoding="utf-8").split("\n")[:-1]]
    assert [one["id"] for one in found] == ["a", "b", "c", "d", "e", "f", "13"]
    assert all(list(one) == ["id", *FIELDS] for one in found)
    assert [one["support"] for one in found[:4]] == ["verbatim", "unsupported", "verbatim", "unsupported"]
    assert found[0]["paper_id"] == found[2]["paper_id"] == by_label["Gamma"]
    assert found[1]["reasons"] == ["the figure 80.2 % isn't there"]
    assert "'nowhere' isn't in this collection" in found[3]["reasons"]
    assert found[3]["quote"] is found[3]["start"] is found[3]["end"] is None
    assert found[5]["support"] == "unsupported"


@pytest.mark.parametrize(
    ("name", "content", "options", "text"),
    [
        ("nowhere.md", None, [], "nowhere.md' can't be read"),
        ("empty.md", "", [], "empty.md' holds no sentence; give a text in Markdown"),
        ("marks.md", "[1]\n\n---\n\n[1] Alpha", [], "holds no sentence"),
        ("latin.md", b"\xff\xfe", [], "isn't UTF-8 at byte 0"),
        ("claims.jsonl", "{}", [], "is a file of claims: name the file of verdicts with --out"),
        ("claims.jsonl", "", ["--out", "v"], "claims.jsonl' holds no claim"),
        ("claims.jsonl", "{}\n[]", ["--out", "v"], "line 1: text is None, not a sentence; line 2: "),
        ("claims.jsonl", "{torn", ["--out", "v"], "line 1: no JSON"),
        (
            "claims.jsonl",
            '{"text": "x", "papers": [1]}',
            ["--out", "v"],
            "papers is [1], not a list of references",
        ),
        ("claims.jsonl", '{"text": "x"}', ["--out", "claims.jsonl"], "the file of claims itself"),
        ("claims.jsonl", '{"text": "x"}', ["--out", "no/v.jsonl"], "no/v.jsonl'"),
    ],
)
def test_bad_input_is_one_line(
    home: Path,
    tmp_path: Path,
    name: str,
    content: str | bytes | None,
    options: list[str],
    text: str,
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    given = [str(tmp_path / one) if one != "--out" else one for one in options]
    done = call(home, "verify", str(path), *given)
    assert_one_line(done, text)
    if content is not None:
        assert path.read_bytes() == (content.encode() if isinstance(content, str) else content)


def test_wrong_usage(home: Path) -> None:
    for arguments in (["verify"], ["trace", "0"], ["trace", "x"], ["trace", "--last", "0"]):
        done = call(home, *arguments)
        assert done.returncode == 2, arguments
        assert "usage: assistant" in done.stderr


def test_trace(tmp_path: Path) -> None:
    page = tmp_path / "page.txt"
    page.write_text("\n\n".join(ABSTRACTS), encoding="utf-8")
    folder = tmp_path / "data"
    folder.mkdir()
    assert call(folder, "ingest", str(page)).returncode == 0
    done = call(folder, "trace")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "Nothing was asked yet, or trace is off.\n"
    assert_one_line(call(folder, "trace", "1"), "there is no line 1; the trace holds 0")
    for question in ("What is Beta?", "By how much does Gamma cut\tfragmentation?"):
        assert call(folder, "ask", question).returncode == 0
    header, newest, oldest = call(folder, "trace").stdout.splitlines()
    assert header == "n\ttime\tmodel\tstatus\tsupport\tms\tquestion"
    assert newest.split("\t")[0] == "1"
    assert newest.endswith("\tBy how much does Gamma cut fragmentation?")
    assert oldest.split("\t")[2:4] == ["quotes", "answered"]
    lines = call(folder, "trace", "--json", "--last", "1").stdout.splitlines()
    assert [json.loads(line)["question"] for line in lines] == ["By how much does Gamma cut\tfragmentation?"]
    record = json.loads(call(folder, "trace", "2").stdout)
    assert record["question"] == "What is Beta?"
    assert {"time", "status", "evidence", "model", "prompt_hash", "usage", "timings_ms", "verdicts"} <= set(
        record
    )
    assert_one_line(call(folder, "trace", "3"), "there is no line 3; the trace holds 2, 1 being the newest")
    with (folder / "trace.jsonl").open("a") as file:
        file.write('{"question": null, "verdicts": null, "timings_ms": null}\n{"torn')
    assert call(folder, "trace").returncode == 0
