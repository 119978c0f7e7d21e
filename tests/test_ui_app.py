"""The page in a real browser: asking, following markers, and what must never happen."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from browser import (
    CHROMIUM,
    HOSTILE,
    PIT,
    SCALER,
    ScriptedAssistant,
    ScriptedCollection,
    chromium,
    cite,
    related,
    requested,
    served,
)

from assistant.answer import Answer, Cell, Mark, Row, Statement, Table, Turn
from corpus.errors import InputError, ModelError

# Gradio's queue counts its events in a way that newer pandas calls deprecated.
pytestmark = [
    pytest.mark.filterwarnings("ignore:.*no_silent_downcasting"),
    pytest.mark.filterwarnings("ignore:The copy keyword is deprecated"),
]
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
FIGURE = "Over diverse models, speedups against state-of-the-art compilers reach 5.9x and average 2.43x."
PLANS = "It speeds up training by up to 3.5x against the best known plans."


def reply(question: str) -> Answer | Exception:
    if "fail" in question:
        return ModelError("The endpoint 'x' can't be reached; start it or choose another.")
    if "hostile" in question:
        text = f"{HOSTILE.label} {HOSTILE.title} ![i](http://192.0.2.1/x.png) $5 and $6 [1]."
        return cite(question, text, [(HOSTILE, HOSTILE.abstract or "")], related=related(HOSTILE))
    if "missing" in question:
        text = "The abstract of SuperScaler gives no MFU; it gives a speedup [1]."
        nearest = related(PIT, SCALER)
        return cite(question, text, [(SCALER, PLANS)], status="not_found", related=nearest)
    if "compare" in question:
        return comparison(question)
    return cite(
        question,
        "**PIT** reaches **5.9x** and **2.43x** on average [1]. SuperScaler speeds up training [2].",
        [(PIT, FIGURE), (SCALER, PLANS)],
        standalone_question=f"{question} (as understood)",
    )


def comparison(question: str) -> Answer:
    cells = tuple(Cell("Words enough to fill a column. " * 3, (Mark(1, (0,)),)) for _ in range(6))
    base = cite(question, "They differ [1].", [(PIT, FIGURE)])
    table = Table(tuple(f"System {n}" for n in range(6)), (Row("Approach", cells),))
    statement = Statement("They differ", (Mark(1, (0,)),), "verbatim", 1.0)
    return replace(base, table=table, sentences=(statement,))


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served(ScriptedAssistant(reply)) as url:
        yield url


def visit(browser: Any, address: str, *, width: int = 1280, scheme: str = "light") -> Any:
    context = browser.new_context(
        viewport={"width": width, "height": 800}, color_scheme=scheme, reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("button.example >> visible=true")
    return page


def ask(page: Any, question: str, turn: int = 1) -> None:
    """The question asked, and answer and sources waited for."""
    page.fill("#box textarea", question)
    page.press("#box textarea", "Enter")
    page.wait_for_selector(
        f"#exchange-{turn} .fault, .sources[data-turn='{turn}'] >> visible=true", state="attached"
    )
    page.wait_for_selector(f"#exchange-{turn} .writing", state="detached")


def in_view(page: Any, selector: str) -> bool:
    """Whether the middle of the element is on the screen, not behind something else."""
    return bool(
        page.eval_on_selector(
            selector,
            """element => { const box = element.getClientRects()[0];
            const seen = document.elementFromPoint(box.x + 4, box.y + box.height / 2);
            return element === seen || element.contains(seen); }""",
        )
    )


@needs_chromium
def test_an_answer_streams_and_its_marker_leads_to_the_quote(browser: Any, address: str) -> None:
    page = visit(browser, address)
    page.set_viewport_size({"width": 1280, "height": 420})
    ask(page, "What speedup does PIT reach?")
    assert page.inner_text("#exchange-1 .answer strong >> nth=1") == "5.9x"
    assert "understood as" in page.inner_text("#exchange-1 .about")
    assert not in_view(page, "#source-1-2 mark")
    page.click('#exchange-1 a.marker[href="#source-1-2"]')
    page.wait_for_selector("#source-1-2.active")
    assert in_view(page, "#source-1-2 mark")
    assert page.text_content("#source-1-2 mark.active") == PLANS
    assert page.text_content("#source-1-1 mark") == FIGURE
    assert "Ningxin Zheng, Huiqiang Jiang" in page.inner_text("#source-1-1 .byline")
    assert page.get_attribute("#source-1-1 .links a >> nth=0", "href") == PIT.url


@needs_chromium
def test_markers_work_from_the_keyboard_and_back(browser: Any, address: str) -> None:
    page = visit(browser, address)
    ask(page, "What speedup?")
    page.focus("#exchange-1 a.marker >> nth=1")
    page.keyboard.press("Enter")
    page.wait_for_selector("#source-1-2.active")
    assert page.evaluate("document.activeElement.id") == "source-1-2"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.getAttribute('href')") == "#source-1-2"


@needs_chromium
def test_an_older_answer_brings_its_own_sources_back(browser: Any, address: str) -> None:
    page = visit(browser, address)
    ask(page, "first?")
    ask(page, "missing?", 2)
    page.wait_for_selector("#source-2-1")
    assert not page.is_visible("#source-1-1")
    page.click("#exchange-1 a.marker >> nth=0")
    assert page.is_visible("#source-1-1")
    assert not page.is_visible("#source-2-1")
    ask(page, "third?", 3)
    page.wait_for_selector("#source-3-1")
    assert not page.is_visible("#source-1-1")


@needs_chromium
def test_not_found_looks_different_and_opens_the_nearest(browser: Any, address: str) -> None:
    page = visit(browser, address)
    ask(page, "found?")
    ask(page, "missing?", 2)
    colours = [
        page.eval_on_selector(f"#exchange-{turn} .answer", "e => getComputedStyle(e).backgroundColor")
        for turn in (1, 2)
    ]
    assert colours[0] != colours[1]
    assert page.inner_text("#exchange-2 .verdict") == "Not in these abstracts"
    page.click("#exchange-2 a.near >> nth=0")
    assert page.is_visible("#related-2-0 .abstract")


@needs_chromium
def test_hostile_text_stays_text(browser: Any, address: str) -> None:
    page = visit(browser, address)
    ask(page, "hostile <img src=x onerror='window.hit=7'>?")
    page.click("#exchange-1 a.marker")
    page.click("#sources summary")
    page.wait_for_timeout(300)
    assert page.evaluate("window.hit") is None
    assert (
        page.query_selector("#thread img, #thread script, #sources img, #sources script, #sources svg")
        is None
    )
    assert page.query_selector("#thread .katex, #sources .katex") is None
    assert "$5 and $6" in page.inner_text("#exchange-1 .answer")
    assert "<script>window.hit=2</script> ${window.hit=3} {{value}}" in page.inner_text("#source-1-1 .title")
    assert page.query_selector('[href^="javascript" i]') is None


@needs_chromium
def test_two_readers_never_see_each_other(browser: Any, tmp_path: Path) -> None:
    assistant = ScriptedAssistant(reply)
    with served(assistant) as url:
        one, two = visit(browser, url), visit(browser, url)
        ask(one, "question of one")
        ask(two, "question of two")
        ask(one, "more of one", 2)
        assert "two" not in one.inner_text("#thread")
        assert "one" not in two.inner_text("#thread")
        two.reload()
        two.wait_for_selector("#exchange-1 a.marker")
        assert "question of one" not in two.content()
        assert "question of two" not in one.content()
    said = {question: history for question, history in assistant.asked}
    assert said["question of two"] == []
    assert said["more of one"][0] == Turn("user", "question of one")
    assert "question of two" not in str(said["more of one"])


@needs_chromium
def test_stop_keeps_what_was_written_and_clear_starts_anew(browser: Any) -> None:
    assistant = ScriptedAssistant(reply, gate=threading.Event())
    with served(assistant) as url:
        page = visit(browser, url)
        page.fill("#box textarea", "What speedup?")
        page.click("#ask")
        page.wait_for_selector("#exchange-1 .writing strong")
        page.fill("#box textarea", "Too early?")
        page.press("#box textarea", "Enter")
        page.wait_for_timeout(500)
        assert page.input_value("#box textarea") == "Too early?"
        page.click("#stop")
        page.wait_for_selector("#exchange-1 .stopped")
        assistant.gate.set()
        assert "PIT" in page.inner_text("#exchange-1 .answer")
        assert "[2]" not in page.text_content("#exchange-1 .answer")
        ask(page, "And now?", 2)
        assert page.query_selector("#exchange-2 a.marker") is not None
        page.click("#talks-new")
        page.wait_for_selector("button.example >> visible=true")
        assert page.query_selector(".exchange") is None
        assert page.is_visible(".no-sources")
        ask(page, "afresh?")
    assert assistant.asked[-1] == ("afresh?", [])
    assert assistant.finished == ["And now?", "afresh?"]


@needs_chromium
def test_a_fault_is_one_line_and_the_question_is_kept(browser: Any, address: str) -> None:
    page = visit(browser, address)
    ask(page, "please fail")
    assert page.inner_text("#exchange-1 .fault").startswith("The endpoint 'x' can't be reached;")
    assert page.input_value("#box textarea") == "please fail"
    ask(page, "again?", 2)
    page.wait_for_selector("#source-2-1")


@needs_chromium
def test_an_empty_and_an_endless_question_are_not_asked(browser: Any) -> None:
    assistant = ScriptedAssistant(reply)
    with served(assistant) as url:
        page = visit(browser, url)
        page.fill("#box textarea", "  \n ")
        page.press("#box textarea", "Enter")
        page.fill("#box textarea", "q" * 1_000_000)
        page.press("#box textarea", "Enter")
        page.wait_for_selector("#notice .fault")
        assert "1,000,000 characters" in page.inner_text("#notice")
        assert len(page.input_value("#box textarea")) == 1_000_000
        assert assistant.asked == []
        ask(page, "a short one?")
        assert not page.is_visible("#notice")


@needs_chromium
def test_the_examples_are_of_this_collection_and_ask(browser: Any) -> None:
    assistant = ScriptedAssistant(reply)
    with served(assistant) as url:
        page = visit(browser, url)
        assert page.inner_text("button.example >> nth=0") == "What does PIT do?"
        assert "mine" in page.inner_text("#head")
        assert "3 papers" in page.inner_text("#head")
        page.click("button.example >> nth=1")
        page.wait_for_selector("#exchange-1 a.marker")
        assert not page.is_visible("button.example >> nth=0")
        assistant.collection.held.append(replace(PIT, id="p9"))
        ask(page, "next?", 2)
        page.wait_for_selector("#head >> text=4 papers")
    assert assistant.asked[0][0] == "How does SuperScaler work?"


@needs_chromium
def test_the_built_in_collection_says_how_to_add_papers(browser: Any) -> None:
    collection = ScriptedCollection("efficient-ml", [PIT])
    with served(ScriptedAssistant(reply, collection=collection)) as url:
        page = visit(browser, url)
        assert "assistant ingest" in page.inner_text("#welcome")


@needs_chromium
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_stand_out_from_their_ground(browser: Any, address: str, scheme: str) -> None:
    page = visit(browser, address, scheme=scheme)
    ask(page, "found?")
    ask(page, "missing?", 2)
    faint = page.evaluate(CONTRAST)
    assert faint == []
    paper = page.eval_on_selector("body", "e => getComputedStyle(e).backgroundColor")
    assert paper == {"light": "rgb(251, 250, 248)", "dark": "rgb(22, 24, 27)"}[scheme]


@needs_chromium
def test_a_phone_never_scrolls_sideways(browser: Any, address: str) -> None:
    page = visit(browser, address, width=390)
    for turn, question in enumerate(("found?", "missing?", "compare?", "hostile?", "w" * 300), 1):
        ask(page, question, turn)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
    wide = page.eval_on_selector("#exchange-3 .table-scroll", "e => [e.scrollWidth, e.clientWidth]")
    assert wide[0] > wide[1]
    assert in_view(page, "#box textarea")
    assert in_view(page, "#exchange-5 .question p")
    page.click("#exchange-3 a.marker >> nth=0")
    assert in_view(page, "#source-3-1 h3")
    page.click("#source-3-1 a.back")
    assert in_view(page, "#exchange-3 a.marker")


@needs_chromium
def test_the_newest_answer_is_in_view(browser: Any, address: str) -> None:
    page = visit(browser, address)
    for turn in range(1, 8):
        ask(page, "found?", turn)
    assert in_view(page, "#exchange-7 .question p")
    assert in_view(page, "#exchange-7 a.marker")
    assert not in_view(page, "#exchange-1 .question p")


@needs_chromium
def test_nothing_is_asked_of_another_host(playwright: Any, address: str, tmp_path: Path) -> None:
    with chromium(playwright, tmp_path) as browser:
        page = visit(browser, address)
        asked: list[str] = []
        page.context.on("request", lambda request: asked.append(request.url))
        ask(page, "hostile?")
        page.click("#exchange-1 a.marker")
        page.reload()
        page.wait_for_selector("#exchange-1 a.marker")
    assert asked
    assert [url for url in asked if not url.startswith((address, "data:", "blob:"))] == []
    assert requested(tmp_path) == {"127.0.0.1"}


def test_the_server_offers_nothing_beside_the_page(address: str) -> None:
    with urlopen(f"{address}gradio_api/info") as told:
        assert json.load(told)["named_endpoints"] == {}
    with pytest.raises(HTTPError, match="403") as refused:
        urlopen(f"{address}gradio_api/file={Path(__file__).absolute()}")
    refused.value.close()
    for path in ("v1/models", "docs", "openapi.json", "gradio_api/mcp"):
        with pytest.raises(HTTPError, match="404") as refused:
            urlopen(f"{address}{path}")
        refused.value.close()


def test_an_upload_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from ui import server

    assert server.LARGEST_UPLOAD == "200mb"
    monkeypatch.setattr(server, "LARGEST_UPLOAD", "1kb")
    head = b'--x\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\n'
    form = head + b"a" * 5000 + b"\r\n--x--\r\n"
    kind = {"Content-Type": "multipart/form-data; boundary=x"}
    with served(ScriptedAssistant(reply)) as address:
        with pytest.raises(HTTPError, match="413") as refused:
            urlopen(Request(f"{address}gradio_api/upload", form, kind))
        refused.value.close()


def test_a_port_in_use_is_said_so() -> None:
    from ui.server import listen

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(InputError, match=f"port {taken.getsockname()[1]}.*--port"):
            listen("127.0.0.1", taken.getsockname()[1])
    for port in (0, -1, 70_000):
        with pytest.raises(InputError, match=f"{port}; choose one from 1 to 65535"):
            listen("127.0.0.1", port)
    with pytest.raises(InputError, match=r"192\.0\.2\.1"):
        listen("192.0.2.1", 7860)


CONTRAST = """() => {
  const rgb = text => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
    .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = element => {
    for (let e = element; e; e = e.parentElement) {
      const colour = rgb(getComputedStyle(e).backgroundColor);
      if (colour.length < 4 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  };
  const faint = [];
  for (const element of document.querySelectorAll("#head *, #thread *, #sources *, #composer *")) {
    const own = [...element.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
    const style = getComputedStyle(element);
    if (!own || !element.offsetParent || parseFloat(style.fontSize) === 0) continue;
    const [a, b] = [light(rgb(style.color)), light(ground(element))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) faint.push([element.className, ratio.toFixed(2), element.textContent]);
  }
  return faint;
}"""
