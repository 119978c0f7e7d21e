"""The chat under axe-core: no serious fault of accessibility, whatever it shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from axe import violations
from browser import CHROMIUM, ScriptedAssistant, served
from test_ui_answer import ask, done, reply, visit

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed"),
    pytest.mark.filterwarnings("ignore:.*no_silent_downcasting"),
    pytest.mark.filterwarnings("ignore:The copy keyword is deprecated"),
]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served(ScriptedAssistant(reply)) as url:
        yield url


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_no_serious_fault(browser: Any, address: str, scheme: str, width: int) -> None:
    page = visit(browser, address, width=width, scheme=scheme)
    assert violations(page) == []
    ask(page, "What speedup?")
    page.click("#exchange-1 .thumb.down")
    page.wait_for_selector("#source-1-1")
    page.click("#source-1-1 >> text=Compare with…")
    page.check("#source-1-1 .pick input")
    page.wait_for_selector("#picked .picked")
    page.focus("#exchange-1 a.marker >> nth=0")
    page.keyboard.press("Tab")
    page.wait_for_selector("#source-card")
    assert violations(page) == []
    for turn, question in enumerate(("compare?", "missing?", "a formula?", "please fail"), 2):
        page.fill("#box textarea", question)
        page.press("#box textarea", "Enter")
        done(page, turn)
        assert violations(page) == []


def test_a_fault_would_be_found(browser: Any, address: str) -> None:
    page = visit(browser, address)
    page.evaluate("document.querySelector('#thread').insertAdjacentHTML('beforeend', '<img src=\"data:,\">')")
    assert [fault.split()[0] for fault in violations(page)] == ["image-alt"]
