"""Faults planted in the real assistant over the built-in collection: the report points at each."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from assistant.answer import Answer, Turn
from assistant.assistant import Assistant
from assistant.config import load_settings
from assistant.evaluation.comparison import Comparison
from assistant.evaluation.run import EvaluationResult, run
from assistant.evaluation.support import CheckedSupport
from corpus.builtin import PAPERS, QUESTIONS, VECTORS
from corpus.collection import Collection, open_collection
from corpus.embedder import Embedded, LocalEmbedder, Spans
from corpus.errors import StoreError
from corpus.layout import BUILT_IN
from corpus.packed import PackedVectors
from corpus.readers import read_path
from corpus.sync import ingest

KINDS = ("number", "lookup", "explain", "followup")
_FIGURE = re.compile(r"(?<![\w.\[-])\d+(?:\.\d+)?(?![\w\]])")


class MostlyPacked(PackedVectors):
    """The packed vectors, and new ones for texts that they don't hold."""

    def embed_papers(self, texts: Sequence[str], spans: Sequence[Spans]) -> Iterator[Embedded]:
        for text, marked in zip(texts, spans, strict=True):
            try:
                yield from super().embed_papers([text], [marked])
            except StoreError:
                yield from LocalEmbedder().embed_papers([text], [marked])


@dataclass(frozen=True)
class Faulty:
    """The assistant, each of its answers changed."""

    real: Assistant
    change: Callable[[Answer], Answer]

    @property
    def collection(self) -> Collection:
        return self.real.collection

    def ask(self, question: str, *, history: Sequence[Turn] = (), id: str = "", **_: Any) -> Answer:
        return self.change(self.real.ask(question, history=history, id=id))


def swap_two_figures(answer: Answer) -> Answer:
    """The first two figures of each sentence change places, where it has two that differ."""
    text, sentences = answer.text, []
    for one in answer.sentences:
        found = list(_FIGURE.finditer(one.text))[:2]
        if len(found) == 2 and found[0][0] != found[1][0]:
            (a, b), (c, d) = found[0].span(), found[1].span()
            swapped = one.text[:a] + one.text[c:d] + one.text[b:c] + one.text[a:b] + one.text[d:]
            one = replace(one, text=swapped)
        sentences.append(one)
    return replace(answer, text=text, sentences=tuple(sentences))


def refuse_every_third() -> Callable[[Answer], Answer]:
    count = iter(range(10_000))

    def change(answer: Answer) -> Answer:
        if next(count) % 3:
            return answer
        return replace(answer, status="not_found", text="Not in this collection.", citations=(), sentences=())

    return change


def home_without(folder: Path, every: int) -> Path:
    """A data folder with the built-in papers; every tenth, say, has lost its abstract."""
    lines = [json.loads(line) for line in PAPERS.read_text(encoding="utf-8").splitlines()]
    for number, line in enumerate(lines, 1):
        if number % every == 0:
            line["abstract"] = None
    papers = folder / "papers.jsonl"
    papers.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    ingest(folder, "lossy", read_path(papers), MostlyPacked(VECTORS))
    return folder


def opened(home: Path) -> tuple[Collection, LocalEmbedder]:
    embedder = LocalEmbedder()
    return open_collection(home, "lossy", embedder), embedder


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assistant]:
    settings = load_settings(home=tmp_path_factory.mktemp("whole"), collection=BUILT_IN, llm="none")
    with closing(Assistant.open(settings)) as assistant:
        yield assistant


@pytest.fixture(scope="module")
def testset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The questions of the built-in set that one paper answers."""
    lines = QUESTIONS.read_text(encoding="utf-8").splitlines()
    path = tmp_path_factory.mktemp("set") / "set.jsonl"
    chosen = [line for line in lines if json.loads(line)["type"] in KINDS]
    path.write_text("\n".join(chosen), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def baseline(whole: Assistant, testset: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("baseline")
    run(testset, assistant=whole, out=out, supports=CheckedSupport(whole.verifier()))
    return out


def surely_worse(compared: Comparison | None) -> set[str]:
    assert compared is not None
    return {one.metric for one in compared.figures if one.kind == "ALL" and one.certain and one.worse}


def worst(result: EvaluationResult, words: str) -> list[str]:
    """The ten worst questions that missed what is said in these words."""
    return [one.case.id for one in result.results[:10] if any(words in missed for missed in one.missed)]


def test_nothing_planted_nothing_found(whole: Assistant, testset: Path, baseline: Path) -> None:
    again = run(testset, assistant=whole, baseline=baseline, supports=CheckedSupport(whole.verifier()))
    assert again.comparison is not None
    assert [one for one in again.comparison.figures if one.metric != "ms"] == []
    assert again.comparison.questions == ()


def test_a_reader_that_drops_every_tenth_abstract(testset: Path, baseline: Path, tmp_path: Path) -> None:
    lossy = Assistant(*opened(home_without(tmp_path, every=10)))
    result = run(testset, assistant=lossy, baseline=baseline, out=tmp_path / "out")
    assert {"recall@8", "must", "cite_recall"} <= surely_worse(result.comparison)
    assert worst(result, "not among the first 20")
    report = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert re.search(r"## Surely worse\n\n(?:- .*\n)*- ALL: recall@8 ", report)


def test_a_writer_that_swaps_two_figures(whole: Assistant, testset: Path, baseline: Path) -> None:
    faulty, supports = Faulty(whole, swap_two_figures), CheckedSupport(whole.verifier())
    result = run(testset, assistant=faulty, baseline=baseline, supports=supports)
    # Each figure still stands in the abstract that is cited, and in the answer: only sentences lose support.
    assert surely_worse(result.comparison) == {"support_recall", "support_precision"}
    assert [one for one in result.results if any("not borne out" in missed for missed in one.missed)]


def test_one_that_refuses_every_third_question(whole: Assistant, testset: Path, baseline: Path) -> None:
    faulty, supports = Faulty(whole, refuse_every_third()), CheckedSupport(whole.verifier())
    result = run(testset, assistant=faulty, baseline=baseline, supports=supports)
    assert {"refused", "must", "cite_recall"} <= surely_worse(result.comparison)
    assert len(worst(result, "not answered")) >= 8
    assert result.rows[-1].value("refused") == pytest.approx(1 / 3, abs=0.05)
