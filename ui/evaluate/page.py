"""The components of the Evaluate tab and how they lie on it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import gradio as gr

from ui.evaluate.render import INTRODUCTION
from ui.evaluate.work import MOST_WORKERS

SOURCES = {"builtin": "The built-in test set", "upload": "A file of yours"}
FROM_FEEDBACK = ("Answers rated down", "feedback")
QUOTES, MODEL = "quotes", "model"
WRITERS = [("Quotes from the abstracts", QUOTES), ("The language model", MODEL)]
EVERY = "all"


@dataclass(frozen=True)
class EvaluatePage:
    """The components of the tab; `testset` is the one that was chosen, in memory."""

    tab: gr.Tab
    browser_id: gr.BrowserState
    testset: gr.State
    timer: gr.Timer
    source: gr.Radio
    file: gr.File
    about: gr.HTML
    drafts: gr.DownloadButton
    split: gr.Dropdown
    workers: gr.Slider
    writer: gr.Radio
    judge: gr.Checkbox
    start: gr.Button
    stop: gr.Button
    progress: gr.HTML
    kept: gr.Column
    runs: gr.Dropdown
    against: gr.Dropdown
    delete: gr.Button
    really: gr.Button
    keep: gr.Button
    report_html: gr.DownloadButton
    report_md: gr.DownloadButton
    report_json: gr.DownloadButton
    answers: gr.DownloadButton
    result: gr.HTML

    @property
    def downloads(self) -> tuple[tuple[gr.DownloadButton, str], ...]:
        """The buttons with the files that they give."""
        return (
            (self.report_html, "report.html"),
            (self.report_md, "report.md"),
            (self.report_json, "report.json"),
            (self.answers, "answers.jsonl"),
        )

    @property
    def all(self) -> list[Any]:
        """Every component that an event may change."""
        left_out = ("tab", "browser_id")
        return [getattr(self, field.name) for field in fields(self) if field.name not in left_out]


def lay_out(tab: gr.Tab, browser_id: gr.BrowserState, *, model: bool) -> EvaluatePage:
    """The tab's components, laid out in the tab that is open; `model`: a language model is set."""
    testset, timer = gr.State(None), gr.Timer(1.0, active=False)
    with gr.Column(elem_id="evaluate", elem_classes="sheet"):
        gr.HTML(INTRODUCTION, apply_default_css=False, js_on_load=None)
        with gr.Column(elem_id="new-run", elem_classes="card"):
            source = gr.Radio(
                [(name, value) for value, name in SOURCES.items()],
                value="builtin",
                label="Test set",
                elem_id="testset-source",
            )
            file = gr.File(
                label="JSON Lines or CSV",
                file_types=[".jsonl", ".json", ".csv", ".txt"],
                visible=False,
                height=120,
                elem_id="testset-file",
            )
            about = _html("testset-about", live=True)
            drafts = gr.DownloadButton("Download the drafts", visible=False, elem_classes="quiet")
            with gr.Row(elem_classes="fields"):
                split = gr.Dropdown([("all", EVERY)], value=EVERY, label="Part", elem_id="testset-split")
                workers = gr.Slider(
                    1, MOST_WORKERS, value=1, step=1, label="Questions at once", elem_id="workers"
                )
            with gr.Row(elem_classes="fields", visible=model):
                writer = gr.Radio(WRITERS, value=QUOTES, label="Answers from", elem_id="evaluate-writer")
                judge = gr.Checkbox(
                    label="The language model judges the answers too (a call each)", elem_id="judge"
                )
            with gr.Row(elem_classes="buttons"):
                start = gr.Button("Run", elem_id="run", elem_classes="main")
                stop = gr.Button("Stop", elem_id="run-stop", visible=False)
            progress = _html("run-progress", live=True)
        with gr.Column(visible=False, elem_id="kept-runs") as kept:
            gr.HTML("<h2>Runs</h2>", apply_default_css=False, js_on_load=None)
            with gr.Row(elem_classes="fields"):
                runs = gr.Dropdown([], label="Run", elem_id="runs")
                against = gr.Dropdown([], label="Compared with", elem_id="against")
            with gr.Row(elem_classes="buttons"):
                downloads = [
                    gr.DownloadButton(name, visible=False, elem_classes="quiet")
                    for name in ("report.html", "report.md", "report.json", "answers.jsonl")
                ]
                delete = gr.Button("Delete", elem_id="run-delete", elem_classes="quiet", visible=False)
                really = gr.Button("Delete it for good", elem_id="run-really", visible=False)
                keep = gr.Button("Keep it", elem_id="run-keep", elem_classes="quiet", visible=False)
            result = _html("run-result")
    return EvaluatePage(
        tab=tab,
        browser_id=browser_id,
        testset=testset,
        timer=timer,
        source=source,
        file=file,
        about=about,
        drafts=drafts,
        split=split,
        workers=workers,
        writer=writer,
        judge=judge,
        start=start,
        stop=stop,
        progress=progress,
        kept=kept,
        runs=runs,
        against=against,
        delete=delete,
        really=really,
        keep=keep,
        report_html=downloads[0],
        report_md=downloads[1],
        report_json=downloads[2],
        answers=downloads[3],
        result=result,
    )


def _html(name: str, *, live: bool = False) -> gr.HTML:
    classes = "live" if live else ""
    return gr.HTML("", elem_id=name, elem_classes=classes, apply_default_css=False, js_on_load=None)
