"""Whether a text has begun to say the same thing over and over, as models do that have lost their way."""

from __future__ import annotations

import re

_LONGEST = 400
_TIMES = 4
_LEAST = 480
_KEY = 16
_NUMBERS = re.compile(r"^[ \t]*\d+[.)][ \t]*", re.MULTILINE)


def repeated_phrase(text: str) -> str | None:
    """The phrase that the text's end repeats, None where it doesn't.

    It counts as endless when the last 480 characters, or four times the phrase if that is more, are nothing
    but it. Numbers of list items don't make two lines different.
    """
    tail = _NUMBERS.sub("", text[-(_LONGEST * _TIMES * 2) :])
    if len(tail) < _LEAST:
        return None
    key, end = tail[-_KEY:], len(tail) - 1
    for _ in range(_LONGEST):
        at = tail.rfind(key, 0, end)
        period = len(tail) - _KEY - at
        if at < 0 or period > _LONGEST:
            return None
        span = max(_LEAST, period * _TIMES)
        if span <= len(tail) and tail[-span + period :] == tail[-span:-period]:
            return tail[-period:]
        end = at + _KEY - 1
    return None
