"""Numbers that are written in words: "six hundred", "twice", "a third of", "two orders of magnitude"."""

from __future__ import annotations

import re

from assistant.figures.amount import BIG, SMALL, VAGUE, Amount, worth

_PARTS = {"half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "tenth": 10}
_VERBS = {"halv": (50.0, "%"), "doubl": (2.0, "x"), "tripl": (3.0, "x"), "quadrupl": (4.0, "x")}
_OF_SOMETHING = re.compile(
    r"\s+(?:of|the|as|its|their|that|an?\s|less|more|fewer|smaller|larger|lower|higher|faster|shorter)\b|"
    r"\s*(?:[,.;)]|$)"
)
_SHARE_BEFORE = re.compile(
    r"\b(?:by|in|to|least|about|nearly|almost|roughly|than|over|only|around|approximately|just|under|needs|"
    r"uses|takes|with|at)\s+$"
)


def from_words(match: re.Match[str], text: str) -> Amount | None:
    start, end = match.span()
    kind = match.lastgroup or ""
    written = match[0].lower()
    if kind == "vague":
        value = 1.0
        for word in written.split():
            value *= VAGUE.get(word, 1.0)
        return Amount(start, end, value, qualifier="at least", scale="vague", worded=True)
    if kind == "orders":
        return _orders(start, end, written)
    if kind == "twice":
        return Amount(start, end, 2.0, "x", worded=True)
    if kind == "fold":
        word = written.removesuffix("fold").rstrip("-")
        told = re.match(r"\s?(?:[:.;]|cross)", text[end:]) and not re.search(r"\b(?:by|a)\s$", text[:start])
        return None if told else Amount(start, end, worth(word), "x", worded=True)
    if kind == "verb":
        value, mark = next(row for stem, row in _VERBS.items() if written.startswith(stem))
        return Amount(start, end, value, mark, worded=True)
    if kind == "part":
        return _part(start, end, written, text)
    last = re.split(r"[\s-]+", written)[-1]
    scale = last if last in BIG else ""
    return Amount(start, end, worth(written), scale=scale, multiple=BIG.get(scale, 1.0), worded=True)


def _orders(start: int, end: int, written: str) -> Amount:
    """The number of orders, with the mark "orders"; a bare plural is two of them at least."""
    head = re.split(r"[\s-]?orders?", written)[0]
    bare = "orders" in written and head not in SMALL
    value = 2.0 if bare else SMALL.get(head, 1.0)
    return Amount(start, end, value, "orders", "at least" if bare else None, worded=True)


def _part(start: int, end: int, written: str, text: str) -> Amount | None:
    """A fraction in words as a percentage: "two thirds", "by half", "half the memory", "a quarter of"."""
    *head, name = re.split(r"[\s-]", written)
    count = {"": 1, "a": 1, "an": 1, "one": 1}.get(head[0] if head else "") or int(
        SMALL.get(head[0] if head else "", 1)
    )
    whole = _PARTS[name.removesuffix("s")]
    ordinal = name != "half" and not head
    cut = re.search(
        r"\b(?:by|in)\s(?:an?\s|about\s|almost\s|over\s|nearly\s|more than\s)?$",
        text[max(0, start - 20) : start],
    )
    said = cut or (
        _OF_SOMETHING.match(text, end)
        and (
            head
            or _SHARE_BEFORE.search(text[max(0, start - 20) : start])
            or re.match(r"\s+(?:of|the|as|its)\b", text[end:])
        )
    )
    return (
        None
        if ordinal or not said or count >= whole
        else Amount(start, end, 100 * count / whole, "%", worded=True)
    )
