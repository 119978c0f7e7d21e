"""How well the role of a sentence is told, by several ways; with --write, trains the one that is used.

usage: python benchmarks/roles.py [--write] [--also FILE.jsonl]
Trains on the labelled sentences of tests/roles.jsonl that aren't held out. The first column is measured on
those of real papers, six-fold by whole abstracts; the second on the half held out; --also adds a file of the
same form. Then, for the way that is used: the confusion on the held-out half, and milliseconds an abstract.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import numpy as np
from role_training import Abstract, Floats, design, name_rows, train

from assistant.role_words import cues_of
from assistant.roles import ROLES, WEIGHTS, Chain, roles_of
from corpus.builtin import PAPERS, VECTORS
from corpus.cleaning import paper_from
from corpus.collection import Sentence
from corpus.embedder import LocalEmbedder
from corpus.packed import PackedVectors
from corpus.papers import Paper
from corpus.passages import passage_of
from corpus.readers import read_path
from corpus.readers.records import Record

LABELLED = Path(__file__).parents[1] / "tests" / "roles.jsonl"
FOLDS = 6


Teller = Callable[[Abstract], list[int]]


def read_labelled(path: Path, vectors: dict[str, Floats]) -> list[Abstract]:
    """The labelled abstracts of a file, with the vectors given, or made now."""
    papers: dict[str, list[dict[str, str]]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        papers.setdefault(row["paper"], []).append(row)
    return [
        Abstract(
            rows[0]["half"],
            tuple(row["text"] for row in rows),
            tuple(ROLES.index(row["role"]) for row in rows),
            vectors[paper] if paper in vectors else embedded([row["text"] for row in rows]),
        )
        for paper, rows in papers.items()
    ]


@cache
def embedder() -> LocalEmbedder:
    """The local embedder, loaded once."""
    return LocalEmbedder()


def embedded(texts: Sequence[str]) -> Floats:
    """The vectors of the sentences of an abstract, (n, 384)."""
    ends = np.cumsum([len(text) + 1 for text in texts])
    spans = [(int(end) - len(text) - 1, int(end) - 1) for text, end in zip(texts, ends, strict=True)]
    return next(iter(embedder().embed_papers([" ".join(texts)], [spans]))).sentences.astype(float)


def packed_vectors() -> dict[str, Floats]:
    """Paper id -> the vectors of its sentences, (n, 384), for the built-in collection."""
    records = [one for one in read_path(PAPERS) if isinstance(one, Record)]
    papers = [one for record in records if isinstance(one := paper_from(record, record.file), Paper)]
    passages = [passage_of(paper) for paper in papers]
    made = PackedVectors(VECTORS).embed_papers([p.text for p in passages], [p.spans for p in passages])
    return {paper.id: one.sentences.astype(float) for paper, one in zip(papers, made, strict=True)}


def by_rules(_: Sequence[Abstract]) -> Teller:
    """The role that a sentence's cues speak for most, by rules of thumb."""

    def tell(abstract: Abstract) -> list[int]:
        return [
            _rule({cue for word in text.lower().split() for cue in cues_of(word.strip(".,;:()"))}, index)
            for index, text in enumerate(abstract.texts)
        ]

    return tell


def _rule(cues: set[str], index: int) -> int:
    if {"goods", "open"} <= cues:
        return ROLES.index("availability")
    if cues & {"beat", "reach"} and cues & {"trial", "against", "amount", "quality"} and index > 1:
        return ROLES.index("result")
    if cues & {"propose", "work", "we"}:
        return ROLES.index("approach")
    return ROLES.index("problem" if index < 2 or cues & {"hard", "lack", "others"} else "approach")


def by_place(abstracts: Sequence[Abstract]) -> Teller:
    """The commonest role at a place: how far from the beginning, and whether last."""
    counts: dict[tuple[int, bool], Counter[int]] = {}
    for abstract in abstracts:
        for index, role in enumerate(abstract.roles):
            counts.setdefault(_spot(index, abstract), Counter())[role] += 1
    return lambda abstract: [
        counts.get(_spot(index, abstract), Counter({1: 1})).most_common(1)[0][0]
        for index in range(len(abstract.texts))
    ]


def _spot(index: int, abstract: Abstract) -> tuple[int, bool]:
    return min(index, 6), index == len(abstract.texts) - 1


def by_prototype(abstracts: Sequence[Abstract]) -> Teller:
    """The role whose mean vector is nearest to the sentence's."""
    vectors = np.concatenate([one.vectors for one in abstracts])
    roles = np.concatenate([one.roles for one in abstracts])
    known = vectors.any(axis=1)
    means = np.array([vectors[known & (roles == role)].mean(axis=0) for role in range(len(ROLES))])
    means /= np.linalg.norm(means, axis=1, keepdims=True)
    return lambda abstract: (abstract.vectors @ means.T).argmax(axis=1).tolist()


def by_regression(abstracts: Sequence[Abstract], *, words: bool, vectors: bool, chained: bool) -> Teller:
    """Multinomial logistic regression; `chained`, the conditional random field that knows the order."""
    rows = name_rows(abstracts) if words else {}
    inputs = [design(one, rows, vectors=vectors) for one in abstracts]
    clues, follows = train(inputs, [one.roles for one in abstracts], chained=chained)
    chain = Chain({}, np.zeros((1, len(ROLES)), np.float32), follows.astype(np.float32))
    return lambda abstract: chain.best(
        list((design(abstract, rows, vectors=vectors) @ clues).astype(np.float32))
    )


def accuracy(tell: Teller, abstracts: Sequence[Abstract]) -> float:
    """The share of sentences told right."""
    right = [told == role for one in abstracts for told, role in zip(tell(one), one.roles, strict=True)]
    return float(np.mean(right))


def crossed(
    learn: Callable[[Sequence[Abstract]], Teller], tuning: list[Abstract], more: list[Abstract]
) -> float:
    """The accuracy on `tuning` of what was learned on the other folds of it and on `more`."""
    order = np.random.default_rng(1).permutation(len(tuning))
    right = 0.0
    for fold in range(FOLDS):
        asked = [tuning[i] for k, i in enumerate(order) if k % FOLDS == fold]
        tell = learn([tuning[i] for k, i in enumerate(order) if k % FOLDS != fold] + more)
        right += accuracy(tell, asked) * sum(len(one.roles) for one in asked)
    return right / sum(len(one.roles) for one in tuning)


WAYS: dict[str, Callable[[Sequence[Abstract]], Teller]] = {
    "place alone": by_place,
    "rules on cues": by_rules,
    "nearest prototype of vectors": by_prototype,
    "regression on vectors": lambda a: by_regression(a, words=False, vectors=True, chained=False),
    "regression on clues": lambda a: by_regression(a, words=True, vectors=False, chained=False),
    "regression on clues and vectors": lambda a: by_regression(a, words=True, vectors=True, chained=False),
    "chain of clues (used)": lambda a: by_regression(a, words=True, vectors=False, chained=True),
    "chain of clues and vectors": lambda a: by_regression(a, words=True, vectors=True, chained=True),
}


def print_confusion(abstracts: Sequence[Abstract]) -> None:
    """Nothing; prints how often each role (row) was told as each (column), and the time it takes."""
    asked = [
        [Sentence("", index, 0, 0, text, np.zeros(1, np.float32)) for index, text in enumerate(one.texts)]
        for one in abstracts
    ]
    told = [roles_of(sentences) for sentences in asked]
    started = time.perf_counter()
    for sentences in asked:
        roles_of(sentences)
    seconds = time.perf_counter() - started
    counts = Counter(
        (ROLES[role], found)
        for one, roles in zip(abstracts, told, strict=True)
        for role, found in zip(one.roles, roles, strict=True)
    )
    sys.stdout.write("\n" + " " * 13 + "".join(f"{role:>13}" for role in ROLES) + "\n")
    for role in ROLES:
        sys.stdout.write(f"{role:13}" + "".join(f"{counts[role, found]:13}" for found in ROLES) + "\n")
    sys.stdout.write(f"{1000 * seconds / len(asked):.2f} ms an abstract\n")


def write(abstracts: Sequence[Abstract]) -> None:
    """Nothing; trains the chain of clues and writes it beside its module."""
    rows = name_rows(abstracts)
    inputs = [design(one, rows, vectors=False) for one in abstracts]
    clues, follows = train(inputs, [one.roles for one in abstracts], chained=True)
    names = np.frombuffer("\n".join(rows).encode(), dtype=np.uint8)
    np.savez_compressed(
        WEIGHTS, names=names, clues=clues.astype(np.float16), follows=follows.astype(np.float16)
    )


def main() -> None:
    """Prints the accuracy of each way, or writes the weights."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--write", action="store_true", help="train on all that isn't held out and write the weights"
    )
    parser.add_argument("--also", type=Path, help="more labelled abstracts to measure on")
    options = parser.parse_args()
    labelled = read_labelled(LABELLED, packed_vectors())
    parts = {
        half: [one for one in labelled if one.half == half] for half in ("tuning", "made up", "held-out")
    }
    if options.write:
        write(parts["tuning"] + parts["made up"])
        return
    also = read_labelled(options.also, {}) if options.also else []
    for name, learn in WAYS.items():
        tell = learn(parts["tuning"] + parts["made up"])
        figures = [crossed(learn, parts["tuning"], parts["made up"]), accuracy(tell, parts["held-out"])]
        figures += [accuracy(tell, also)] if also else []
        sys.stdout.write(f"{name:34}" + "".join(f"{figure:8.3f}" for figure in figures) + "\n")
        sys.stdout.flush()
    print_confusion(parts["held-out"])


if __name__ == "__main__":
    main()
