"""The Evaluate tab: a run from test set to report, stopped, compared, deleted; nobody sees another's."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from browser import CHROMIUM, served
from made import make_library

from assistant.answer import Answer
from assistant.assistant import Assistant
from assistant.config import load_settings
from assistant.evaluation.runs import Run, begin, runs_of, write
from corpus.builtin import QUESTIONS
from corpus.embedder import LocalEmbedder
from corpus.errors import BusyError, InputError
from ui.evaluate.jobs import Job, Jobs
from ui.evaluate.render import chosen_html, progress_html, run_html
from ui.evaluate.testsets import TestSet, builtin, checked, uploaded

pytestmark = [
    pytest.mark.filterwarnings("ignore:.*no_silent_downcasting"),
    pytest.mark.filterwarnings("ignore:The copy keyword is deprecated"),
]
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
TIMEOUT = 60_000
NASTY = '<script>window.hit=1</script><img src=x onerror="window.hit=2"> ${window.hit=3}'
CASES = [
    {"id": "one", "question": "What speedup does TileFlow reach over TVM?", "gold": [], "must": [["5.9x"]]},
    {"id": "two", "question": "How many GPUs does Quokka use?", "gold": [], "must": [["256"]]},
    {"id": "three", "question": f"What is {NASTY}?", "gold": [], "must": [[NASTY]]},
    {"id": "four", "question": "How do bees find their way home?", "gold": [], "must": [["rivers"]]},
]


class Gated(Assistant):
    """Waits before its third answer where a test has closed the gate."""

    gate = threading.Event()
    asked = 0

    def ask(self, question: str, **options: Any) -> Answer:
        self.asked += 1
        if self.asked == 3 and not self.gate.is_set():
            self.gate.wait(60)
        return super().ask(question, **options)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def assistant(home: Path, tmp_path_factory: pytest.TempPathFactory, embedder: LocalEmbedder) -> Gated:
    made = make_library(tmp_path_factory.mktemp("evaluate"), embedder)
    gated = Gated(made.collection, embedder, settings=load_settings(home=home, llm="none"))
    gated.gate.set()
    return gated


@pytest.fixture(scope="module")
def address(assistant: Gated) -> Iterator[str]:
    with served(assistant) as url:
        yield url


@pytest.fixture
def page(browser: Any, address: str) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    page = context.new_page()
    opened(page, address)
    yield page
    context.close()


@pytest.fixture
def testset(assistant: Assistant, tmp_path: Path) -> Path:
    """A test set over the made-up collection; gold is what is cited, some paper where it refuses."""
    path = tmp_path / "mine <b>&.jsonl"
    some = assistant.collection.papers()[0].id
    gold = [
        [one.paper_id for one in Assistant.ask(assistant, str(case["question"])).citations][:1] or [some]
        for case in CASES
    ]
    cases = [{**case, "gold": papers} for case, papers in zip(CASES, gold, strict=True)]
    path.write_text("".join(json.dumps(case) + "\n" for case in cases), "utf-8")
    return path


def opened(page: Any, address: str) -> None:
    page.set_default_timeout(TIMEOUT)
    page.goto(address)
    page.wait_for_selector("#welcome h2")
    page.get_by_role("tab", name="Evaluate", exact=True).first.click()
    page.wait_for_selector("#testset-about p")


def upload(page: Any, path: Path, ready: str) -> None:
    page.get_by_label("A file of yours").check()
    page.set_input_files("#testset-file input[type=file]", str(path))
    page.wait_for_selector(f"#testset-about {ready}")


@needs_chromium
def test_from_a_file_to_the_report_the_comparison_and_away(
    page: Any, testset: Path, tmp_path: Path, home: Path
) -> None:
    upload(page, testset, "strong >> text=mine_b")
    assert "4 questions" in page.inner_text("#testset-about")
    page.click("#run")
    page.wait_for_selector("#run-result .report table")
    assert page.locator("#run-result figure svg[role=img]").count() >= 2
    worst = page.locator("#run-result details").filter(has_text="three")
    worst.locator("summary").first.click()
    assert NASTY in worst.first.inner_text()
    assert page.evaluate("window.hit") is None
    assert page.locator("#run-result script, #run-result img").count() == 0
    assert page.is_visible("#run")
    assert not page.is_visible("#run-stop")
    for name in ("report.html", "report.md", "report.json", "answers.jsonl"):
        with page.expect_download() as started:
            page.get_by_role("link", name=name).or_(page.get_by_role("button", name=name)).first.click()
        started.value.save_as(tmp_path / name)
        assert started.value.suggested_filename == name
    assert len(json.loads((tmp_path / "report.json").read_text("utf-8"))["questions"]) == 4
    assert len((tmp_path / "answers.jsonl").read_text("utf-8").splitlines()) == 4
    assert str(home) not in (tmp_path / "report.html").read_text("utf-8")
    page.click("#run")
    page.wait_for_selector("#against")
    page.get_by_label("Compared with").click()
    page.get_by_role("option").nth(1).click()
    page.wait_for_selector("#run-result .compared h2")
    assert "Against" in page.inner_text("#run-result .compared")
    page.click("#run-delete")
    page.click("#run-keep")
    page.wait_for_selector("#run-delete")
    for left in (1, 0):
        page.click("#run-delete")
        page.click("#run-really")
        page.wait_for_selector("#run-really", state="hidden")
        assert len(list(home.glob("runs/*/*/about.json"))) == left
    page.wait_for_selector("#kept-runs", state="hidden")


@needs_chromium
def test_a_faulty_test_set_shows_its_faults_line_by_line(page: Any, tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    lines = ['{"id": "a", "question": "q", "gold": ["nowhere"]}', "{half", json.dumps({"id": NASTY})]
    bad.write_text("\n".join(lines), "utf-8")
    upload(page, bad, ".faults li >> nth=2")
    told = page.locator("#testset-about .faults li").all_inner_texts()
    assert [line.partition(":")[0] for line in told] == ["line 1", "line 2", "line 3"]
    assert "'nowhere' is no paper" in told[0]
    assert str(tmp_path) not in page.inner_text("#testset-about")
    page.click("#run")
    page.wait_for_selector("#run-progress .fault")
    assert page.evaluate("window.hit") is None


@needs_chromium
def test_stop_keeps_what_was_answered_and_a_reload_finds_the_run(
    page: Any, browser: Any, address: str, assistant: Gated, testset: Path
) -> None:
    assistant.asked, assistant.gate = 0, threading.Event()
    try:
        upload(page, testset, "strong")
        page.click("#run")
        page.wait_for_selector("#run-progress >> text=2 of 4")
        page.reload()
        opened(page, address)
        page.wait_for_selector("#run-progress >> text=2 of 4")
        other = browser.new_context().new_page()
        opened(other, address)
        other.wait_for_selector("#testset-about strong")
        assert other.locator("#run-progress p").count() == 0
        assert not other.is_visible("#kept-runs")
        page.click("#run-stop")
        page.wait_for_selector("#run-progress >> text=stopping")
    finally:
        assistant.gate.set()
    page.wait_for_selector("#run-result .report >> text=It was stopped")
    assert "stopped" in page.get_by_label("Run", exact=True).input_value()
    opened(other, address)
    other.wait_for_selector("#testset-about strong")
    assert not other.is_visible("#kept-runs")
    other.context.close()


def test_the_built_in_test_set_is_whole() -> None:
    count = len(QUESTIONS.read_bytes().splitlines())
    assert builtin().questions == count == sum(number for _, number in builtin().splits)


def test_an_upload_is_read_once_and_gone(tmp_path: Path) -> None:
    path = tmp_path / "../x/../évil name.csv"
    path = tmp_path / "évil name.csv"
    path.write_text("question,answer,gold\nWho?,,\n", "utf-8")
    found = uploaded(str(path), [])
    assert (found.name, found.questions, found.usable) == ("évil_name.csv", 1, True)
    assert not path.exists()
    assert uploaded(str(path), []).faults == ("The file didn't arrive whole; upload it again.",)


@pytest.mark.parametrize("data", [b"", b"\xff\xfe\x00", b"a,b\n1,2\n", b"[" * 100_000, b"\0" * 100])
def test_a_file_that_is_no_test_set_is_a_fault(data: bytes) -> None:
    found = checked("x/../../etc/passwd", data, [])
    assert found.name == "passwd"
    assert found.faults
    assert not found.usable
    assert "/tmp" not in "".join(found.faults)


def test_runs_are_their_owners_alone(tmp_path: Path) -> None:
    mine = begin(tmp_path, "shelf", "browser:a", ("../../report.json", b"{}"))
    assert mine.testset_file.read_bytes() == b"{}"
    assert mine.testset_file.is_relative_to(mine.folder / "testset")
    assert mine.folder.stat().st_mode & 0o077 == 0
    assert "browser:a" not in (mine.folder / "about.json").read_text()
    assert [run.id for run in runs_of(tmp_path, "browser:a")] == [mine.id]
    assert runs_of(tmp_path, "browser:b") == []


def test_a_run_that_was_tampered_with_is_passed_over(tmp_path: Path) -> None:
    run = begin(tmp_path, "shelf", "me", ("a.jsonl", b""))
    about = run.folder / "about.json"
    for change in ({"testset": "../../x"}, {"collection": ".."}, {"id": "../.."}, {"state": "new"}):
        write(run)
        fields = json.loads(about.read_text()) | change
        about.write_text(json.dumps(fields))
        assert runs_of(tmp_path, "me") == []
    about.write_text("{")
    assert runs_of(tmp_path, "me") == []


def test_only_so_many_runs_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assistant.evaluation.runs.KEPT", 2)
    for number in range(4):
        write(replace(begin(tmp_path, "shelf", "me", (f"{number}.jsonl", b"")), state="done"))
    begin(tmp_path, "shelf", "you", ("5.jsonl", b""))
    assert len([run for run in runs_of(tmp_path, "me") if run.state == "done"]) <= 3
    assert len(runs_of(tmp_path, "you")) == 1


def test_one_run_for_each_person_and_two_on_the_server(tmp_path: Path) -> None:
    jobs, go_on = Jobs(), threading.Event()

    def begun(owner: str) -> Job:
        return jobs.start(owner, lambda: begin(tmp_path, "shelf", owner, ("a.jsonl", b"")), work)

    def work(job: Job) -> Run:
        go_on.wait(60)
        return replace(job.run, state="done")

    first = begun("a")
    with pytest.raises(BusyError, match="of yours"):
        begun("a")
    begun("b")
    with pytest.raises(BusyError, match="Two evaluations"):
        begun("c")
    assert jobs.ended("a") is None
    go_on.set()
    assert first.ended.wait(60)
    ended = jobs.ended("a")
    assert ended is not None
    assert ended.state == "done"
    assert jobs.of("a") is None
    assert len(runs_of(tmp_path, "c")) == 0


@pytest.mark.parametrize("fault", [InputError("The file '/x/y' is gone."), KeyError("inner")])
def test_a_run_that_fails_says_why(tmp_path: Path, fault: Exception) -> None:
    def work(_: Job) -> Run:
        raise fault

    jobs = Jobs()
    job = jobs.start("a", lambda: begin(tmp_path, "shelf", "a", ("a.jsonl", b"")), work)
    assert job.ended.wait(60)
    (run,) = runs_of(tmp_path, "a")
    assert run.state == "failed"
    assert ("is gone" in run.fault) == isinstance(fault, InputError)
    assert "inner" not in run.fault


def test_what_others_wrote_is_shown_as_text() -> None:
    faults = chosen_html(TestSet(NASTY, b"", faults=(NASTY, "x" * 1_000_000)))
    assert "<script" not in faults
    assert "<img" not in faults
    assert len(faults) < 3_000
    assert "<script" not in run_html(Run("", "", "", "", fault=NASTY, faults=(NASTY,)), None)


def test_progress_is_said_in_words() -> None:
    assert "34 of 269 questions · about 40 s left" in progress_html(34, 269, 40.2)
    assert "about 3 min left" in progress_html(34, 269, 170)
    assert "stopping" in progress_html(34, 269, 40, stopping=True)
    assert "Getting ready" in progress_html(0, 0, None)
