"""Where a collection's files lie inside the data folder."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from corpus.errors import InputError

# What is a folder's name on every system and part of a collection's name in Chroma.
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?!\.)){0,62}(?<!\.)")


BUILT_IN = "efficient-ml"
"""The name of the collection that comes with the program; no other may have it."""
FEEDBACK = "feedback.jsonl"
"""The file in a collection's folder with what people said of answers; it outlives the papers."""


@dataclass(frozen=True)
class Layout:
    """The paths of one collection; `name` is checked when the layout is made."""

    home: Path
    name: str

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise InputError(
                f"{self.name!r} can't be a collection's name: "
                "use up to 63 letters, digits, '-', '_' and single '.'."
            )

    @property
    def folder(self) -> Path:
        """The collection's own folder."""
        return self.home / self.name

    @property
    def catalogue(self) -> Path:
        """The SQLite file, the master copy."""
        return self.folder / "catalogue.sqlite"

    @property
    def lock(self) -> Path:
        """The file that the one writer holds locked."""
        return self.folder / "writer.lock"

    def vectors(self, generation: int) -> Path:
        """Chroma's folder; a rebuilt index is a new generation in a folder of its own."""
        return self.folder / f"vectors-{generation}"

    def lexical(self, generation: int) -> Path:
        """tantivy's folder; a rebuilt index is a new generation in a folder of its own."""
        return self.folder / f"lexical-{generation}"

    def indexes(self) -> list[Path]:
        """Folders of indexes of any generation that hold something."""
        found = [*self.folder.glob("vectors-*"), *self.folder.glob("lexical-*")]
        return sorted(path for path in found if path.is_dir() and next(path.iterdir(), None))

    def outdated(self, generation: int) -> list[Path]:
        """Folders of indexes of another generation than the current one."""
        current = {self.vectors(generation), self.lexical(generation)}
        found = [*self.folder.glob("vectors-*"), *self.folder.glob("lexical-*")]
        return [path for path in found if path not in current]


def collection_names(home: Path) -> list[str]:
    """The names of the collections in a data folder, sorted."""
    try:
        folders = sorted(path.name for path in home.iterdir() if path.is_dir())
    except OSError:
        return []
    layouts = [Layout(home, name) for name in folders if _NAME.fullmatch(name)]
    return [layout.name for layout in layouts if layout.catalogue.exists() or layout.indexes()]
