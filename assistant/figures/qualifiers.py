"""What qualifies a number: "up to", "on average", "more than"."""

from __future__ import annotations

import re

ACROSS = re.compile(
    r"(?:experiments?|evaluat\w+|averag\w+|tested|results|conducted|spanning|trained|measured|all)\s+$", re.I
)
_QUALIFIERS: tuple[tuple[str, str], ...] = (
    (
        "up to",
        r"up to|as (?:much|many|high|large|fast|long) as|a maximum of|maximum of|max(?:imum)?\.?|at best|"
        r"to a factor of",
    ),
    ("as low as", r"as (?:low|little|small|few) as|down to|a minimum of"),
    ("at least", r"at least|no (?:less|fewer) than|not less than|a minimum of|≥|>=|\\geq?"),
    ("at most", r"at most|no more than|not more than|within|≤|<=|\\leq?"),
    (
        "average",
        r"(?:an? |the )?(?:geometric |arithmetic |overall )?average of|on average(?: by| to)?|averaging|"
        r"averages?|averaged|avg\.?|a geomean of",
    ),
    ("mean", r"(?:an? |the )?(?:geometric )?mean of|mean|geomean"),
    ("median", r"(?:an? |the )?median of|median"),
    ("peak", r"(?:an? |the )?peak of|peaks? at|peaking at"),
    ("more than", r"more than|greater than|larger than|higher than|better than"),
    ("less than", r"less than|fewer than|smaller than|lower than"),
    ("over", r"(?:well )?over|above|exceed(?:s|ing|ed)?|beyond|surpass(?:es|ing|ed)?|>|upwards of|north of"),
    ("under", r"(?:well )?under|below|<|sub-?"),
    (
        "about",
        r"about|around|roughly|approximately|approx\.?|nearly|almost|some|circa|close to|~|≈|\\sim|"
        r"\$?\\approx|as good as|virtually|an estimated",
    ),
    ("only", r"only|merely|just|a mere|mere|as few as"),
)
_QUALIFIER = re.compile(
    "(?:"
    + "|".join(rf"(?P<q{i}>(?<![\w-])(?:{pattern}))" for i, (_, pattern) in enumerate(_QUALIFIERS))
    + r")"
    r"(?:(?<=[~<>≈≤≥=])|(?<=sub-)|(?<=\bsub)|\s+(?:(?:by|an?|the|a factor of|of|to|in|additional|another|"
    r"extra|impressive|full)\s+)*|(?<=~)\s)$",
    re.I,
)
_FACTOR = re.compile(r"(?:\bbetween\s+|\b(?:an? )?factors? (?:of )?)$")
_BEHIND = re.compile(
    r"\s*[)]?\s*(?:[\w-]+\s){0,6}?(?P<average>on average|in average(?=[,.;)]|$)|averaged)|"
    r"\s*(?P<avg>average)\b|\s*(?P<mean>mean)\b|\s*(?P<median>median)\b|\s*(?P<peak>peak)\b|"
    r"\s*(?P<least>or (?:more|above|higher)\b)|\s*(?P<most>or (?:less|fewer|below)\b)|\s*(?P<up>at (?:best|"
    r"peak)|(?:at )?maximum|max\b)"
)
_ON_AVERAGE = re.compile(r"\b(?:on average\b|in average(?=[.)]|$)|averaged\b(?! over| across))")
_NAMES = {
    "average": "average",
    "avg": "average",
    "mean": "mean",
    "median": "median",
    "peak": "peak",
    "least": "at least",
    "most": "at most",
    "up": "up to",
}
_EARLIER = re.compile(
    r"\b(?:(?P<average>(?<!on )average|averages|averaged|on average(?! and))|(?P<median>median)|"
    r"(?P<peak>peak|maximum)(?= (?:speed|throughput|accurac|accel|improve|gain|perform|reduc|accuracy)))\b",
    re.I,
)


def qualifier_of(before: str, after: str) -> str | None:
    """How the number is qualified ("up to", "average", "over" ...), or None; the nearest words first."""
    found, _ = _peeled(before)
    told = next((name for name in found if name not in ("about", "only")), None)
    if told:
        return told
    clause = re.split(r"[,;(]|\sand\s", after, maxsplit=1)[0]
    if _ON_AVERAGE.search(clause):
        return "average"
    behind = _BEHIND.match(clause)
    if behind:
        return _NAMES[behind.lastgroup or "average"]
    earlier = _EARLIER.search(re.split(r"[;(,]", before)[-1][-90:])
    if earlier and not re.search(r"\bpeak (?:mem|GPU|system|RAM|VRAM)", before[-90:], re.I):
        name = earlier.lastgroup or "average"
        return "up to" if earlier[0].lower() == "maximum" else name
    return found[0] if found else None


def unqualified(before: str) -> str:
    """The words before a number without those that qualify it."""
    return _peeled(before)[1]


def _peeled(before: str) -> tuple[list[str], str]:
    head, found = _FACTOR.sub("", before), []
    while match := _QUALIFIER.search(head, max(0, len(head) - 60)):
        name = _QUALIFIERS[int((match.lastgroup or "q0")[1:])][0]
        if name == "over" and match[0].lower().startswith("over") and ACROSS.search(head[: match.start()]):
            break
        found.append(name)
        # "on average by" leaves the "by" that says whose change the number is.
        kept = "by " if re.search(r"\bby\b", match[0]) else ""
        head = _FACTOR.sub("", head[: match.start()]) + kept
    return found, head
