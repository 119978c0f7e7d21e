"""An answer and its sources in a real browser: cards, copying, verdicts, next questions, picks, keys."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

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
    quote,
    related,
    requested,
    served,
)

from assistant.answer import Answer, Cell, Citation, Mark, Row, Statement, Table, Timings
from assistant.feedback import read
from assistant.retrieve import Filters
from corpus.errors import ModelError
from corpus.layout import Layout

# Gradio's queue counts its events in a way that newer pandas calls deprecated.
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed"),
    pytest.mark.filterwarnings("ignore:.*no_silent_downcasting"),
    pytest.mark.filterwarnings("ignore:The copy keyword is deprecated"),
]
FIGURE = "Over diverse models, speedups against state-of-the-art compilers reach 5.9x and average 2.43x."
KIND = "PIT is a compiler for such dynamic sparsity."
PLANS = "It speeds up training by up to 3.5x against the best known plans."
WAIT = 60_000


def reply(question: str) -> Answer | Exception:
    if "fail" in question:
        return ModelError("The endpoint 'x' can't be reached; start it or choose another.")
    if "missing" in question:
        nearest = related(PIT, SCALER)
        return cite(
            question, "SuperScaler gives no MFU [1].", [(SCALER, PLANS)], status="not_found", related=nearest
        )
    if "compare" in question.casefold():
        return comparison(question)
    if "formula" in question:
        text = "It costs $O(n \\log n)$, \\(x_i^2\\) and $\\frac{1$, not $5 and $6, <b>x</b> $x<b>y$ [1]."
        return cite(question, text, [(PIT, FIGURE)])
    return doubted(question)


def doubted(question: str) -> Answer:
    """Three sentences: one in the abstract's words, one only partly borne out, one of the other paper."""
    one, two, three = "PIT reaches **5.9x**", "PIT is for static sparsity", "SuperScaler is like <b>it</b>"
    why = ("“static” isn't in the abstract",)
    return replace(
        cite(question, f"{one} [1]. {two} [1]. {three} [2].", []),
        citations=(
            Citation(1, "p1", "PIT", (quote(PIT, FIGURE), quote(PIT, KIND))),
            Citation(2, "p2", "SuperScaler", (quote(SCALER, PLANS),)),
        ),
        sentences=(
            Statement(one, (Mark(1, (0,)),), "verbatim", 1.0),
            Statement(two, (Mark(1, (1,)),), "partly", 0.4, why),
            Statement(three, (Mark(2, (0,)),), "supported", 0.9),
        ),
        related=related(HOSTILE),
        model="openai:some-model",
        timings_ms=Timings(total=1234.0),
    )


def comparison(question: str) -> Answer:
    cells = tuple(Cell("Words enough to fill a column. " * 3, (Mark(1, (0,)),)) for _ in range(6))
    base = cite(question, "They differ [1].", [(PIT, FIGURE)], kind="compare")
    table = Table(tuple(f"System {n}" for n in range(6)), (Row("Approach", cells),))
    return replace(base, table=table)


@pytest.fixture(scope="module")
def assistant() -> ScriptedAssistant:
    return ScriptedAssistant(reply)


@pytest.fixture(scope="module")
def address(assistant: ScriptedAssistant) -> Iterator[str]:
    with served(assistant) as url:
        yield url


def visit(browser: Any, address: str, *, width: int = 1280, scheme: str = "light") -> Any:
    context = browser.new_context(
        viewport={"width": width, "height": 800}, color_scheme=scheme, reduced_motion="reduce"
    )
    context.set_default_timeout(WAIT)
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("button.example >> visible=true")
    return page


def done(page: Any, turn: int) -> None:
    """Nothing, once the exchange is whole and the page at rest."""
    page.wait_for_selector(f"#exchange-{turn} .under .actions")
    page.wait_for_selector("#ask >> visible=true")


def ask(page: Any, question: str, turn: int = 1) -> None:
    page.fill("#box textarea", question)
    page.press("#box textarea", "Enter")
    done(page, turn)


def focused(page: Any) -> str:
    return str(
        page.evaluate("document.activeElement.closest('#box') ? 'box' : document.activeElement.className")
    )


def box(page: Any) -> str:
    return str(page.input_value("#box textarea"))


def test_a_card_shows_the_quote_of_this_very_sentence(browser: Any, address: str) -> None:
    page = visit(browser, address)
    ask(page, "What speedup?")
    page.hover("#exchange-1 a.marker >> nth=0")
    page.wait_for_selector("#source-card >> visible=true")
    assert page.inner_text("#source-card .name") == "PIT 2023"
    assert page.locator("#source-card blockquote").all_inner_texts() == [FIGURE]
    assert page.inner_text("#source-card .support") == "In the abstract’s own words"
    page.hover("#source-card")
    page.hover("#exchange-1 a.marker >> nth=1")
    page.wait_for_selector(f"#source-card blockquote >> text={KIND}")
    assert page.inner_text("#source-card .support").startswith(
        "Only partly supported by what it cites (“static”"
    )
    page.keyboard.press("Escape")
    assert not page.is_visible("#source-card")


def test_a_card_comes_with_the_keyboard_and_goes_with_esc(browser: Any, address: str) -> None:
    page = visit(browser, address)
    ask(page, "What speedup?")
    page.focus("#exchange-1 a.marker >> nth=0")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.wait_for_selector("#source-card >> text=SuperScaler")
    marker = page.locator("#exchange-1 a.marker >> nth=2")
    assert marker.get_attribute("aria-describedby") == "source-card"
    page.keyboard.press("Escape")
    assert not page.is_visible("#source-card")
    assert marker.get_attribute("aria-describedby") is None
    assert page.evaluate("document.activeElement.getAttribute('href')") == "#source-1-2"


def test_a_doubted_sentence_shows_at_its_marker_and_below_with_why(browser: Any, address: str) -> None:
    page = visit(browser, address)
    ask(page, "What speedup?")
    colours = page.eval_on_selector_all(
        "#exchange-1 a.marker", "all => all.map(e => getComputedStyle(e).color)"
    )
    assert colours[0] == colours[2] != colours[1]
    assert "static" in page.inner_text("#exchange-1 .caution")
    assert "“static” isn't in the abstract" in page.inner_text("#exchange-1 .caution")
    assert "A figure · openai:some-model · 1.2 s" in page.inner_text("#exchange-1 .about")
    label = page.get_attribute("#exchange-1 a.marker >> nth=1", "aria-label")
    assert label == "Source 1: PIT; only partly supported by what it cites"


def test_copies_hold_references_and_bibtex(browser: Any, address: str) -> None:
    page = visit(browser, address)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ask(page, "What *speedup*?")
    page.click("#exchange-1 >> text=Copy as Markdown")
    page.wait_for_selector("#exchange-1 .actions >> text='Copied'")
    text = page.evaluate("navigator.clipboard.readText()")
    assert "SuperScaler is like <b>it</b> [2]." in text
    assert "[1] Ningxin Zheng, Huiqiang Jiang, Quanlu Zhang (2023). PIT" in text
    page.click("#exchange-1 >> text=Copy BibTeX")
    page.wait_for_function("navigator.clipboard.readText().then(text => text.startsWith('@'))")
    assert page.evaluate("navigator.clipboard.readText()").count("@") == 2


def test_copying_works_where_the_clipboard_is_closed(browser: Any, address: str) -> None:
    page = visit(browser, address)
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    ask(page, "What speedup?")
    page.click("#exchange-1 >> text=Copy BibTeX")
    page.wait_for_selector("#exchange-1 .actions >> text='Copied'")
    page.focus("#box textarea")
    page.keyboard.press("Control+v")
    assert box(page).startswith("@")


def test_verdicts_are_kept_with_reason_and_note(browser: Any, tmp_path: Path) -> None:
    collection = ScriptedCollection("mine", [PIT, SCALER, HOSTILE])
    collection.layout = Layout(tmp_path, "mine")
    with served(ScriptedAssistant(reply, collection=collection)) as url:
        page = visit(browser, url)
        ask(page, "What speedup?")
        page.click("#exchange-1 .thumb.up")
        page.wait_for_selector("#exchange-1 .said >> text=kept on this machine")
        assert page.get_attribute("#exchange-1 .thumb.up", "aria-pressed") == "true"
        page.click("#exchange-1 .thumb.down")
        assert focused(page) == page.evaluate("document.querySelector('.complaint input').className")
        page.keyboard.press("Escape")
        assert not page.is_visible(".complaint")
        assert "down" in focused(page)
        page.keyboard.press("Enter")
        page.check("#exchange-1 .complaint >> text=Citation doesn't say it")
        page.fill("#exchange-1 .complaint textarea", "not <b>static</b>")
        page.keyboard.press("Escape")
        page.click("#exchange-1 .thumb.down")
        page.click("#exchange-1 .complaint >> text=Send")
        page.wait_for_selector("#exchange-1 .thumb.down[aria-pressed=true]")
        assert not page.is_visible(".complaint")
        ask(page, "And then?", 2)
        page.wait_for_selector("#exchange-1 .thumb.down[aria-pressed=true]")
    (kept,) = read(Layout(tmp_path, "mine"))
    assert (kept.verdict, kept.reason, kept.note) == ("down", "citation doesn't say it", "not <b>static</b>")
    lines = [
        json.loads(line) for line in (tmp_path / "mine" / "feedback.jsonl").read_text("utf-8").splitlines()
    ]
    assert [line["verdict"] for line in lines] == ["up", "down"]
    assert kept.answer.sentences[1].support == "partly"


def test_a_verdict_that_cannot_be_kept_is_said(browser: Any, tmp_path: Path) -> None:
    collection = ScriptedCollection("mine", [PIT, SCALER])
    collection.layout = Layout(tmp_path, "mine")
    (tmp_path / "mine").write_text("in the way")
    with served(ScriptedAssistant(reply, collection=collection)) as url:
        page = visit(browser, url)
        ask(page, "What speedup?")
        page.click("#exchange-1 .thumb.up")
        page.wait_for_selector("#exchange-1 .said >> text=be kept in")
        assert page.get_attribute("#exchange-1 .thumb.up", "aria-pressed") == "false"


def test_a_suggested_question_is_asked(browser: Any, address: str, assistant: ScriptedAssistant) -> None:
    page = visit(browser, address)
    ask(page, "What speedup?")
    suggested = page.locator("#exchange-1 .next button").all_inner_texts()
    assert 2 <= len(suggested) <= 3
    page.click("#exchange-1 .next button >> nth=0")
    done(page, 2)
    assert assistant.asked[-1][0] == suggested[0]
    assert not page.is_visible("#exchange-1 .next")
    assert page.is_visible("#exchange-1 .thumb.up")


def holds(page: Any, text: str) -> None:
    """Nothing, once the box holds the text."""
    page.wait_for_function("text => document.querySelector('#box textarea').value === text", arg=text)


def test_ask_again_takes_the_place_of_the_answer(browser: Any) -> None:
    assistant = ScriptedAssistant(reply)
    with served(assistant) as url:
        page = visit(browser, url)
        ask(page, "first?")
        ask(page, "please fail", 2)
        assert page.is_visible("#exchange-2 .fault")
        # What is in the box goes when a question is on its way; one that fails comes back into it.
        page.fill("#box textarea", "something else")
        page.click("#exchange-2 >> text=Ask again")
        holds(page, "please fail")
        page.wait_for_function("() => !document.querySelector('#stop')?.offsetParent")
        done(page, 2)
        page.wait_for_function("() => document.querySelectorAll('.exchange').length === 2")
        page.fill("#box textarea", "")
        ask(page, "third?", 3)
        page.fill("#box textarea", "something else")
        page.click("#exchange-3 >> text=Ask again")
        holds(page, "")
        page.wait_for_selector("#exchange-3 .writing", state="detached")
        page.wait_for_function("() => !document.querySelector('#stop')?.offsetParent")
        done(page, 3)
        page.click("#exchange-3 >> text=Edit question")
        assert box(page) == "third?"
    questions = [question for question, _ in assistant.asked]
    assert questions[:3] == ["first?", "please fail", "please fail"]
    assert questions[3] == "third?"
    said = [[turn.content for turn in history if turn.role == "user"] for _, history in assistant.asked]
    assert said[2] == ["first?"]
    assert all(one == ["first?"] for one in said[3:])


def test_only_picked_papers_are_asked(browser: Any) -> None:
    assistant = ScriptedAssistant(reply)
    with served(assistant) as url:
        page = visit(browser, url)
        ask(page, "What speedup?")
        page.check("#source-1-1 .pick input")
        page.wait_for_selector("#picked .picked >> text=PIT")
        page.check("#source-1-2 .pick input")
        page.wait_for_selector("#picked .picked >> text=SuperScaler")
        ask(page, "And these?", 2)
        page.wait_for_selector("#source-2-1 .pick input:checked")
        page.click("#picked .picked >> text=PIT")
        page.wait_for_selector("#source-2-1 .pick input:not(:checked)")
        ask(page, "And this?", 3)
        page.click("#picked >> text=Use all papers")
        page.wait_for_selector("#picked .picked", state="detached")
        ask(page, "And all?", 4)
        page.check("#source-4-1 .pick input")
        page.wait_for_selector("#picked .picked")
        page.click("#talks-new")
        page.wait_for_selector("#picked .picked", state="detached")
    assert assistant.filtered == [None, Filters(papers=("p1", "p2")), Filters(papers=("p2",)), None]


def test_two_readers_pick_apart(browser: Any, address: str) -> None:
    one, two = visit(browser, address), visit(browser, address)
    ask(one, "What speedup?")
    ask(two, "What speedup?")
    one.check("#source-1-1 .pick input")
    one.wait_for_selector("#picked .picked")
    two.check("#source-1-2 .pick input")
    two.wait_for_selector("#picked .picked")
    assert two.locator("#picked .picked").all_inner_texts() == ["SuperScaler"]
    assert one.locator("#picked .picked").all_inner_texts() == ["PIT"]


def test_a_paper_puts_questions_into_the_box(browser: Any, address: str) -> None:
    page = visit(browser, address)
    ask(page, "What speedup?")
    page.click("#source-1-1 >> text=Ask about this paper")
    assert box(page) == "What does PIT do?"
    assert focused(page) == "box"
    page.click("#source-1-1 >> text=Compare with…")
    choices = page.locator(".compare-menu button").all_inner_texts()
    assert choices == ["SuperScaler", HOSTILE.label, "another paper…"]
    page.keyboard.press("Escape")
    assert page.query_selector(".compare-menu") is None
    assert page.evaluate("document.activeElement.textContent") == "Compare with…"
    page.keyboard.press("Enter")
    page.click(".compare-menu >> text=SuperScaler")
    assert box(page) == "Compare PIT and SuperScaler"
    assert page.evaluate("window.hit") is None


def test_the_keys_of_the_box(browser: Any) -> None:
    assistant = ScriptedAssistant(reply, gate=threading.Event())
    with served(assistant) as url:
        page = visit(browser, url)
        page.focus("#box textarea")
        page.keyboard.press("ArrowUp")
        assert box(page) == ""
        page.keyboard.type("one")
        page.keyboard.press("Shift+Enter")
        page.keyboard.type("two")
        assert box(page) == "one\ntwo"
        page.keyboard.press("Enter")
        page.wait_for_selector("#exchange-1 .writing strong")
        page.keyboard.press("Escape")
        page.wait_for_selector("#exchange-1 .stopped")
        assistant.gate.set()
        page.wait_for_selector("#ask >> visible=true")
        page.focus("#exchange-1 .actions button >> nth=0")
        page.keyboard.press("/")
        assert focused(page) == "box"
        assert box(page) == ""
        page.keyboard.press("ArrowUp")
        assert box(page) == "one\ntwo"
        page.keyboard.type("/")
        assert box(page) == "one\ntwo/"
    assert assistant.asked[0][0] == "one\ntwo"


def test_formulas_are_drawn_and_prices_are_not(playwright: Any, address: str, tmp_path: Path) -> None:
    with chromium(playwright, tmp_path) as browser:
        page = visit(browser, address)
        ask(page, "a formula?")
        page.wait_for_function("() => document.querySelectorAll('#exchange-1 .formula .katex').length === 3")
        page.wait_for_function("() => document.fonts.check('16px KaTeX_Main')")
        text = page.inner_text("#exchange-1 .answer p >> nth=0")
        assert "$5 and $6, <b>" in text.replace("\u00a0", " ")
        assert "$\\frac{1$" in text
        assert page.query_selector("#exchange-1 .katex-error") is None
        formula = page.locator("#exchange-1 .formula >> nth=0")
        assert (
            formula.evaluate("e => getComputedStyle(e.querySelector('.katex-mathml')).position") == "absolute"
        )
    assert requested(tmp_path) == {"127.0.0.1"}


def test_a_table_keeps_its_first_column_in_sight(browser: Any, address: str) -> None:
    page = visit(browser, address, width=390)
    ask(page, "compare?")
    page.eval_on_selector("#exchange-1 .table-scroll", "e => { e.scrollLeft = e.scrollWidth; }")
    offset = page.evaluate(
        """() => document.querySelector('tbody th').getBoundingClientRect().left
        - document.querySelector('.table-scroll').getBoundingClientRect().left"""
    )
    assert abs(offset) < 3
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.query_selector("#exchange-1 tbody td a.marker") is not None


@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_spills_over(browser: Any, address: str, width: int) -> None:
    page = visit(browser, address, width=width)
    ask(page, "What speedup?")
    page.wait_for_selector("#source-1-2")
    page.click("#exchange-1 .thumb.down")
    page.check("#source-1-2 .pick input")
    page.wait_for_selector("#picked .picked")
    page.click("#source-1-1 >> text=Compare with…")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    wide = page.evaluate(
        """() => [...document.querySelectorAll('#chat button, #panel button, #chat label, #panel label')]
        .filter(e => e.offsetParent && !e.closest('.table-scroll'))
        .filter(e => e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML)"""
    )
    assert wide == []
