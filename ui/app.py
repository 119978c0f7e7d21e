"""The web chat as a program: built over an assistant, served on an address."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable
from contextlib import closing
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import gradio as gr

from corpus.errors import InputError
from ui.events import wire
from ui.page import lay_head, lay_out
from ui.shelf import events as shelf_events
from ui.shelf import page as shelf_page
from ui.shelf.desk import Desk

if TYPE_CHECKING:
    from assistant.assistant import Assistant
    from assistant.config import Settings
    from assistant.library import Library

LARGEST_UPLOAD = "200mb"
_QUESTIONS_AT_ONCE = 16
# Seconds after which uploads go that nothing was done with, and how often that is looked after.
_UPLOADS_KEPT = (3600, 3600)
_STYLES = ("style.css", "shelf.css")
_SCRIPTS = ("page.js", "shelf.js")
_FONT = ("system-ui", "-apple-system", "Segoe UI", "Roboto", "Helvetica Neue", "Noto Sans", "sans-serif")
_MONO = ("ui-monospace", "SFMono-Regular", "Menlo", "Consolas", "monospace")


def build(assistant: Assistant, library: Library | None = None) -> gr.Blocks:
    """The page over this assistant's collection; each browser session has a conversation of its own.

    With a library there is a tab for its collections, of which each session asks the one that it picks.
    """
    blocks = gr.Blocks(
        title="Abstracts Assistant", fill_width=True, analytics_enabled=False, delete_cache=_UPLOADS_KEPT
    )
    with blocks:
        picked, header = gr.State(""), lay_head()
        with gr.Tabs(elem_id="tabs"):
            with gr.Tab("Chat", id="chat"):
                page = lay_out(header)
            choose = library.assistant if library else lambda _: assistant
            greet = wire(blocks, page, choose, picked)
            if library:
                add_shelf(library, picked, greet)
    blocks.queue(default_concurrency_limit=_QUESTIONS_AT_ONCE)
    return blocks


def add_shelf(library: Library, picked: gr.State, greet: Callable[[Any], None]) -> None:
    """Adds the Collection tab; after what changes the collection that is asked the chat greets anew."""
    with gr.Tab("Collection", id="collection") as tab:
        components = shelf_page.lay_out(tab, picked)
    for event in shelf_events.wire(components, Desk(library)):
        greet(event.then)


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
        max_file_size=LARGEST_UPLOAD,
    )
    return address


def serve(settings: Settings, *, host: str = "127.0.0.1", port: int = 7860) -> None:
    """Nothing; returns when the server is interrupted. A port in use is an InputError."""
    check_free(host, port)
    from assistant.assistant import Assistant
    from assistant.library import Library

    with closing(Assistant.open(settings)) as assistant, closing(Library(settings, assistant)) as library:
        blocks = build(assistant, library)
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
