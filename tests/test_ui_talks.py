"""Conversations in a real browser: listed, reopened, and safe from reloads, other readers and lost lines."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from browser import CHROMIUM, HOSTILE, PIT, SCALER, ScriptedAssistant, cite, free_port, served

from assistant.answer import Answer, Turn

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed"),
    pytest.mark.filterwarnings("ignore:.*no_silent_downcasting"),
    pytest.mark.filterwarnings("ignore:The copy keyword is deprecated"),
]
FIGURE = "Over diverse models, speedups against state-of-the-art compilers reach 5.9x and average 2.43x."
PLANS = "It speeds up training by up to 3.5x against the best known plans."
WAIT = 60_000


def reply(question: str) -> Answer:
    text = f"**PIT** reaches 5.9x [1] and SuperScaler is about {question.split()[-1]} [2]."
    return cite(question, text, [(PIT, FIGURE), (SCALER, PLANS)])


@contextmanager
def kept(assistant: ScriptedAssistant, home: Path) -> Iterator[str]:
    """The page's address, its conversations kept in `home`."""
    from ui.app import build, start

    blocks = build(assistant, home=home)  # type: ignore[arg-type]
    try:
        yield start(blocks, host="127.0.0.1", port=free_port())
    finally:
        blocks.close()


def reader(browser: Any, *, width: int = 1280) -> Any:
    """A browser of somebody's own."""
    context = browser.new_context(viewport={"width": width, "height": 800}, reduced_motion="reduce")
    context.set_default_timeout(WAIT)
    return context


def visit(context: Any, address: str) -> Any:
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("button.example >> visible=true")
    page.wait_for_selector("#talks-list .talks", state="attached")
    return page


def begin(page: Any, question: str) -> None:
    page.fill("#box textarea", question)
    page.press("#box textarea", "Enter")


def ask(page: Any, question: str, turn: int = 1) -> None:
    begin(page, question)
    whole(page, turn)


def whole(page: Any, turn: int = 1) -> None:
    """Nothing, once the answer is there with its sources."""
    page.wait_for_selector(f"#exchange-{turn} a.marker")
    page.wait_for_selector(f"#source-{turn}-1", state="attached")
    page.wait_for_selector("#ask >> visible=true")


def listed(page: Any) -> list[str]:
    found: list[str] = page.locator("#talks-list .name").all_inner_texts()
    return found


def act(page: Any, title: str, name: str) -> None:
    """What the menu of the conversation offers under that name."""
    item = page.locator("#talks-list .talk", has_text=title)
    item.hover()
    item.locator(".more").click()
    item.locator(".acts button", has_text=name).click()


def test_reopened_with_its_sources_after_the_server_was_started_again(browser: Any, tmp_path: Path) -> None:
    context = reader(browser)
    assistant, port = ScriptedAssistant(reply), free_port()
    from ui.app import build, start

    for time in (1, 2):
        blocks = build(assistant, home=tmp_path)  # type: ignore[arg-type]
        url = start(blocks, host="127.0.0.1", port=port)
        page = visit(context, url)
        if time == 1:
            ask(page, "What about tiles?")
            ask(page, "And about plans?", 2)
            page.click("#talks-new")
            page.wait_for_selector("button.example >> visible=true")
            ask(page, "Something about others?")
            assert listed(page) == ["Something about others?", "What about tiles?"]
        else:
            assert page.query_selector(".exchange") is None
            page.click("#talks-list .open >> text=What about tiles?")
            page.wait_for_selector("#exchange-2 a.marker")
            assert "tiles?" in page.inner_text("#exchange-1 .answer")
            page.click("#exchange-1 a.marker >> nth=0")
            page.wait_for_selector("#source-1-1.active mark.active")
            assert page.text_content("#source-1-1 mark.active") == FIGURE
            assert page.get_attribute("#talks-list [aria-current]", "title") == "What about tiles?"
            ask(page, "More about it?", 3)
            assert assistant.asked[-1][1][-2:] == [
                Turn("user", "And about plans?"),
                Turn("assistant", reply("And about plans?").text),
            ]
        page.close()
        blocks.close()


def test_a_reload_in_mid_answer_loses_nothing(browser: Any) -> None:
    assistant = ScriptedAssistant(reply, gate=threading.Event())
    with served(assistant) as url:
        page = visit(reader(browser), url)
        begin(page, "What about tiles?")
        page.wait_for_selector("#exchange-1 .writing strong")
        page.reload()
        page.wait_for_selector("#exchange-1 .writing strong")
        page.wait_for_selector("#stop >> visible=true")
        assert page.query_selector("#talks-list .busy") is not None
        # Gone altogether when the answer ends, and back only then.
        page.goto("about:blank")
        assert assistant.gate is not None
        assistant.gate.set()
        page.goto(url)
        whole(page)
        page.wait_for_selector("#talks-list .busy", state="detached")
    assert assistant.finished == ["What about tiles?"]
    assert len(assistant.asked) == 1


def test_the_answer_comes_to_the_reloaded_page_as_it_is_written(browser: Any) -> None:
    assistant = ScriptedAssistant(reply, gate=threading.Event())
    with served(assistant) as url:
        page = visit(reader(browser), url)
        begin(page, "What about tiles?")
        page.wait_for_selector("#exchange-1 .writing strong")
        page.reload()
        page.wait_for_selector("#exchange-1 .writing strong")
        assert assistant.gate is not None
        assistant.gate.set()
        whole(page)


def test_stop_works_after_a_reload(browser: Any) -> None:
    assistant = ScriptedAssistant(reply, gate=threading.Event())
    with served(assistant) as url:
        page = visit(reader(browser), url)
        begin(page, "What about tiles?")
        page.wait_for_selector("#exchange-1 .writing strong")
        page.reload()
        page.click("#stop")
        page.wait_for_selector("#exchange-1 .stopped")
        assert "PIT" in page.inner_text("#exchange-1 .answer")
        assert assistant.gate is not None
        assistant.gate.set()
        ask(page, "And now about plans?", 2)
        page.reload()
        whole(page, 2)
        assert page.query_selector("#exchange-1 .stopped") is not None
    assert assistant.finished == ["And now about plans?"]


def test_another_tab_sees_it_written_and_adds_to_it(browser: Any) -> None:
    assistant = ScriptedAssistant(reply)
    with served(assistant) as url:
        context = reader(browser)
        one = visit(context, url)
        ask(one, "What about tiles?")
        two = visit(context, url)
        two.click("#talks-list .open >> text=What about tiles?")
        whole(two)
        assistant.gate = threading.Event()
        begin(one, "And about plans?")
        two.wait_for_selector("#exchange-2 .writing")  # told by the first tab, not by a click
        two.wait_for_selector("#stop >> visible=true")
        two.fill("#box textarea", "Too early?")
        two.press("#box textarea", "Enter")
        two.wait_for_timeout(1000)  # time enough for what must not happen
        assistant.gate.set()
        whole(one, 2)
        whole(two, 2)
        assert two.input_value("#box textarea") == "Too early?"
        ask(two, "From two about more?", 3)
        one.wait_for_selector("#exchange-3 a.marker")
        assert one.locator(".exchange").count() == two.locator(".exchange").count() == 3
    assert [question for question, _ in assistant.asked] == [
        *("What about tiles?", "And about plans?", "From two about more?")
    ]


def test_a_new_chat_leaves_the_answer_of_the_one_before_to_itself(browser: Any) -> None:
    assistant = ScriptedAssistant(reply, gate=threading.Event())
    with served(assistant) as url:
        page = visit(reader(browser), url)
        begin(page, "What about tiles?")
        page.wait_for_selector("#exchange-1 .writing strong")
        page.click("#talks-new")
        page.wait_for_selector("button.example >> visible=true")
        assert assistant.gate is not None
        assistant.gate.set()
        ask(page, "Something about others?")
        assert page.locator(".exchange").count() == 1
        assert "others" in page.inner_text("#exchange-1")
        page.click("#talks-list .open >> text=What about tiles?")
        page.wait_for_selector("#exchange-1 >> text=What about tiles?")
        whole(page)


def test_two_browsers_never_see_each_others_list(browser: Any) -> None:
    with served(ScriptedAssistant(reply)) as url:
        one, two = visit(reader(browser), url), visit(reader(browser), url)
        ask(one, "A question of one about secrets?")
        ask(two, "A question of two about treasure?")
        talk = one.get_attribute("#talks-list .talk", "data-talk")
        assert listed(two) == ["A question of two about treasure?"]
        two.fill("#talks-search textarea", "secrets")
        two.wait_for_selector("#talks-list .none")
        # Whoever knows the other's conversation by its id gets nothing by it.
        two.evaluate("talk => sessionStorage.setItem('abstracts-assistant-open', talk)", talk)
        two.reload()
        two.wait_for_selector("button.example >> visible=true")
        for name in ("open", "rename", "markdown", "json", "delete"):
            two.evaluate(
                """([act, talk]) => document.querySelector('#talks-list .talks').dispatchEvent(
                new CustomEvent('talk', {bubbles: true, detail: {act, talk, title: 'taken'}}))""",
                [name, talk],
            )
            two.wait_for_timeout(300)
        assert "secrets" not in two.content()
        one.reload()
        whole(one)
        assert listed(one) == ["A question of one about secrets?"]


def test_renamed_searched_deleted_and_brought_back(browser: Any) -> None:
    with served(ScriptedAssistant(reply)) as url:
        page = visit(reader(browser), url)
        ask(page, "What about tiles?")
        page.click("#talks-new")
        page.wait_for_selector("button.example >> visible=true")
        ask(page, HOSTILE.title or "")
        page.wait_for_selector("#talks-list .talk >> nth=1")
        act(page, "What about tiles?", "Rename")
        page.fill("#talks-list .rename", "<b>Sparse</b> compilers")
        page.press("#talks-list .rename", "Enter")
        page.wait_for_selector("#talks-list .name >> text=<b>Sparse</b> compilers")
        page.fill("#talks-search textarea", "SPARSE superscaler")
        page.wait_for_function("document.querySelectorAll('#talks-list .talk').length === 1")
        assert listed(page) == ["<b>Sparse</b> compilers"]
        page.fill("#talks-search textarea", "")
        page.wait_for_selector("#talks-list .talk >> nth=1")
        act(page, "<script>", "Delete")
        page.wait_for_selector("button.example >> visible=true")  # the open one was deleted
        assert listed(page) == ["<b>Sparse</b> compilers"]
        page.wait_for_function("document.activeElement.dataset.act === 'restore'")
        page.keyboard.press("Enter")
        page.wait_for_selector("#talks-list .talk >> nth=1")
        act(page, "Sparse", "Delete")
        page.wait_for_selector("#talks-list .undo")
        page.reload()
        page.wait_for_selector("#talks-list .talk")
        assert listed(page) == [HOSTILE.title]
        assert page.evaluate("window.hit") is None


def test_exports_open(browser: Any, tmp_path: Path) -> None:
    with served(ScriptedAssistant(reply)) as url:
        page = visit(reader(browser), url)
        ask(page, "What about tiles?")
        saved = []
        for name in ("Markdown", "JSON", "Markdown"):
            with page.expect_download(timeout=WAIT) as told:
                act(page, "What about tiles?", name)
            path = tmp_path / told.value.suggested_filename
            told.value.save_as(path)
            saved.append(path)
        assert [path.name for path in saved[:2]] == ["what-about-tiles.md", "what-about-tiles.json"]
        text = saved[0].read_text("utf-8")
        assert "## What about tiles?" in text
        assert r"- \[1\] PIT. PIT: a deep learning compiler" in text
        whole = json.loads(saved[1].read_text("utf-8"))
        assert whole["turns"][0]["answer"]["citations"][0]["quotes"][0]["text"] == FIGURE


def test_twenty_chats_at_once_are_all_answered(browser: Any) -> None:
    assistant = ScriptedAssistant(reply)
    with served(assistant) as url:
        readers = [visit(reader(browser), url) for _ in range(20)]
        for number, page in enumerate(readers):
            begin(page, f"What about number-{number}?")
        for number, page in enumerate(readers):
            whole(page)
            assert f"number-{number}?" in page.inner_text("#exchange-1 .answer")
        for page in readers:
            page.context.close()
    assert len(assistant.finished) == 20


class Line:
    """A connection to the page's server that can be cut, and mended again."""

    def __init__(self, address: str) -> None:
        self._goal = ("127.0.0.1", urlsplit(address).port or 0)
        self._ears = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._ears.getsockname()[1]}/"
        self._open: list[socket.socket] = []
        self.whole = True
        threading.Thread(target=self._listen, daemon=True).start()

    def cut(self) -> None:
        self.whole = False
        for end in self._open:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue

    def close(self) -> None:
        self.cut()
        self._ears.close()

    def _listen(self) -> None:
        while True:
            try:
                near, _ = self._ears.accept()
            except OSError:
                return
            if not self.whole:
                near.close()
                continue
            far = socket.create_connection(self._goal)
            self._open += [near, far]
            for source, sink in ((near, far), (far, near)):
                threading.Thread(target=_carry, args=(source, sink), daemon=True).start()


def _carry(source: socket.socket, sink: socket.socket) -> None:
    try:
        while data := source.recv(65536):
            sink.sendall(data)
    except OSError:
        pass
    finally:
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue
        source.close()


def test_a_lost_connection_loses_no_answer(browser: Any) -> None:
    assistant = ScriptedAssistant(reply, gate=threading.Event())
    with served(assistant) as url:
        line = Line(url)
        page = visit(reader(browser), line.address)
        begin(page, "What about tiles?")
        page.wait_for_selector("#exchange-1 .writing strong")
        line.cut()
        assert assistant.gate is not None
        assistant.gate.set()
        page.wait_for_timeout(1500)
        line.whole = True
        whole(page)  # by itself, without a reload by the reader
        line.close()
    assert assistant.finished == ["What about tiles?"]


def test_the_drawer_of_a_phone(browser: Any) -> None:
    with served(ScriptedAssistant(reply)) as url:
        page = visit(reader(browser, width=390), url)
        ask(page, "What about tiles?")
        page.click("#talks-bar .fresh")
        page.wait_for_selector("button.example >> visible=true")
        assert not page.is_visible("#talks-list .open")
        page.focus("#talks-bar .drawer")
        page.keyboard.press("Enter")
        page.wait_for_selector("#talks-list .open >> visible=true")
        assert page.get_attribute("#talks-bar .drawer", "aria-expanded") == "true"
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.keyboard.press("Escape")
        page.wait_for_selector("#talks-list .open", state="hidden")
        assert page.evaluate("document.activeElement.matches('#talks-bar .drawer')")
        page.click("#talks-bar .drawer")
        page.click("#talks-list .open >> text=What about tiles?")
        whole(page)
        page.wait_for_selector("#talks-list .open", state="hidden")


def test_the_pane_is_folded_and_stays_so(browser: Any) -> None:
    with served(ScriptedAssistant(reply)) as url:
        page = visit(reader(browser), url)
        assert page.is_visible("#talks-new")
        page.click("#talks-bar .drawer")
        assert not page.is_visible("#talks-new")
        page.reload()
        page.wait_for_selector("button.example >> visible=true")
        page.wait_for_selector("#talks-bar .drawer[aria-expanded='false']")
        assert not page.is_visible("#talks-new")
        ask(page, "What about tiles?")
        page.click("#clear")
        page.wait_for_selector("button.example >> visible=true")
