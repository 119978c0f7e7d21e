"""What an evaluation's thread does: opens what it needs, runs the engine, says how it ended."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import TYPE_CHECKING

from assistant.evaluation.html_page import body_html
from assistant.evaluation.run import run as run_evaluation
from assistant.evaluation.support import CheckedSupport

if TYPE_CHECKING:
    from assistant.assistant import Assistant
    from assistant.choices import Choices
    from assistant.config import Settings
    from assistant.evaluation.judge import Judge
    from assistant.evaluation.runs import Run
    from ui.evaluate.jobs import Job

MOST_WORKERS = 8
BODY = "body.html"
"""The report's body in a run's folder, as the page shows it."""


@dataclass(frozen=True)
class Order:
    """What was asked for. `collection` is the one whose papers the test set names."""

    collection: str
    workers: int = 1
    split: str | None = None
    judge: bool = False
    choices: Choices | None = None


def evaluate(job: Job, order: Order, assistant: Assistant) -> Run:
    """The run as it ended; its reports and answers are in its folder."""
    settings = assistant.settings
    assert settings is not None, "a run needs the data folder"
    with over(assistant, order.collection) as asked, _judge(settings, wanted=order.judge) as judge:
        result = run_evaluation(
            job.run.testset_file,
            assistant=asked,
            out=job.run.folder,
            split=order.split,
            supports=CheckedSupport(asked.verifier()),
            judge=judge,
            settings=_shown(settings, order.collection),
            workers=min(max(order.workers, 1), MOST_WORKERS),
            progress=job.told,
            choices=order.choices,
            stop=job.halt,
        )
    (job.run.folder / BODY).write_text(body_html(result), "utf-8", "backslashreplace")
    answered = len(result.results)
    return replace(
        job.run,
        state="stopped" if result.unasked else "done",
        model=", ".join(result.setup.models),
        answered=answered,
        questions=answered + result.unasked,
    )


@contextmanager
def over(assistant: Assistant, collection: str) -> Iterator[Assistant]:
    """This assistant where it asks that collection, else another, for as long as it is needed."""
    if assistant.collection.name == collection:
        yield assistant
        return
    from assistant.assistant import Assistant

    settings = assistant.settings
    assert settings is not None, "another collection lies in the data folder"
    with closing(Assistant.open(replace(settings, collection=collection))) as other:
        yield other


@contextmanager
def _judge(settings: Settings, *, wanted: bool) -> Iterator[Judge | None]:
    if not wanted or settings.llm == "none":
        yield None
        return
    from assistant.evaluation.judge import open_judge

    with closing(open_judge(settings)) as judge:
        yield judge


def _shown(settings: Settings, collection: str) -> Settings:
    """The settings as the report may name them: no folder, no address, which may hold a password."""
    kind, _, model = settings.llm.partition(":")
    llm = f"{kind}:{PurePath(model).name}" if kind == "gguf" else settings.llm
    return replace(settings, llm=llm, chroma_url=None, collection=collection)
