"""The Collection tab in a real browser over real collections: adding, finding, reading, removing, the map."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from browser import CHROMIUM, chromium, free_port

from assistant.assistant import Assistant
from assistant.config import Settings
from assistant.library import Library
from corpus.layout import Layout
from corpus.lock import writer_lock

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed"),
    pytest.mark.filterwarnings("ignore:.*no_silent_downcasting"),
    pytest.mark.filterwarnings("ignore:The copy keyword is deprecated"),
]
PATIENCE = 60_000
HOSTILE = "<script>window.hit=1</script><img src=x onerror=window.hit=2> ${window.hit=3} {{value}}"
RECORDS = [
    {
        "title": f"{name}: a system for {topic}",
        "abstract": f"We present {name}, a system for {topic}. {name} is {n}.5x faster than what was there.",
        "authors": [f"Ada {name}", "Bo Lind"],
        "year": 2015 + n,
        "venue": "OSDI" if n % 2 else "SOSP",
        "keywords": [topic, "systems"],
        "doi": f"10.1000/x{n}",
    }
    for n, (name, topic) in enumerate(
        [
            ("Zebranet", "bee keeping"),
            ("Yakflow", "sparse matrices"),
            ("Xylocache", "caching of web pages"),
            ("Wombatnet", "weather forecasts"),
            ("Vulpes", "protein folding"),
            ("Urchin", "speech recognition"),
        ],
        1,
    )
]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with (
        sync_playwright() as running,
        chromium(running, tmp_path_factory.mktemp("profile")) as found,
    ):
        yield found


@contextmanager
def shelf(browser: Any, home: Path, *, width: int = 1280) -> Iterator[Any]:
    """The Collection tab of a chat served over the data folder."""
    from ui.app import build, start

    settings = Settings(home, "default", "none", "local", None)
    with closing(Assistant.open(settings)) as assistant, closing(Library(settings, assistant)) as library:
        blocks = build(assistant, library=library)
        try:
            page = visit(browser, start(blocks, host="127.0.0.1", port=free_port()), width=width)
            yield page
        finally:
            blocks.close()


def visit(browser: Any, address: str, *, width: int = 1280) -> Any:
    context = browser.new_context(viewport={"width": width, "height": 900}, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    enter(page)
    return page


def enter(page: Any) -> None:
    """The Collection tab, opened and filled."""
    page.click("#tabs [role=tab] >> text=Collection")
    page.wait_for_selector("#shelf-results table, #shelf-results .nothing")


def put(page: Any, *files: Path) -> str:
    """The report of an upload of these files."""
    if page.is_visible("[data-act=dismiss]"):
        page.click("[data-act=dismiss]")
        page.wait_for_selector(".import", state="hidden")
    page.set_input_files("#shelf-drop input[type=file]", [str(file) for file in files])
    page.wait_for_selector(".import:not(.running) [data-act=dismiss]")
    return str(page.inner_text(".import"))


def papers(folder: Path, records: list[dict[str, Any]], name: str = "papers.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return path


def labels(page: Any) -> list[str]:
    return list(page.locator("#shelf-results button.open").all_inner_texts())


def shows(page: Any, expected: list[str]) -> None:
    """Nothing, once the table shows these papers in this order."""
    page.wait_for_function(
        "want => JSON.stringify([...document.querySelectorAll('#shelf-results button.open')]"
        ".map(e => e.innerText)) === JSON.stringify(want)",
        arg=expected,
    )


NAMES = ["Zebranet", "Yakflow", "Xylocache", "Wombatnet", "Vulpes", "Urchin"]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory, embedder: Any) -> Path:
    """A data folder whose `default` holds the records."""
    from corpus.readers import read_path
    from corpus.sync import ingest

    folder = tmp_path_factory.mktemp("filled")
    ingest(folder / "home", "default", read_path(papers(folder, RECORDS)), embedder)
    return folder / "home"


@pytest.fixture(scope="module")
def page(browser: Any, filled: Path) -> Iterator[Any]:
    """The tab over the records, shared by tests that change nothing."""
    with shelf(browser, filled) as found:
        yield found


@pytest.fixture
def fresh(page: Any) -> Any:
    """The shared page at its beginning."""
    page.reload()
    enter(page)
    return page


def test_added_to_the_built_in_collection_papers_go_to_default(browser: Any, tmp_path: Path) -> None:
    with shelf(browser, tmp_path / "home") as page:
        assert "efficient-ml" in page.inner_text("#shelf-bar select option:checked")
        page.wait_for_selector("#shelf-results >> text=406 papers")
        name = f"{uuid4().hex}.jsonl"
        from gradio.utils import get_upload_folder

        report = put(page, papers(tmp_path, RECORDS, name))
        assert "go to “default”" in report
        assert "6 added" in report
        shows(page, NAMES)
        page.wait_for_selector("#head >> text=default")
        page.click("#tabs [role=tab] >> text=Chat")
        page.fill("#box textarea", "How much faster is Wombatnet?")
        page.press("#box textarea", "Enter")
        page.wait_for_selector("#exchange-1 .answer:not(.writing)")
        assert "4.5x" in page.inner_text("#exchange-1 .answer")
        assert not list(Path(get_upload_folder()).rglob(name))


def test_a_bad_file_shows_its_report_and_loses_nothing(browser: Any, tmp_path: Path) -> None:
    bad = tmp_path / "broken.jsonl"
    bad.write_text('{"title": "Whole", "abstract": "A paper that is whole."}\n{"title": \n[1]\n', "utf-8")
    picture = tmp_path / "picture.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    with shelf(browser, tmp_path / "home") as page:
        put(page, papers(tmp_path, RECORDS))
        page.check("[name=view][value=map]", force=True)
        page.wait_for_selector("#shelf-map canvas:not([data-map])")
        report = put(page, bad, picture)
        assert "1 added" in report
        assert "3 rejected" in report
        assert "broken.jsonl, record 2" in report
        assert "picture.png" in report
        assert page.locator(".faults .remedy").count() >= 1
        page.wait_for_selector("#shelf-results .told >> text=7 papers")
        assert page.is_checked("[name=view][value=table]")
        page.click("[data-act=dismiss]")
        assert not page.is_visible(".import")


def test_another_writer_is_told_in_a_line(browser: Any, tmp_path: Path) -> None:
    with shelf(browser, tmp_path / "home") as page, writer_lock(Layout(tmp_path / "home", "default")):
        report = put(page, papers(tmp_path, RECORDS))
        assert "Another program is writing to 'default'" in report
        assert page.locator(".import .fault").count() == 1


def test_words_filters_and_order(fresh: Any) -> None:
    page = fresh
    shows(page, NAMES)
    page.select_option("[name=sort]", "title")
    shows(page, NAMES[::-1])
    page.select_option("[name=venue]", "SOSP")
    shows(page, ["Yakflow", "Wombatnet", "Urchin"][::-1])
    page.fill("[name=first]", "2018")
    shows(page, ["Urchin", "Wombatnet"])
    page.click("[data-act=reset]")
    shows(page, NAMES)
    page.fill("[name=query]", "forecasts of the weather")
    page.wait_for_selector("#shelf-results >> text=No paper holds all of these words")
    assert labels(page)[0] == "Wombatnet"
    page.fill("[name=query]", "weather")
    shows(page, ["Wombatnet"])
    page.fill("[name=query]", "")
    page.select_option("[name=keyword]", "sparse matrices")
    shows(page, ["Yakflow"])
    page.fill("[name=last]", "2010")
    page.wait_for_selector("#shelf-results >> text=No paper matches.")


def test_the_paper_page(fresh: Any) -> None:
    page = fresh
    page.focus("#shelf-results button.open >> nth=2")
    page.keyboard.press("Enter")
    page.wait_for_selector(".paper-page h2 >> text=Xylocache")
    assert page.evaluate("document.activeElement.matches('.paper-page')")
    text = page.inner_text(".paper-page")
    for part in ("Ada Xylocache, Bo Lind", "2018", "OSDI", "papers.jsonl, record 3", "3.5x faster"):
        assert part in text
    assert page.get_attribute(".paper-page .links a", "href") == "https://doi.org/10.1000/x3"
    page.click(".bibtex summary")
    assert "author = {Xylocache, Ada and Lind, Bo}" in page.inner_text(".bibtex code")
    page.click(".raw summary")
    assert '"doi": "10.1000/x3"' in page.inner_text(".raw code")
    page.keyboard.press("Escape")
    page.wait_for_selector(".paper-page", state="hidden")
    assert page.evaluate("document.activeElement.innerText") == "Xylocache"
    page.keyboard.press("Enter")
    page.wait_for_selector(".paper-page h2 >> text=Xylocache")
    page.click(".paper-page [data-act=close]")
    page.wait_for_selector(".paper-page", state="hidden")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.name") == "query"


def show_map(page: Any) -> None:
    """The map is there; on a page that was just changed a choice may be lost and is made again."""
    from playwright.sync_api import TimeoutError as TooLate

    for _ in range(4):
        page.check("[name=view][value=map]", force=True)
        with suppress(TooLate):
            page.wait_for_selector("#shelf-map canvas:not([data-map])", timeout=20_000)
            return
        page.check("[name=view][value=table]", force=True)
    raise AssertionError("the map never came")


def test_asking_about_a_paper_goes_to_the_chat(fresh: Any) -> None:
    page = fresh
    page.click("#shelf-results button.open >> nth=4")
    page.click(".paper-page [data-question]")
    page.wait_for_function("document.activeElement.matches('#box textarea')")
    assert page.input_value("#box textarea") == "What does Vulpes do?"
    page.press("#box textarea", "Enter")
    page.wait_for_selector("#exchange-1 .answer:not(.writing)")
    assert "Vulpes" in page.inner_text("#exchange-1 .answer")
    enter(page)
    show_map(page)
    marked = page.evaluate("document.querySelector('#shelf-map canvas').shows().marked")
    assert len(marked) >= 1
    shown = page.locator("#sources [data-paper]").first.get_attribute("data-paper")
    assert shown in marked


def test_a_click_on_the_map_opens_that_paper(fresh: Any) -> None:
    page = fresh
    ids = [page.get_attribute(f"#shelf-results tbody tr >> nth={n}", "data-paper") for n in range(6)]
    show_map(page)
    page.locator("#shelf-map canvas").scroll_into_view_if_needed()
    for n in (1, 4):
        at = page.evaluate("id => document.querySelector('#shelf-map canvas').placeOf(id)", ids[n])
        page.click("#shelf-map canvas", position=at)
        page.wait_for_selector(f".paper-page h2 >> text={NAMES[n]}")
        assert NAMES[n] in page.inner_text(".map-tip")
        page.click(".paper-page [data-act=close]")


def test_the_map_by_keyboard_and_its_list(fresh: Any) -> None:
    page = fresh
    show_map(page)
    page.focus("#shelf-map canvas")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("document.querySelector('.map-said').innerText !== ''")
    first = page.inner_text(".map-said").partition(",")[0]
    page.keyboard.press("Enter")
    page.wait_for_selector(f".paper-page h2 >> text={first}")
    page.click(".paper-page [data-act=close]")
    page.focus("#shelf-map canvas")
    page.keyboard.press("+")
    assert page.evaluate("document.querySelector('#shelf-map canvas').shows().scale") == 1.5
    page.click("[data-zoom=all]")
    page.click(".map-list summary")
    page.wait_for_function("document.querySelectorAll('.map-list li').length === 6")
    page.click(".map-list button >> text=Zebranet")
    page.wait_for_selector(".paper-page h2 >> text=Zebranet")
    page.select_option(".map-colour", "year")
    assert "2016 – 2021" in page.inner_text(".legend")


def test_removing_asks_first_and_takes_the_paper_out(browser: Any, tmp_path: Path) -> None:
    with shelf(browser, tmp_path / "home") as page:
        put(page, papers(tmp_path, RECORDS))
        shows(page, NAMES)
        page.click("#shelf-results button.open >> nth=1")
        page.wait_for_selector(".paper-page .removal")
        assert not page.is_visible(".removal .danger")
        page.click(".removal summary")
        page.click(".removal .danger")
        page.wait_for_selector(".paper-page.gone >> text=was removed")
        shows(page, [name for name in NAMES if name != "Yakflow"])
        page.select_option("#shelf-bar select", "efficient-ml")
        page.wait_for_selector("#shelf-results >> text=406 papers")
        page.click("#shelf-results button.open >> nth=0")
        page.wait_for_selector(".paper-page h2 >> text=PIT")
        assert page.locator(".removal").count() == 0


def test_a_new_collection_and_two_readers_apart(browser: Any, tmp_path: Path) -> None:
    with shelf(browser, tmp_path / "home") as page:
        other = visit(browser, page.url)
        page.click(".make summary")
        page.fill(".make input", "bad/name")
        page.click(".make button")
        page.wait_for_selector("#shelf-bar .fault >> text=bad/name")
        page.click(".make summary")
        page.fill(".make input", "mine")
        page.click(".make button")
        page.wait_for_selector("#shelf-results >> text=No papers yet")
        page.wait_for_selector("#head >> text=mine")
        assert "6 added" in put(page, papers(tmp_path, RECORDS))
        page.wait_for_selector("#head >> text=6 papers")
        assert "efficient-ml" in other.inner_text("#head")
        enter(other)
        other.click("#tabs [role=tab] >> text=Chat")
        other.fill("#box textarea", "What speedup does PIT reach?")
        other.press("#box textarea", "Enter")
        other.wait_for_selector("#exchange-1 .answer:not(.writing)")
        assert "2.43x" in other.inner_text("#exchange-1 .answer")


def test_hostile_words_are_text(browser: Any, tmp_path: Path) -> None:
    word = "w" * 1_000_000
    record = {
        "title": f"{HOSTILE} of titles",
        "abstract": f"We study {HOSTILE} and more of it.",
        "authors": [HOSTILE],
        "venue": HOSTILE,
        "keywords": [HOSTILE],
        "url": "javascript:window.hit=4",
    }
    long = {"title": f"Long {word}", "abstract": f"One long word: {word}.", "keywords": [word]}
    name = "<img src=x onerror=window.hit=5>.jsonl"
    with shelf(browser, tmp_path / "home") as page:
        put(page, papers(tmp_path, [record, long, {"title": None}], name))
        page.wait_for_selector("#shelf-results .told >> text=2 papers")
        for n in range(2):
            page.click(f"#shelf-results button.open >> nth={n}")
            page.wait_for_selector(f".paper-page >> text={'onerror' if n == 0 else 'characters'} >> nth=0")
            for summary in page.locator(".paper-page summary").all():
                summary.click()
        page.check("[name=view][value=map]", force=True)
        page.wait_for_selector("#shelf-map canvas:not([data-map])")
        page.click(".map-list summary")
        page.wait_for_function("document.querySelectorAll('.map-list li').length === 2")
        assert page.evaluate("window.hit") is None
        assert page.query_selector("#shelf img, #shelf script, [href^='javascript' i]") is None
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
