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
from pathlib import Path
from typing import Any

import pytest
from browser import CHROMIUM, chromium, free_port, requested

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
ROOT = Path(__file__).parent.parent
QUESTION = "What speedup does PIT reach over state-of-the-art compilers?"
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


@pytest.fixture
def address(surroundings: dict[str, str], tmp_path: Path) -> Iterator[str]:
    command = [sys.executable, "-m", "assistant", "ui", "--port", str(free_port())]
    with (
        (tmp_path / "stderr").open("w") as faults,
        subprocess.Popen(
            command, cwd=ROOT, env=surroundings, stdout=subprocess.PIPE, stderr=faults, text=True
        ) as server,
    ):
        assert server.stdout is not None
        line = server.stdout.readline()
        assert "http://127.0.0.1:" in line, (tmp_path / "stderr").read_text()
        yield next(word for word in line.split() if word.startswith("http"))
        server.terminate()


def ask(page: Any, question: str, turn: int) -> None:
    page.fill("#box textarea", question)
    page.press("#box textarea", "Enter")
    page.wait_for_selector(f"#exchange-{turn} .answer:not(.writing), #exchange-{turn} .fault")


def test_from_a_question_to_the_quoted_sentence(
    address: str, surroundings: dict[str, str], tmp_path: Path
) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright, chromium(playwright, tmp_path) as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(address)
        page.wait_for_selector("button.example >> visible=true")
        assert "efficient-ml" in page.inner_text("#head")
        page.click(f"button.example >> text={QUESTION}")
        page.wait_for_selector("#exchange-1 a.marker")
        assert "2.43x" in page.inner_text("#exchange-1 .answer")
        assert any(
            figure in ("5.9x", "2.43x") for figure in page.locator("#exchange-1 strong").all_inner_texts()
        )
        page.click("#exchange-1 a.marker >> nth=0")
        page.wait_for_selector("#source-1-1.active mark.active")
        assert page.inner_text("#source-1-1 h3") == "PIT"
        assert "2.43x" in page.text_content("#source-1-1 mark.active")
        page.wait_for_timeout(800)
        if os.environ.get("CHAT_SCREENSHOT"):
            page.screenshot(path=os.environ["CHAT_SCREENSHOT"])
        ask(page, "what MFU does ByteScale reach?", 2)
        assert page.inner_text("#exchange-2 .verdict") == "Not in this collection"
        put_in(surroundings, tmp_path)
        ask(page, "By how much does Quokkaflow cut hop latency?", 3)
        assert "37.5%" in page.inner_text("#exchange-3 .answer")
        assert "default" in page.inner_text("#head")
    assert requested(tmp_path) == {"127.0.0.1"}


def put_in(surroundings: dict[str, str], folder: Path) -> None:
    """The new paper, put into the user's collection by another process."""
    papers = folder / "papers.jsonl"
    papers.write_text(json.dumps(NEW) + "\n", "utf-8")
    command = [sys.executable, "-m", "assistant", "ingest", str(papers)]
    subprocess.run(command, cwd=ROOT, env=surroundings, check=True, capture_output=True)


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
