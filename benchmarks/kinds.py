"""How often the kind of a question is recognised, and whether it leans on the talk before it.

usage: python benchmarks/kinds.py LABELLED.jsonl [TESTSET.jsonl]

LABELLED has lines of `question`, `kind` and `half` ("tune" or "held out"); the first is learnt from.
A TESTSET's `type` is its label where it is a kind. The collection is the one that the settings name.
Beside the rules: prototypes and logistic regression. Of a test set, the questions without a talk are asked
once more after an unrelated one, on which they mustn't lean.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from assistant.answer import Kind, Turn
from assistant.assistant import Assistant, embedder_of
from assistant.config import load_settings
from assistant.question import understand
from assistant.words import ASKING_WORDS, FUNCTION_WORDS, words
from corpus.collection import Collection

KINDS: tuple[Kind, ...] = get_args(Kind)
UNRELATED = "How does C4 steer traffic around congestion?"
STEPS, RATE, DECAY = 2_000, 1.0, 1e-3
_WORDS = sorted(FUNCTION_WORDS | ASKING_WORDS)
Rows = NDArray[np.float32]


@dataclass(frozen=True)
class Labelled:
    """A question and its kind."""

    question: str
    kind: str


def load(path: Path) -> dict[str, list[Labelled]]:
    """Half -> its questions; those of a test set under its file's name, without history."""
    halves: dict[str, list[Labelled]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        kind = one.get("kind") or one.get("type")
        if kind in KINDS and not one.get("history"):
            halves.setdefault(one.get("half", path.stem), []).append(Labelled(one["question"], kind))
    return halves


def prototypes(rows: Rows, kinds: Sequence[str]) -> Callable[[Rows], list[str]]:
    """Recognises the kind whose mean vector is nearest."""
    means = np.stack(
        [rows[[place for place, one in enumerate(kinds) if one == kind]].mean(0) for kind in KINDS]
    )
    means /= np.linalg.norm(means, axis=1, keepdims=True)
    return lambda other: [KINDS[place] for place in (other @ means.T).argmax(1)]


def regression(rows: Rows, kinds: Sequence[str]) -> Callable[[Rows], list[str]]:
    """Recognises by multinomial logistic regression with a quadratic penalty, fitted by gradient descent."""
    wanted = np.array([[float(one == kind) for kind in KINDS] for one in kinds])
    weights = np.zeros((rows.shape[1], len(KINDS)))
    for _ in range(STEPS):
        scores = rows @ weights
        odds = np.exp(scores - scores.max(1, keepdims=True))
        odds /= odds.sum(1, keepdims=True)
        weights -= RATE * (rows.T @ (odds - wanted) / len(rows) + DECAY * weights)
    return lambda other: [KINDS[place] for place in (other @ weights).argmax(1)]


def function_words(question: str) -> list[float]:
    """Which function words a question has."""
    mine = set(words(question))
    return [float(word in mine) for word in _WORDS]


def leaning(path: Path, collection: Collection) -> str:
    """How many whole questions lean on an unrelated talk, and how many follow-ups don't lean on theirs."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    leans: dict[bool, list[bool]] = {True: [], False: []}
    for line in lines:
        talk = [Turn("user", one) for one in line.get("history") or [UNRELATED]]
        leans[bool(line.get("history"))].append(understand(line["question"], talk, collection).leans)
    return (
        f"lean on an unrelated talk: {sum(leans[False])} of {len(leans[False])}; "
        f"follow-ups that don't lean: {leans[True].count(False)} of {len(leans[True])}\n"
    )


def main() -> None:
    """Prints the share recognised, one line a way, one column a set of questions."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("labelled", type=Path)
    parser.add_argument("testset", type=Path, nargs="?")
    options = parser.parse_args()
    sets = load(options.labelled) | (load(options.testset) if options.testset else {})
    settings = load_settings(llm="none")
    collection, embedder = Assistant.open(settings).collection, embedder_of(settings)
    vectors = {name: np.stack([embedder.embed_query(one.question) for one in sets[name]]) for name in sets}
    wide = {
        name: np.hstack([vectors[name], [function_words(one.question) for one in sets[name]]])
        for name in sets
    }
    learnt = [one.kind for one in sets["tune"]]
    nearest, by_meaning, by_both = (
        prototypes(vectors["tune"], learnt),
        regression(vectors["tune"], learnt),
        regression(wide["tune"], learnt),
    )
    ways: dict[str, Callable[[str], list[str]]] = {
        "rules": lambda name: [understand(one.question, (), collection).kind for one in sets[name]],
        "nearest prototype, vectors": lambda name: nearest(vectors[name]),
        "logistic regression, vectors": lambda name: by_meaning(vectors[name]),
        "logistic regression, vectors and function words": lambda name: by_both(wide[name]),
    }
    sys.stdout.write(f"{'':50}" + "".join(f"{f'{name} ({len(sets[name])})':>18}" for name in sets) + "\n")
    for way, recognise in ways.items():
        shares = [
            np.mean([found == one.kind for found, one in zip(recognise(name), sets[name], strict=True)])
            for name in sets
        ]
        sys.stdout.write(f"{way:50}" + "".join(f"{share:18.3f}" for share in shares) + "\n")
    if options.testset:
        sys.stdout.write(leaning(options.testset, collection))


if __name__ == "__main__":
    main()
