"""The web chat as a program: built over an assistant, served on an address."""

from __future__ import annotations

import socket
import sys
from contextlib import closing
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import gradio as gr

from corpus.errors import InputError
from ui.events import wire
from ui.formulas import katex
from ui.page import lay_out
from ui.talks.store import Talks

if TYPE_CHECKING:
    from assistant.assistant import Assistant
    from assistant.config import Settings

_QUESTIONS_AT_ONCE = 16
_FONT = ("system-ui", "-apple-system", "Segoe UI", "Roboto", "Helvetica Neue", "Noto Sans", "sans-serif")
_MONO = ("ui-monospace", "SFMono-Regular", "Menlo", "Consolas", "monospace")

_PARTS = (("css", ("style", "answer", "talks")), ("js", ("page", "answer", "card", "formulas", "talks")))


def build(assistant: Assistant, home: Path | None = None) -> gr.Blocks:
    """The page over this assistant's collection; conversations are kept in `home`, or else while it runs."""
    talks = Talks.open(home) if home else Talks.passing()
    blocks = gr.Blocks(title="Abstracts Assistant", fill_width=True, analytics_enabled=False)
    with blocks:
        wire(blocks, lay_out(), assistant, talks)
    blocks.queue(default_concurrency_limit=_QUESTIONS_AT_ONCE)
    return blocks


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
        max_file_size=0,
    )
    return address


def serve(settings: Settings, *, host: str = "127.0.0.1", port: int = 7860) -> None:
    """Nothing; returns when the server is interrupted. A port in use is an InputError."""
    check_free(host, port)
    from assistant.assistant import Assistant

    with closing(Assistant.open(settings)) as assistant:
        blocks = build(assistant, settings.home)
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
    """The page's styles and scripts, inline: Gradio rewrites the selectors of a style handed to it as css.

    KaTeX's own are named only: the page's script loads them from this server for the first formula.
    """
    style, script = (
        "".join((files("ui") / f"{part}.{end}").read_text("utf-8") for part in parts) for end, parts in _PARTS
    )
    formulas = katex()
    named = f'<meta name="katex" content="{escape(" ".join(formulas))}">' if formulas else ""
    return f"{named}<style>{style}</style><script>{script}</script>"
