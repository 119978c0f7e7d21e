"""Work in a thread of its own that tells of itself while it is waited for."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator
from queue import SimpleQueue
from typing import TypeVar

from assistant.answer import Notice

T = TypeVar("T")


class _End:
    def __init__(self, error: BaseException | None) -> None:
        self.error = error


def told(
    work: Callable[[Callable[[str], None]], Iterator[T]], stop: threading.Event
) -> Generator[T | Notice, None, None]:
    """What the work gives, and what it tells meanwhile; `stop` is set when the reader goes before its end."""
    arrived: SimpleQueue[T | Notice | _End] = SimpleQueue()

    def run() -> None:
        try:
            for piece in work(lambda text: arrived.put(Notice(text))):
                arrived.put(piece)
        except BaseException as error:
            arrived.put(_End(error))
        else:
            arrived.put(_End(None))

    threading.Thread(target=run, name="model", daemon=True).start()
    piece: T | Notice | _End | None = None
    try:
        while not isinstance(piece := arrived.get(), _End):
            yield piece
    finally:
        if not isinstance(piece, _End):
            stop.set()
    if piece.error is not None:
        raise piece.error
