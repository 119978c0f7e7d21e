"""The web chat: Gradio's components, how they lie on the page, and what happens on each event."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import gradio as gr

from corpus.errors import InputError
from ui.conversation import Conversation, Exchange, refusal, respond, stopped
from ui.render import fault_html
from ui.welcome import EXAMPLES_SHOWN, empty_sources_html, example_questions, header_html, welcome_html

if TYPE_CHECKING:
    from assistant.assistant import Assistant
    from assistant.config import Settings

_QUESTIONS_AT_ONCE = 16
_FONT = ("system-ui", "-apple-system", "Segoe UI", "Roboto", "Helvetica Neue", "Noto Sans", "sans-serif")
_MONO = ("ui-monospace", "SFMono-Regular", "Menlo", "Consolas", "monospace")

Update = dict[Any, Any]
"""New values by component; the components that aren't named stay as they are."""


@dataclass(frozen=True)
class Page:
    """The components of one page."""

    conversation: gr.State  # the finished exchanges
    live: gr.State  # the exchange being written, else None
    header: gr.HTML
    start: gr.Column
    welcome: gr.HTML
    examples: tuple[gr.Button, ...]
    past: gr.HTML
    current: gr.HTML
    notice: gr.HTML
    box: gr.Textbox
    ask: gr.Button
    stop: gr.Button
    clear: gr.Button
    sources: gr.HTML

    @property
    def answering(self) -> list[Any]:
        """What a question changes."""
        texts = (self.start, self.past, self.current, self.sources, self.header)
        return [self.conversation, self.live, *texts, self.notice, self.box, self.ask, self.stop, self.clear]


def build(assistant: Assistant) -> gr.Blocks:
    """The page over this assistant's collection; each browser session has a conversation of its own."""
    blocks = gr.Blocks(title="Abstracts Assistant", fill_width=True, analytics_enabled=False)
    with blocks:
        page = _lay_out()
        blocks.load(
            lambda: _greeting(page, assistant),
            None,
            [page.header, page.welcome, *page.examples],
            api_visibility="private",
            show_progress="hidden",
        )
        _wire(page, assistant)
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

    blocks = build(Assistant.open(settings))
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
    style, script = ((files("ui") / name).read_text("utf-8") for name in ("style.css", "page.js"))
    return f"<style>{style}</style><script>{script}</script>"


def _lay_out() -> Page:
    conversation, live = gr.State(Conversation()), gr.State(None)
    header = _html("head")
    with gr.Row(elem_id="desk"):
        with gr.Column(elem_id="chat"):
            with gr.Column(elem_id="thread"):
                with gr.Column(elem_id="start") as start:
                    welcome = _html("welcome")
                    examples = tuple(
                        gr.Button(visible=False, elem_classes="example") for _ in range(EXAMPLES_SHOWN)
                    )
                past, current = _html("past"), _html("current")
            with gr.Column(elem_id="composer"):
                notice = _html("notice", visible=False)
                box, ask, stop, clear = _composer()
        with gr.Column(elem_id="panel"):
            sources = _html("sources", empty_sources_html())
    return Page(
        conversation,
        live,
        header,
        start,
        welcome,
        examples,
        past,
        current,
        notice,
        box,
        ask,
        stop,
        clear,
        sources,
    )


def _html(name: str, value: str = "", *, visible: bool = True) -> gr.HTML:
    return gr.HTML(value, elem_id=name, visible=visible, apply_default_css=False, js_on_load=None)


def _composer() -> tuple[gr.Textbox, gr.Button, gr.Button, gr.Button]:
    with gr.Row(elem_id="ask-row"):
        box = gr.Textbox(
            label="Your question",
            placeholder="Ask about the papers",
            max_lines=6,
            container=False,
            show_label=False,
            autofocus=True,
            elem_id="box",
        )
        clear = gr.Button("Clear", elem_id="clear", visible=False)
        ask, stop = gr.Button("Ask", elem_id="ask"), gr.Button("Stop", elem_id="stop", visible=False)
    return box, ask, stop, clear


def _greeting(page: Page, assistant: Assistant) -> Update:
    """The head line and the example questions, from the collection as it stands now."""
    collection = assistant.collection
    collection.refresh()
    name, size = collection.name, collection.size
    found = collection.papers([hit.paper_id for hit in collection.lexical("we present a system", 20)])
    questions = example_questions(name, found)
    shown = [gr.Button(question, visible=True) for question in questions]
    hidden = [gr.Button(visible=False)] * (EXAMPLES_SHOWN - len(shown))
    return {
        page.header: header_html(name, size),
        page.welcome: welcome_html(name, size),
        **dict(zip(page.examples, [*shown, *hidden], strict=True)),
    }


def _wire(page: Page, assistant: Assistant) -> None:
    """Each event of the page, tied to what it does."""

    def answer(question: str, conversation: Conversation, live: Exchange | None) -> Iterator[Update]:
        # One answer at a time: while one is being written, the next question waits in the box.
        if live is None or live.halt.is_set():
            yield from _answer(page, assistant, conversation, question or "")
        else:
            yield {page.notice: gr.skip()}

    plain: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private"}
    asked = [
        listen(answer, [source, page.conversation, page.live], page.answering, **plain)
        for source, listen in _ways_to_ask(page)
    ]
    page.stop.click(
        lambda conversation, live: _stop(page, conversation, live),
        [page.conversation, page.live],
        page.answering,
        cancels=asked,
        **plain,
    )
    page.clear.click(lambda live: _clear(page, live), [page.live], page.answering, cancels=asked, **plain)


def _ways_to_ask(page: Page) -> list[tuple[Any, Callable[..., Any]]]:
    """Where the question's text is, with the event that asks it."""
    ways: list[tuple[Any, Callable[..., Any]]] = [(page.box, page.box.submit), (page.box, page.ask.click)]
    return ways + [(button, button.click) for button in page.examples]


def _answer(page: Page, assistant: Assistant, conversation: Conversation, question: str) -> Iterator[Update]:
    question = question.strip()
    if not question:
        yield {page.notice: gr.skip()}
        return
    reason = refusal(question)
    if reason:
        yield {page.notice: gr.HTML(fault_html(reason), visible=True)}
        return
    first = True
    exchange = Exchange(conversation.next_turn, question)
    for exchange in respond(assistant, conversation, question):
        yield {page.live: exchange, page.current: exchange.html} | (
            _begun(page, conversation) if first else {}
        )
        first = False
    yield _ended(page, conversation, exchange) | {
        page.header: header_html(assistant.collection.name, assistant.collection.size)
    }


def _begun(page: Page, conversation: Conversation) -> Update:
    return {
        page.past: conversation.html,
        page.start: gr.Column(visible=False),
        page.notice: gr.HTML(visible=False),
        page.box: "",
        page.ask: gr.Button(visible=False),
        page.stop: gr.Button(visible=True),
    }


def _ended(page: Page, conversation: Conversation, exchange: Exchange) -> Update:
    """The page at rest again, with the exchange put to the conversation."""
    whole = conversation.plus(exchange)
    update: Update = {
        page.conversation: whole,
        page.live: None,
        page.current: exchange.html,
        page.sources: whole.sources or empty_sources_html(),
        page.ask: gr.Button(visible=True),
        page.stop: gr.Button(visible=False),
        page.clear: gr.Button(visible=True),
    }
    return update | ({page.box: exchange.question} if exchange.failed else {})


def _stop(page: Page, conversation: Conversation, live: Exchange | None) -> Update:
    return _ended(page, conversation, stopped(live)) if live else {page.stop: gr.Button(visible=False)}


def _clear(page: Page, live: Exchange | None) -> Update:
    if live:
        stopped(live)
    return {
        page.conversation: Conversation(),
        page.live: None,
        page.start: gr.Column(visible=True),
        page.past: "",
        page.current: "",
        page.notice: gr.HTML(visible=False),
        page.ask: gr.Button(visible=True),
        page.stop: gr.Button(visible=False),
        page.clear: gr.Button(visible=False),
        page.sources: empty_sources_html(),
    }
