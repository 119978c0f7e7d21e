"""Every tab: no serious violation of axe-core, no other host, no flash of another theme."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from axe import violations
from browser import CHROMIUM, chromium, requested, served
from made import make_library

from assistant.assistant import Assistant
from assistant.config import load_settings
from assistant.library import Library
from corpus.embedder import LocalEmbedder

pytestmark = [
    pytest.mark.filterwarnings("ignore:.*no_silent_downcasting"),
    pytest.mark.filterwarnings("ignore:The copy keyword is deprecated"),
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed"),
]
TIMEOUT = 60_000


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, embedder: LocalEmbedder) -> Iterator[str]:
    made = make_library(tmp_path_factory.mktemp("tabs"), embedder)
    settings = load_settings(home=made.home, collection="made", llm="openai:some-model")
    assistant = Assistant(made.collection, embedder, settings=settings)
    with closing(Library(settings, assistant)) as library, served(assistant, library=library) as url:
        yield url


def visit(browser: Any, address: str, scheme: str = "light", width: int = 1280) -> Any:
    context = browser.new_context(
        viewport={"width": width, "height": 800}, color_scheme=scheme, reduced_motion="reduce"
    )
    page = context.new_page()
    page.set_default_timeout(TIMEOUT)
    page.goto(address)
    page.wait_for_selector("#welcome h2")
    return page


def open_tab(page: Any, name: str, ready: str) -> None:
    page.get_by_role("tab", name=name, exact=True).first.click()
    page.wait_for_selector(ready)


TABS = {
    "Chat": "#box textarea",
    "Collection": "#shelf-results table",
    "Evaluate": "#testset-about strong",
    "Settings": "#about dl",
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_no_tab_has_a_serious_violation(browser: Any, address: str, scheme: str, width: int) -> None:
    page = visit(browser, address, scheme, width)
    for name, ready in TABS.items():
        open_tab(page, name, ready)
        assert violations(page) == [], name
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, f"{name} is {wide} pixels wide"
    page.context.close()


def test_axe_sees_a_violation(browser: Any, address: str) -> None:
    page = visit(browser, address)
    page.evaluate("document.querySelector('#welcome h2').style.color = '#f4f2ed'")
    assert [one for one in violations(page, "#welcome") if one.startswith("color-contrast (serious)")]
    page.context.close()


def test_the_theme_is_kept_and_is_there_before_the_first_paint(browser: Any, address: str) -> None:
    page = visit(browser, address, "light")
    open_tab(page, "Settings", "#about dl")
    assert page.get_by_label("As the system").is_checked()
    page.get_by_label("Dark", exact=True).check()
    page.wait_for_selector("body.dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(22, 24, 27)"
    # The background at every step of loading again, from the first that the parser makes.
    page.context.add_init_script(
        """window.seen = new Set();
        const colour = () => getComputedStyle(document.body).backgroundColor;
        const look = () => { if (document.body) window.seen.add(colour());
          requestAnimationFrame(look); };
        look();"""
    )
    page.reload()
    page.wait_for_selector("#welcome h2")
    assert page.evaluate("[...window.seen]") == ["rgb(22, 24, 27)"]
    open_tab(page, "Settings", "#about dl")
    assert page.get_by_label("Dark", exact=True).is_checked()
    page.get_by_label("As the system").check()
    page.wait_for_selector("body:not(.dark)")
    page.emulate_media(color_scheme="dark")
    page.wait_for_selector("body.dark")
    page.get_by_label("Light", exact=True).check()
    page.wait_for_selector("body:not(.dark)")
    page.context.close()


def test_tabs_ask_nothing_of_another_host(playwright: Any, address: str, tmp_path: Path) -> None:
    with chromium(playwright, tmp_path) as browser:
        page = visit(browser, address)
        for name, ready in TABS.items():
            open_tab(page, name, ready)
    assert requested(tmp_path) == {"127.0.0.1"}


def test_tabs_are_reached_and_changed_by_keyboard(browser: Any, address: str) -> None:
    page = visit(browser, address)
    page.get_by_role("tab", name="Chat", exact=True).first.focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("#testset-about strong")
    chosen = page.get_by_role("tab", selected=True).all_inner_texts()
    assert [re.sub(r"\s", "", name) for name in chosen] == ["Evaluate"]
    page.context.close()
