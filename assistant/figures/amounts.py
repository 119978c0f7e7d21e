"""The numbers in a sentence, as digits or as words; digits of names left out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assistant.figures.amount import BIG, SCALES, SMALL, VAGUE, Amount
from assistant.figures.worded import from_words

_WORDS = "|".join((*SMALL, *BIG))
_PLAIN = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_VAGUES = "|".join(VAGUE)
_OBJECT = r"(?=\s+(?:the|its|their|our|both|throughput|memory|speed|performance|training|inference)\b)"
_AMOUNT = re.compile(
    rf"(?P<sign>[+−-](?=\d))?(?P<digits>{_PLAIN})"
    r"(?:\s?(?:[x×*]\s?|\\times\s?)10\^?\{?(?P<tens>(?<=\^)-?\d+|(?<=\^\{)-?\d+)\}?|\^\{?(?P<power>\d+)\}?)?"
    r"(?P<plus>\+(?!\d))?"
    r"(?:\s?(?P<big>thousand|million|billion|trillion|bn)(?![a-z])"
    r"|(?P<scale>[kKMBTb](?![A-Za-z0-9])|G(?=\s?FLOP|\s?MAC))"
    r"|\s(?P<apart>[KMBT](?=\s(?:param|token|FLOP|MAC|model)))"
    r")?(?P<more>\+(?!\d))?"
    rf"|(?<![\w-])(?P<vague>(?:{_VAGUES})(?:\s+of\s+(?:{_VAGUES}))*)(?=\s+of\s+\w)"
    rf"|(?<![\w-])(?P<orders>(?:(?:an|several|multiple|many|{_WORDS})[\s-])?orders?[\s-]of[\s-]magnitude)"
    r"|(?<![\w-])(?P<twice>twice)\b"
    rf"|(?<![\w-])(?P<fold>{'|'.join(SMALL)}|hundred)-?fold\b"
    rf"|(?<![\w-])(?P<verb>(?:halv|doubl|tripl|quadrupl)(?:es|ed|ing)\b(?!-)|(?:halve|double|"
    rf"triple){_OBJECT})"
    r"|(?<![\w-])(?P<part>(?:(?:an?|one|two|three|four)[\s-])?(?:half|thirds?|quarters?|fourths?|fifths?|"
    r"tenths?))\b(?!-)"
    rf"|(?<![\w-])(?P<words>(?:an?\s(?=(?:hundred|thousand|million|billion|"
    rf"trillion)\b))?(?:{_WORDS})(?:[\s-](?:{_WORDS}))*)\b",
    re.I,
)
_HINT = re.compile(
    rf"\d|\b(?:{_WORDS}|{_VAGUES}|twice|magnitude|half|halv\w+|doubl\w+|tripl\w+|\w+fold|\w*thirds?|"
    rf"quarters?|fifths?|tenths?)\b",
    re.I,
)
_FRACTION = re.compile(
    r"(1|2(?=/[35])|3(?=/[458])|4(?=/5))/([2-9]|[1-9]\d)(?![\w/]|\.\d|-\w|\s?(?:[x×%]|bits?))"
)
_VARIABLE = re.compile(
    r"(?:(?<![A-Za-z0-9])[A-Za-z]|\b(?:alpha|beta|gamma|delta|epsilon|eps|lambda|sigma|tau|theta|eta|rho|"
    r"mu|SE|Õ))"
    r"(?:[_^]\w+)?\s?(?:=|<|>|≤|≥|≪|≫|\((?<!\s\())\s?$"
)
_ATTACHED = re.compile(r"\s?%|[x×X](?!\w)|[KMGTP]i?B\b|ms\b|s\b")
_SIZES = re.compile(r"\d+(?:\.\d+)?[a-z]{0,2}(?:\s?(?:[x×*]|\\?times)\s?(?!10\^)\d+(?:\.\d+)?)+[A-Za-z]*")
_NAME_GOES_ON = re.compile(
    r"/(?:[A-Za-z]\b|log|epsilon|sqrt|poly)|[:.]\d|[A-Za-z_]*_|\^|-(?:[A-Z][a-z]|[A-Z]\b)|[)\]]?\s?[-+*/]\s?[a-zA-Z]\)"
)


def find_amounts(text: str) -> list[Amount]:
    """The numbers of the text in order; those inside names, versions, dimensions and markers are left out."""
    return list(_amounts(text)) if _HINT.search(text) else []


def _amounts(text: str) -> Iterator[Amount]:
    place = 0
    last_end = -1
    while match := _AMOUNT.search(text, place):
        place = max(match.end(), match.start() + 1)
        if match["digits"] is None:
            found = from_words(match, text)
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
    multiple = BIG.get(big) or SCALES.get(big, 1.0)
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
    """Whether the digits begin a number, or go on from the one that ends at `last_end`."""
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


def _free_right(text: str, end: int) -> bool:
    return not _NAME_GOES_ON.match(text, end)
