"""Work in a thread of its own that tells of itself while it is waited for."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator
from queue import SimpleQueue
from typing import TypeVar

from assistant.answer import Notice

T = TypeVar("T")


class End:
    """The end of what was worked at aside, with the error that ended it, if one did."""

    def __init__(self, error: BaseException | None = None) -> None:
        self.error = error


def work_aside(pieces: Iterator[T], arrived: SimpleQueue[T | End], name: str) -> None:
    """Nothing; a thread of that name puts each piece to `arrived` as it comes, and an End last."""

    def run() -> None:
        try:
            for piece in pieces:
                arrived.put(piece)
        except BaseException as error:
            arrived.put(End(error))
        else:
            arrived.put(End())

    threading.Thread(target=run, name=name, daemon=True).start()


def told(
    work: Callable[[Callable[[str], None]], Iterator[T]], stop: threading.Event
) -> Generator[T | Notice, None, None]:
    """What the work gives, and what it tells meanwhile; `stop` is set when the reader goes before its end."""
    arrived: SimpleQueue[T | Notice | End] = SimpleQueue()

    def worked() -> Iterator[T | Notice]:
        yield from work(lambda text: arrived.put(Notice(text)))

    work_aside(worked(), arrived, "model")
    piece: T | Notice | End | None = None
    try:
        while not isinstance(piece := arrived.get(), End):
            yield piece
    finally:
        if not isinstance(piece, End):
            stop.set()
    if piece.error is not None:
        raise piece.error
