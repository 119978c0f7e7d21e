"""What a figure is compared with, and what its number is qualified by, in the sentence's own words."""

from __future__ import annotations

import re

_NAMED = r"(?:[A-Z~]|[a-z]+[A-Z])[\w.+/()-]*(?:\s[A-Z\d][\w.+/-]*)*"
_LINK = re.compile(
    r"\b(?:compar(?:ed|ing|ison)(?: favou?rably)? (?:to|with|against)|in comparison (?:to|with)|relative to|with respect to|"
    r"versus|vs\.?|against|than|over|as (?:fast|small|large|many|much|efficient|good|accurate) as|(?:that|those) of|from)\s+",
    re.I,
)
_OF = re.compile(r"\s*of\s+(?!up\b|over\b|about\b|the (?:time|cases)\b)")
_RIVAL_VERB = re.compile(
    r".*\b(?:outperform(?:s|ed|ing)?|surpass(?:es|ed|ing)?|exceed(?:s|ed|ing)?|beat(?:s|ing)?|improv(?:es?|ed|ing) (?:up)?on|"
    r"improv(?:es?|ed|ing)(?= [A-Z]\w*-\w+ )|over|than|compared (?:to|with)|relative to|against)\s+"
    r"(?P<rival>[^,;:()]{2,80}?)\s+(?:on average )?by\s+(?:an?\s)?(?:[\w~≈]+\s){0,5}$"
)
_OPENING = re.compile(
    r"(?:^|[;.]\s|,\s)(?:when\s)?(?:compared|relative|in comparison) (?:to|with)\s+(?P<rival>[^,;:]{2,90}),",
    re.I,
)
_END = re.compile(
    r"[;:()]|[.](?:\s|$)|,(?!\s(?:and |or )?" + _NAMED + r"(?:,|\s(?:and|or)\s|\s*[.;(]|$))|"
    r"\s(?:while|whereas|when|with|without|on|in|for|at|across|during|under|using|by|via|as|that|which|to|through|despite|"
    r"up|due|thanks|after|before|is|are|respectively|achieving|resulting|leading|making|averaged|running|if|but|because|where|"
    r"both|from)(?![\w-])|\s(?:and|or)\s(?=(?:up to|by|an? |at least|over|more than|to |with|[a-z]+(?:s|es|ing|ed|ly)\s|its?\b|is\b|can\b|also\b|even\b|"
    r"about\b|around\b|[~<>]?\d|reach|reduc|improv|achiev))"
)
_ARTICLES = re.compile(
    r"(?:(?:that|those) of\s+)?(?:using\s)?(?:(?:the|an?|its|their|our|other|all|any|these|those)\s+)*(?:\b(?:that|those) of\s+)?(?:the\s+)?"
)
_NOT_RIVALS = re.compile(
    r"(?:\d|[~<>$]|half\b|twice\b|one\b|two\b|three\b|time\b|baseline accuracy\b|average\b|all\b|\w+ (?:datasets|tasks|benchmarks|seeds|runs)\b|"
    r"it\b|them\b|this\b|memory$|(?:\w+\s)?parameters$|training data$|tokens$)"
)
_LESS_THAN = re.compile(
    r"\s*(?:less|more|fewer|lower|higher|shorter|longer|smaller|larger)?\s?(?:\w+\s)?(?:than|vs|versus|compared)\b"
)
COMPARED = frozenset(("x", "%", "points", "", "orders"))
"""Units of figures that are mostly relative to something."""
_ACROSS = re.compile(
    r"(?:experiments?|evaluat\w+|averag\w+|tested|results|conducted|spanning|trained|measured|all)\s+$", re.I
)

_QUALIFIERS: tuple[tuple[str, str], ...] = (
    (
        "up to",
        r"up to|as (?:much|many|high|large|fast|long) as|a maximum of|maximum of|max(?:imum)?\.?|at best|to a factor of",
    ),
    ("as low as", r"as (?:low|little|small|few) as|down to|a minimum of"),
    ("at least", r"at least|no (?:less|fewer) than|not less than|a minimum of|≥|>=|\\geq?"),
    ("at most", r"at most|no more than|not more than|within|≤|<=|\\leq?"),
    (
        "average",
        r"(?:an? |the )?(?:geometric |arithmetic |overall )?average of|on average(?: by| to)?|averaging|averages?|averaged|avg\.?|a geomean of",
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
        r"about|around|roughly|approximately|approx\.?|nearly|almost|some|circa|close to|~|≈|\\sim|\$?\\approx|as good as|virtually|an estimated",
    ),
    ("only", r"only|merely|just|a mere|mere|as few as"),
)
_QUALIFIER = re.compile(
    "(?:"
    + "|".join(rf"(?P<q{i}>(?<![\w-])(?:{pattern}))" for i, (_, pattern) in enumerate(_QUALIFIERS))
    + r")"
    r"(?:(?<=[~<>≈≤≥=])|(?<=sub-)|(?<=\bsub)|\s+(?:(?:by|an?|the|a factor of|of|to|in|additional|another|extra|impressive|full)\s+)*|(?<=~)\s)$",
    re.I,
)
_FACTOR = re.compile(r"\b(?:an? )?factors? (?:of )?$")
_BEHIND = re.compile(
    r"\s*[)]?\s*(?:[\w-]+\s){0,6}?(?P<average>on average|in average(?=[,.;)]|$)|averaged)|\s*(?P<avg>average)\b|\s*(?P<mean>mean)\b|\s*(?P<median>median)\b|\s*(?P<peak>peak)\b|"
    r"\s*(?P<least>or (?:more|above|higher)\b)|\s*(?P<most>or (?:less|fewer|below)\b)|\s*(?P<up>at (?:best|peak)|(?:at )?maximum|max\b)"
)
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
    r"\b(?:(?P<average>(?<!on )average|averages|averaged|on average(?! and))|(?P<median>median)|(?P<peak>peak|maximum)(?= (?:speed|throughput|accurac|accel|improve|gain|perform|reduc|accuracy)))\b",
    re.I,
)


def qualifier_of(before: str, after: str) -> str | None:
    """How the number is qualified ("up to", "average", "over" ...), or None; the words next to it count first."""
    found, _ = _peeled(before)
    told = next((name for name in found if name not in ("about", "only")), None)
    if told:
        return told
    behind = _BEHIND.match(re.split(r"[,;(]|\sand\s|\sover\s|\sthan\s", after, maxsplit=1)[0])
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
        if name == "over" and match[0].lower().startswith("over") and _ACROSS.search(head[: match.start()]):
            break
        found.append(name)
        # "on average by" leaves the "by" that says whose change the number is.
        kept = "by " if re.search(r"\bby\b", match[0]) else ""
        head = _FACTOR.sub("", head[: match.start()]) + kept
    return found, head


def against_of(before: str, after: str, unit: str) -> str | None:
    """What the figure is compared with in the words behind it, or in those before it, or None."""
    if unit in ("%", "x") and (of := _OF.match(after)):
        return _rival(re.split(r"\s(?:and|or)\s", after[of.end() :], maxsplit=1)[0])
    if unit not in COMPARED and not _LESS_THAN.match(after):
        return None
    for link in _LINK.finditer(after):
        word = link[0].strip().lower()
        if word == "from" or (word == "over" and _ACROSS.search(after[: link.start()])):
            continue
        rival = _rival(after[link.end() :])
        if rival:
            return rival
    if unit == "x" and (of := re.match(r"\s*(?:the|as)\s(?:\w+\s){1,2}(?:of|as)\s+", after)):
        return _rival(after[of.end() :])
    beaten = _RIVAL_VERB.search(before)
    return _rival(beaten["rival"]) if beaten else None


def opening_rival(text: str) -> str | None:
    """What the whole sentence compares with ("Compared to X, ..."), or None."""
    found = _OPENING.search(text)
    return _rival(found["rival"]) if found else None


def shared_out(rival: str, count: int) -> list[str]:
    """The rivals of `count` figures that are listed "respectively"; [] where the list has another length."""
    items = [item.strip() for item in re.split(r",\s(?:and\s)?|\sand\s", rival) if item.strip()]
    return items if len(items) == count > 1 else []


def _rival(words: str) -> str | None:
    """The rival at the beginning of these words, to the end of its clause, without articles."""
    words = words[:160]
    listed = re.search(r"\b(?:like|such as|including|e\.g\.,?)\s", words)
    end = _END.search(words)
    if listed and end and end.start() < listed.end() and "as" in end[0]:
        end = _END.search(words, listed.end())
    found = words[: end.start()] if end else words
    article = _ARTICLES.match(found)
    found = found[article.end() if article else 0 :].strip(" ,.;:'\"")
    found = re.sub(r",?\s(?:and|or|alone|alike)$", "", found)
    return None if len(found) < 2 or _NOT_RIVALS.match(found) else found
