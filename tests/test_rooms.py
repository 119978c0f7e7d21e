"""The collections that programs may ask."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from made import RECORDS

from assistant.assistant import Assistant
from assistant.config import Settings
from assistant.library import Library
from corpus.errors import InputError
from corpus.layout import BUILT_IN
from corpus.sync import ingest
from ui.programs.rooms import Rooms

if TYPE_CHECKING:
    from pathlib import Path

    from corpus.embedder import LocalEmbedder


def test_each_collection_is_asked_by_its_name(tmp_path: Path, embedder: LocalEmbedder) -> None:
    for name in ("one", "two"):
        ingest(tmp_path, name, RECORDS[:2], embedder)
    settings = Settings(tmp_path, "two", "none", "local", None)
    with closing(Assistant.open(settings)) as first, closing(Library(settings, first)) as library:
        rooms = Rooms(first, library)
        assert rooms.names() == ["two", "one", BUILT_IN]
        assert rooms.assistant() is rooms.assistant("two")
        one = rooms.assistant("one")
        assert one.collection.name == "one"
        assert rooms.assistant("one") is one
        for unknown in ("three", "../one", "two "):
            with pytest.raises(InputError, match=r"choose one of these: two, one"):
                rooms.assistant(unknown)


def test_what_stands_in_for_an_empty_collection_comes_first(tmp_path: Path) -> None:
    settings = Settings(tmp_path, "default", "none", "local", None)
    first = Assistant.open(settings)
    rooms = Rooms(first, Library(settings, first))
    assert rooms.names() == [BUILT_IN]
    assert rooms.assistant("default") is rooms.assistant(BUILT_IN)
