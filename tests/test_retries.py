"""When a call is made again: bounded in number and in time, and as long after as the endpoint asks."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from assistant.retries import Retries, retry_after
from corpus.errors import ModelError


def _fault(*, again: bool = True, wait: float | None = None) -> ModelError:
    return ModelError("busy; wait", "rate_limit", again=again, wait=wait)


def test_pauses_grow_and_end() -> None:
    retries = Retries(2, 20.0, 1.0)
    for _ in range(20):
        first, second = (retries.pause(_fault(), made=made, waited=0.0) for made in (0, 1))
        assert first is not None
        assert second is not None
        assert 0.5 <= first <= 1.0 <= second <= 2.0
    assert retries.pause(_fault(), made=2, waited=0.0) is None


def test_what_cannot_help_is_not_tried() -> None:
    assert Retries().pause(_fault(again=False), made=0, waited=0.0) is None


def test_the_time_in_all_is_bounded() -> None:
    retries = Retries(9, 20.0, 1.0)
    assert retries.pause(_fault(), made=6, waited=19.9) == pytest.approx(0.1)
    assert retries.pause(_fault(wait=20.0), made=0, waited=0.0) == 20.0
    assert retries.pause(_fault(wait=20.1), made=0, waited=0.0) is None
    assert retries.pause(_fault(wait=6.0), made=0, waited=15.0) is None


def test_a_wait_of_nothing_is_still_a_short_pause() -> None:
    pause = Retries().pause(_fault(wait=0.0), made=0, waited=0.0)
    assert pause is not None
    assert 0.2 < pause <= 0.5


NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "9", "retry-after-ms": "250"}, 0.25),
        ({"retry-after": "Fri, 02 Jan 2026 03:04:35 GMT"}, 30.0),
        ({"retry-after": "Fri, 02 Jan 2026 03:04:35 -0000"}, 30.0),
        ({"retry-after": "Fri, 02 Jan 2026 03:00:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "-3"}, None),
    ],
)
def test_what_a_response_asks_for(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, NOW) == seconds
