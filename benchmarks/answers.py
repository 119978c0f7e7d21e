"""What the choice of sentences and of listed papers gives: one line a setting, by type of question.

usage: python benchmarks/answers.py TESTSET.jsonl [--only WORDS]

The collection is the one that the settings name. `must` is the share of questions whose answer holds all that
it has to, `words` the mean length of an answer.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from assistant import evidence, list_writer
from assistant.assistant import Assistant
from assistant.config import load_settings
from assistant.evaluation.metrics import mean
from assistant.evaluation.scoring import score
from assistant.evaluation.testset import Case, read_testset
from assistant.evidence import Weights
from corpus.papers import Paper

FACTORS = (0.0, 0.5, 2.0)
MARGINS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.2)
CUTS = (0.54, 0.60, 0.66, 0.72, 0.78)
COVERAGES = (0.0, 0.125, 0.25, 0.5)
TYPES = {"talk": "followup"}
"""The type of questions that weights are for, where it has another name."""
FIGURES = ("must", "cite_precision", "cite_recall", "words")


@dataclass(frozen=True)
class Setting:
    """A change of the way answers are made, and the types of questions that it touches."""

    name: str
    types: tuple[str, ...]
    change: AbstractContextManager[Any]


def settings() -> list[Setting]:
    """The answers as they are, then each sign's weight, the margins and the lists' cut changed."""
    known = evidence.WEIGHTS
    made = [Setting("as it is", ("lookup", "number", "explain", "list", "followup"), nullcontext())]
    for kind, weights in known.items():
        for sign in [one.name for one in fields(weights) if one.name not in ("margin", "cosine")]:
            value = getattr(weights, sign)
            for changed in [value * factor + 0.0 for factor in FACTORS] if value else [0.3]:
                made.append(_weighted(kind, f"{sign} {changed:.2f}", **{sign: changed}))
        for margin in MARGINS:
            made.append(_weighted(kind, f"margin {margin}", margin=margin))
    made += [Setting(f"list: cut {cut}", ("list",), _cut(cut)) for cut in CUTS]
    made += [
        Setting(f"list: words held {share}", ("list",), patch.object(list_writer, "COVERAGE", share))
        for share in COVERAGES
    ]
    return made


def _weighted(kind: str, name: str, **signs: float) -> Setting:
    weights: Mapping[str, Weights] = {
        **evidence.WEIGHTS,
        kind: replace(evidence.WEIGHTS[kind], **signs),
    }
    return Setting(f"{kind}: {name}", (TYPES.get(kind, kind),), patch.object(evidence, "WEIGHTS", weights))


def _cut(cut: float) -> AbstractContextManager[Any]:
    return patch.dict(list_writer.relevant.__kwdefaults__, {"cut": cut})


def measure(
    assistant: Assistant, cases: Sequence[Case], papers: Mapping[str, Paper]
) -> dict[str, float | None]:
    """The mean of each figure over the questions."""
    scored = [score(case, assistant.ask(case.question, history=case.history), papers) for case in cases]
    return {name: mean([value for one in scored for value in one.values.get(name, ())]) for name in FIGURES}


def main() -> None:
    """Prints a line for each setting and type of question."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("testset", type=Path)
    parser.add_argument("--only", default="", metavar="WORDS")
    options = parser.parse_args()
    assistant = Assistant.open(load_settings(llm="none"))
    every = assistant.collection.papers()
    papers = {name: paper for paper in every for name in (*paper.aliases, paper.id)}
    cases = read_testset(options.testset, every)
    sys.stdout.write(
        "| setting | type | must | precision | recall | words |\n| --- | --- |" + " ---: |" * 4 + "\n"
    )
    for setting in settings():
        if options.only not in setting.name:
            continue
        with setting.change:
            for type_ in setting.types:
                found = measure(assistant, [case for case in cases if case.type == type_], papers)
                cells = "".join(
                    f" {value:.{0 if name == 'words' else 3}f} |" if value is not None else " – |"
                    for name, value in found.items()
                )
                sys.stdout.write(f"| {setting.name} | {type_} |{cells}\n")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
