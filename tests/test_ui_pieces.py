"""Streams taken up in bundles."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.pieces import bundled


@given(st.lists(st.text(max_size=3)))
def test_nothing_is_lost_and_the_order_stays(pieces: list[str]) -> None:
    assert [piece for bundle in bundled(iter(pieces), threading.Event()) for piece in bundle] == pieces


def test_what_came_meanwhile_comes_together() -> None:
    first_taken, all_given = threading.Event(), threading.Event()

    def stream() -> Iterator[int]:
        yield 1
        first_taken.wait(10)
        yield from (2, 3)
        all_given.set()

    bundles = bundled(stream(), threading.Event())
    assert next(bundles) == [1]
    first_taken.set()
    all_given.wait(10)
    assert [piece for bundle in bundles for piece in bundle] == [2, 3]


def test_an_error_comes_after_what_came_before_it() -> None:
    def stream() -> Iterator[str]:
        yield "a"
        raise ValueError("broken")

    bundles = bundled(stream(), threading.Event())
    assert next(bundles) == ["a"]
    with pytest.raises(ValueError, match="broken"):
        next(bundles)


@pytest.mark.parametrize("how", ["halted", "left"])
def test_the_stream_ends_when_nobody_wants_it(how: str) -> None:
    closed, go_on, halt = (threading.Event() for _ in range(3))

    def stream() -> Iterator[int]:
        try:
            yield 0
            go_on.wait(10)
            yield 1
            raise AssertionError("read on")
        finally:
            closed.set()

    bundles = bundled(stream(), halt)
    assert next(bundles) == [0]
    halt.set() if how == "halted" else bundles.close()
    go_on.set()
    assert closed.wait(10)
