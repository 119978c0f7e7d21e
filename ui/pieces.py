"""A stream taken up in bundles: a page that is slower than the stream skips the steps between."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator
from queue import Empty, SimpleQueue
from typing import TypeVar

T = TypeVar("T")


class _End:
    """The stream's end, with the error that ended it, if one did."""

    def __init__(self, error: BaseException | None = None) -> None:
        self.error = error


def bundled(stream: Iterator[T], halt: threading.Event) -> Iterator[list[T]]:
    """Lists of all that has come since the last list; an error of the stream comes in its place.

    The stream runs in one thread of its own from first to last. It ends at its next piece once `halt`
    is set, which the reader's going does too.
    """
    arrived: SimpleQueue[T | _End] = SimpleQueue()

    def run() -> None:
        try:
            for piece in stream:
                if halt.is_set():
                    # Closed at once and here: a model's connection must not stay open until memory is tidied.
                    _close(stream)
                    break
                arrived.put(piece)
        except BaseException as error:
            arrived.put(_End(error))
        else:
            arrived.put(_End())

    threading.Thread(target=run, name="answer", daemon=True).start()
    try:
        yield from _bundles(arrived)
    finally:
        halt.set()


def _close(stream: Iterator[T]) -> None:
    if isinstance(stream, Generator):
        stream.close()


def _bundles(arrived: SimpleQueue[T | _End]) -> Iterator[list[T]]:
    while True:
        bundle: list[T] = []
        piece: T | _End | None = arrived.get()
        while piece is not None and not isinstance(piece, _End):
            bundle.append(piece)
            try:
                piece = arrived.get_nowait()
            except Empty:
                piece = None
        if bundle:
            yield bundle
        if isinstance(piece, _End):
            if piece.error is not None:
                raise piece.error
            return
