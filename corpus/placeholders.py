"""What stands where an abstract should: notes that there is none, and rights behind the text."""

from __future__ import annotations

import re

_NONE = re.compile(
    r"[\W_]*(?:"
    r"(?:there is |this (?:article|paper|record|publication|work) "
    r"(?:has|have|contains?|does not have|doesn.t have) )?"
    r"(?:no|not?|an?|the)?\s*(?:abstract|summary|abstracts)\s*(?:text )?"
    r"(?:is |was |are )?(?:(?:currently |yet )?(?:not |un|is not |isn.t )?"
    r"(?:available|provided|supplied|given|found|present|included|exists?))?"
    r"(?: (?:for|in|from|of) (?:this|the) "
    r"(?:article|paper|record|item|publication|work|entry|source|database))?"
    r"|n\s*/?\s*a|none|null|nil|nan|undefined|unavailable|not available|unknown|missing|tbd|todo"
    r"|empty|no|abstract|summary"
    r"|not applicable|see (?:the )?(?:pdf|full text|article)|ohne abstract|kein abstract"
    r"|sans résumé|sin resumen"
    r")[\W_]*",
    re.I,
)
_NAMED = re.compile(
    r"no\b|not\b|\bun|\bisn.t|n.?a\b|none|null|nil|nan|^\W*(?:abstract|summary)\W*$|missing|empty", re.I
)

# Sentences of rights, each up to the text's end. What may follow a sign of copyright is bounded.
_FROM = r"(?:^|(?<=[.!?)\]\"”»;:])\s*|(?<=\s))"
_SIGN = r"(?:crown )?(?:copyright|©|\(c\)|&copy;)[\s:]*(?:©|\(c\))?"
_HOLDER = (
    r"all rights|published|rights reserved|elsevier|springer|wiley|ieee|acm\b|inc\b|ltd\b|b\.\s?v"
    r"|gmbh|authors?|"
    r"press|society|association|publish\w*|university|llc|taylor|sage|nature|bmj|apa\b"
    r"|licen[cs]e\w*|institute"
)
_TAILS = tuple(
    re.compile(pattern + r"\s*\Z", re.I)
    for pattern in (
        rf"{_FROM}\(?(?:psyc\w+ database record)\s*(?:\(c\)|©)[^\n]{{0,120}}rights reserved\.?\)?\.?",
        rf"{_FROM}{_SIGN}\s*,?\s*(?:by )?(?:the )?(?:authors?(?:\(s\))?,? )?(?:1[89]|20)\d\d(?=[^\d]|$)"
        r"(?P<rest>[^\n]{0,300})",
        rf"{_FROM}(?:copyright\s*©|©|copyright(?: held)? by)\s*(?P<held>[^\n]{{1,200}})",
        rf"{_FROM}copyright of [^\n]{{10,900}}",
        rf"{_FROM}this article is protected by copyright\.?",
        rf"{_FROM}\(?(?:copyright applies to all abstracts)\.?\)?",
        rf"{_FROM}\[?abstract (?:from|by) (?:the )?(?:authors?|publisher)\]?\.?",
        rf"{_FROM}all rights (?:are )?reserved\.?",
        r"(?:^|(?<=[.!?)\]])\s+)published by (?:elsevier|(?:john )?wiley|springer|oxford|bmj|sage"
        r"|mosby|taylor)"
        r"[^\n]{0,100}",
        r"(?:^|(?<=[.!?)\]])\s+)this is an open[- ]access article (?:under|distributed)[^\n]{0,300}",
        r"(?:^|(?<=[.!?)\]])\s+)this article is an? (?:u\.?s\.? government work|open[- ]access)[^\n]{0,200}",
    )
)
_PROSE = re.compile(
    r"\b(?:we|our|results?|methods?|conclusions?|show(?:s|ed|n)?|find|found|study|were|was|than)\b", re.I
)
_RIGHTS = re.compile(_HOLDER, re.I)
_WINDOW = 1100


def real_abstract(text: str) -> str | None:
    """The cleaned abstract without its tail of rights, or None where nothing of an abstract is left."""
    text = cut_rights(text)
    if not text or (len(text) < 120 and _NONE.fullmatch(text) and _NAMED.search(text)):
        return None
    return text if any(one.isalnum() for one in text) else None


def cut_rights(text: str) -> str:
    """The text without the sentences of copyright that it ends with."""
    for _ in range(5):
        before = text
        start = max(0, len(text) - _WINDOW)
        for pattern in _TAILS:
            found = pattern.search(text, start)
            while found and not _is_rights(found):
                found = pattern.search(text, found.start() + 1)
            if found:
                text = text[: found.start()].rstrip()
                break
        if text == before:
            break
    return text


def _is_rights(match: re.Match[str]) -> bool:
    """Whether what was matched speaks of rights alone: "(c) 2015 data show" is a point of a list."""
    words = match[0].split()
    if "rest" not in match.re.groupindex and "held" not in match.re.groupindex:
        return True
    if _PROSE.search(match[0]):
        return False
    return (
        "©" in match[0]
        or "copyright" in match[0].lower()
        or bool(_RIGHTS.search(match[0]))
        or len(words) <= 6
    )
