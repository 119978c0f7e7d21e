"""The doctor: each fault it can find here, with a remedy."""

from __future__ import annotations

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from assistant import doctor
from assistant.config import Settings
from assistant.doctor import Check, examine


def _checks(home: Path, llm: str = "none") -> dict[str, Check]:
    settings = Settings(home, "default", llm, "local", None)
    return {check.name: check for check in examine(settings)}


class _Endpoint(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        known = self.headers["Authorization"] == "Bearer right"
        self.send_response(200 if known and self.path == "/v1/models" else 401)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        return None


@pytest.fixture
def endpoint() -> Iterator[str]:
    """The address of an endpoint that knows one key."""
    server = HTTPServer(("127.0.0.1", 0), _Endpoint)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    thread.join()
    server.server_close()


def test_all_is_well(tmp_path: Path) -> None:
    checks = _checks(tmp_path / "new")
    assert all(check.well for check in checks.values()), checks
    assert {"Python", "SQLite", "data folder", "disk", "model file model.onnx"} <= set(checks)
    assert not (tmp_path / "new").exists()


def test_a_data_folder_that_is_a_file(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    check = _checks(file / "below")["data folder"]
    assert "is a file" in check.found
    assert "ASSISTANT_HOME" in check.remedy


def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_FREE_BYTES", 10**18)
    check = _checks(tmp_path)["disk"]
    assert check.remedy.startswith("free ")


def test_the_endpoint(endpoint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name, llm = "LLM openai:x", "openai:x"
    monkeypatch.setenv("OPENAI_BASE_URL", endpoint)
    monkeypatch.setenv("OPENAI_API_KEY", "right")
    assert _checks(tmp_path, llm)[name].well
    monkeypatch.setenv("OPENAI_API_KEY", "wrong-secret")
    check = _checks(tmp_path, llm)[name]
    assert "refuses the key (401)" in check.found
    assert "wrong-secret" not in check.found + check.remedy
    for address in ("http://127.0.0.1:9/v1", "not an address", "http://[/v1"):
        monkeypatch.setenv("OPENAI_BASE_URL", address)
        assert "OPENAI_BASE_URL" in _checks(tmp_path, llm)[name].remedy + _checks(tmp_path, llm)[name].found


def test_a_model_file_that_is_not_there(tmp_path: Path) -> None:
    check = _checks(tmp_path, f"gguf:{tmp_path}/model.gguf")[f"LLM gguf:{tmp_path}/model.gguf"]
    assert not check.well
