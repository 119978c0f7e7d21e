"""Pictures of every page of the chat, light and dark, wide and on a phone: `make screenshots`.

    python tests/screenshots.py [FOLDER]

The built-in collection is shown in a data folder that is gone afterwards; nothing of the user's is in sight.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))

from browser import CHROMIUM, chromium, served

from assistant.config import load_settings

OUT = Path(__file__).parents[1] / "docs" / "screens"
SIZES = {"wide": (1280, 800), "phone": (390, 844)}
SCHEMES = ("light", "dark")
QUESTION = "What speedup does PIT reach over state-of-the-art compilers?"
COMPARED = "Compare FlashAttention and FlashAttention-2"
MISSING = "What is the capital of France?"
_LONG = 120_000  # milliseconds: an evaluation on two busy cores


def _ask(page: Any, question: str) -> None:
    page.fill("#box textarea", question)
    page.press("#box textarea", "Enter")
    mine = "#current .exchange:has(.question)"
    page.wait_for_selector(f"{mine} .answer:not(.writing), {mine} .fault", timeout=_LONG)


def _empty(page: Any) -> None:
    page.wait_for_selector("#welcome h2")


def _answered(page: Any) -> None:
    _ask(page, QUESTION)
    page.click("#current a.marker >> nth=-1")
    page.wait_for_selector(".source.active")


def _comparison(page: Any) -> None:
    _ask(page, COMPARED)


def _refused(page: Any) -> None:
    _ask(page, MISSING)


def _tab(name: str, ready: str) -> Callable[[Any], None]:
    def show(page: Any) -> None:
        page.get_by_role("tab", name=name, exact=True).first.click()
        page.wait_for_selector(ready)

    return show


def _evaluated(page: Any) -> None:
    """A run on the smaller part of the built-in test set, once for all pictures of a browser's folder."""
    _tab("Evaluate", "#testset-about strong")(page)
    page.get_by_label("Part").click()
    page.get_by_role("option", name="test").click()
    page.click("#run")
    page.wait_for_selector("#run-result .report figure", timeout=_LONG)
    page.locator("#kept-runs").scroll_into_view_if_needed()


def _shelf(name: str, ready: str) -> Callable[[Any], None]:
    """The Collection tab, as a table or as the map."""

    def show(page: Any) -> None:
        _tab("Collection", "#shelf-results table")(page)
        page.locator(f"#shelf-form [name=view][value={name}]").check(force=True)
        page.wait_for_selector(ready, timeout=_LONG)

    return show


def _paper(page: Any) -> None:
    _tab("Collection", "#shelf-results table")(page)
    page.click("#shelf-results button.open >> nth=0")
    page.wait_for_selector("#shelf-paper .paper-page")


SCENES: dict[str, Callable[[Any], None]] = {
    "chat-empty": _empty,
    "chat-answer": _answered,
    "chat-comparison": _comparison,
    "chat-not-found": _refused,
    "collection": _shelf("table", "#shelf-results table"),
    "collection-map": _shelf("map", "#shelf-map canvas"),
    "collection-paper": _paper,
    "evaluate": _tab("Evaluate", "#testset-about strong"),
    "evaluate-report": _evaluated,
    "settings": _tab("Settings", "#about dl"),
}
"""What is shown in each picture; a new tab adds its scenes here."""


def shoot(out: Path, chosen: tuple[str, ...] = ()) -> list[Path]:
    """The pictures that were made: SCENE-SIZE-SCHEME.png, of the chosen scenes or of all."""
    from playwright.sync_api import sync_playwright

    from assistant.assistant import Assistant
    from assistant.library import Library

    out.mkdir(parents=True, exist_ok=True)
    made = []
    with tempfile.TemporaryDirectory(prefix="screens-") as folder, sync_playwright() as playwright:
        settings = load_settings(home=Path(folder) / "home", llm="none")
        with (
            closing(Assistant.open(settings)) as assistant,
            closing(Library(settings, assistant)) as library,
            served(assistant, library=library) as address,
            chromium(playwright, Path(folder)) as browser,
        ):
            for scheme in SCHEMES:
                for size, (width, height) in SIZES.items():
                    for name in chosen or SCENES:
                        context = browser.new_context(
                            viewport={"width": width, "height": height},
                            color_scheme=scheme,
                            reduced_motion="reduce",
                        )
                        page = context.new_page()
                        page.set_default_timeout(_LONG)
                        page.goto(address)
                        page.wait_for_selector("#welcome h2")
                        SCENES[name](page)
                        page.mouse.move(0, 0)
                        path = out / f"{name}-{size}-{scheme}.png"
                        page.screenshot(path=str(path), animations="disabled")
                        made.append(path)
                        context.close()
    return made


if __name__ == "__main__":
    if CHROMIUM is None:
        sys.exit("Chromium isn't installed; install it and run again")
    for variable in [name for name in os.environ if name.startswith(("ASSISTANT_", "OPENAI_"))]:
        del os.environ[variable]
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else OUT
    for picture in shoot(folder, tuple(sys.argv[2:])):
        sys.stdout.write(f"{picture}\n")
