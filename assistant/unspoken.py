"""What a model writes that isn't for the reader: the word for "not in the sources", and its thoughts."""

from __future__ import annotations

import re

SENTINEL = "NOT_IN_SOURCES"
"""What a model writes where the sources don't hold the answer."""
_AROUND = "*_`\"'"
_SIGN = re.compile(rf"[{_AROUND}]*NOT\\?_IN\\?_SOURCES[{_AROUND}]*|</?think>", re.I)
_THINKS, _DONE = "<think>", "</think>"
_LONGEST = 24


class Unspoken:
    """Text that comes in pieces, without the sentinel and without thoughts; of neither comes even a part.

    A thought is what stands between <think> at the start of a line and </think>, or the end.
    """

    def __init__(self) -> None:
        self._held = ""
        self._thinks = False
        self._at_start = True
        self.missing = False
        """Whether the sentinel has come."""

    def feed(self, piece: str) -> str:
        """What can be shown once the piece is there."""
        self._held += piece
        return self._ready(last=False)

    def rest(self) -> str:
        """What was held back at the end."""
        return self._ready(last=True)

    @property
    def thinks(self) -> bool:
        """Whether a thought has begun that hasn't ended."""
        return self._thinks

    def _ready(self, *, last: bool) -> str:
        shown = ""
        while True:
            if self._thinks and not self._past_the_thought():
                return shown
            found = _SIGN.search(self._held)
            if found is None or (found.end() == len(self._held) and not last):
                return shown + self._cut(len(self._held) if last else self._safe(found))
            shown += self._cut(found.start())
            sign = found[0].lower()
            self._held = self._held[found.end() - found.start() :]
            if sign == _THINKS and not self._at_start:
                shown += found[0]
            self._thinks = sign == _THINKS and self._at_start
            self.missing = self.missing or sign not in (_THINKS, _DONE)

    def _past_the_thought(self) -> bool:
        _, end, after = self._held.partition(_DONE)
        self._held = after if end else self._held[-len(_DONE) :]
        self._thinks = not end
        return bool(end)

    def _safe(self, found: re.Match[str] | None) -> int:
        """Where what may become a sign begins."""
        if found:
            return found.start()
        size = len(self._held)
        return next((at for at in range(max(0, size - _LONGEST), size) if _may_be(self._held[at:])), size)

    def _cut(self, place: int) -> str:
        ready, self._held = self._held[:place], self._held[place:]
        if line := ready.rstrip(" \t"):
            self._at_start = line.endswith("\n")
        return ready


def _may_be(text: str) -> bool:
    bare = text.lstrip(_AROUND).replace("\\", "").lower()
    return any(sign.startswith(bare) for sign in (SENTINEL.lower(), _THINKS, _DONE))


def spoken(text: str) -> tuple[str, bool, bool]:
    """A whole text without all that, whether it holds the sentinel, and whether it ends in a thought.

    Some models' prompts open the thought for them: what stands before a first </think> is one.
    """
    before, end, after = text.partition(_DONE)
    filtered = Unspoken()
    left = filtered.feed(after if end and _THINKS not in before else text) + filtered.rest()
    return left.strip(), filtered.missing, filtered.thinks
