"""The Settings tab: choices of one session alone, the test of the connection, no key on the page."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import CHROMIUM, PIT, ScriptedAssistant, cite, served
from fault_server import running
from starlette.testclient import TestClient

from assistant.answer import Answer
from assistant.choices import Choices
from assistant.config import Settings, load_settings
from assistant.doctor import Check
from ui.early import EarlyScript
from ui.settings.chosen import choices_of, kept_of
from ui.settings.render import check_html, endpoint_host, model_html

pytestmark = [
    pytest.mark.filterwarnings("ignore:.*no_silent_downcasting"),
    pytest.mark.filterwarnings("ignore:The copy keyword is deprecated"),
]
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
TIMEOUT = 60_000
KEY = "sk-canary-5f0d2c91b7e84a63"
PASSWORD = "canary-password-77c1"


class Noting(ScriptedAssistant):
    """A scripted assistant that notes with which choices it was asked."""

    def stream(self, question: str, **options: Any) -> Iterator[Any]:
        self.chosen: dict[str, Choices] = {**getattr(self, "chosen", {}), question: options["choices"]}
        yield from super().stream(question, **options)


def answered(question: str) -> Answer:
    return cite(question, "**PIT** reaches 5.9x [1].", [(PIT, "5.9x")])


@pytest.fixture(scope="module")
def playwright() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        yield started


def settings(home: Path, **changes: Any) -> Settings:
    return load_settings(home=home, llm="openai:test-model", **changes)


def visit(context: Any, address: str) -> Any:
    page = context.new_page()
    page.set_default_timeout(TIMEOUT)
    page.goto(address)
    page.wait_for_selector("button.example >> visible=true")
    return page


def open_tab(page: Any, name: str) -> None:
    page.get_by_role("tab", name=name, exact=True).first.click()
    page.wait_for_selector("#about dl" if name == "Settings" else "#box textarea")


def ask(page: Any, question: str) -> None:
    open_tab(page, "Chat")
    page.fill("#box textarea", question)
    page.press("#box textarea", "Enter")
    page.wait_for_selector(f"#current .exchange:has(.answer:not(.writing)):has-text('{question}')")
    page.wait_for_selector("#ask")


KEPT = "Object.entries(localStorage).filter(([key]) => key.endsWith('-choices')).join()"


def choose(page: Any, act: Callable[[], None]) -> None:
    """Nothing, once the browser keeps what was chosen."""
    before = page.evaluate(KEPT)
    act()
    page.wait_for_function(f"before => {KEPT} !== before", arg=before)


@needs_chromium
def test_choices_are_one_browsers_alone_and_outlast_a_reload(browser: Any, tmp_path: Path) -> None:
    assistant = Noting(answered, settings=settings(tmp_path))
    with served(assistant) as address:
        one, other = browser.new_context(), browser.new_context()
        page = visit(one, address)
        open_tab(page, "Settings")
        choose(page, page.get_by_label("Quotes from the abstracts").check)
        choose(page, page.get_by_label("Left out").check)
        choose(page, lambda: page.locator("#how-many input[type=number]").fill("4"))
        ask(page, "first")
        ask(visit(other, address), "second")
        page.reload()
        page.wait_for_selector("#current .exchange:has-text('first')")
        open_tab(page, "Settings")
        page.wait_for_function("document.querySelector('#how-many input[type=number]').value === '4'")
        assert page.get_by_label("Quotes from the abstracts").is_checked()
        ask(page, "third")
        one.close()
        other.close()
    chosen = Choices(model=False, unsupported="drop", sources=4)
    assert assistant.chosen == {"first": chosen, "second": Choices(), "third": chosen}


@needs_chromium
def test_no_key_is_ever_sent_to_the_browser(
    browser: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []

    def note(response: Any) -> None:
        try:
            seen.append(f"{response.url} {response.all_headers()} {response.text()}")
        except Exception:  # a stream that the page has left, a redirect without a body
            seen.append(response.url)

    with running() as server:
        host = server.url.partition("://")[2]
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        monkeypatch.setenv("OPENAI_BASE_URL", f"http://reader:{PASSWORD}@{host}")
        server.pages["/v1/models"] = {"data": [{"id": f"key {KEY}"}, {"id": "another"}]}
        with served(ScriptedAssistant(answered, settings=settings(tmp_path))) as address:
            context = browser.new_context()
            context.on("response", note)
            page = visit(context, address)
            ask(page, "What speedup?")
            page.get_by_role("tab", name="Evaluate", exact=True).first.click()
            page.wait_for_selector("#testset-about strong")
            open_tab(page, "Settings")
            assert host.partition("/")[0] in page.inner_text("#model-state")
            page.click("#model-test")
            page.wait_for_selector("#model-tested >> text=can't be reached")
            seen.append(page.inner_text("#model-tested"))
            monkeypatch.setenv("OPENAI_BASE_URL", server.url)
            page.click("#model-test")
            page.wait_for_selector("#model-tested >> text=doesn't know 'test-model'")
            told = page.inner_text("#model-tested")
            seen += [page.content(), json.dumps(page.evaluate("({...localStorage})")), told]
            context.close()
    assert "another" in told
    assert len(seen) > 10
    assert any("5.9x" in one for one in seen), "the answer's stream isn't among what was seen"
    for secret in (KEY, PASSWORD, KEY[8:20]):
        assert not [one[:300] for one in seen if secret in one]


def test_what_a_browser_kept_is_checked() -> None:
    assert choices_of(None) == choices_of([]) == choices_of({"sources": "9", "unsupported": []}) == Choices()
    assert choices_of({"sources": 99, "unsupported": "burn", "writer": 7}) == Choices()
    assert choices_of({"sources": True}) == Choices()
    kept = kept_of("quotes", "drop", 4)
    assert json.loads(json.dumps(kept)) == kept
    assert choices_of(kept) == Choices(model=False, unsupported="drop", sources=4)
    assert choices_of(kept_of("model", None, 6)) == Choices()


def test_the_model_is_told_without_secrets_and_folders(tmp_path: Path) -> None:
    gguf = load_settings(home=tmp_path, llm="gguf:/home/me/secret folder/small.gguf")
    assert "small.gguf" in model_html(gguf, "", key=True)
    assert "secret folder" not in model_html(gguf, "", key=True)
    check = Check("LLM", "'/home/me/secret folder/small.gguf' isn't there", "set ASSISTANT_LLM")
    assert "secret folder" not in check_html(check, gguf.llm)
    assert endpoint_host("https://me:word@example.org:8443/v1") == "example.org:8443"
    hostile = check_html(Check("LLM", "<script>", "<img>"), "openai:x")
    assert "<script>" not in hostile
    assert "<img>" not in hostile
    assert "None is set" in model_html(None, "", key=False)


@pytest.mark.parametrize("kind", ["text/html; charset=utf-8", "application/json"])
def test_the_early_script_is_in_the_page_and_nowhere_else(kind: str) -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        body = b"<!doctype html><head></head><body>\xc3\xa9<head></body>"
        headers = [(b"content-type", kind.encode()), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body[:10], "more_body": True})
        await send({"type": "http.response.body", "body": body[10:]})

    client = TestClient(EarlyScript(app))
    page, other = client.get("/"), client.get("/config")
    assert int(page.headers["content-length"]) == len(page.content)
    assert page.text.count("chosenTheme") == (1 if kind.startswith("text/html") else 0)
    assert page.text.endswith("<body>é<head></body>")
    assert "chosenTheme" not in other.text
