"""The runs that were kept: listed, shown, compared, downloaded, deleted."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import gradio as gr

from assistant.evaluation.comparison import compare_reports, read_baseline
from assistant.evaluation.html_page import comparison_html
from assistant.evaluation.runs import Run, delete, run_of, runs_of
from corpus.errors import AssistantError
from ui.browser import owner_of
from ui.evaluate.page import EvaluatePage
from ui.evaluate.render import compared_html, fault_html, only_other, run_html, run_label
from ui.evaluate.work import BODY

Update = dict[Any, Any]
_NOTHING = ""


@dataclass(frozen=True)
class Shelf:
    """What the tab shows of kept runs; holds nothing of any user but copies of files to download."""

    page: EvaluatePage
    home: Path
    aside: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="downloads-")))

    def __post_init__(self) -> None:
        weakref.finalize(self, shutil.rmtree, self.aside, ignore_errors=True)

    def listed(self, owner: str, chosen: str | None = None) -> Update:
        """The owner's runs, the chosen one, else the newest, shown."""
        runs = runs_of(self.home, owner) if owner else []
        if not runs:
            return {self.page.kept: gr.Column(visible=False)}
        run = next((one for one in runs if one.id == chosen), runs[0])
        choices = [(run_label(one), one.id) for one in runs]
        return {
            self.page.kept: gr.Column(visible=True),
            self.page.runs: gr.Dropdown(choices=choices, value=run.id),
        } | self._one(run, runs, None)

    def shown(self, chosen: str | None, against: str | None, id: object, request: gr.Request) -> Update:
        """The run that was chosen, over what differs from another one where one is chosen too."""
        owner = owner_of(request, id)
        try:
            run = run_of(self.home, owner, chosen or "")
            other = run_of(self.home, owner, against) if against and against != run.id else None
        except AssistantError as error:
            return self.listed(owner) | {self.page.result: fault_html(str(error))}
        return self._one(run, runs_of(self.home, owner), other)

    def doubted(self) -> Update:
        """Whether the run is to go for good, asked."""
        return self._asking(True)

    def spared(self) -> Update:
        """The question taken back."""
        return self._asking(False)

    def deleted(self, chosen: str | None, id: object, request: gr.Request) -> Update:
        """The chosen run gone, the next one shown."""
        owner = owner_of(request, id)
        with suppress(AssistantError):  # gone already
            delete(run_of(self.home, owner, chosen or ""))
        return self.listed(owner)

    def offered(self, folder: str, name: str, data: bytes | Path) -> Path:
        """A copy of a file where Gradio may give it out."""
        path = self.aside / folder / name
        path.parent.mkdir(mode=0o700, exist_ok=True)
        if isinstance(data, bytes):
            path.write_bytes(data)
        else:
            shutil.copyfile(data, path)
        return path

    def _one(self, run: Run, runs: list[Run], other: Run | None) -> Update:
        page = self.page
        rest = [(run_label(one), one.id) for one in only_other(runs, run.id)]
        html = run_html(run, _body(run))
        if other:
            try:
                comparison = compare_reports(read_baseline(other.folder), read_baseline(run.folder))
                html = compared_html(other, comparison_html(comparison)) + html
            except AssistantError:
                html = fault_html("One of the runs has no report, so they can't be compared.") + html
        return {
            page.against: gr.Dropdown(
                choices=[("none", _NOTHING), *rest], value=other.id if other else _NOTHING, visible=bool(rest)
            ),
            page.result: html,
            **self._files(run),
            **self._asking(False, visible=run.state != "running"),
        }

    def _files(self, run: Run) -> Update:
        found: Update = {}
        for button, name in self.page.downloads:
            file = run.folder / name
            there = file.is_file()
            value = str(self.offered(run.id, name, file)) if there else None
            found[button] = gr.DownloadButton(value=value, visible=there)
        return found

    def _asking(self, asking: bool, *, visible: bool = True) -> Update:
        return {
            self.page.delete: gr.Button(visible=visible and not asking),
            self.page.really: gr.Button(visible=asking),
            self.page.keep: gr.Button(visible=asking),
        }


def _body(run: Run) -> str | None:
    try:
        return (run.folder / BODY).read_text("utf-8")
    except OSError:
        return None
