"""The components of the Settings tab and how they lie on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import gradio as gr

from assistant.choices import Choices
from assistant.sources import MOST, SOURCES
from ui.settings.chosen import FEWEST, UNSUPPORTED, WRITERS

if TYPE_CHECKING:
    from assistant.config import Settings

THEMES = {"system": "As the system", "light": "Light", "dark": "Dark"}


@dataclass(frozen=True)
class SettingsPage:
    """The components of the tab; `choices` is what this session's questions are asked with."""

    tab: gr.Tab
    choices: gr.State
    kept: gr.BrowserState
    model: gr.HTML
    test: gr.Button
    tested: gr.HTML
    writer: gr.Radio
    unsupported: gr.Radio
    sources: gr.Slider
    theme: gr.Radio
    about: gr.HTML


def lay_out(tab: gr.Tab, kept: gr.BrowserState, settings: Settings | None) -> SettingsPage:
    """The tab's components, laid out in the tab that is open."""
    model_set = settings is not None and settings.llm != "none"
    choices = gr.State(Choices())
    with gr.Column(elem_id="settings", elem_classes="sheet"):
        with gr.Column(elem_classes="card"):
            _html(value="<h2>Language model</h2>")
            model = _html("model-state")
            test = gr.Button(
                "Test the connection", elem_id="model-test", elem_classes="quiet", visible=model_set
            )
            tested = _html("model-tested", live=True)
        with gr.Column(elem_classes="card", visible=model_set):
            _html(value="<h2>Your answers</h2><p>For this browser only; from the next question on.</p>")
            writer = gr.Radio(_pairs(WRITERS), value="model", label="Written by", elem_id="writer")
            unsupported = gr.Radio(
                _pairs(UNSUPPORTED),
                value=settings.unsupported if settings else "show",
                label="Sentences that their sources don't bear out",
                elem_id="unsupported",
            )
            sources = gr.Slider(
                FEWEST,
                MOST,
                value=SOURCES,
                step=1,
                label="Papers that the model is shown",
                elem_id="how-many",
            )
        with gr.Column(elem_classes="card"):
            _html(value="<h2>Look</h2>")
            theme = gr.Radio(_pairs(THEMES), value="system", label="Theme", elem_id="theme")
        with gr.Column(elem_classes="card"):
            _html(value="<h2>About</h2>")
            about = _html("about")
    return SettingsPage(tab, choices, kept, model, test, tested, writer, unsupported, sources, theme, about)


def _pairs(names: dict[str, str]) -> list[tuple[str, str]]:
    return [(name, value) for value, name in names.items()]


def _html(name: str | None = None, value: str = "", *, live: bool = False) -> gr.HTML:
    classes = "live" if live else ""
    return gr.HTML(value, elem_id=name, elem_classes=classes, apply_default_css=False, js_on_load=None)
