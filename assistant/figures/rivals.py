"""What a figure is compared with, in the sentence's own words."""

from __future__ import annotations

import re

from assistant.figures.metric_table import METRIC
from assistant.figures.qualifiers import ACROSS

_NAMED = r"(?:[A-Z~]|[a-z]+[A-Z])[\w.+/()-]*(?:\s[A-Z\d][\w.+/-]*)*"
_LINK = re.compile(
    r"\b(?:compar(?:ed|ing|ison)(?: favou?rably)? (?:to|with|against)|in comparison (?:to|with)|"
    r"relative to|with respect to|"
    r"versus|vs\.?|against|than|over|as (?:fast|small|large|many|much|efficient|good|accurate) as|(?:that|"
    r"those) of|from)\s+",
    re.I,
)
_OF = re.compile(r"\s*of\s+(?!up\b|over\b|about\b|the (?:time|cases)\b)")
_RIVAL_VERB = re.compile(
    r".*\b(?:outperform(?:s|ed|ing)?|surpass(?:es|ed|ing)?|exceed(?:s|ed|ing)?|beat(?:s|ing)?|improv(?:es?|"
    r"ed|ing) (?:up)?on|"
    r"improv(?:es?|ed|ing)(?= [A-Z]\w*-\w+ )|over|than|compared (?:to|with)|relative to|against)\s+"
    r"(?P<rival>[^,;:()]{2,80}?)\s+(?:on average )?by\s+(?:an?\s)?(?:[\w~≈]+\s){0,5}$"
)
_RIVAL_SUBJECT = re.compile(
    r".*\b(?:against|over|compared (?:to|with)|relative to)\s+(?P<rival>[^,;:()]{2,60}?)\s+"
    r"(?:reach(?:es)?|are|is|averages?)\s*$"
)
_RIVAL_OBJECT = re.compile(
    r".*\b(?:outperform|surpass|exceed|beat)(?:s|ed|ing)?\s+(?P<rival>[^,;:()]{2,90})$"
)
_OPENING = re.compile(
    r"(?:^|[;.]\s|,\s)(?:when\s)?(?:(?:compared|relative|in comparison) (?:to|with)|against|versus)\s+"
    r"(?P<rival>[^,;:]{2,90}?)(?:,|\s(?=(?:it|they|we|our|its)\b))",
    re.I,
)
_END = re.compile(
    r"[;:()]|[.](?:\s|$)|(?<!of)(?<!by)(?<!for)(?<!on)(?<!in)(?<!with)\s(?:the|they|it|we)(?:\s|$)|"
    r",(?!\s(?:and |or )?" + _NAMED + r"(?:,|\s(?:and|or)\s|\s*[.;(]|$))|"
    r"\s(?:while|whereas|when|with|without|on|in|for|at|across|during|under|using|by|via|as|that|which|to|"
    r"through|despite|"
    r"up|due|thanks|after|before|is|are|respectively|reach(?:es)?|w\.r\.t|were|was|has|have|had|"
    r"achieving|resulting|leading|making|averaged|running|"
    r"if|but|because|where|"
    r"both|from)(?![\w-])|\s(?:and|or)\s(?=(?:up to|by|an? |at least|over|more than|to |with|[a-z]+(?:s|es|"
    r"ing|ed|ly)\s|its?\b|is\b|can\b|also\b|even\b|"
    r"about\b|around\b|[~<>]?\d|reach|run|reduc|improv|achiev))"
)
_ARTICLES = re.compile(
    r"(?:(?:that|those) of\s+)?(?:(?:using|on|in|with|for)\s)?"
    r"(?:(?:the|an?|its|their|our|other|all|any|these|those|both)\s+)*(?:\b(?:that|those) of\s+)?(?:the\s+)?"
)
_NOT_RIVALS = re.compile(
    r"(?:\d|[~<>$]|half\b|twice\b|one\b|two\b|three\b|time\b|baseline accuracy\b|entire\b|"
    r"whole\b|range\b|average\b|all\b|"
    r"\w+ (?:datasets|tasks|benchmarks|seeds|runs)\b|"
    r"it\b|them\b|this\b|memory$|(?:\w+\s)?parameters$|training data$|tokens$)"
)
_LESS_THAN = re.compile(
    r"\s*(?:less|more|fewer|lower|higher|shorter|longer|smaller|larger)?\s?(?:\w+\s)?(?:than|vs|versus|"
    r"compared)\b"
)
COMPARED = frozenset(("x", "%", "points", "", "orders"))


def against_of(before: str, after: str, unit: str) -> str | None:
    """What the figure is compared with in the words behind it, or in those before it, or None."""
    if unit in ("%", "x") and (of := _OF.match(after)):
        whole = _rival(re.split(r"\s(?:and|or)\s", after[of.end() :], maxsplit=1)[0])
        return None if whole and METRIC.match(whole) else whole
    if unit not in COMPARED and not _LESS_THAN.match(after):
        return None
    after = re.split(r";|\.\s", after, maxsplit=1)[0]
    for link in _LINK.finditer(after):
        word = link[0].strip().lower()
        if word == "from" or (word == "over" and ACROSS.search(after[: link.start()])):
            continue
        rival = _rival(after[link.end() :])
        if rival:
            return rival
    if unit == "x" and (of := re.match(r"\s*(?:the|as)\s(?:\w+\s){1,2}(?:of|as)\s+", after)):
        return _rival(after[of.end() :])
    beaten = _RIVAL_VERB.search(before) or (_RIVAL_SUBJECT.search(before) if unit in COMPARED else None)
    return _rival(beaten["rival"]) if beaten else None


def beaten_rival(before: str) -> str | None:
    """What "outperforms X with" and "beats X while being" name before the figure of a change, or None."""
    beaten = _RIVAL_OBJECT.search(before)
    return _rival(beaten["rival"]) if beaten else None


def opening_rival(text: str, place: int) -> str | None:
    """What the clause of the figure at `place`, or the sentence, begins by comparing with, or None."""
    for begin in dict.fromkeys((text.rfind(";", 0, place) + 1, 0)):
        found = _OPENING.search(text[begin:].lstrip())
        if found and begin + found.start() <= place:
            return _rival(found["rival"])
    return None


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
    found = " ".join(found.split())
    found = re.sub(r",?\s(?:and|or|alone|alike)$", "", found)
    bare = re.fullmatch(r"the|an?|by|of", found)
    return None if len(found) < 2 or bare or _NOT_RIVALS.match(found) else found
