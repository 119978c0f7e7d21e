"""The learned part of the check: which words of a claim are wrong, and whether the claim as a whole is.

Two small networks, trained on true and corrupted sentences (benchmarks/verify_training.py); docs/verify.md
says how they were measured.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from io import BytesIO

import numpy as np

from assistant.verify.texts import Vectors


@dataclass(frozen=True)
class Network:
    """A perceptron with one hidden layer: rows in, a probability a row out."""

    mean: Vectors
    scale: Vectors
    weights: tuple[Vectors, ...]
    biases: tuple[Vectors, ...]

    def __call__(self, rows: Vectors) -> Vectors:
        """The probabilities, of shape (rows,)."""
        values = np.clip((rows - self.mean) / self.scale, -6, 6)
        for weight, bias in zip(self.weights[:-1], self.biases[:-1], strict=True):
            values = np.maximum(values @ weight + bias, 0)
        return np.asarray(
            1 / (1 + np.exp(-(values @ self.weights[-1] + self.biases[-1])[:, 0])), dtype=np.float32
        )


@dataclass(frozen=True)
class Learned:
    """`reduce` projects vectors of words; `words` and `whole` are the two networks."""

    reduce: Vectors
    words: Network
    whole: Network


@lru_cache(maxsize=1)
def learned() -> Learned:
    """The networks of the file beside this module."""
    with np.load(BytesIO(files(__package__).joinpath("verify.npz").read_bytes())) as stored:
        return Learned(
            stored["reduce"].astype(np.float32), _network(stored, "words"), _network(stored, "whole")
        )


def _network(stored: np.lib.npyio.NpzFile, name: str) -> Network:
    layers = range(sum(key.startswith(f"{name}_w") for key in stored.files))
    return Network(
        stored[f"{name}_mean"].astype(np.float32),
        stored[f"{name}_scale"].astype(np.float32),
        tuple(stored[f"{name}_w{layer}"].astype(np.float32) for layer in layers),
        tuple(stored[f"{name}_b{layer}"].astype(np.float32) for layer in layers),
    )
