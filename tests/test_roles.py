"""The role of a sentence: the floor on the held-out half, and what holds for any abstract."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.role_cues import clues_of
from assistant.roles import ROLES, Chain, Role, roles_of
from corpus.builtin import PAPERS
from corpus.cleaning import paper_from
from corpus.collection import Sentence
from corpus.papers import Paper
from corpus.readers import read_path
from corpus.readers.records import Record
from corpus.sentences import sentence_spans

LABELLED = [
    json.loads(line) for line in Path(__file__).with_name("roles.jsonl").read_text("utf-8").splitlines()
]
FLOOR = 0.85


def sentences_of(texts: list[str], vector: np.ndarray | None = None) -> list[Sentence]:
    given_vector = np.zeros(384, np.float32) if vector is None else vector
    return [Sentence("p1", index, 0, 0, text, given_vector) for index, text in enumerate(texts)]


def abstracts(half: str) -> dict[str, list[dict[str, str]]]:
    found: dict[str, list[dict[str, str]]] = {}
    for row in LABELLED:
        if row["half"] == half:
            found.setdefault(row["paper"], []).append(row)
    return found


def held_out() -> list[tuple[str, Role]]:
    """(label, told) for each sentence of the held-out half."""
    return [
        (row["role"], told)
        for rows in abstracts("held-out").values()
        for row, told in zip(rows, roles_of(sentences_of([row["text"] for row in rows])), strict=True)
    ]


def test_the_held_out_half_keeps_the_floor() -> None:
    pairs = held_out()
    assert len(pairs) > 300
    assert sum(label == told for label, told in pairs) / len(pairs) >= FLOOR


@pytest.mark.parametrize(
    ("role", "recall", "precision"),
    [("problem", 0.85, 0.85), ("approach", 0.8, 0.8), ("result", 0.8, 0.8), ("availability", 0.9, 0.9)],
)
def test_no_common_role_is_bought_with_another(role: Role, recall: float, precision: float) -> None:
    pairs = held_out()
    right = sum(label == told == role for label, told in pairs)
    assert right / sum(label == role for label, _ in pairs) >= recall
    assert right / sum(told == role for _, told in pairs) >= precision


def test_labels_are_of_whole_abstracts_as_the_collection_splits_them() -> None:
    records = [one for one in read_path(PAPERS) if isinstance(one, Record)]
    papers = [one for record in records if isinstance(one := paper_from(record, record.file), Paper)]
    abstract = {paper.id: paper.abstract or "" for paper in papers}
    for half in ("tuning", "held-out"):
        for paper, rows in abstracts(half).items():
            text = abstract[paper]
            assert [row["text"] for row in rows] == [text[start:end] for start, end in sentence_spans(text)]
    assert not set(abstracts("tuning")) & set(abstracts("held-out"))
    assert {row["role"] for row in LABELLED} == set(ROLES)


def test_an_abstract_in_usual_words() -> None:
    texts = [
        "Tree indexes are widely used, but their memory footprint limits how far they scale.",
        "In this paper, we propose ThinTree, an index that stores keys as differences.",
        "ThinTree splits each page into blocks and decodes only the block that a query needs.",
        "We evaluate ThinTree with three workloads on a machine with 64 cores.",
        "It needs 3.1x less memory than the best competing index at the same throughput.",
        "Our code is available at https://example.org/thintree.",
    ]
    expected = ["problem", "approach", "approach", "setting", "result", "availability"]
    assert roles_of(sentences_of(texts)) == expected


@pytest.mark.parametrize(
    "vector", [np.ones(384, np.float32), np.ones(1536, np.float32), np.zeros(0, np.float32)]
)
def test_roles_do_not_depend_on_the_embedder(vector: np.ndarray) -> None:
    texts = [row["text"] for row in next(iter(abstracts("held-out").values()))]
    assert roles_of(sentences_of(texts, vector)) == roles_of(sentences_of(texts))


def test_no_sentences_have_no_roles() -> None:
    assert roles_of([]) == []


@given(st.lists(st.text(max_size=60), min_size=1, max_size=6))
def test_any_text_gets_one_role_a_sentence(texts: list[str]) -> None:
    roles = roles_of(sentences_of(texts))
    assert len(roles) == len(texts)
    assert set(roles) <= set(ROLES)


def test_where_a_sentence_stands_counts() -> None:
    first, second = clues_of(["Caches are slow."] * 2)
    assert {clue.name for clue in first} != {clue.name for clue in second}


@given(st.integers(0, 2**32 - 1), st.integers(1, 4))
def test_the_best_path_is_the_best_of_all_paths(seed: int, length: int) -> None:
    dice = np.random.default_rng(seed)
    follows = dice.normal(size=(5, 5)).astype(np.float32)
    scores = dice.normal(size=(length, 5)).astype(np.float32)
    chain = Chain({}, np.zeros((1, 5), np.float32), follows)

    def worth(path: tuple[int, ...]) -> float:
        steps = sum(float(follows[one, other]) for one, other in itertools.pairwise(path))
        return steps + sum(float(scores[at, role]) for at, role in enumerate(path))

    best = max(itertools.product(range(5), repeat=length), key=worth)
    assert worth(tuple(chain.best(list(scores)))) == pytest.approx(worth(best), abs=1e-5)
