"""The collections that programs may ask."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from made import RECORDS

from assistant.assistant import Assistant
from assistant.config import Settings
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
    with closing(Rooms(Assistant.open(settings), settings)) as rooms:
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
    rooms = Rooms(Assistant.open(settings), settings)
    assert rooms.names() == [BUILT_IN]
    assert rooms.assistant("default") is rooms.assistant(BUILT_IN)
