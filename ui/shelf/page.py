"""The components of the Collection tab and how they lie on it."""

from __future__ import annotations

from dataclasses import dataclass

import gradio as gr

from ui.shelf.desk import plain

# What the part's script listens to; it says what happened by the component's own events.
_HEARD = "window.assistantShelf.attach({!r}, element, trigger);"


@dataclass(frozen=True)
class Shelf:
    """The components of the tab."""

    tab: gr.Tab
    picked: gr.State  # the collection that is shown and asked, "" for the first one
    asked: gr.State  # the view that was asked for last
    bar: gr.HTML
    drop: gr.File
    progress: gr.HTML
    form: gr.HTML
    results: gr.HTML
    map: gr.HTML
    paper: gr.HTML


def lay_out(tab: gr.Tab, picked: gr.State) -> Shelf:
    """The tab's components, laid out in the tab that is open."""
    asked = gr.State(plain())
    with gr.Row(elem_id="shelf"):
        with gr.Column(elem_id="shelf-main"):
            bar = _html("bar")
            drop = gr.File(
                label="Add papers",
                file_count="multiple",
                elem_id="shelf-drop",
                height=64,
                buttons=[],
            )
            progress, form = _html("progress"), _html("form")
            results, map = _html("results"), _html("map")
        with gr.Column(elem_id="shelf-side"):
            paper = _html("paper")
    return Shelf(tab, picked, asked, bar, drop, progress, form, results, map, paper)


def _html(name: str) -> gr.HTML:
    return gr.HTML("", elem_id=f"shelf-{name}", apply_default_css=False, js_on_load=_HEARD.format(name))
