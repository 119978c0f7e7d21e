"""When a call that failed is made again, and after how long."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from corpus.errors import ModelError


@dataclass(frozen=True)
class Retries:
    """How often, and how many seconds of waiting in all; the pauses double from `first` on."""

    number: int = 2
    seconds: float = 20.0
    first: float = 1.0

    def pause(self, fault: ModelError, *, made: int, waited: float) -> float | None:
        """Seconds to wait before the next try, None where there is none.

        An endpoint that asks for more patience than is left isn't asked again: it would only refuse again.
        Up to half of a pause is left to chance, so that many callers don't come back at one moment.
        """
        if not fault.again or made >= self.number:
            return None
        backoff: float = self.first * 2**made * random.uniform(0.5, 1.0)
        left = self.seconds - waited
        if fault.wait is not None:
            return min(max(fault.wait, backoff / 2), left) if fault.wait <= left else None
        return min(backoff, left)


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """The seconds that a response asks to wait, from a number or an HTTP date (RFC 9110, 10.2.3)."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) * unit
        except ValueError:
            continue
        if 0 <= seconds < float("inf"):
            return seconds
    try:
        moment = parsedate_to_datetime(headers.get("retry-after", ""))
    except ValueError:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - (now or datetime.now(UTC))).total_seconds())
