"""The server: the page and the ways in for programs in one application, behind the guard, run by uvicorn."""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import gradio as gr
import uvicorn
from fastapi import FastAPI, Request

from corpus.errors import InputError
from ui.early import EarlyScript
from ui.guard.accounts import Accounts
from ui.guard.guard import USER, Guard
from ui.guard.hosts import Hosts
from ui.programs.openai import routes
from ui.programs.rooms import Rooms

T = TypeVar("T")
LARGEST_UPLOAD = "200mb"
_FONT = ("system-ui", "-apple-system", "Segoe UI", "Roboto", "Helvetica Neue", "Noto Sans", "sans-serif")
_MONO = ("ui-monospace", "SFMono-Regular", "Menlo", "Consolas", "monospace")
_STARTS_WITHIN = 60.0
_ENDS_WITHIN = 1
"""Seconds that running requests have when the server is stopped."""


@dataclass(frozen=True)
class Access:
    """From where and by whom the chat may be used."""

    hosts: Hosts
    accounts: Accounts | None = None


class Server(uvicorn.Server):
    """uvicorn in a thread of its own; the main thread keeps the signals."""

    def run_on(self, listening: socket.socket) -> None:
        """Nothing, once requests are answered on the socket."""
        self.thread = threading.Thread(target=self.run, args=([listening],), name="server", daemon=True)
        self.thread.start()
        until = time.monotonic() + _STARTS_WITHIN
        while not self.started:
            if not self.thread.is_alive() or time.monotonic() > until:
                raise RuntimeError("the server didn't start; its log says why")
            time.sleep(0.005)

    def close(self) -> None:
        """Nothing; the server has ended, or is left to end with the process."""
        log = logging.getLogger("uvicorn.error")
        log.disabled, before = True, log.disabled  # it would report each request that is cut off as a fault
        self.should_exit = True
        self.thread.join(timeout=_ENDS_WITHIN + 4)
        log.disabled = before


def in_loop(work: Callable[[], T]) -> T:
    """What the work gives. Where no event loop runs, Gradio makes some for itself and never closes them."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:

        async def run() -> T:
            return work()

        return asyncio.run(run())
    return work()


def application(blocks: gr.Blocks, rooms: Rooms | None, access: Access, *, head: str, mcp: bool) -> Guard:
    """The whole application: /v1 where there are rooms, the page and Gradio's API, the guard over all."""
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    if rooms:
        app.include_router(routes(rooms))

    def user(request: Request) -> str | None:
        name: str | None = request.scope.get(USER)
        return name

    gr.mount_gradio_app(
        app,
        blocks,
        path="/",
        server_name=access.hosts.bound,
        theme=gr.themes.Base(font=list(_FONT), font_mono=list(_MONO)),
        head=head,
        footer_links=[],
        run_history=False,
        app_kwargs={"openapi_url": None},
        auth_dependency=user if access.accounts else None,
        show_error=False,
        max_file_size=LARGEST_UPLOAD,
        ssr_mode=False,
        enable_monitoring=False,
        pwa=False,
        mcp_server=mcp,
    )
    if mcp:
        from ui.programs.mcp import speak_json

        speak_json(blocks)
    return Guard(app, access.hosts, access.accounts)


def run(blocks: gr.Blocks, guard: Guard, listening: socket.socket) -> str:
    """The page's address, once it answers; `blocks.close()` ends the server."""
    config = uvicorn.Config(
        EarlyScript(guard),
        log_level="warning",
        access_log=False,
        server_header=False,
        ws="none",
        # Only what stands before the chat on this machine is believed about where a request comes from.
        proxy_headers=bool(guard.hosts.named),
        timeout_graceful_shutdown=_ENDS_WITHIN,
    )
    server = Server(config)
    server.run_on(listening)
    # What `Blocks.launch` notes of its own server; `Blocks.close` ends the streams and the server by it.
    blocks.app = mounted(guard.app)
    blocks.server = server  # type: ignore[assignment]  # which only has to be closable
    blocks.is_running = True
    return address(guard.hosts.bound, listening.getsockname()[1])


def mounted(app: Any) -> Any:
    """Gradio's application inside of ours."""
    return app.routes[-1].app


def address(host: str, port: int) -> str:
    """Where the page is opened on this machine."""
    name = {"0.0.0.0": "localhost", "::": "localhost"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{name}:{port}/"


def listen(host: str, port: int) -> socket.socket:
    """A socket of that address, for the server; InputError where there can't be one."""
    if not 0 < port < 65536:
        raise InputError(f"The chat can't listen on port {port!r}; choose one from 1 to 65535 with --port.")
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    try:
        # A server that has just ended leaves its port waiting; that isn't "in use".
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host.strip("[]"), port))
        listening.listen(128)
    except OSError as error:
        listening.close()
        raise InputError(
            f"The chat can't listen on host {host!r}, port {port!r} ({error.strerror or error}); "
            "end the program that uses it, or choose others with --host and --port."
        ) from error
    return listening


def wait_until_interrupted(is_running: Callable[[], bool]) -> None:
    """Nothing, on Ctrl-C or when the server has ended by itself."""
    try:
        while is_running():
            time.sleep(0.1)
    except KeyboardInterrupt:
        return
