"""Slow-down after wrong passwords: the more of them from one address, the longer the next one waits."""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Callable

_FREE = 5
"""Wrong passwords that cost nothing but a moment."""
_LONGEST_WAIT = 300.0
_FORGOTTEN = 3600.0
_KEPT = 10_000


class Throttle:
    """Counts the wrong passwords of each address; an IPv6 network of one customer (/64) is one address."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failures: dict[str, tuple[int, float]] = {}

    def wait(self, address: str) -> float:
        """Seconds until this address may try again; 0 when it may now."""
        count, last = self._failures.get(_network(address), (0, 0.0))
        pause = min(2.0 ** (count - _FREE), _LONGEST_WAIT) if count >= _FREE else 0.0
        return max(0.0, last + pause - self._clock())

    def failed(self, address: str) -> None:
        """Nothing; one more wrong password came from there."""
        now, network = self._clock(), _network(address)
        count, last = self._failures.pop(network, (0, now))
        while len(self._failures) >= _KEPT:
            del self._failures[next(iter(self._failures))]
        self._failures[network] = (count + 1 if now - last < _FORGOTTEN else 1, now)

    def passed(self, address: str) -> None:
        """Nothing; the right password came from there, and what was wrong before is forgotten."""
        self._failures.pop(_network(address), None)


def _network(address: str) -> str:
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return address
    if known.version == 6 and known.ipv4_mapped is None:
        return str(ipaddress.ip_network(f"{known}/64", strict=False))
    return str(known)
