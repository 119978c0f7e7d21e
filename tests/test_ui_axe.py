"""The chat under axe-core: no serious fault of accessibility, whatever it shows."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
from browser import CHROMIUM, ScriptedAssistant, chromium, served
from test_ui_answer import ask, done, reply, visit

AXE = "axe-core@4.10.3"

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed"),
    pytest.mark.filterwarnings("ignore:.*no_silent_downcasting"),
    pytest.mark.filterwarnings("ignore:The copy keyword is deprecated"),
]
_FAULTS = """() => axe.run(document, { resultTypes: ['violations'] }).then(found => found.violations
  .filter(one => ['serious', 'critical'].includes(one.impact))
  .flatMap(one => one.nodes.map(node => [one.id, node.html.slice(0, 200), node.failureSummary])))"""


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """axe-core's script, fetched by npm."""
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    folder = tmp_path_factory.mktemp("axe")
    command = [
        "npm",
        "install",
        "--no-save",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--prefix",
        ".",
        AXE,
    ]
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    script = folder / "node_modules" / "axe-core" / "axe.min.js"
    if not script.exists():
        pytest.skip(f"npm can't fetch {AXE}: {ended.stderr.strip()[-200:]}")
    return script.read_text("utf-8")


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright, chromium(playwright, tmp_path_factory.mktemp("profile")) as running:
        yield running


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served(ScriptedAssistant(reply)) as url:
        yield url


def faults(page: Any, axe: str) -> list[Any]:
    page.evaluate(axe)
    return list(page.evaluate(_FAULTS))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_no_serious_fault(browser: Any, address: str, axe: str, scheme: str, width: int) -> None:
    page = visit(browser, address, width=width, scheme=scheme)
    assert faults(page, axe) == []
    ask(page, "What speedup?")
    page.click("#exchange-1 .thumb.down")
    page.wait_for_selector("#source-1-1")
    page.click("#source-1-1 >> text=Compare with…")
    page.check("#source-1-1 .pick input")
    page.wait_for_selector("#picked .picked")
    page.focus("#exchange-1 a.marker >> nth=0")
    page.keyboard.press("Tab")
    page.wait_for_selector("#source-card")
    assert faults(page, axe) == []
    for turn, question in enumerate(("compare?", "missing?", "a formula?", "please fail"), 2):
        page.fill("#box textarea", question)
        page.press("#box textarea", "Enter")
        done(page, turn)
        assert faults(page, axe) == []


def test_a_fault_would_be_found(browser: Any, address: str, axe: str) -> None:
    page = visit(browser, address)
    page.evaluate("document.querySelector('#thread').insertAdjacentHTML('beforeend', '<img src=\"data:,\">')")
    assert [fault[0] for fault in faults(page, axe)] == ["image-alt"]
