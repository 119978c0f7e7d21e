"""Kinds of questions: labelled ones, and what the rules say of them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import get_args

import pytest

from assistant.answer import Kind
from assistant.kinds import RULES, kind_of
from assistant.question import understand
from corpus.builtin import open_builtin
from corpus.collection import Collection

LABELLED = Path(__file__).parent / "kinds.jsonl"
FLOOR = 0.9


def _labelled() -> list[dict[str, str]]:
    return [json.loads(line) for line in LABELLED.read_text(encoding="utf-8").splitlines()]


def test_every_kind_is_labelled_in_both_halves() -> None:
    counts = Counter((line["kind"], line["half"]) for line in _labelled())
    assert set(counts) == {(kind, half) for kind in get_args(Kind) for half in ("tune", "held out")}
    assert min(counts.values()) >= 10
    assert len({line["question"] for line in _labelled()}) == len(_labelled())


@pytest.fixture(scope="module")
def built_in(tmp_path_factory: pytest.TempPathFactory) -> Collection:
    return open_builtin(tmp_path_factory.mktemp("built-in"))


@pytest.mark.parametrize("half", ["tune", "held out"])
def test_the_rules_recognise_nine_of_ten(half: str, built_in: Collection) -> None:
    mine = [line for line in _labelled() if line["half"] == half]
    wrong = [
        f"{line['kind']} -> {found}: {line['question']}"
        for line in mine
        if (found := understand(line["question"], (), built_in).kind) != line["kind"]
    ]
    assert 1 - len(wrong) / len(mine) >= FLOOR, "\n".join(wrong)


@pytest.mark.parametrize(
    ("text", "sides", "kind"),
    [
        ("PIT or TVM on sparse models", 2, "compare"),
        ("PIT or TVM on sparse models", 1, "explain"),
        ("what speedup does PIT reach", 1, "number"),
        ("how does PIT reach its speedup?", 1, "explain"),
        ("how many papers are about compilers", 0, "aggregate"),
        ("which papers are about compilers", 0, "list"),
        ("which paper is about compilers", 0, "lookup"),
        ("who trained the largest model of all", 0, "aggregate"),
        ("what is the largest model that PIT ran", 1, "explain"),
        ("COMPARE PIT AND TVM", 2, "compare"),
        ("compilers", 0, "lookup"),
    ],
)
def test_the_same_words_ask_for_other_things_beside_other_names(text: str, sides: int, kind: Kind) -> None:
    assert kind_of(text, sides) == kind


def test_where_no_rule_fits_the_default_holds() -> None:
    assert kind_of("sparse compilers", default="explain") == "explain"
    assert kind_of("", default="lookup") == "lookup"


def test_every_rule_decides_some_labelled_question(built_in: Collection) -> None:
    deciding = set()
    for line in _labelled():
        asked = understand(line["question"], (), built_in)
        sides = len({name.paper_ids for name in asked.named})
        deciding |= {next((place for place, rule in enumerate(RULES) if rule.fits(asked.focus, sides)), -1)}
    assert [RULES[place].kind for place in range(len(RULES)) if place not in deciding] == []
