"""What all tests share: no network but the loopback, and a list of skips that nobody can overlook."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from made import Library

    from corpus.embedder import LocalEmbedder

# Gradio and Chroma would report their use to outside hosts; neither may even try under test.
os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
os.environ["ANONYMIZED_TELEMETRY"] = "False"
for _secret in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
    os.environ.pop(_secret, None)
for _setting in [name for name in os.environ if name.startswith("ASSISTANT_")]:
    os.environ.pop(_setting)

_SHARED = Path(__file__).parents[2] / "shared" / "score.py"
_connect, _connect_ex, _getaddrinfo = socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo
_HERE = {"127.0.0.1", "::1", "localhost", "0.0.0.0", "", None}
_skipped: list[tuple[str, str]] = []
_passed: list[str] = []


def _refuse_strangers(address: Any) -> None:
    if isinstance(address, tuple) and address[0] not in _HERE:
        raise OSError(f"a test tried to reach {address!r}; only the loopback is allowed")


def _guarded_connect(self: socket.socket, address: Any) -> None:
    _refuse_strangers(address)
    _connect(self, address)


def _guarded_connect_ex(self: socket.socket, address: Any) -> int:
    _refuse_strangers(address)
    return _connect_ex(self, address)


def _guarded_getaddrinfo(host: Any, *arguments: Any, **options: Any) -> Any:
    _refuse_strangers((host.decode() if isinstance(host, bytes) else host,))
    return _getaddrinfo(host, *arguments, **options)


@pytest.fixture(autouse=True, scope="session")
def only_loopback() -> Iterator[None]:
    """Nothing; while tests run, a look-up or a connection that leaves this machine is an error."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", _guarded_connect)
        patch.setattr(socket.socket, "connect_ex", _guarded_connect_ex)
        patch.setattr(socket, "getaddrinfo", _guarded_getaddrinfo)
        yield


@pytest.fixture(scope="session")
def embedder() -> LocalEmbedder:
    """The real model, loaded once."""
    from corpus.embedder import LocalEmbedder

    return LocalEmbedder()


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory, embedder: LocalEmbedder) -> Library:
    """The made-up collection of tests/made.py in real stores; no test changes it."""
    from made import make_library

    return make_library(tmp_path_factory.mktemp("made"), embedder)


@pytest.fixture(scope="module")
def playwright() -> Iterator[Any]:
    """Playwright, for the tests of one file."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="module")
def browser(playwright: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A real Chromium with a profile of its own, for the tests of one file."""
    from browser import chromium

    with chromium(playwright, tmp_path_factory.mktemp("profile")) as running:
        yield running


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests that compare with the contract's own files are left out where these aren't at hand."""
    if not _SHARED.exists():
        strangers = [item for item in items if item.get_closest_marker("shared_data")]
        config.hook.pytest_deselected(items=strangers)
        items[:] = [item for item in items if item not in strangers]


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        _skipped.append((report.nodeid, reason.removeprefix("Skipped: ")))
    elif report.when == "call" and report.passed:
        _passed.append(report.nodeid)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    if _skipped:
        terminalreporter.section("skipped, with the reason")
        for name, reason in _skipped:
            terminalreporter.write_line(f"{name}: {reason}")


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Under REQUIRE_ALL=1 (CI) a skip, or a run in which nothing passed, is a failure."""
    if os.environ.get("REQUIRE_ALL") == "1" and exitstatus == 0 and (_skipped or not _passed):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
