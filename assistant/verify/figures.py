"""Whether the figures of a claim stand in a source: value, unit and qualifier, each where it is spoken of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from assistant.figures import Figure, figures_of

_NUMBER = re.compile(r"(?<![\w.])[~≈<>]?\$?(\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)")
_WORDS = {
    word: float(value)
    for value, names in enumerate(
        "zero,one,two,three,four,five,six,seven,eight,nine,ten,eleven,twelve,thirteen,fourteen,fifteen,sixteen".split(
            ","
        )
    )
    for word in (names,)
}
_WORDS |= {
    "twice": 2, "double": 2, "doubles": 2, "doubled": 2, "doubling": 2, "triple": 3, "triples": 3, "tripling": 3,
    "tripled": 3, "threefold": 3, "twofold": 2, "fourfold": 4, "fivefold": 5, "eightfold": 8, "tenfold": 10, "thrice": 3,
    "half": 50, "halves": 50, "halve": 50, "halving": 50, "halved": 50, "quarter": 25, "third": 33, "hundred": 100,
    "hundredfold": 100, "thousand": 1000, "million": 1e6, "billion": 1e9, "twenty": 20, "thirty": 30, "forty": 40,
    "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "dozen": 12, "single": 1, "once": 1,
    "sevenfold": 7, "sixfold": 6, "fourteenfold": 14,
}  # fmt: skip
_SCALE = {
    "k": 1e3,
    "thousand": 1e3,
    "m": 1e6,
    "million": 1e6,
    "b": 1e9,
    "bn": 1e9,
    "billion": 1e9,
    "t": 1e12,
    "trillion": 1e12,
}
_UNIT = re.compile(
    r"\s*-?\s*(?:(?P<pp>percentage points?|points?\b|pp\b)|(?P<pct>%|\\%|percent\b|per cent\b)|(?P<x>[x×](?![\w])|times\b|-?fold\b|\\times)"
    r"|(?P<scale>(?:(?i:trillion|billion|million|thousand|bn)|[KkMBTbm])\b)?-?\s?(?P<word>[A-Za-zµμ]+(?:/s)?)?)"
)
_SPELLED = {
    "second": "s", "sec": "s", "millisecond": "ms", "microsecond": "us", "µs": "us", "μs": "us", "nanosecond": "ns",
    "gigabyte": "gb", "megabyte": "mb", "terabyte": "tb", "petabyte": "pb", "watt": "w", "param": "parameter",
    "example": "sample", "image": "sample", "machine": "node", "accelerator": "gpu", "device": "gpu", "iteration": "step",
}  # fmt: skip


@dataclass(frozen=True)
class Number:
    """A number of a text: its value, scaled out, what stands behind it, where."""

    value: float
    unit: str
    qualifier: str | None
    start: int
    end: int
    worded: bool = False


_CLASSES = {
    "up to": "most", "peak": "most", "at most": "most", "less than": "below", "under": "below", "as low as": "least",
    "at least": "above", "more than": "above", "over": "above", "average": "mean", "mean": "mean", "median": "mean",
    "about": None, "only": None,
}  # fmt: skip
_MEASURED = frozenset(
    "ms s µs μs us ns second seconds minute minutes hour hours day days week weeks month months year years kb mb gb tb pb kib mib"
    " gib bits bit byte bytes gpu gpus tpu tpus cpu cpus npu npus node nodes token tokens parameter parameters params layer"
    " layers step steps epoch epochs iteration iterations expert experts dataset datasets benchmark benchmarks task tasks"
    " language languages sample samples example examples image images model models machine machines device devices user"
    " users query queries worker workers core cores watt watts w kw joule joules hz mhz ghz flops gflops tflops petaflops"
    " fps db pp ppl bleu millisecond microsecond nanosecond gigabyte megabyte terabyte petabyte sec gbps mbps block blocks head heads edge edges paper papers accelerator accelerators gpu-hours".split()
)


@lru_cache(maxsize=4_096)
def numbers_of(text: str) -> tuple[Number, ...]:
    """The numbers of a text in order, in digits and in words; digits inside names aren't any."""
    qualified = {(one.start, one.end): _read_behind(text, one) for one in figures_of(text)}
    found = []
    for match in _NUMBER.finditer(text):
        value = float(match[1].replace(",", ""))
        unit, scale = _unit_behind(text[match.end() :])
        near = next((one for (a, b), one in qualified.items() if a <= match.start(1) < b), None)
        found.append(
            Number(value * scale, unit, near.qualifier if near else None, match.start(), match.end())
        )
    for match in re.finditer(r"[a-z]+", text, re.I):
        known = _WORDS.get(match[0].lower())
        if known is not None and len(match[0]) > 2 and not re.search(r"\d[\s-]?$", text[: match.start()]):
            near = next((one for (a, b), one in qualified.items() if a <= match.start() < b), None)
            qualifier = (
                near.qualifier if near else "up to" if _APART.search(text[: match.start()][-40:]) else None
            )
            unit, _ = _unit_behind(text[match.end() :])
            unit = unit if unit in _CLEAR else ""
            found.append(Number(float(known), unit, qualifier, match.start(), match.end(), worded=True))
    for match in _HUNDREDS.finditer(text):
        value = _WORDS[match[1].lower()] * _SCALES[match[2].lower()]
        found.append(Number(value, "", None, match.start(), match.end(), worded=True))
    return tuple(sorted(found, key=lambda one: one.start))


# Units that a number in words has to share; "eight GPUs" may be "eight A100s" elsewhere.
_CLEAR = frozenset("x % points s ms minute hour day week month year us ns kb mb gb tb".split())
_RATE = re.compile(
    r"\s*(?:[A-Za-z]+\s+){0,2}?(?:per|an?|each|every|/)\s*(second|sec|s|minute|min|hour|day)\b"
)
_OF_DEVICES = re.compile(r"[\s-]+(?:GPU|CPU|TPU)s?[\s-]+(hours?|days?|seconds?|minutes?|years?)\b", re.I)
_SCALES = {"hundred": 100.0, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_HUNDREDS = re.compile(
    r"\b(an?|one|two|three|four|five|six|seven|eight|nine|ten|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)"
    r"[\s-](hundred|thousand|million|billion|trillion)\b",
    re.I,
)
_WORDS |= {"a": 1.0, "an": 1.0}


# Qualifiers that stand apart from their figure: "as much as a factor of three".
_APART = re.compile(
    r"\b(?:as (?:much|many|high|large|fast|long) as|up to|at most|at best|max(?:imum)?|peaks?)\b[^,;.]{0,25}$",
    re.I,
)
_LEAST_APART = re.compile(r"\b(?:at least|no (?:less|fewer) than)\b[^,;.]{0,25}$", re.I)


def _read_behind(text: str, figure: Figure) -> Figure:
    if figure.qualifier is None:
        before = text[max(0, figure.start - 40) : figure.start]
        for sign, name in ((_APART, "up to"), (_LEAST_APART, "at least")):
            if sign.search(before):
                return replace(figure, qualifier=name)
    return figure


def _unit_behind(after: str) -> tuple[str, float]:
    if timed := _OF_DEVICES.match(after[:40]):
        return f"gpu-{timed[1].lower().rstrip('s')}", 1.0
    match = _UNIT.match(after[:40])
    if not match:
        return "", 1.0
    for name, unit in (("pp", "points"), ("pct", "%"), ("x", "x")):
        if match[name]:
            return unit, 1.0
    scale = _SCALE.get((match["scale"] or "").lower(), 1.0)
    word = (match["word"] or "").lower()
    word = word.rstrip("s") if len(word) > 2 else word
    unit = _SPELLED.get(word, word) if word in _MEASURED or f"{word}s" in _MEASURED else ""
    rate = _RATE.match(after[match.end() : match.end() + 40]) if unit or scale > 1 else None
    return (f"{unit}/{_SPELLED.get(rate[1], rate[1])[0]}" if rate else unit), scale


def same_value(one: float, other: float) -> bool:
    """True for equal values, and for one that is the other rounded."""
    return abs(one - other) <= 0.005 * max(abs(one), abs(other), 1e-9)


def _same_unit(one: str, other: str) -> bool:
    """True for equal units, for none on one side, and for those that are written in part: "GPU-h", "128-core CPU"."""
    parts = set(one.split("-")), set(other.split("-"))
    return not one or not other or bool(parts[0] & parts[1]) or {one, other} == {"cpu", "core"}


def forms_of(number: Number) -> list[tuple[float, str]]:
    """The value and unit, and what says the same otherwise: 50 % less is half, 2x is double."""
    forms = [(number.value, number.unit)]
    if number.unit in ("%", "", "x") and number.value:
        forms += [(100 - number.value, "%")] if number.unit == "%" else []
        forms += [(100 / number.value, "%")] if number.unit in ("x", "") and number.value > 1 else []
    return forms


@dataclass(frozen=True)
class Fit:
    """How a claim's number stands in a source: `missing`, `unit`, `qualifier` say what differs, "" nothing."""

    number: Number
    match: Number | None
    fault: str


def fit_numbers(claim: str, source: str) -> list[Fit]:
    """For each number of the claim the number of the source that fits best, and what differs."""
    theirs = numbers_of(source)
    return [_fit(one, theirs, source) for one in numbers_of(claim)]


def _fit(number: Number, theirs: Sequence[Number], source: str) -> Fit:
    options = []
    for other in theirs:
        if not any(same_value(value, other.value) for value, _ in forms_of(number)):
            continue
        units = not _same_unit(number.unit, other.unit)
        if units and {number.unit, other.unit} == {"points", "%"}:
            units = "absolute" not in source[other.start : other.end + 30]
        mine, its = _CLASSES.get(number.qualifier or ""), _CLASSES.get(other.qualifier or "")
        clash = mine is not None and its is not None and mine != its
        dropped = number.qualifier is None and other.qualifier in ("up to", "at least")
        options.append(((units, mine != its, clash or dropped), other))
    if not options:
        literal = re.escape(f"{number.value:g}")
        if number.worded or re.search(rf"[vV=(-]{literal}(?:\.0)?(?!\d)", source):
            return Fit(number, None, "worded")
        return Fit(number, None, "missing")
    (units, differs, clash), best = min(options, key=lambda one: one[0])
    return Fit(number, best, "unit" if units else "clash" if clash else "qualifier" if differs else "")
