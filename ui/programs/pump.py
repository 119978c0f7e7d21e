"""A stream that runs in a thread of its own, read from the event loop; it ends when its reader goes."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable, Generator, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class _End(Exception):
    """The stream has given all that it had."""


class _Pump(Generic[T]):
    """The thread's side: puts pieces and errors where the loop finds them."""

    def __init__(self, stream: Callable[[threading.Event], Iterator[T]]) -> None:
        self.halt = threading.Event()
        self.arrived: asyncio.Queue[T | BaseException] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        self._stream = stream

    def run(self) -> None:
        """Nothing, once the stream has ended or its reader has gone."""
        try:
            pieces = self._stream(self.halt)
            for piece in pieces:
                if self.halt.is_set():
                    # Closed at once and here: a model's connection must not stay open until memory is tidied.
                    if isinstance(pieces, Generator):
                        pieces.close()
                    return
                self._put(piece)
        except BaseException as error:
            self._put(error)
        else:
            self._put(_End())

    def _put(self, piece: T | BaseException) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.arrived.put_nowait, piece)


async def pumped(stream: Callable[[threading.Event], Iterator[T]]) -> AsyncGenerator[T, None]:
    """What the stream gives, as it comes. `stream` gets the event that is set when nobody reads any more."""
    pump = _Pump(stream)
    threading.Thread(target=pump.run, name="completion", daemon=True).start()
    try:
        while not isinstance(piece := await pump.arrived.get(), BaseException):
            yield piece
        if not isinstance(piece, _End):
            raise piece
    finally:
        pump.halt.set()
