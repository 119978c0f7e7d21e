"""`assistant ui` as a user starts it: a fresh home, the built-in collection, a real browser.

With CHAT_SCREENSHOT=docs/chat.png in the environment the README's picture is taken on the way.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from browser import CHROMIUM, chromium, free_port, requested

needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
ROOT = Path(__file__).parent.parent
QUESTION = "What speedup does PIT reach over state-of-the-art compilers?"
OLD = {
    "title": "Wombatnet: burrowing networks",
    "abstract": "We present Wombatnet, a network that burrows. It digs 2.1x faster than a mole.",
}
NEW = {
    "title": "Quokkaflow: scheduling for marsupial clusters",
    "abstract": "We present Quokkaflow, a marsupial scheduler. It cuts hop latency by 37.5% on average.",
}


@pytest.fixture
def surroundings(tmp_path: Path) -> dict[str, str]:
    """The environment of a user with nothing set up, whose proxy is dead."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("ASSISTANT_", "OPENAI_"))
    }
    proxy = "http://127.0.0.1:9"
    return {**kept, "ASSISTANT_HOME": str(tmp_path / "home"), "HTTP_PROXY": proxy, "HTTPS_PROXY": proxy}


@contextmanager
def running(surroundings: dict[str, str], folder: Path) -> Iterator[str]:
    """The address of `assistant ui`, started as a process of its own."""
    command = [sys.executable, "-m", "assistant", "ui", "--port", str(free_port())]
    with (
        (folder / "stderr").open("w") as faults,
        subprocess.Popen(
            command, cwd=ROOT, env=surroundings, stdout=subprocess.PIPE, stderr=faults, text=True
        ) as server,
    ):
        try:
            assert server.stdout is not None
            line = server.stdout.readline()
            assert "http://127.0.0.1:" in line, (folder / "stderr").read_text()
            yield next(word for word in line.split() if word.startswith("http"))
        finally:
            server.terminate()


@contextmanager
def visited(address: str, folder: Path) -> Iterator[Any]:
    """The page at the address, in a browser of its own."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright, chromium(playwright, folder) as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
        page.goto(address)
        page.wait_for_selector("#welcome h2")
        yield page


def settled(page: Any) -> None:
    """Nothing, once the first answer is whole; a fault in its place is shown by the test."""
    page.wait_for_selector("#exchange-1 .answer:not(.writing), #exchange-1 .fault")
    assert page.locator("#exchange-1 .fault").all_inner_texts() == []


def put_in(paper: dict[str, str], surroundings: dict[str, str], folder: Path) -> None:
    """The paper, put into the user's collection by another process."""
    papers = folder / "papers.jsonl"
    papers.write_text(json.dumps(paper) + "\n", "utf-8")
    command = [sys.executable, "-m", "assistant", "ingest", str(papers)]
    subprocess.run(command, cwd=ROOT, env=surroundings, check=True, capture_output=True)


@needs_chromium
def test_from_a_question_to_the_quoted_sentence(surroundings: dict[str, str], tmp_path: Path) -> None:
    with running(surroundings, tmp_path) as address, visited(address, tmp_path) as page:
        page.wait_for_selector("#head >> text=efficient-ml")
        assert "assistant ingest" in page.inner_text("#welcome")
        page.click(f"button.example >> text={QUESTION}")
        settled(page)
        assert "2.43x" in page.locator("#exchange-1 .answer strong").all_inner_texts()
        page.click("#exchange-1 a.marker >> nth=-1")
        page.wait_for_selector("#source-1-1.active mark.active")
        assert page.inner_text("#source-1-1 h3") == "PIT"
        quoted = page.text_content("#source-1-1 mark.active")
        assert "average 2.43x." in quoted
        assert quoted in page.text_content("#exchange-1 .answer")
        if os.environ.get("CHAT_SCREENSHOT"):
            page.mouse.move(0, 0)
            page.wait_for_timeout(500)
            page.screenshot(path=os.environ["CHAT_SCREENSHOT"])
        page.fill("#box textarea", "what MFU does ByteScale reach?")
        page.press("#box textarea", "Enter")
        page.wait_for_selector("#exchange-2 .verdict")
        assert "ByteScale" in page.inner_text("#exchange-2 .answer.not-found")
    assert requested(tmp_path) == {"127.0.0.1"}


@needs_chromium
def test_papers_put_in_meanwhile_are_found(surroundings: dict[str, str], tmp_path: Path) -> None:
    put_in(OLD, surroundings, tmp_path)
    with running(surroundings, tmp_path) as address, visited(address, tmp_path) as page:
        page.wait_for_selector("#head >> text=1 paper")
        assert "default" in page.inner_text("#head")
        put_in(NEW, surroundings, tmp_path)
        page.fill("#box textarea", "By how much does Quokkaflow cut hop latency?")
        page.press("#box textarea", "Enter")
        settled(page)
        assert "37.5%" in page.inner_text("#exchange-1 .answer")
        page.wait_for_selector("#head >> text=2 papers")


def test_a_taken_port_is_one_line(surroundings: dict[str, str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        command = [sys.executable, "-m", "assistant", "ui", "--port", port]
        ended = subprocess.run(
            command, cwd=ROOT, env=surroundings, capture_output=True, text=True, check=False
        )
    assert ended.returncode == 1
    assert ended.stdout == ""
    assert ended.stderr.count("\n") == 1
    assert port in ended.stderr
    assert "--port" in ended.stderr
