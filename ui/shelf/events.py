"""What happens on each event of the Collection tab."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import gradio as gr

from corpus.errors import AssistantError
from ui.render import fault_html
from ui.shelf.asked import Asked, asked_of, exact_of, text_of, turned
from ui.shelf.bar import bar_html, form_html
from ui.shelf.desk import Desk, plain
from ui.shelf.importing import Import, taken
from ui.shelf.marks import made
from ui.shelf.page import Shelf
from ui.shelf.report import progress_html, refused_html, report_html, stopped_html

Update = dict[Any, Any]
"""New values by component; the components that aren't named stay as they are."""

_PLAIN: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private"}
_LAST: dict[str, Any] = {**_PLAIN, "trigger_mode": "always_last"}


def wire(shelf: Shelf, desk: Desk) -> list[Any]:
    """Each event of the tab, tied to what it does; those after which another collection may be asked."""
    views = [shelf.bar, shelf.form, shelf.results, shelf.map, shelf.asked]
    whole = [*views, shelf.picked, shelf.paper, shelf.progress]
    here = [shelf.picked, shelf.asked]

    def opened(picked: str, asked: Asked) -> Iterator[Update]:
        yield from _shown(shelf, desk, desk.library.shown(picked), asked)

    def looked(picked: str, event: gr.EventData) -> Iterator[Update]:
        yield from _view(shelf, desk, desk.library.shown(picked), asked_of(event))

    def paged(picked: str, asked: Asked, event: gr.EventData) -> Iterator[Update]:
        yield from _view(shelf, desk, desk.library.shown(picked), turned(asked, event))

    def read(picked: str, event: gr.EventData) -> Update:
        return {
            shelf.paper: _guarded(lambda: desk.paper(desk.library.shown(picked), text_of(event, "paper")))
        }

    def followed(picked: str) -> Iterator[Update]:
        yield from _followed(shelf, desk, desk.imports.running(desk.library.shown(picked)))

    entered = shelf.tab.select(opened, here, views, **_PLAIN)
    entered.then(followed, [shelf.picked], [shelf.progress], **_PLAIN)
    shelf.form.input(looked, [shelf.picked], [shelf.results, shelf.map, shelf.asked], **_LAST)
    shelf.results.input(paged, here, [shelf.results, shelf.map, shelf.asked], **_LAST)
    for source in (shelf.results, shelf.map):
        source.select(read, [shelf.picked], [shelf.paper], **_LAST)
    return _wire_changes(shelf, desk, views, whole)


def _wire_changes(shelf: Shelf, desk: Desk, views: list[Any], whole: list[Any]) -> list[Any]:
    """The events that change what there is: picking, making, adding, removing."""

    def removed(picked: str, asked: Asked, event: gr.EventData) -> Iterator[Update]:
        name = desk.library.shown(picked)
        yield {shelf.paper: _guarded(lambda: desk.remove(name, text_of(event, "paper")))}
        yield from _shown(shelf, desk, name, asked)

    def chosen(event: gr.EventData) -> Iterator[Update]:
        name = exact_of(event, "name")
        try:
            desk.library.layout(name)
        except AssistantError as error:
            yield {shelf.bar: _bar(desk, desk.library.shown(), fault_html(str(error)))}
            return
        yield {shelf.picked: name, shelf.paper: "", shelf.progress: ""}
        yield from _shown(shelf, desk, name, plain())

    def made(picked: str, event: gr.EventData) -> Iterator[Update]:
        name = text_of(event, "name")
        try:
            desk.library.make(name)
        except AssistantError as error:
            yield {shelf.bar: _bar(desk, desk.library.shown(picked), fault_html(str(error)))}
            return
        yield {shelf.picked: name, shelf.paper: "", shelf.progress: ""}
        yield from _shown(shelf, desk, name, plain())

    def added(picked: str, paths: list[str] | None) -> Iterator[Update]:
        yield from _added(shelf, desk, desk.library.shown(picked), paths or [])

    pick = shelf.bar.select(chosen, None, whole, **_LAST)
    make = shelf.bar.submit(made, [shelf.picked], whole, **_PLAIN)
    add = shelf.drop.upload(added, [shelf.picked, shelf.drop], [*whole, shelf.drop], **_PLAIN)
    remove = shelf.paper.submit(removed, [shelf.picked, shelf.asked], [*views, shelf.paper], **_PLAIN)
    shelf.progress.clear(
        lambda picked: desk.imports.stop(desk.library.shown(picked)), [shelf.picked], None, **_PLAIN
    )
    return [pick, make, add, remove]


def _added(shelf: Shelf, desk: Desk, name: str, paths: list[str]) -> Iterator[Update]:
    """The import of uploaded files as it goes, and its report with the collection as it is then."""
    try:
        job = desk.start(name, taken(paths, Path(shelf.drop.GRADIO_CACHE)))
    except AssistantError as error:
        yield {shelf.progress: refused_html(str(error)), shelf.drop: None}
        return
    yield {shelf.picked: job.name, shelf.drop: None, shelf.progress: progress_html(job.step, job.name)}
    yield from _followed(shelf, desk, job)
    yield from _shown(shelf, desk, job.name, plain())


def _followed(shelf: Shelf, desk: Desk, job: Import | None) -> Iterator[Update]:
    """The steps of an import that runs, then what came of it."""
    if job is None:
        yield {shelf.progress: gr.skip()}
        return
    for step in job.follow():
        yield {shelf.progress: progress_html(step, job.name)}
    if job.report:
        yield {shelf.progress: report_html(job.report, job.name, note=job.note)}
    elif job.fault:
        yield {shelf.progress: refused_html(job.fault, job.note)}
    else:
        yield {shelf.progress: stopped_html(job.name, job.note)}


def _shown(shelf: Shelf, desk: Desk, name: str, asked: Asked) -> Iterator[Update]:
    """The whole tab for a collection, then its view."""
    try:
        choices = desk.library.listing(name).choices()
    except AssistantError as error:
        yield {shelf.bar: _bar(desk, name, fault_html(str(error))), shelf.results: "", shelf.map: ""}
        return
    yield {shelf.bar: _bar(desk, name), shelf.form: form_html(choices, asked)}
    yield from _view(shelf, desk, name, asked)


def _view(shelf: Shelf, desk: Desk, name: str, asked: Asked) -> Iterator[Update]:
    """The table or the map that is asked for."""
    try:
        if asked.view == "map":
            for html in desk.map(name, asked):
                yield {shelf.map: html, shelf.results: "", shelf.asked: asked}
        else:
            yield {shelf.results: desk.table(name, asked), shelf.map: "", shelf.asked: asked}
    except AssistantError as error:
        yield {shelf.results: fault_html(str(error)), shelf.map: "", shelf.asked: replace(asked, query="")}


def _bar(desk: Desk, name: str, said: str = "") -> str:
    return bar_html(desk.library.volumes(), name, said)


def _guarded(html: Callable[[], str]) -> str:
    """The HTML, or the fault in one plain line."""
    try:
        return html()
    except AssistantError as error:
        return f'<div class="paper-page" tabindex="-1"{made()}>{fault_html(str(error))}</div>'
