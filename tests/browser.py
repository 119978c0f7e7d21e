"""What the browser tests share: a real Chromium, the page served on a free port, and a scripted assistant."""

from __future__ import annotations

import json
import shutil
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import mkdtemp
from typing import Any
from urllib.parse import urlsplit

from assistant.answer import Answer, Citation, Mark, Quote, Related, Statement, Turn
from assistant.choices import Choices
from assistant.config import Settings
from assistant.retrieve import Filters
from corpus.layout import Layout
from corpus.papers import Paper

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--disable-features=OptimizationHints,MediaRouter,Translate,AutofillServerCommunication",
)

PIT = Paper(
    id="p1",
    label="PIT",
    title="PIT: a deep learning compiler for sparsity known only at runtime",
    abstract=(
        "Sparsity patterns that only become known while a model runs are hard for deep learning systems. "
        "PIT is a compiler for such dynamic sparsity. Its tiling mechanism rests on Permutation Invariant "
        "Transformation, which lets scattered micro-tiles be gathered into one dense tile. Over diverse "
        "models, speedups against state-of-the-art compilers reach 5.9x and average 2.43x."
    ),
    authors=("Ningxin Zheng", "Huiqiang Jiang", "Quanlu Zhang"),
    organisations=("microsoft-research",),
    year=2023,
    venue="SOSP",
    url="https://example.org/pit",
)
SCALER = Paper(
    id="p2",
    label="SuperScaler",
    title="SuperScaler: generating flexible parallelization plans in three phases",
    abstract=(
        "Training ever larger networks on many GPUs needs a plan that splits the model into tasks. "
        "SuperScaler separates transformation, scheduling and dependency preservation into three phases. "
        "It speeds up training by up to 3.5x against the best known plans."
    ),
    authors=("Zhiqi Lin", "Youshan Miao"),
)
HOSTILE = Paper(
    id="p3",
    label='<img src=x onerror="window.hit=1">',
    title="<script>window.hit=2</script> ${window.hit=3} {{value}}",
    abstract="Costs fall from $5 and $6 to <b onmouseover=alert(1)>nothing</b> & less. ![x](http://192.0.2.1/a.png)",
    authors=("<svg onload=window.hit=4>",),
    url="javascript:window.hit=5",
)
PAPERS = (PIT, SCALER, HOSTILE)


def quote(paper: Paper, words: str, name: str = "abstract") -> Quote:
    """The quote of these words in the paper's field."""
    start = paper.field(name).index(words)
    return Quote(name, start, start + len(words), words)


def cite(question: str, text: str, papers: Sequence[tuple[Paper, str]], **more: Any) -> Answer:
    """An answer whose n-th marker is the n-th paper, standing on the words given."""
    citations = tuple(
        Citation(number, paper.id, paper.label, (quote(paper, words),))
        for number, (paper, words) in enumerate(papers, 1)
    )
    marks = tuple(Mark(citation.marker, (0,)) for citation in citations)
    sentences = (Statement(text, marks, "verbatim", 1.0),) if text else ()
    whole: dict[str, Any] = {
        "id": "",
        "question": question,
        "standalone_question": question,
        "kind": "number",
        "status": "answered",
        "text": text,
        "sentences": sentences,
        "citations": citations,
    }
    return Answer(**{**whole, **more})


@dataclass(frozen=True)
class Hit:
    """What the collection's search gives back."""

    paper_id: str
    score: float


class ScriptedCollection:
    """The part of a collection that the page asks for."""

    def __init__(self, name: str, papers: Sequence[Paper]) -> None:
        self.name, self.held = name, list(papers)
        self.layout = Layout(Path(mkdtemp()), name)

    @property
    def size(self) -> int:
        return len(self.held)

    def refresh(self) -> bool:
        return False

    def lexical(self, query: str, top_k: int) -> list[Hit]:
        return [Hit(paper.id, 1.0) for paper in self.held[:top_k]]

    def papers(self, ids: Sequence[str] | None = None) -> list[Paper]:
        known = {paper.id: paper for paper in self.held}
        return self.held if ids is None else [known[id] for id in ids if id in known]


@dataclass
class ScriptedAssistant:
    """An assistant with a reply for each question; it stops half way at `gate` where one is set."""

    replies: Callable[[str], Answer | Exception]
    collection: ScriptedCollection = field(default_factory=lambda: ScriptedCollection("mine", PAPERS))
    asked: list[tuple[str, list[Turn]]] = field(default_factory=list)
    finished: list[str] = field(default_factory=list)
    gate: threading.Event | None = None
    filtered: list[Filters | None] = field(default_factory=list)
    llm: str = "none"
    settings: Settings | None = None

    def stream(
        self,
        question: str,
        *,
        history: Sequence[Turn] = (),
        filters: Filters | None = None,
        stop: threading.Event | None = None,
        choices: Choices | None = None,
    ) -> Iterator[str | Answer]:
        self.asked.append((question, list(history)))
        self.filtered.append(filters)
        reply = self.replies(question)
        if isinstance(reply, Exception):
            raise reply
        words = reply.text.split(" ")
        for place, word in enumerate(words):
            if place == len(words) // 2 and self.gate is not None:
                self.gate.wait(30)
            yield word + " "
        self.finished.append(question)
        yield reply


def related(*papers: Paper) -> tuple[Related, ...]:
    """The papers as an answer names them."""
    return tuple(Related(paper.id, paper.label) for paper in papers)


def requested(profile: Path) -> set[str]:
    """The hosts that pages asked for anything, by the log that the closed browser has left.

    What the browser asks on its own account (its updates) has no page's origin and isn't counted.
    """
    log = json.loads((profile / "net.json").read_text("utf-8"))
    begun = log["constants"]["logEventTypes"]["URL_REQUEST_START_JOB"]
    wanted = [event["params"] for event in log["events"] if event["type"] == begun and "params" in event]
    pages = [params["url"] for params in wanted if str(params.get("initiator")).startswith("http")]
    return {urlsplit(url).hostname or "" for url in pages}


def free_port() -> int:
    """A port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def served(assistant: Any, *, users: str = "", programs: bool = False, library: Any = None) -> Iterator[str]:
    """The address of the page over this assistant, while the block runs.

    `users` is what ASSISTANT_AUTH would hold; with `programs` there are /v1, endpoints and MCP;
    with a library the Collection tab.
    """
    from ui.app import build, start
    from ui.guard.accounts import read_accounts
    from ui.guard.hosts import Hosts
    from ui.programs.rooms import Rooms
    from ui.server import Access

    rooms = Rooms(assistant) if programs else None
    blocks = build(assistant, rooms, library=library)
    access = Access(Hosts("127.0.0.1"), read_accounts(users))
    try:
        yield start(blocks, host="127.0.0.1", port=free_port(), rooms=rooms, access=access)
    finally:
        blocks.close()


@contextmanager
def chromium(playwright: Any, profile: Path) -> Iterator[Any]:
    """A headless Chromium that writes its own log of the network to `profile/net.json`."""
    log = f"--log-net-log={profile / 'net.json'}"
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS, log], headless=True)
    try:
        yield browser
    finally:
        browser.close()
