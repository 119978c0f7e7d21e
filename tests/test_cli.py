"""The command line: exit status, what goes to which stream, bad input."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from assistant import __version__
from assistant.cli import main
from corpus.layout import Layout
from corpus.lock import writer_lock

ABSTRACTS = [
    "We present Alpha, a compiler for sparse models. Alpha finds tiles that fit the GPU and runs them in "
    "order. On eight models it is 2.4times faster than the best earlier compiler, with up to 43\\% less "
    "memory. The code is at https://example.org/alpha.",
    "Training large models needs plans that split the work over many devices. We propose Beta, a planner "
    "that searches such plans in three phases and finds new ones. Beta reaches 3.5x the speed of hand-made "
    "plans on sixteen machines, and its search takes under a minute.",
    "Memory fragmentation wastes much of what a GPU has. We propose Gamma, an allocator that plans ahead "
    "from a trace of one step, and then serves later steps from that plan. Gamma cuts fragmentation by 79.2% "
    "on average and lets models train with batches a third larger.",
]
PAGE = "Daily Papers\n\nAda Lovelace, Bob Stone et al. · example-lab\n\n" + "\n\n".join(ABSTRACTS)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder whose collection `default` holds the three papers of the page."""
    folder = tmp_path_factory.mktemp("home")
    page = folder.parent / "page.txt"
    page.write_text(PAGE, encoding="utf-8")
    done = call(folder, "ingest", str(page))
    assert done.returncode == 0, done.stderr
    assert done.stdout == "added 3, updated 0, unchanged 0, merged duplicates 0, rejected 0\n"
    return folder


def run(home: Path, *arguments: str, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """One command, run to its end as a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "assistant", *arguments],
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "ASSISTANT_HOME": str(home), **environment},
        cwd=home,
        timeout=120,
        check=False,
    )


def call(
    home: Path, *arguments: str, stdin: str = "", **environment: str
) -> subprocess.CompletedProcess[str]:
    """One command, run to its end in this process, where the libraries are loaded already."""
    out, error = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(error):
        for name, value in {"ASSISTANT_HOME": str(home), **environment}.items():
            patch.setenv(name, value)
        patch.chdir(home)
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        try:
            status = main(arguments)
        except SystemExit as usage:
            status = int(str(usage.code))
    return subprocess.CompletedProcess(arguments, status, out.getvalue(), error.getvalue())


def papers(home: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in call(home, "papers", "--json").stdout.splitlines()]


def assert_one_line(done: subprocess.CompletedProcess[str], text: str, status: int = 1) -> None:
    assert done.returncode == status, done.stderr
    assert text in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("assistant: ")
    assert done.stderr.count("\n") == 1


def test_version_and_usage(tmp_path: Path) -> None:
    assert run(tmp_path, "--version").stdout == f"assistant {__version__}\n"
    for arguments in (
        [],
        ["unknown"],
        ["ask"],
        ["search", "x", "--top-k", "0"],
        ["ask", "x", "--year", "2025-2023"],
        ["ui", "--port", "99999"],
        ["answer", "x.jsonl"],
        ["ingest", ""],
        ["ingest", "x", "--format", "nosuch"],
        ["ingest", "x", "--wait", "-1"],
        ["search", "x", "--papers", ""],
        ["search", "x", "--papers", ",,,"],
        ["search", "x", "--author", " "],
        ["evaluate", "x.jsonl", "--fail-under", "foo=1"],
        ["evaluate", "x.jsonl", "--fail-under", "must=x"],
        ["evaluate", "--judge", "x.jsonl"],
        ["evaluate", "x.jsonl", "--judge", "none"],
        ["evaluate", "x.jsonl", "--judge", "--judge-repeats", "0"],
    ):
        done = call(tmp_path, *arguments)
        assert done.returncode == 2, arguments
        assert "usage: assistant" in done.stderr
        assert done.stdout == ""
    assert run(tmp_path).returncode == 2


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["answer", "nowhere.jsonl", "--out", "x"], "'nowhere.jsonl' can't be read"),
        (["ask", "what?", "--history", "nowhere.json"], "'nowhere.json' can't be read"),
        (["--collection", "../x", "papers"], "'../x' can't be a collection's name"),
        (["papers", "--collection", "a b"], "collection is 'a b' in the command line"),
        (["ingest", "x", "--collection", "efficient-ml"], "'efficient-ml' is built in"),
        (["ask", "What \udcff?"], "question is 'What \\udcff?', which isn't UTF-8"),
        (["search", "\udcff"], "query is '\\udcff', which isn't UTF-8"),
        (["search", "x", "--papers", "\udcff"], "papers is '\\udcff', which isn't UTF-8"),
        (["--collection", "nowhere", "papers"], "There is no collection 'nowhere'"),
        (["--collection", "nowhere", "ask", "x"], "There is no collection 'nowhere'"),
        (["--collection", "nowhere", "remove", "x"], "There is no collection 'nowhere'"),
        (["--collection", "nowhere", "rebuild"], "There is no collection 'nowhere'"),
    ],
)
def test_faults_are_one_line(tmp_path: Path, arguments: list[str], text: str) -> None:
    assert_one_line(call(tmp_path, *arguments), text)


def test_a_wrong_setting_is_one_line(tmp_path: Path) -> None:
    assert_one_line(run(tmp_path, "papers", ASSISTANT_LLM="gpt"), "llm is 'gpt' in ASSISTANT_LLM")
    assert_one_line(run(tmp_path / "..", "papers", ASSISTANT_HOME="/dev/null/x"), "/dev/null")


def test_papers(home: Path) -> None:
    first, *others = papers(home)
    assert first["label"] == "Alpha"
    assert first["abstract"] == ABSTRACTS[0].replace("2.4times", "2.4x").replace("\\%", "%")
    assert first["authors"] == ["Ada Lovelace", "Bob Stone", "et al."]
    assert first["organisations"] == ["example-lab"]
    assert first["url"] == "https://example.org/alpha"
    assert first["sources"] == [{"file": "page.txt", "record": 1}]
    assert [paper["label"] for paper in others] == ["Beta", "Gamma"]
    header, *rows = call(home, "papers").stdout.splitlines()
    assert header == "id\tlabel\tby"
    assert rows[0] == f"{first['id']}\tAlpha\tAda Lovelace, Bob Stone et al. · example-lab"


def test_a_second_ingest_changes_nothing(home: Path) -> None:
    before = papers(home)
    done = call(home, "ingest", "-", "--json", stdin=json.dumps(before[0]))
    report = json.loads(done.stdout)
    assert (report["added"], report["embedded"], report["rejected"]) == (0, 0, [])
    assert [paper["id"] for paper in papers(home)] == [paper["id"] for paper in before]


def test_bad_files_are_named_and_the_rest_goes_in(tmp_path: Path) -> None:
    home, here = tmp_path / "home", tmp_path / "here"
    home.mkdir()
    (here / "empty folder").mkdir(parents=True)
    (here / "good.txt").write_text(PAGE, encoding="utf-8")
    (here / "lines.jsonl").write_text(f'{json.dumps({"abstract": ABSTRACTS[0]})}\n{{"id": "x"}}\n{{oops\n')
    (here / "latin.txt").write_bytes(b"caf\xe9 " * 50 + b"\n\n" + ABSTRACTS[1].encode())
    (here / "refs.rtf").write_text("{\\rtf1 A title}")
    (here / "empty.txt").write_text("")
    (here / "blob.bin").write_bytes(bytes(1000))
    names = ["nowhere.txt", "empty folder", *(path.name for path in here.iterdir() if path.is_file())]
    done = call(home, "ingest", *(str(here / name) for name in sorted(names)))
    assert done.returncode == 1
    assert done.stdout.startswith("added 4, ")
    for text in (
        "nowhere.txt: there is no such file or folder; check the path",
        "empty folder: this folder holds no file that can be read",
        "lines.jsonl, record 2: has neither a title nor an abstract",
        "lines.jsonl, record 3: line 3 isn't JSON",
        "refs.rtf: is RTF, which can't be read; it is no export of abstracts",
        "empty.txt: is empty",
        "blob.bin: is a binary file, which can't be read",
    ):
        assert text in done.stdout
    assert_one_line(done, "not everything could be read")
    assert len(papers(home)) == 4


def test_single_bad_records_are_no_failure(tmp_path: Path) -> None:
    done = call(tmp_path, "ingest", "-", stdin=f"{json.dumps({'title': 'A title'})}\n{{oops\n")
    assert done.returncode == 0, done.stderr
    assert "added 1" in done.stdout
    assert "-, record 2: line 2 isn't JSON" in done.stdout


def test_search(home: Path) -> None:
    done = call(home, "search", "memory fragmentation of a GPU", "--top-k", "2", "--json")
    hits = json.loads(done.stdout)
    assert len(hits) == 2
    assert set(hits[0]) == {"paper_id", "label", "score", "quote"}
    assert hits[0]["label"] == "Gamma"
    assert hits[0]["score"] >= hits[1]["score"]
    header, first, *_ = call(home, "search", "memory fragmentation").stdout.splitlines()
    assert header == "score\tid\tlabel\tquote"
    assert "\tGamma\t" in first


def test_figures(home: Path) -> None:
    by_id = {str(paper["id"]): paper for paper in papers(home)}
    done = call(home, "figures", "--json")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(row["label"], row["value"], row["unit"]) for row in rows] == [
        ("Alpha", 8, "models"),
        ("Alpha", 2.4, "x"),
        ("Alpha", 43, "%"),
        ("Beta", 3.5, "x"),
        ("Beta", 16, "machines"),
        ("Gamma", 79.2, "%"),
        ("Gamma", pytest.approx(33.3, abs=0.1), "%"),
    ]
    for row in rows:
        assert str(by_id[row["paper_id"]]["abstract"])[row["start"] : row["end"]] == row["quote"]
    assert list(rows[1]) == [
        "paper_id", "label", "value", "high", "unit", "qualifier", "measure", "against",
        "quote", "start", "end",
    ]  # fmt: skip
    assert (rows[1]["measure"], rows[1]["against"]) == ("speedup", "best earlier compiler")
    assert (rows[2]["qualifier"], rows[2]["measure"]) == ("up to", "memory reduction")


def test_figures_of_some_papers_for_a_person(home: Path) -> None:
    header, *rows = call(home, "figures", "memory fragmentation", "--top-k", "1").stdout.splitlines()
    assert header == "label\tfigure\tunit\tmeasure\tagainst\tquote"
    assert {row.split("\t")[0] for row in rows} == {"Gamma"}
    assert rows[0].startswith("Gamma\taverage 79.2%\t%\tfragmentation reduction\t\tGamma cuts")
    assert_one_line(call(home, "figures", "  "), "the query is '  '")


def test_ask(home: Path) -> None:
    done = call(home, "ask", "By how much does Gamma cut fragmentation?", "--json")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["status"] == "answered"
    assert "79.2%" in answer["text"]
    by_id = {paper["id"]: paper for paper in papers(home)}
    for citation in answer["citations"]:
        assert f"[{citation['marker']}]" in answer["text"]
        for quote in citation["quotes"]:
            value = str(by_id[citation["paper_id"]][quote["field"]])
            assert value[quote["start"] : quote["end"]] == quote["text"]


def test_ask_for_a_person(home: Path) -> None:
    done = run(home, "ask", "By how much does Alpha speed up compared to the best earlier compiler?")
    text, _, references = done.stdout.partition("\n\n[1] ")
    assert "[1]" in text
    assert references.startswith("Alpha (")
    assert "Ada Lovelace, Bob Stone et al. · example-lab" in references
    assert "“" in references
    assert done.stderr == ""


def test_not_found_is_an_answer(home: Path) -> None:
    done = call(home, "ask", "How many penguins live in Antarctica?", "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["status"] == "not_found"


def test_filters(home: Path) -> None:
    by_label = {str(paper["label"]): str(paper["id"]) for paper in papers(home)}
    done = call(home, "search", "faster training", "--papers", f"{by_label['Beta']},", "--json")
    assert [hit["label"] for hit in json.loads(done.stdout)] == ["Beta"]
    done = call(home, "search", "faster training", "--author", "lovelace", "--json")
    assert [hit["label"] for hit in json.loads(done.stdout)] == ["Alpha"]
    assert json.loads(call(home, "search", "faster training", "--year", "2023-2025", "--json").stdout) == []


def test_answer_a_file_and_resume_it(home: Path, tmp_path: Path) -> None:
    questions, out = tmp_path / "questions.jsonl", tmp_path / "answers.jsonl"
    lines = [
        {"id": "b", "question": "What is Beta?"},
        {"id": "a", "question": "What is Alpha?", "history": ["What is Gamma?"]},
        {"id": "c", "question": "What is Gamma?"},
    ]
    questions.write_text("\n".join(map(json.dumps, lines)))
    done = call(home, "answer", str(questions), "--out", str(out), "--workers", "2")
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    answers = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [answer["id"] for answer in answers] == ["b", "a", "c"]
    whole = out.read_text(encoding="utf-8")
    out.write_text("\n".join(whole.splitlines()[:1]) + "\n{torn", encoding="utf-8")
    assert call(home, "answer", str(questions), "--out", str(out), "--resume").returncode == 0
    again = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [answer["text"] for answer in again] == [answer["text"] for answer in answers]
    assert again[0] == answers[0]


def test_papers_are_named_in_any_way(home: Path) -> None:
    by_label = {str(paper["label"]): str(paper["id"]) for paper in papers(home)}
    for ref in (by_label["Beta"], "beta", "Beta", "Training large models needs plans that split the work"):
        done = call(home, "search", "faster training", "--papers", ref, "--json")
        assert [hit["label"] for hit in json.loads(done.stdout)] == ["Beta"], ref
    done = call(home, "search", "faster training", "--papers", f"{by_label['Beta']},Gama")
    assert_one_line(done, f"has no paper 'Gama'; near it: Gamma ({by_label['Gamma']})")


def test_an_llm_that_can_not_be_used_costs_a_line_and_no_answer(home: Path) -> None:
    done = call(home, "ask", "What is Beta?", ASSISTANT_LLM="gguf:model.gguf")
    assert done.returncode == 0
    assert done.stderr.count("\n") == 1
    assert "The language model didn't answer: " in done.stderr
    assert "model.gguf" in done.stderr
    assert "Beta" in done.stdout


def test_what_is_left_out_of_a_record_is_said(tmp_path: Path) -> None:
    line = {"title": "A title", "doi": "not a doi", "year": "soon", "venue": "", "keywords": []}
    done = call(tmp_path, "ingest", "-", stdin=json.dumps(line))
    assert done.returncode == 0
    assert done.stdout.splitlines() == [
        "added 1, updated 0, unchanged 0, merged duplicates 0, rejected 0, without an abstract 1, warnings 2",
        "  -, record 1: doi 'not a doi' can't be used and was left out",
        "  -, record 1: year 'soon' can't be used and was left out",
    ]


def test_a_busy_collection_can_be_waited_for(tmp_path: Path) -> None:
    assert call(tmp_path, "ingest", "-", stdin=PAGE).returncode == 0
    with writer_lock(Layout(tmp_path, "default")):
        assert_one_line(call(tmp_path, "ingest", "-", stdin=PAGE), "--wait SECONDS")
        waiting = subprocess.Popen(
            [sys.executable, "-m", "assistant", "rebuild", "--wait", "100"],
            env={**os.environ, "ASSISTANT_HOME": str(tmp_path)},
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
        time.sleep(0.5)
        assert waiting.poll() is None
    assert waiting.communicate(timeout=100)[0] == "rebuilt the indexes of 'default'\n"
    assert waiting.returncode == 0


def test_answers_to_other_questions_are_an_error(home: Path, tmp_path: Path) -> None:
    testset, answers = tmp_path / "testset.jsonl", tmp_path / "answers.jsonl"
    testset.write_text(json.dumps({"id": "1", "question": "x", "gold": [], "type": "unanswerable"}))
    answers.write_text(json.dumps({"id": "2", "status": "answered", "text": "x"}))
    done = call(home, "evaluate", str(testset), "--answers", str(answers))
    assert_one_line(done, "answers none of the 1 questions")


def test_a_lost_catalogue_is_not_replaced_by_the_built_in_collection(tmp_path: Path) -> None:
    assert call(tmp_path, "ingest", "-", stdin=PAGE).returncode == 0
    (tmp_path / "default" / "catalogue.sqlite").unlink()
    for arguments in (["papers"], ["ask", "What is Beta?"], ["rebuild"], ["search", "x"]):
        assert_one_line(call(tmp_path, *arguments), "is missing or empty")
    assert "BAD  catalogue" in call(tmp_path, "doctor").stdout


def test_a_judge_without_a_model_is_told_before_the_first_question(home: Path, tmp_path: Path) -> None:
    testset = tmp_path / "testset.jsonl"
    testset.write_text(json.dumps({"id": "a", "question": "What is Alpha?", "gold": []}))
    for options, text in (
        (["--judge"], "--judge needs a language model"),
        (["--judge-repeats", "3", "--judge"], "--judge needs a language model"),
        (["--judge", "openai:some-model"], "OPENAI_API_KEY isn't set"),
        (["--judge", "gguf:nowhere.gguf"], "there is no file 'nowhere.gguf'"),
    ):
        done = call(home, "evaluate", str(testset), *options)
        assert_one_line(done, text)
        assert done.stdout == ""


def test_evaluate(home: Path, tmp_path: Path) -> None:
    testset, out = tmp_path / "testset.jsonl", tmp_path / "report"
    line = {"id": "1", "question": "By how much does Gamma cut fragmentation?", "type": "number"}
    testset.write_text(json.dumps({**line, "gold": [ABSTRACTS[2][:60]], "must": [["79.2%"]]}))
    done = call(home, "evaluate", str(testset), "--out", str(out), "--fail-under", "must=0.9")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("kind\tn\t")
    assert {path.name for path in out.iterdir()} == {
        "report.json",
        "report.md",
        "report.html",
        "answers.jsonl",
    }
    done = call(home, "evaluate", str(testset), "--fail-under", "recall@8=1.5", "--json")
    assert done.returncode == 1
    json.loads(done.stdout)
    assert "recall@8" in done.stderr
    assert "Traceback" not in done.stderr


def test_remove_and_rebuild(home: Path, tmp_path: Path) -> None:
    assert call(tmp_path, "ingest", "-", stdin=PAGE).returncode == 0
    ids = [str(paper["id"]) for paper in papers(tmp_path)]
    assert_one_line(call(tmp_path, "remove", ids[0], "nothing"), "has no paper 'nothing'")
    assert len(papers(tmp_path)) == 3
    assert call(tmp_path, "remove", ids[0]).stdout.startswith("removed 1\n")
    assert [paper["id"] for paper in papers(tmp_path)] == ids[1:]
    assert call(tmp_path, "rebuild").returncode == 0
    labels = [
        hit["label"] for hit in json.loads(call(tmp_path, "search", "memory for training", "--json").stdout)
    ]
    assert sorted(labels) == ["Beta", "Gamma"]


def test_an_empty_collection_shows_the_built_in_one(tmp_path: Path) -> None:
    done = call(tmp_path, "ask", "What speedup does PIT reach over state-of-the-art compilers?", "--json")
    answer = json.loads(done.stdout)
    assert answer["citations"][0]["label"] == "PIT"
    assert "2.43x" in answer["text"]
    assert "this is the built-in collection 'efficient-ml'" in done.stderr


def test_doctor(home: Path, tmp_path: Path) -> None:
    done = call(home, "doctor")
    assert done.returncode == 0, done.stdout
    assert "BAD" not in done.stdout
    done = call(home, "doctor", "--json", OPENAI_BASE_URL="http://127.0.0.1:9/v1", ASSISTANT_LLM="openai:x")
    assert done.returncode == 1
    bad = [check for check in json.loads(done.stdout) if not check["well"]]
    assert [check["name"] for check in bad] == ["LLM openai:x"]
    assert "OPENAI_BASE_URL" in bad[0]["remedy"]
    file = tmp_path / "file"
    file.write_text("")
    assert "BAD  data folder" in call(tmp_path, "doctor", ASSISTANT_HOME=str(file)).stdout


def test_a_closed_pipe_is_quiet(home: Path) -> None:
    command = f"{sys.executable} -m assistant papers --json | head -c 1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        env={**os.environ, "ASSISTANT_HOME": str(home), "PYTHONUNBUFFERED": "1"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "{", "")


def test_an_interrupt_is_one_line(tmp_path: Path) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background would ignore it
    read_end, write_end = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-m", "assistant", "ingest", "-"],
        stdin=read_end,
        stderr=subprocess.PIPE,
        env={**os.environ, "ASSISTANT_HOME": str(tmp_path)},
        encoding="utf-8",
    )
    for _ in range(200):  # until it waits for its standard input: its data folder is made before that
        if any(tmp_path.iterdir()):
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=30)
    os.close(write_end)
    os.close(read_end)
    assert process.returncode == 130
    assert error.startswith("assistant: interrupted")
    assert error.count("\n") == 1


def test_a_broken_locale_breaks_nothing(home: Path) -> None:
    done = run(home, "papers", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert done.returncode == 0
    assert "Lovelace" in done.stdout
