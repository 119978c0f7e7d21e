"""What happens on each event of the Evaluate tab."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import gradio as gr

from assistant.choices import Choices
from assistant.evaluation import runs as kept_runs
from corpus.errors import AssistantError
from corpus.layout import BUILT_IN
from ui.browser import is_local, owner_of
from ui.evaluate import testsets
from ui.evaluate.page import EVERY, FROM_FEEDBACK, MODEL, SOURCES, EvaluatePage
from ui.evaluate.render import chosen_html, fault_html, feedback_html, progress_html
from ui.evaluate.shelf import Shelf
from ui.evaluate.testsets import TestSet
from ui.evaluate.work import Order, evaluate

if TYPE_CHECKING:
    from pathlib import Path

    from assistant.assistant import Assistant
    from ui.evaluate.jobs import Job, Jobs

Update = dict[Any, Any]
_PLAIN: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private"}


@dataclass(frozen=True)
class Evaluation:
    """What the tab's events do, over one assistant; holds nothing of any user."""

    page: EvaluatePage
    assistant: Assistant
    jobs: Jobs
    home: Path
    shelf: Shelf

    def opened(self, source: str, testset: TestSet | None, id: object, request: gr.Request) -> Update:
        """The tab as it is found: what can be chosen, what runs, what was kept."""
        owner = owner_of(request, id)
        choices = [(name, value) for value, name in SOURCES.items()]
        choices += [FROM_FEEDBACK] if is_local(request) else []
        update: Update = {self.page.source: gr.Radio(choices=choices)}
        if testset is None and source == "builtin":
            update |= self._builtin()
        job = self.jobs.of(owner)
        return update | self.shelf.listed(owner) | (self._running(job) if job else self._resting())

    def chosen(self, source: str, request: gr.Request) -> Update:
        """The kind of test set that was chosen."""
        page = self.page
        shown: Update = {page.file: gr.File(None, visible=source == "upload")}
        shown |= {page.drafts: gr.DownloadButton(visible=False)}
        if source == "upload":
            return shown | self._put(None, "")
        if source == FROM_FEEDBACK[1] and is_local(request):
            return shown | self._rated_down()
        return shown | self._builtin()

    def arrived(self, path: str | None) -> Update:
        """The file that was uploaded, read and checked."""
        if not path:
            return self._put(None, "")
        try:
            testset = testsets.uploaded(path, self.assistant.collection.papers())
        except AssistantError as error:
            return self._put(None, fault_html(str(error)))
        return self._put(testset, chosen_html(testset))

    def start(
        self,
        source: str,
        testset: TestSet | None,
        split: str | None,
        workers: float,
        writer: str,
        judge: bool,
        id: object,
        request: gr.Request,
    ) -> Update:
        """A run, begun; or why it can't be."""
        owner = owner_of(request, id)
        if testset is None or not testset.usable:
            return {self.page.progress: fault_html("Choose a test set without faults first.")}
        if not owner:
            return {self.page.progress: fault_html("The browser has lost its place; load the page again.")}
        part = split if split in [name for name, _ in testset.splits] else None
        collection = BUILT_IN if source == "builtin" else self.assistant.collection.name
        order = Order(collection, int(workers), part, bool(judge), Choices(model=writer == MODEL))
        try:
            job = self.jobs.start(
                owner,
                lambda: kept_runs.begin(
                    *(self.home, collection, owner, (testset.name, testset.data)),
                    split=part,
                    judged=order.judge,
                ),
                lambda job: evaluate(job, order, self.assistant),
            )
        except AssistantError as error:
            return {self.page.progress: fault_html(str(error))}
        return self._running(job)

    def tick(self, id: object, request: gr.Request) -> Update:
        """How far the run is; its report once it has ended."""
        owner = owner_of(request, id)
        job = self.jobs.of(owner)
        if job:
            return {self.page.progress: _bar(job)}
        ended = self.jobs.ended(owner)
        return self._resting() | (self.shelf.listed(owner, ended.id) if ended else {})

    def stop(self, id: object, request: gr.Request) -> Update:
        """The run, told to end; what was answered is scored and kept."""
        job = self.jobs.of(owner_of(request, id))
        if job is None:
            return self._resting()
        job.halt.set()
        return {self.page.progress: _bar(job), self.page.stop: gr.Button(interactive=False)}

    def _builtin(self) -> Update:
        testset = testsets.builtin()
        return self._put(testset, chosen_html(testset))

    def _rated_down(self) -> Update:
        try:
            data, drafts = testsets.rated_down(self.assistant)
            papers = self.assistant.collection.papers()
            testset = testsets.checked("rated-down.jsonl", data, papers) if drafts else TestSet("", b"")
        except AssistantError as error:
            return self._put(None, fault_html(str(error)))
        update = self._put(testset, feedback_html(testset, drafts))
        if drafts:
            file = self.shelf.offered("drafts", testset.name, data)
            update[self.page.drafts] = gr.DownloadButton(value=str(file), visible=True)
        return update

    def _put(self, testset: TestSet | None, about: str) -> Update:
        splits = [(f"{name} ({count:,})", name) for name, count in testset.splits if name] if testset else []
        return {
            self.page.testset: testset,
            self.page.about: about,
            self.page.split: gr.Dropdown(choices=[("all", EVERY), *splits], value=EVERY),
        }

    def _running(self, job: Job) -> Update:
        return {
            self.page.start: gr.Button(visible=False),
            self.page.stop: gr.Button(visible=True, interactive=not job.halt.is_set()),
            self.page.progress: _bar(job),
            self.page.timer: gr.Timer(active=True),
        }

    def _resting(self) -> Update:
        return {
            self.page.start: gr.Button(visible=True),
            self.page.stop: gr.Button(visible=False),
            self.page.progress: "",
            self.page.timer: gr.Timer(active=False),
        }


def wire(page: EvaluatePage, assistant: Assistant, jobs: Jobs) -> None:
    """Each event of the tab, tied to what it does."""
    assert assistant.settings is not None, "runs are kept in the data folder"
    home = assistant.settings.home
    shelf = Shelf(page, home)
    does = Evaluation(page, assistant, jobs, home, shelf)
    id = page.browser_id
    page.tab.select(does.opened, [page.source, page.testset, id], page.all, **_PLAIN)
    page.source.input(does.chosen, [page.source], page.all, **_PLAIN)
    page.file.change(does.arrived, [page.file], page.all, **_PLAIN)
    asked = [page.source, page.testset, page.split, page.workers, page.writer, page.judge, id]
    page.start.click(does.start, asked, page.all, **_PLAIN)
    page.stop.click(does.stop, [id], page.all, **_PLAIN)
    page.timer.tick(does.tick, [id], page.all, **_PLAIN)
    for changed in (page.runs, page.against):
        changed.input(shelf.shown, [page.runs, page.against, id], page.all, **_PLAIN)
    page.delete.click(shelf.doubted, None, page.all, **_PLAIN)
    page.keep.click(shelf.spared, None, page.all, **_PLAIN)
    page.really.click(shelf.deleted, [page.runs, id], page.all, **_PLAIN)


def _bar(job: Job) -> str:
    return progress_html(job.done, job.total, job.left, stopping=job.halt.is_set())
