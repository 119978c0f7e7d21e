"""The web chat as a program: built over an assistant, served on an address."""

from __future__ import annotations

import os
import socket
import sys
from contextlib import closing
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gradio as gr

import ui.evaluate.events
import ui.evaluate.page
import ui.settings.events
import ui.settings.page
import ui.shelf.events
import ui.shelf.page
from ui import account, server
from ui.browser import kept
from ui.evaluate.jobs import Jobs
from ui.events import wire
from ui.formulas import katex
from ui.guard.accounts import VARIABLE, check_needed, read_accounts
from ui.guard.hosts import Hosts
from ui.page import header, lay_out
from ui.programs import endpoints, mcp
from ui.programs.rooms import Rooms
from ui.shelf.desk import Desk
from ui.talks.store import Talks

if TYPE_CHECKING:
    from assistant.assistant import Assistant
    from assistant.config import Settings
    from assistant.library import Library

_QUESTIONS_AT_ONCE = 16
# Seconds between two looks for uploads and downloads that nothing was done with, and how old they get.
_FILES_KEPT = (600, 3600)

_PARTS = (
    ("css", ("style", "tabs", "account", "answer", "talks", "shelf", "evaluate")),
    ("js", ("page", "answer", "card", "formulas", "talks", "shelf")),
)


def build(
    assistant: Assistant,
    rooms: Rooms | None = None,
    *,
    library: Library | None = None,
    home: Path | None = None,
    jobs: Jobs | None = None,
) -> gr.Blocks:
    """The page over this assistant's collection; conversations are kept in `home`, or else while it runs.

    With `rooms` programs have endpoints of their own beside it. With a library there is a tab for its
    collections, of which each session asks the one that it picks. `jobs` are the evaluations that run.
    """
    return server.in_loop(lambda: _built(assistant, rooms, library, home, jobs or Jobs()))


def _built(
    assistant: Assistant, rooms: Rooms | None, library: Library | None, home: Path | None, jobs: Jobs
) -> gr.Blocks:
    talks = Talks.open(home) if home else Talks.passing()
    blocks = gr.Blocks(
        title="Abstracts Assistant", fill_width=True, analytics_enabled=False, delete_cache=_FILES_KEPT
    )
    with blocks:
        # Before the page's own events: names of endpoints go to whoever comes first.
        if rooms:
            endpoints.offer(rooms)
        head = header()
        # Outside of the tabs: what lies in one isn't there until it is opened.
        browser, chosen, picked = kept("browser", None), kept("choices", {}), gr.State("")
        with gr.Tabs(elem_id="tabs"):
            with gr.Tab("Chat", id="chat", elem_id="tab-chat"):
                chat = lay_out(head, browser)
            changing = _shelf_tab(library, picked) if library else []
            _evaluate_tab(assistant, browser, jobs)
            choices = _settings_tab(blocks, assistant, chosen)
        choose = library.assistant if library else lambda _: assistant
        greet = wire(blocks, chat, choose, talks, picked=picked, choices=choices)
        for event in changing:
            greet(event.then)
        account.add(blocks)
    blocks.queue(default_concurrency_limit=_QUESTIONS_AT_ONCE)
    return blocks


def _shelf_tab(library: Library, picked: gr.State) -> list[Any]:
    """The events of the Collection tab after which another collection may be asked."""
    with gr.Tab("Collection", id="collection", elem_id="tab-collection") as tab:
        page = ui.shelf.page.lay_out(tab, picked)
    return ui.shelf.events.wire(page, Desk(library))


def _evaluate_tab(assistant: Assistant, browser: gr.BrowserState, jobs: Jobs) -> None:
    if assistant.settings is None:  # no data folder to keep a run in
        return
    with gr.Tab("Evaluate", id="evaluate", elem_id="tab-evaluate") as tab:
        model = assistant.settings.llm != "none"
        page = ui.evaluate.page.lay_out(tab, browser, model=model)
    ui.evaluate.events.wire(page, assistant, jobs)


def _settings_tab(blocks: gr.Blocks, assistant: Assistant, chosen: gr.BrowserState) -> gr.State:
    """What this session's questions are asked with."""
    with gr.Tab("Settings", id="settings", elem_id="tab-settings") as tab:
        page = ui.settings.page.lay_out(tab, chosen, assistant.settings)
    ui.settings.events.wire(blocks, page, assistant)
    return page.choices


def start(
    blocks: gr.Blocks,
    *,
    host: str,
    port: int,
    rooms: Rooms | None = None,
    access: server.Access | None = None,
    listening: socket.socket | None = None,
) -> str:
    """The page's address, once it answers; the server runs in a thread until `blocks.close()`.

    With `rooms` it speaks OpenAI's protocol below /v1, and MCP where that is installed.
    """
    access = access or server.Access(Hosts(host))
    listening = listening or server.listen(host, port)
    offered = rooms is not None and mcp.is_installed()
    guard = server.in_loop(lambda: server.application(blocks, rooms, access, head=_head(), mcp=offered))
    return server.run(blocks, guard, listening)


def serve(settings: Settings, *, host: str = "127.0.0.1", port: int = 7860) -> None:
    """Nothing; returns when the server is interrupted.

    InputError for a port in use, and for an address that others reach where no password is set.
    """
    accounts, hosts = read_accounts(os.environ.get(VARIABLE)), Hosts(host, settings.hosts)
    check_needed(accounts, host=host, needed=hosts.reached_by_others)
    with closing(server.listen(host, port)) as listening:
        from assistant.assistant import Assistant
        from assistant.library import Library

        with (
            closing(Assistant.open(settings)) as assistant,
            closing(Library(settings, assistant)) as library,
            closing(Jobs()) as jobs,
        ):
            rooms = Rooms(assistant, library)
            blocks = build(assistant, rooms, library=library, home=settings.home, jobs=jobs)
            access = server.Access(hosts, accounts)
            address = start(blocks, host=host, port=port, rooms=rooms, access=access, listening=listening)
            sys.stdout.write(f"The chat is at {address} (Ctrl-C ends it)\n")
            sys.stdout.flush()
            server.wait_until_interrupted(lambda: bool(blocks.is_running))
            blocks.close(verbose=False)


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
