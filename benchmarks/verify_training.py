"""Trains the two networks of the check and writes assistant/verify/verify.npz. Needs scikit-learn besides.

usage: python benchmarks/verify_training.py HOME [--collection NAME]
The collection holds the papers that verify.jsonl (its tuning half) and verify_pairs.jsonl speak of; the
built-in collection tells of the same papers in other words, and its sentences, true and made wrong by rule,
are trained with too, but for the papers of the half held out. The threshold is where, three-fold by papers,
0.95 of the tuning half's sentences that are told are wrong. Takes about ten minutes.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.neural_network import MLPClassifier
from verify_corruptions import Corruptor, Span

from assistant.assistant import Assistant
from assistant.config import load_settings
from assistant.verify import Verifier
from assistant.verify.pooling import pooled
from assistant.verify.reasons import faults_of
from assistant.verify.texts import read_text

HERE = Path(__file__).parent
OUT = HERE.parent / "assistant" / "verify" / "verify.npz"
FOLDS = 3
REDUCED = 48
Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Example:
    """A sentence on a paper: whether it is wrong, where, how much it counts, the fold of its paper."""

    text: str
    paper: str
    wrong: bool
    spans: tuple[Span, ...]
    weight: float
    fold: int
    counts: bool = False  # for the threshold


@dataclass(frozen=True)
class Measured:
    """What the check measures of an example."""

    rows: Floats
    labels: Floats
    whole: Floats
    faulty: bool


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("home", type=Path)
    parser.add_argument("--collection", default="default")
    given = parser.parse_args()
    assistant = Assistant.open(load_settings(home=given.home, collection=given.collection, llm="none"))
    builtin = Assistant.open(load_settings(home=given.home, collection="efficient-ml", llm="none"))
    examples = gathered(assistant, builtin)
    reduce = reduction(assistant)
    verifier = assistant.verifier()
    measured = [measure(one, assistant, verifier, reduce) for one in shown(examples)]
    write(examples, measured, reduce)
    return 0


def shown(examples: Sequence[Example]) -> Sequence[Example]:
    """The examples, with how many are done told now and then."""
    for number, _ in enumerate(examples):
        if number % 1000 == 0:
            sys.stderr.write(f"{number} of {len(examples)}\n")
        yield examples[number]


def gathered(assistant: Assistant, builtin: Assistant) -> list[Example]:
    """All examples: the written ones, and sentences of the built-in collection."""
    claims = [json.loads(line) for line in (HERE / "verify.jsonl").read_text("utf-8").splitlines()]
    held_out = {one for row in claims if row["half"] == "held-out" for one in row["papers"]}
    found = [
        Example(row["text"], row["papers"][0], not row["truth"], (), 6.0, fold_of(row["papers"][0]), True)
        for row in claims
        if row["half"] == "tuning"
    ]
    for line in (HERE / "verify_pairs.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        fold, spans = fold_of(row["paper"]), differing(row["true"], row["false"])
        found.append(Example(row["true"], row["paper"], False, (), 4.0, fold))
        found.append(Example(row["false"], row["paper"], True, spans, 4.0, fold))
    return found + by_rule(assistant, builtin, held_out)


def fold_of(paper: str) -> int:
    return int(paper[1:], 16) % FOLDS


def differing(one: str, other: str) -> tuple[Span, ...]:
    """The characters of `other` that differ, by words; where words are gone, those beside the gap."""
    words = [[(m.start(), m.end()) for m in re.finditer(r"\S+", text)] for text in (one, other)]
    texts = [[text[a:b] for a, b in spans] for text, spans in zip((one, other), words, strict=True)]
    spans, last = [], len(words[1]) - 1
    for kind, *_, start, end in SequenceMatcher(None, *texts, autojunk=False).get_opcodes():
        if kind != "equal":
            first, until = (start, end - 1) if end > start else (max(start - 1, 0), min(start, last))
            spans.append((words[1][first][0], words[1][until][1]))
    return tuple(spans)


def by_rule(assistant: Assistant, builtin: Assistant, left_out: set[str]) -> list[Example]:
    """Sentences of the built-in collection as claims about the paper that is nearest, true and made wrong."""
    papers = {paper.id: paper for paper in assistant.collection.papers() if paper.abstract}
    means = {name: mean_vectors(one) for name, one in (("own", assistant), ("built-in", builtin))}
    ids = [one for one in means["own"] if one in papers]
    own = np.stack([means["own"][one] for one in ids])
    others: dict[str, list[str]] = {one: [] for one in ids}
    for one, sentences in builtin.collection.sentences(list(means["built-in"])).items():
        others[ids[int((own @ means["built-in"][one]).argmax())]] += [sentence.text for sentence in sentences]
    used = [one for one in ids if one not in left_out and others[one]]
    like = own @ own.T - 2 * np.eye(len(ids))
    near = {
        one: [ids[j] for j in np.argsort(-like[ids.index(one)]) if ids[j] in set(used)][:40] for one in used
    }
    abstracts = {one: papers[one].abstract or "" for one in used}
    corruptor = Corruptor(abstracts, {one: others[one] for one in used}, near, random.Random(1))
    found = []
    for paper in used:
        for text in others[paper]:
            found.append(Example(text, paper, False, (), 0.8, fold_of(paper)))
            for change in corruptor.kinds.values():
                if (changed := change(text, paper)) and changed[0] != text:
                    found.append(Example(changed[0], paper, True, (changed[1],), 0.2, fold_of(paper)))
    return found


def mean_vectors(assistant: Assistant) -> dict[str, Floats]:
    """Paper id -> the mean of its sentences' vectors, of unit length."""
    ids = [paper.id for paper in assistant.collection.papers()]
    means = {
        one: np.mean([sentence.vector for sentence in found], axis=0)
        for one, found in assistant.collection.sentences(ids).items()
        if found
    }
    return {one: mean / np.linalg.norm(mean) for one, mean in means.items()}


def reduction(assistant: Assistant) -> Floats:
    """The main directions of words' vectors but the first, which all share."""
    verifier = assistant.verifier()
    papers = [paper for paper in assistant.collection.papers() if paper.abstract][:250]
    words = np.concatenate([read_text(paper.abstract or "", verifier.embedder).vectors for paper in papers])
    some = words[np.random.default_rng(0).choice(len(words), min(12_000, len(words)), replace=False)]
    return np.asarray(4 * np.linalg.svd(some, full_matrices=False)[2][1 : REDUCED + 1].T, dtype=np.float32)


def measure(one: Example, assistant: Assistant, verifier: Verifier, reduce: Floats) -> Measured:
    """What the check measures of the example's sentence."""
    paper = assistant.collection.papers([one.paper])[0]
    claim = read_text(one.text, verifier.embedder)
    source = verifier.source_of(paper)
    seen, whole = verifier.measure(claim, verifier.among(claim, 1), source, (paper.id,), reduce)
    labels = [any(start < e and end > s for s, e in one.spans) for start, end in claim.spans]
    faulty = bool(faults_of(claim, source, seen))
    return Measured(seen.words.astype(np.float16), np.array(labels, dtype=np.float32), whole, faulty)


def scaled(rows: Floats, mean: Floats, scale: Floats) -> Floats:
    return np.clip((rows.astype(np.float32) - mean) / scale, -6, 6)


def words_network(
    examples: Sequence[Example], measured: Sequence[Measured], fold: int, mean: Floats, scale: Floats
) -> MLPClassifier:
    """Which words are wrong, learnt from all papers but those of a fold; written pairs count six times."""
    known = [
        (one, what, 6 if one.weight == 4 else 2)
        for one, what in zip(examples, measured, strict=True)
        if one.fold != fold and (one.spans or not one.wrong)
    ]
    rows = np.concatenate([what.rows for _, what, times in known for _ in range(times if times > 2 else 1)])
    labels = np.concatenate(
        [what.labels for _, what, times in known for _ in range(times if times > 2 else 1)]
    )
    network = MLPClassifier((48,), batch_size=512, alpha=3e-3, max_iter=4, random_state=0)
    return network.fit(scaled(rows, mean, scale), labels)


def write(examples: Sequence[Example], measured: Sequence[Measured], reduce: Floats) -> None:
    """Trains by folds for the threshold, then on all, and writes the file."""
    every = np.concatenate([one.rows[::2] for one in measured]).astype(np.float32)
    mean, scale = every.mean(axis=0), every.std(axis=0) + 0.01
    networks = {fold: words_network(examples, measured, fold, mean, scale) for fold in (*range(FOLDS), FOLDS)}
    pools = np.stack(
        [
            pooled(
                networks[one.fold].predict_proba(scaled(what.rows, mean, scale))[:, 1].astype(np.float32),
                what.rows.astype(np.float32),
                what.whole,
            )
            for one, what in zip(examples, measured, strict=True)
        ]
    )
    folds = np.array([one.fold for one in examples])
    wrong = np.array([one.wrong for one in examples])
    weights = np.array([one.weight for one in examples])
    scores = np.zeros(len(examples))
    for fold in range(FOLDS):
        out = folds == fold
        scores[out] = Whole.trained(pools[~out], wrong[~out], weights[~out])(pools[out])
    scores[[what.faulty for what in measured]] = 99
    counted = np.array([one.counts for one in examples])
    threshold = limit(scores[counted], wrong[counted])
    whole = Whole.trained(pools, wrong, weights)
    first, second = networks[FOLDS].coefs_
    np.savez_compressed(
        OUT,
        reduce=reduce.astype(np.float16),
        **stored("words", mean, scale, [first, second], networks[FOLDS].intercepts_),
        **stored(
            "whole", whole.mean, whole.scale, whole.weights, [whole.biases[0], whole.biases[1] - threshold]
        ),
    )


def stored(
    name: str, mean: Floats, scale: Floats, weights: Sequence[Floats], biases: Sequence[Floats]
) -> dict[str, NDArray[np.generic]]:
    found: dict[str, NDArray[np.generic]] = {f"{name}_mean": mean, f"{name}_scale": scale}
    for layer, (weight, bias) in enumerate(zip(weights, biases, strict=True)):
        found[f"{name}_w{layer}"] = np.asarray(weight, dtype=np.float16 if name == "words" else np.float32)
        found[f"{name}_b{layer}"] = np.asarray(bias, dtype=np.float32)
    return found


@dataclass(frozen=True)
class Whole:
    """Three small networks side by side whose outputs are averaged: one network, in effect."""

    mean: Floats
    scale: Floats
    weights: tuple[Floats, Floats]
    biases: tuple[Floats, Floats]

    @classmethod
    def trained(cls, rows: Floats, wrong: NDArray[np.bool_], weights: NDArray[np.float64]) -> Whole:
        """Each on its own draw of the rows, by their weights."""
        mean, scale = rows.mean(axis=0), rows.std(axis=0) + 0.001
        parts = []
        for seed in range(3):
            chance = weights / weights.sum()
            drawn = np.random.default_rng(seed).choice(len(rows), int(1.5 * len(rows)), p=chance)
            network = MLPClassifier((24,), alpha=0.05, batch_size=256, max_iter=12, random_state=seed)
            parts.append(network.fit(scaled(rows[drawn], mean, scale), wrong[drawn]))
        return cls(
            mean,
            scale,
            (
                np.concatenate([part.coefs_[0] for part in parts], axis=1),
                np.concatenate([part.coefs_[1] for part in parts]) / len(parts),
            ),
            (
                np.concatenate([part.intercepts_[0] for part in parts]),
                np.mean([part.intercepts_[1] for part in parts], axis=0),
            ),
        )

    def __call__(self, rows: Floats) -> Floats:
        """How sure it is that each is wrong, unbounded."""
        hidden = np.maximum(scaled(rows, self.mean, self.scale) @ self.weights[0] + self.biases[0], 0)
        return (hidden @ self.weights[1] + self.biases[1])[:, 0]


def limit(scores: NDArray[np.float64], wrong: NDArray[np.bool_], precision: float = 0.95) -> float:
    """The lowest score from which on so large a share is wrong."""
    order = np.argsort(-scores)
    shares = np.cumsum(wrong[order]) / np.arange(1, len(order) + 1)
    last = np.flatnonzero(shares >= precision)[-1]
    recall = wrong[order][: last + 1].sum() / wrong.sum()
    sys.stderr.write(f"recall {recall:.3f} at precision {precision}\n")
    return float(scores[order[last]])


if __name__ == "__main__":
    sys.exit(main())
