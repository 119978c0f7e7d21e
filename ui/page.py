"""The components of the page and how they lie on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gradio as gr

from ui.conversation import Conversation
from ui.welcome import EXAMPLES_SHOWN, empty_sources_html


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


def lay_head() -> gr.HTML:
    """The head line over all tabs."""
    return _html("head")


def lay_out(header: gr.HTML) -> Page:
    """The chat's components, laid out in the tab that is open."""
    conversation, live = gr.State(Conversation()), gr.State(None)
    with gr.Row(elem_id="desk"):
        with gr.Column(elem_id="chat"):
            with gr.Column(elem_id="thread"):
                with gr.Column(elem_id="start") as start:
                    welcome, examples = _html("welcome"), _examples()
                past, current = _html("past"), _html("current")
            with gr.Column(elem_id="composer"):
                notice = _html("notice", visible=False)
                box, ask, stop, clear = _composer()
        with gr.Column(elem_id="panel"):
            sources = _html("sources", empty_sources_html())
    return Page(
        conversation=conversation,
        live=live,
        header=header,
        start=start,
        welcome=welcome,
        examples=examples,
        past=past,
        current=current,
        notice=notice,
        box=box,
        ask=ask,
        stop=stop,
        clear=clear,
        sources=sources,
    )


def _examples() -> tuple[gr.Button, ...]:
    return tuple(gr.Button(visible=False, elem_classes="example") for _ in range(EXAMPLES_SHOWN))


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
