"""The components of the page and how they lie on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gradio as gr

from ui.conversation import Conversation
from ui.picks import Picks
from ui.talks import pane as talks
from ui.welcome import EXAMPLES_SHOWN, empty_sources_html

# The page's script says by a DOM event what is wanted: submit a verdict, select a paper, input (ask again).
_HEAR = 'document.addEventListener("assistant:wish", (wish) => trigger(wish.detail.event, wish.detail.data));'


@dataclass(frozen=True)
class Page:
    """The components of one page."""

    conversation: gr.State  # the finished exchanges of the open conversation
    pane: talks.Pane
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
    picks: gr.State  # the papers that the next questions are asked of
    picked: gr.HTML
    signal: gr.HTML  # hears what the page's script asks for
    told: gr.HTML  # what became of a verdict

    @property
    def answering(self) -> list[Any]:
        """What a question changes."""
        texts = (self.start, self.past, self.current, self.sources, self.header, self.pane.listing)
        state = (self.conversation, self.pane.talk)
        return [*state, *texts, self.notice, self.box, self.ask, self.stop, self.clear]


def header() -> gr.HTML:
    """The head line, which is over every tab."""
    return _html("head")


def lay_out(header: gr.HTML, browser: gr.BrowserState) -> Page:
    """The chat's components, laid out in the tab that is open; `browser` keeps the browser's id."""
    conversation = gr.State(Conversation())
    with gr.Row(elem_id="desk"):
        pane = talks.lay_out(browser)
        with gr.Column(elem_id="chat"):
            with gr.Column(elem_id="thread"):
                with gr.Column(elem_id="start") as start:
                    welcome, examples = _html("welcome"), _examples()
                past, current = _html("past"), _html("current")
            with gr.Column(elem_id="composer"):
                notice, picked = _html("notice", visible=False), _html("picked")
                box, ask, stop, clear = _composer()
        with gr.Column(elem_id="panel"):
            sources = _html("sources", empty_sources_html())
    signal, told = _html("signal", on_load=_HEAR), _html("told")
    return Page(
        conversation=conversation,
        pane=pane,
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
        picks=gr.State(Picks()),
        picked=picked,
        signal=signal,
        told=told,
    )


def _examples() -> tuple[gr.Button, ...]:
    return tuple(gr.Button(visible=False, elem_classes="example") for _ in range(EXAMPLES_SHOWN))


def _html(name: str, value: str = "", *, visible: bool = True, on_load: str | None = None) -> gr.HTML:
    return gr.HTML(value, elem_id=name, visible=visible, apply_default_css=False, js_on_load=on_load)


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
        clear = gr.Button("New chat", elem_id="clear", visible=False)
        ask, stop = gr.Button("Ask", elem_id="ask"), gr.Button("Stop", elem_id="stop", visible=False)
    return box, ask, stop, clear
