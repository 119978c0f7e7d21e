"""The numbers in a sentence as written: digits, number words, fractions, powers; digits of names left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_SCALES = {"k": 1e3, "m": 1e6, "b": 1e9, "bn": 1e9, "g": 1e9, "t": 1e12}
_BIG = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_SMALL = {
    word: float(value)
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen twenty".split()
    )
} | {
    "thirty": 30.0,
    "forty": 40.0,
    "fifty": 50.0,
    "sixty": 60.0,
    "seventy": 70.0,
    "eighty": 80.0,
    "ninety": 90.0,
}
_VAGUE = {"tens": 10.0, "dozens": 12.0} | {f"{word}s": value for word, value in _BIG.items()}
_PARTS = {"half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "tenth": 10}
_VERBS = {"halv": (50.0, "%"), "doubl": (2.0, "x"), "tripl": (3.0, "x"), "quadrupl": (4.0, "x")}

_WORDS = "|".join((*_SMALL, *_BIG))
_PLAIN = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_VAGUES = "|".join(_VAGUE)
_OBJECT = r"(?=\s+(?:the|its|their|our|both|throughput|memory|speed|performance|training|inference)\b)"
_AMOUNT = re.compile(
    rf"(?P<sign>[+−-](?=\d))?(?P<digits>{_PLAIN})"
    r"(?:\s?(?:[x×*]\s?|\\times\s?)10\^?\{?(?P<tens>(?<=\^)-?\d+|(?<=\^\{)-?\d+)\}?|\^\{?(?P<power>\d+)\}?)?"
    r"(?P<plus>\+(?!\d))?"
    r"(?:\s?(?P<big>thousand|million|billion|trillion|bn)(?![a-z])"
    r"|(?P<scale>[kKMBTb](?![A-Za-z0-9])|G(?=\s?FLOP|\s?MAC))"
    r"|\s(?P<apart>[KMBT](?=\s(?:param|token|FLOP|MAC|model)))"
    r")?(?P<more>\+(?!\d))?"
    rf"|(?<![\w-])(?P<vague>(?:{_VAGUES})(?:\s+of\s+(?:{_VAGUES}))*+)(?=\s+of\s+\w)"
    rf"|(?<![\w-])(?P<orders>(?:(?:an|several|multiple|many|{_WORDS})[\s-])?orders?[\s-]of[\s-]magnitude)"
    r"|(?<![\w-])(?P<twice>twice)\b"
    rf"|(?<![\w-])(?P<fold>{'|'.join(_SMALL)}|hundred)-?fold\b"
    rf"|(?<![\w-])(?P<verb>(?:halv|doubl|tripl|quadrupl)(?:es|ed|ing)\b(?!-)|(?:halve|double|triple){_OBJECT})"
    r"|(?<![\w-])(?P<part>(?:(?:an?|one|two|three|four)[\s-])?(?:half|thirds?|quarters?|fourths?|fifths?|tenths?))\b(?!-)"
    rf"|(?<![\w-])(?P<words>(?:an?\s(?=(?:hundred|thousand|million|billion|trillion)\b))?(?:{_WORDS})(?:[\s-](?:{_WORDS}))*)\b",
    re.I,
)
_HINT = re.compile(
    rf"\d|\b(?:{_WORDS}|{_VAGUES}|twice|magnitude|half|halv\w+|doubl\w+|tripl\w+|\w+fold|\w*thirds?|quarters?|fifths?|tenths?)\b",
    re.I,
)
_FRACTION = re.compile(r"([1-9])/([2-9]|10)(?![\w/.]|-\w|\s?(?:[x×%]|bits?))")
_VARIABLE = re.compile(
    r"(?:(?<![A-Za-z0-9])[A-Za-z]|\b(?:alpha|beta|gamma|delta|epsilon|eps|lambda|sigma|tau|theta|eta|rho|mu|SE|Õ))"
    r"(?:[_^]\w+)?\s?(?:=|<|>|≤|≥|≪|≫|\((?<!\s\())\s?$"
)


@dataclass(frozen=True)
class Amount:
    """A number at `start:end`; `mark` is the unit that the number's own form brings ("x" of "twice"), else ""."""

    start: int
    end: int
    value: float
    mark: str = ""
    qualifier: str | None = None
    scale: str = ""
    multiple: float = 1.0
    worded: bool = False


def find_amounts(text: str) -> list[Amount]:
    """The numbers of the text in order; those inside names, versions, dimensions and markers are left out."""
    return list(_amounts(text)) if _HINT.search(text) else []


def _amounts(text: str) -> Iterator[Amount]:
    place = 0
    last_end = -1
    while match := _AMOUNT.search(text, place):
        place = max(match.end(), match.start() + 1)
        if match["digits"] is None:
            found = _from_words(match, text)
        elif fraction := _FRACTION.match(text, match.start("digits")):
            place = fraction.end()
            clean = not re.match(r"[\w/.^-]", text[match.start() - 1 : match.start()])
            share = 100 * int(fraction[1]) / int(fraction[2])
            fits = (
                clean
                and text[match.start() - 2 : match.start()] != "^("
                and int(fraction[1]) < int(fraction[2])
            )
            found = Amount(match.start("digits"), fraction.end(), share, "%") if fits else None
        else:
            whole = _dimension(text, match)
            if whole:
                place, found = whole, None
            else:
                found = _from_digits(match, text, last_end)
        if found:
            last_end = _attached_end(text, found.end)
            yield found


_ATTACHED = re.compile(r"\s?%|[x×X](?!\w)|[KMGTP]i?B\b|ms\b|s\b")
_SIZES = re.compile(r"\d+(?:\.\d+)?[a-z]{0,2}(?:\s?(?:[x×*]|\\?times)\s?(?!10\^)\d+(?:\.\d+)?)+[A-Za-z]*")


def _attached_end(text: str, end: int) -> int:
    match = _ATTACHED.match(text, end)
    return match.end() if match else end


def _dimension(text: str, match: re.Match[str]) -> int:
    """The end of a size such as "5x5x5" or "8x7B" that begins here, 0 where none does."""
    sizes = _SIZES.match(text, match.start("digits"))
    return sizes.end() if sizes else 0


def _from_digits(match: re.Match[str], text: str, last_end: int) -> Amount | None:
    start, end = match.start(), match.end()
    if not _free_left(text, match, last_end) or not _free_right(text, end):
        return None
    value = float(match["digits"].replace(",", ""))
    sign, joined = match["sign"] or "", start == last_end
    if match["tens"]:
        value *= 10.0 ** min(int(match["tens"]), 300)
    if match["power"]:
        value = _power(value, int(match["power"]))
    big = (match["big"] or match["scale"] or match["apart"] or "").lower()
    multiple = _BIG.get(big) or _SCALES.get(big, 1.0)
    value *= multiple
    value = -value if sign in ("-", "−") and sign and not joined else value
    return Amount(
        match.start("digits") if joined or sign in ("", "+") else start,
        end,
        value,
        qualifier="at least" if match["plus"] or match["more"] else None,
        scale=big,
        multiple=multiple,
    )


def _power(value: float, power: int) -> float:
    try:
        return float(value**power) if power < 400 else float("inf")
    except OverflowError:
        return float("inf")


def _free_left(text: str, match: re.Match[str], last_end: int) -> bool:
    """Whether the digits stand for themselves on their left, or go on from the amount that ends at `last_end`."""
    start = match.start("digits") if match["sign"] == "+" else match.start()
    before = text[start - 1 : start] if start else ""
    if start == last_end and match["sign"]:
        return True
    if before in ("/", "-", "–", "—"):
        joins = start - 1 == last_end
        bare = (
            before != "/"
            and (start < 2 or not text[start - 2].isalnum())
            and text[start - 2 : start - 1] not in (")", "]", "+")
        )
        return joins or bare
    if before.isalnum() or (before and before in "^_@#\\.}'"):
        return False
    if (
        match["sign"] in ("-", "−", "+")
        and match.start()
        and (text[match.start() - 1].isalnum() or text[match.start() - 1] == ")")
    ):
        return False
    if before == ":" and text[start - 2 : start - 1].isdigit():
        return False
    if before in ("[", ",") and re.match(r"(?:,\s?\d+)*\]", text[match.end() :]):
        return False
    return not _VARIABLE.search(text, max(0, start - 12), start) if before and before in "=<>≤≥( " else True


_NAME_GOES_ON = re.compile(r"[:.]\d|[A-Za-z_]*_|\^|-(?:[A-Z][a-z]|[A-Z]\b)|[)\]]?\s?[-+*/]\s?[a-zA-Z]\)")


def _free_right(text: str, end: int) -> bool:
    return not _NAME_GOES_ON.match(text, end)


def _from_words(match: re.Match[str], text: str) -> Amount | None:
    start, end = match.span()
    kind = match.lastgroup or ""
    written = match[0].lower()
    if kind == "vague":
        value = 1.0
        for word in written.split():
            value *= _VAGUE.get(word, 1.0)
        return Amount(start, end, value, qualifier="at least", scale="vague", worded=True)
    if kind == "orders":
        return _orders(start, end, written)
    if kind == "twice":
        return Amount(start, end, 2.0, "x", worded=True)
    if kind == "fold":
        word = written.removesuffix("fold").rstrip("-")
        told = re.match(r"\s?(?:[:.;]|cross)", text[end:]) and not re.search(r"\b(?:by|a)\s$", text[:start])
        return None if told else Amount(start, end, _worth(word), "x", worded=True)
    if kind == "verb":
        value, mark = next(row for stem, row in _VERBS.items() if written.startswith(stem))
        return Amount(start, end, value, mark, worded=True)
    if kind == "part":
        return _part(start, end, written, text)
    last = re.split(r"[\s-]+", written)[-1]
    scale = last if last in _BIG else ""
    return Amount(start, end, _worth(written), scale=scale, multiple=_BIG.get(scale, 1.0), worded=True)


def _orders(start: int, end: int, written: str) -> Amount:
    """The number of orders, with the mark "orders"; a bare plural is two of them at least."""
    head = re.split(r"[\s-]?orders?", written)[0]
    bare = "orders" in written and head not in _SMALL
    value = 2.0 if bare else _SMALL.get(head, 1.0)
    return Amount(start, end, value, "orders", "at least" if bare else None, worded=True)


_OF_SOMETHING = re.compile(
    r"\s+(?:of|the|as|its|their|that|an?\s|less|more|fewer|smaller|larger|lower|higher|faster|shorter)\b|\s*(?:[,.;)]|$)"
)
_SHARE_BEFORE = re.compile(
    r"\b(?:by|in|to|least|about|nearly|almost|roughly|than|over|only|around|approximately|just|under|needs|uses|takes|with|at)\s+$"
)


def _part(start: int, end: int, written: str, text: str) -> Amount | None:
    """A fraction in words as a percentage: "two thirds", "by half", "half the memory", "a quarter of"."""
    *head, name = re.split(r"[\s-]", written)
    count = {"": 1, "a": 1, "an": 1, "one": 1}.get(head[0] if head else "") or int(
        _SMALL.get(head[0] if head else "", 1)
    )
    whole = _PARTS[name.removesuffix("s")]
    ordinal = name != "half" and not head
    cut = re.search(
        r"\b(?:by|in)\s(?:an?\s|about\s|almost\s|over\s|nearly\s|more than\s)?$",
        text[max(0, start - 20) : start],
    )
    said = (
        cut
        or _OF_SOMETHING.match(text, end)
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


def _worth(written: str) -> float:
    """The value of number words: "six hundred" is 600, "twenty-five" 25, "a million" 1e6."""
    total, group = 0.0, 0.0
    for word in re.split(r"[\s-]+", written):
        if word in _SMALL:
            group += _SMALL[word]
        elif word == "hundred":
            group = (group or 1) * 100
        elif word in _BIG:
            total, group = total + (group or 1) * _BIG[word], 0.0
    return total + group
