"""The doctor: each fault it can find here, with a remedy."""

from __future__ import annotations

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import fault_server
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


def test_what_the_endpoint_says_of_its_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def found(llm: str) -> Check:
        return _checks(tmp_path, llm)[f"LLM {llm}"]

    with fault_server.running() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        server.pages["/v1/models"] = {"data": [{"id": "a", "max_model_len": 5000}, {"id": "b"}]}
        assert found("openai:a").well
        assert found("openai:a").found.endswith("context window 5000 tokens")
        assert "doesn't know 'c'" in found("openai:c").found
        assert found("openai:c").remedy.endswith("one of its models: a, b")
        server.pages["/v1/models"] = {"data": [{"id": "model.gguf", "meta": {"n_ctx": 2048}}]}
        assert found("openai:any").found.endswith("context window 2048 tokens")
        del server.pages["/v1/models"]
        assert found("openai:any").well
        assert "lists no models" in found("openai:any").found


def test_no_model_is_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "no LLM is set, answers are quotes" in _checks(tmp_path)["LLM none"].found
    check = _checks(tmp_path, "openai:x")["LLM openai:x"]
    assert "OPENAI_API_KEY isn't set" in check.found + check.remedy
    assert not check.well


def test_a_model_file_of_another_kind(tmp_path: Path) -> None:
    file = tmp_path / "model.gguf"
    file.write_bytes(b"PK\x03\x04")
    check = _checks(tmp_path, f"gguf:{file}")[f"LLM gguf:{file}"]
    assert "isn't a GGUF file" in check.found
    assert check.remedy == "get the model in the format GGUF"


def test_a_model_file_without_what_runs_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "model.gguf"
    file.write_bytes(b"GGUF\x03\x00\x00\x00")
    assert not _checks(tmp_path, "none")["LLM none"].remedy
    monkeypatch.setattr("assistant.gguf._ENGINE", "no_such_engine")
    assert _checks(tmp_path, f"gguf:{file}")[f"LLM gguf:{file}"].remedy.startswith("pip install 'abstracts")


def test_a_model_file_that_is_not_there(tmp_path: Path) -> None:
    check = _checks(tmp_path, f"gguf:{tmp_path}/model.gguf")[f"LLM gguf:{tmp_path}/model.gguf"]
    assert not check.well
