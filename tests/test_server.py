"""The whole server, really served: the guard in front of everything, signing in, starting and ending."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import httpx
import pytest
from browser import CHROMIUM, PIT, ScriptedAssistant, chromium, cite, free_port, served

from assistant.answer import Answer
from assistant.cli import main

pytestmark = [
    pytest.mark.filterwarnings("ignore:.*no_silent_downcasting"),
    pytest.mark.filterwarnings("ignore:The copy keyword is deprecated"),
    pytest.mark.filterwarnings("ignore:.*ssl_verify.*"),
]
ROOT = Path(__file__).parents[1]
QUESTION = {"model": "mine", "messages": [{"role": "user", "content": "What is PIT?"}]}
ROUTES = (
    ("GET", "/"),
    ("GET", "/config"),
    ("GET", "/theme.css"),
    ("GET", "/gradio_api/info"),
    ("GET", "/gradio_api/openapi.json"),
    ("GET", "/gradio_api/startup-events"),
    ("GET", "/gradio_api/queue/data?session_hash=x"),
    ("GET", "/gradio_api/heartbeat/x"),
    ("GET", "/gradio_api/file=/etc/passwd"),
    ("GET", "/assets/x.js"),
    ("GET", "/static/x"),
    ("POST", "/gradio_api/queue/join"),
    ("POST", "/gradio_api/upload"),
    ("POST", "/gradio_api/run/search"),
    ("POST", "/gradio_api/call/search"),
    ("POST", "/gradio_api/mcp/"),
    ("GET", "/gradio_api/mcp/"),
    ("GET", "/v1/models"),
    ("POST", "/v1/chat/completions"),
    ("GET", "/nothing"),
    ("OPTIONS", "/v1/models"),
    ("DELETE", "/"),
)


def reply(question: str) -> Answer:
    return cite(question, "**PIT** reaches **5.9x** [1].", [(PIT, "5.9x")])


@pytest.fixture(scope="module")
def open_address() -> Iterator[str]:
    with served(ScriptedAssistant(reply), programs=True) as url:
        yield url.rstrip("/")


@pytest.fixture(scope="module")
def closed_address() -> Iterator[str]:
    with served(ScriptedAssistant(reply), users="ada:secret1,bob:secret2", programs=True) as url:
        yield url.rstrip("/")


@pytest.fixture
def client(closed_address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=closed_address, timeout=60) as made:
        yield made


def sign_in(
    client: httpx.Client, user: str = "ada", password: str = "secret1", **fields: str
) -> httpx.Response:
    return client.post("/login", data={"user": user, "password": password, **fields})


@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_nothing_is_open_without_a_password(client: httpx.Client, method: str, path: str) -> None:
    for headers in ({}, {"Cookie": "assistant-session=x"}, {"Authorization": "Basic YWRhOnNlY3JldDE="}):
        response = client.request(method, path, headers=headers)
        assert response.status_code == 401, path
        assert "PIT" not in response.text
        assert response.json()["error"]["type"] == "authentication_error"


def test_keys_open_everything(client: httpx.Client) -> None:
    for key in ("secret1", "bob:secret2"):
        client.headers["Authorization"] = f"Bearer {key}"
        assert client.get("/v1/models").json()["data"][0]["id"] == "mine"
        assert set(client.get("/gradio_api/info").json()["named_endpoints"]) == {
            "/ask",
            "/search",
            "/get_paper",
            "/compare",
        }
        assert "gradio" in client.get("/", headers={"Accept": "text/html"}).text
        answer = client.post("/v1/chat/completions", json=QUESTION).json()
        assert answer["choices"][0]["message"]["citations"][0]["paper_id"] == "p1"
        upload = client.post("/gradio_api/upload", files={"files": ("a.txt", b"hello")})
        assert client.get(f"/gradio_api/file={upload.json()[0]}").text == "hello"
        assert client.get("/gradio_api/file=/etc/passwd").status_code == 403


def test_people_are_led_to_the_login_page_and_back(client: httpx.Client) -> None:
    response = client.get("/?view=x", headers={"Accept": "text/html"})
    assert response.status_code == 303
    assert response.headers["location"] == "/login?goal=/%3Fview%3Dx"
    page = client.get(response.headers["location"])
    assert page.status_code == 200
    assert 'name="goal" value="/?view=x"' in page.text
    assert "script" not in page.text
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert sign_in(client, goal="//evil.example/").headers["location"] == "/"
    response = sign_in(client, goal="/?view=x")
    assert (response.status_code, response.headers["location"]) == (303, "/?view=x")
    cookie = response.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "secret1" not in cookie
    assert "no-store" in client.get("/", headers={"Accept": "text/html"}).headers["cache-control"]
    assert client.get("/config").json()["username"] == "ada"


def test_signing_out_ends_the_session(client: httpx.Client, closed_address: str) -> None:
    sign_in(client)
    kept = dict(client.cookies)
    assert "Signed in as <strong>ada" in client.get("/logout").text
    assert client.get("/config").status_code == 200  # asking has not signed out
    assert client.post("/logout").headers["location"] == "/login"
    assert client.get("/config").status_code == 401
    assert httpx.get(f"{closed_address}/config", cookies=kept).status_code == 401


def test_wrong_passwords_are_refused_and_slow_down() -> None:
    with (
        served(ScriptedAssistant(reply), users="ada:secret1") as url,
        httpx.Client(base_url=url, timeout=60) as client,
    ):
        assert sign_in(client).status_code == 303
        for wrong in ("secret2", "", "secret1 "):
            response = sign_in(client, password=wrong)
            assert response.status_code == 401
            assert "Name or password is wrong." in response.text
            assert "set-cookie" not in response.headers
        assert client.get("/config").status_code == 200  # who is signed in stays so
        client.cookies.clear()
        assert client.post("/login", content=b"x" * 20_000).status_code == 401
        for _ in range(3):
            response = client.get("/config", headers={"Authorization": "Bearer wrong"})
            if response.status_code == 429:
                break
        assert response.status_code == 429
        assert int(response.headers["retry-after"]) >= 1
        assert sign_in(client).status_code == 429


@pytest.mark.parametrize(("method", "path"), [*ROUTES, ("POST", "/login"), ("POST", "/logout")])
def test_strange_names_and_pages_are_refused(
    open_address: str, closed_address: str, method: str, path: str
) -> None:
    for base in (open_address, closed_address):
        key = {"Authorization": "Bearer secret1"}
        for host in ("evil.example", "evil.example:7860", "127.0.0.1.evil.example"):
            response = httpx.request(method, base + path, headers={"Host": host, **key}, timeout=60)
            assert response.status_code == 421, path
        for strange in (
            {"Origin": "http://evil.example"},
            {"Origin": "null"},
            {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"},
        ):
            response = httpx.request(method, base + path, headers={**strange, **key}, timeout=60)
            assert response.status_code == 403, path
            assert not [name for name in response.headers if name.startswith("access-control")]


def test_own_pages_and_every_response_is_guarded(open_address: str) -> None:
    for path in ("/", "/v1/models", "/gradio_api/info", "/theme.css", "/v1/nothing"):
        response = httpx.get(open_address + path, headers={"Origin": open_address}, timeout=60)
        assert response.status_code in (200, 404)
        assert response.headers["x-content-type-options"] == "nosniff"
        assert response.headers["referrer-policy"] == "same-origin"
        assert "frame-ancestors 'none'" in response.headers["content-security-policy"]
        assert not [name for name in response.headers if name.startswith("access-control")]
    assert httpx.get(f"{open_address}/login").headers["location"] == "/"
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert httpx.get(open_address, headers=link, timeout=60).status_code == 200


@pytest.mark.parametrize("auth", ["", "hunter2"])
def test_it_does_not_start_for_others_without_a_password(
    auth: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ASSISTANT_HOME", str(tmp_path))
    monkeypatch.setenv("ASSISTANT_AUTH", auth)
    assert main(["ui", "--host", "0.0.0.0", "--port", str(free_port())]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.splitlines()) == 1
    assert "ASSISTANT_AUTH to user:password" in said.err
    assert "hunter2" not in said.err


def test_the_password_is_never_a_setting_of_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ASSISTANT_HOME", str(tmp_path))
    (tmp_path / "assistant.toml").write_text('auth = "ada:hunter2"')
    assert main(["ui"]) == 1
    said = capsys.readouterr().err
    assert "secrets come from the environment only" in said
    assert "hunter2" not in said


SLOW = """
import sys, threading, types
sys.path.insert(0, sys.argv[2])
from browser import PIT, ScriptedAssistant, cite
import assistant.assistant
from assistant.config import load_settings

slow = ScriptedAssistant(lambda q: cite(q, "PIT is a compiler [1].", [(PIT, "PIT")]), gate=threading.Event())
slow.close = lambda: print("closed", flush=True)
assistant.assistant.Assistant.open = classmethod(lambda cls, settings: slow)
from ui.app import serve
serve(load_settings(), port=int(sys.argv[1]))
"""


def test_an_interrupt_ends_it_at_once_while_an_answer_is_being_written(tmp_path: Path) -> None:
    port = free_port()
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "ASSISTANT_HOME": str(tmp_path)}
    command = [sys.executable, "-c", SLOW, str(port), str(ROOT / "tests")]
    running = subprocess.Popen(
        command, cwd=tmp_path, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    assert running.stdout is not None
    try:
        assert running.stdout.readline() == f"The chat is at http://127.0.0.1:{port}/ (Ctrl-C ends it)\n"
        heartbeat = urlopen(f"http://127.0.0.1:{port}/gradio_api/heartbeat/x", timeout=60)
        assert b"ALIVE" in heartbeat.readline()

        def ask() -> None:
            with suppress(httpx.HTTPError):
                httpx.post(f"http://127.0.0.1:{port}/v1/chat/completions", json=QUESTION, timeout=60)

        asking = threading.Thread(target=ask)
        asking.start()
        stream = {**QUESTION, "stream": True}
        with httpx.stream(
            "POST", f"http://127.0.0.1:{port}/v1/chat/completions", json=stream, timeout=60
        ) as answer:
            next(answer.iter_lines())
            running.send_signal(signal.SIGINT)
            # The scripted answer would wait for half a minute.
            assert running.wait(20) == 0
        said = running.stdout.read()
        assert said == "closed\n"
        heartbeat.close()
        asking.join(60)
    finally:
        running.kill()
        running.wait()
        running.stdout.close()


@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
def test_people_sign_in_ask_and_sign_out(closed_address: str, tmp_path: Path) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright, chromium(playwright, tmp_path) as browser:
        page: Any = browser.new_context(viewport={"width": 390, "height": 800}).new_page()
        page.set_default_timeout(60_000)
        faults: list[str] = []
        page.on("console", lambda one: faults.append(one.text) if "Content Security" in one.text else None)
        page.goto(closed_address)
        page.wait_for_selector("h2:has-text('Sign in')")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert page.evaluate("document.activeElement.id") == "user"
        page.keyboard.type("ada")
        page.keyboard.press("Tab")
        page.keyboard.type("wrong")
        page.keyboard.press("Enter")
        page.wait_for_selector("[role=alert]:has-text('Name or password is wrong.')")
        page.fill("#user", "ada")
        page.fill("#password", "secret1")
        page.click("button")
        page.wait_for_selector("#account .sign-out")
        assert page.inner_text("#account .user >> visible=false") in ("ada", "")
        page.fill("#box textarea", "What is PIT?")
        page.press("#box textarea", "Enter")
        page.wait_for_selector("#exchange-1 a.marker")
        page.click("#account .sign-out")
        page.wait_for_selector("h2:has-text('Sign in')")
        page.goto(closed_address)
        page.wait_for_selector("h2:has-text('Sign in')")
    assert faults == []
