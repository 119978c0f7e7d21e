"""A stream taken up in bundles: a page that is slower than the stream skips the steps between."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator
from queue import Empty, SimpleQueue
from typing import TypeVar

from assistant.told import End, work_aside

T = TypeVar("T")


def bundled(stream: Iterator[T], halt: threading.Event) -> Iterator[list[T]]:
    """Lists of all that has come since the last list; an error of the stream comes in its place.

    The stream runs in one thread of its own from first to last. It ends at its next piece once `halt`
    is set, which the reader's going does too.
    """
    arrived: SimpleQueue[T | End] = SimpleQueue()
    work_aside(_until(stream, halt), arrived, "answer")
    try:
        yield from _bundles(arrived)
    finally:
        halt.set()


def _until(stream: Iterator[T], halt: threading.Event) -> Iterator[T]:
    """The stream until `halt` is set."""
    for piece in stream:
        if halt.is_set():
            # Closed at once and here: a model's connection must not stay open until memory is tidied.
            _close(stream)
            break
        yield piece


def _close(stream: Iterator[T]) -> None:
    if isinstance(stream, Generator):
        stream.close()


def _bundles(arrived: SimpleQueue[T | End]) -> Iterator[list[T]]:
    while True:
        bundle: list[T] = []
        piece: T | End | None = arrived.get()
        while piece is not None and not isinstance(piece, End):
            bundle.append(piece)
            try:
                piece = arrived.get_nowait()
            except Empty:
                piece = None
        if bundle:
            yield bundle
        if isinstance(piece, End):
            if piece.error is not None:
                raise piece.error
            return
