"""The web chat as a program: built over an assistant, served on an address."""

from __future__ import annotations

import socket
import sys
from contextlib import closing
from importlib.resources import files
from typing import TYPE_CHECKING

import gradio as gr
from starlette.middleware import Middleware

import ui.evaluate.events
import ui.evaluate.page
import ui.settings.events
import ui.settings.page
from corpus.errors import InputError
from ui.browser import kept
from ui.early import EarlyScript
from ui.evaluate.jobs import Jobs
from ui.evaluate.testsets import LARGEST
from ui.events import wire
from ui.page import header, lay_out

if TYPE_CHECKING:
    from assistant.assistant import Assistant
    from assistant.config import Settings

_QUESTIONS_AT_ONCE = 16
_FONT = ("system-ui", "-apple-system", "Segoe UI", "Roboto", "Helvetica Neue", "Noto Sans", "sans-serif")
_STYLES = ("style.css", "tabs.css", "evaluate.css")
_SCRIPTS = ("page.js",)
_MONO = ("ui-monospace", "SFMono-Regular", "Menlo", "Consolas", "monospace")


def build(assistant: Assistant) -> gr.Blocks:
    """The page over this assistant's collection; each browser session has a conversation of its own."""
    blocks = gr.Blocks(
        title="Abstracts Assistant", fill_width=True, analytics_enabled=False, delete_cache=(600, 3600)
    )
    with blocks:
        head = header()
        # Outside of the tabs: what lies in one isn't there until it is opened.
        browser_id, chosen = kept("id", ""), kept("choices", {})
        with gr.Tabs(elem_id="tabs"):
            with gr.Tab("Chat", id="chat", elem_id="tab-chat"):
                chat = lay_out(head)
            _evaluate_tab(assistant, browser_id)
            choices = _settings_tab(blocks, assistant, chosen)
        wire(blocks, chat, assistant, choices)
    blocks.queue(default_concurrency_limit=_QUESTIONS_AT_ONCE)
    return blocks


def _evaluate_tab(assistant: Assistant, browser_id: gr.BrowserState) -> None:
    if assistant.settings is None:  # no data folder to keep a run in
        return
    with gr.Tab("Evaluate", id="evaluate", elem_id="tab-evaluate") as tab:
        model = assistant.settings.llm != "none"
        page = ui.evaluate.page.lay_out(tab, browser_id, model=model)
    ui.evaluate.events.wire(page, assistant, Jobs())


def _settings_tab(blocks: gr.Blocks, assistant: Assistant, chosen: gr.BrowserState) -> gr.State:
    """What this session's questions are asked with."""
    with gr.Tab("Settings", id="settings", elem_id="tab-settings") as tab:
        page = ui.settings.page.lay_out(tab, chosen, assistant.settings)
    ui.settings.events.wire(blocks, page, assistant)
    return page.choices


def start(blocks: gr.Blocks, *, host: str, port: int) -> str:
    """The page's address, once it answers; the server runs in a thread until `blocks.close()`."""
    theme = gr.themes.Base(font=list(_FONT), font_mono=list(_MONO))
    _, address, _ = blocks.launch(
        server_name=host,
        server_port=port,
        theme=theme,
        head=_head(),
        footer_links=[],
        prevent_thread_lock=True,
        quiet=True,
        share=False,
        ssr_mode=False,
        enable_monitoring=False,
        pwa=False,
        mcp_server=False,
        max_file_size=LARGEST,
        app_kwargs={"middleware": [Middleware(EarlyScript)]},
    )
    return address


def serve(settings: Settings, *, host: str = "127.0.0.1", port: int = 7860) -> None:
    """Nothing; returns when the server is interrupted. A port in use is an InputError."""
    check_free(host, port)
    from assistant.assistant import Assistant

    with closing(Assistant.open(settings)) as assistant:
        blocks = build(assistant)
        address = start(blocks, host=host, port=port)
        sys.stdout.write(f"The chat is at {address} (Ctrl-C ends it)\n")
        sys.stdout.flush()
        blocks.block_thread()


def check_free(host: str, port: int) -> None:
    """Nothing where a server can listen there; else an InputError."""
    if not 0 < port < 65536:
        raise InputError(f"The chat can't listen on port {port!r}; choose one from 1 to 65535 with --port.")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        # A server that has just ended leaves its port waiting; that isn't "in use".
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise InputError(
                f"The chat can't listen on host {host!r}, port {port!r} ({error.strerror or error}); "
                "end the program that uses it, or choose others with --host and --port."
            ) from error


def _head() -> str:
    """The page's style and script, inline: Gradio rewrites the selectors of a style handed to it as css."""
    style, script = (
        "\n".join((files("ui") / name).read_text("utf-8") for name in names) for names in (_STYLES, _SCRIPTS)
    )
    return f"<style>{style}</style><script>{script}</script>"
