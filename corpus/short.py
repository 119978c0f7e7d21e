"""Labels short enough to be read in a line."""

from __future__ import annotations

import re

LABEL = 80
"""The characters of a label at most."""
_TOPIC = 40


def shortened(text: str, size: int = LABEL) -> str:
    """The text, or as many of its first words as fit into `size` characters, with "…" behind them."""
    if len(text) <= size:
        return text
    cut = text[: size - 1]
    at = cut.rfind(" ")
    return (cut[:at] if at >= size // 2 else cut).rstrip(" ,.;:-–(") + "…"


def told_apart(label: str, given: str) -> str:
    """A label that is `given` with something in brackets behind it, shortened where it is too long."""
    if len(label) <= LABEL or not label.startswith(given):
        return shortened(label)
    behind = label[len(given) :]
    if len(behind) > _TOPIC:
        behind = f"{shortened(behind, _TOPIC - 1)})"
    return shortened(given, LABEL - len(behind)) + behind


_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def visible(text: str) -> str:
    """The text without what steers a terminal or turns the direction of writing."""
    return _UNSEEN.sub("\ufffd", text)
