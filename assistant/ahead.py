"""Work done by threads a little ahead of its taker, so that memory stays flat."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

_AHEAD = 4
"""Results made ahead of the one that is taken, a worker."""
_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def mapped(work: Callable[[_Item], _Result], items: Iterable[_Item], workers: int) -> Iterator[_Result]:
    """The results in the order of the items; what has not begun when the taker stops is never done."""
    workers = max(workers, 1)
    with ThreadPoolExecutor(workers) as pool:
        coming: deque[Future[_Result]] = deque()
        left = iter(items)
        try:
            while True:
                for item in islice(left, _AHEAD * workers - len(coming)):
                    coming.append(pool.submit(work, item))
                if not coming:
                    return
                yield coming.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)
