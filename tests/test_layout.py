"""Names of collections that can and can't be."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpus.errors import InputError
from corpus.layout import Layout


@pytest.mark.parametrize("name", ["a", "default", "efficient-ml", "My_papers.2024", "x" * 63])
def test_a_name_is_a_folder_of_the_home(name: str) -> None:
    assert Layout(Path("home"), name).folder == Path("home", name)


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../up", "a/b", "a..b", "-a", "a.", "ä", "a b", "x" * 64, "a\n"]
)
def test_another_name_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="can't be a collection's name"):
        Layout(Path("home"), name)


def test_outdated_folders_are_those_of_another_generation(tmp_path: Path) -> None:
    layout = Layout(tmp_path, "mine")
    for path in (layout.vectors(1), layout.lexical(1), layout.vectors(2), layout.lexical(2)):
        path.mkdir(parents=True)
    assert sorted(layout.outdated(2)) == sorted([layout.vectors(1), layout.lexical(1)])
