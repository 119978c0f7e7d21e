"""Notices of rights before and behind an abstract: found where they are certain, and cut off."""

from __future__ import annotations

import re

_YEAR = r"(?:1[89]|20)\d\d"
_PUBLISHER = (
    r"elsevier|springer|wiley|ieee|acm|oxford|oup|cambridge|taylor|sage|nature|bmj|apa|mdpi|blackwell"
    r"|american|royal|society|karger|thieme|mosby|lippincott|wolters|emerald|hindawi|frontiers|kluwer"
    r"|academic press"
    r"|association|institute|published|authors?"
)
_SIGN = r"(?:crown )?(?:copyright|©)[\s:,]*(?:©|\(c\))?"
_HOLDERS = rf"(?:©|\(c\)|{_YEAR}|(?:held )?by\b|the author|authors?\b|owner)"
# How a notice begins; "(c)" may be a point of a list, "copyright" a subject, a year a number.
_OPENING = re.compile(
    rf"[\[(]?(?:(?:crown )?copyright[\s:,]*{_HOLDERS}|©"
    rf"|(?P<point>\(c\))\s*,?\s*(?:by )?(?:the )?(?:authors?(?:\(s\))?,? )?{_YEAR}(?!\d)"
    rf"|{_YEAR},? (?:the |by )?(?:{_PUBLISHER})\b|the authors?(?:\(s\))?,? {_YEAR}"
    r"|springer[- ](?:verlag|science|nature)\b|all rights (?:are )?reserved|published (?:online )?by "
    r"|this article is protected by copyright|copyright applies to all"
    r"|psyc\w+ database record|copyright of (?=.{3,300}? is the property of )"
    r"|(?:publication abstract|abstract (?:from|by) (?:the )?(?:authors?|publisher))\b"
    r"|this (?:is an|article is an?|work is|article is) (?:u\.?s\.? government|open[- ]access (?:article"
    r"|journal)"
    r"|licensed|published under|distributed under))",
    re.I,
)
_BEGINS = re.compile(r"(?:^|[.!?)\]\"”»;:…*])\s*\Z")
_SENTENCE = re.compile(r"(?:^|[.!?\]\"”»…])\s*\Z")
_PROPERTY = re.compile(r"copyright of .{3,300}? is the property of .{3,900}\Z", re.I)
# What notices say besides names and years.
_PHRASES = re.compile(
    r"https?://\S+"
    r"|this is an open[- ]access (?:article|journal)(?:[^.]|\.(?=\S)){0,400}?"
    r"(?:licen[cs]e|creative ?commons|cc[- ]by)(?:[^.]|\.(?=\S)){0,300}"
    r"|this (?:article|work) is (?:an open[- ]access article|licensed|published under|distributed under)"
    r"(?:[^.]|\.(?=\S)){0,300}"
    r"|this article is an? u\.?s\.? government work and is in the public domain in the usa"
    r"|this article is protected by copyright|copyright applies to all abstracts"
    r"|all rights (?:are )?reserved|rights (?:managed|reserved)(?: by)?"
    r"|(?:published|publishing|production|distributed|hosting|printed)(?: online)?(?: and hosting)?(?:"
    r" services)? by"
    r"|(?:selection and/?o?r? ?)?peer[- ]review under (?:the )?responsibility of(?: the)?(?: scientific"
    r" committee of)?"
    r"|psyc\w+ database record|publication abstract|abstract (?:from|by) (?:the )?(?:authors?|publisher)"
    r"|under (?:an )?(?:exclusive )?licen[cs]e to|exclusive licen[cs]ee?|licensed under|on behalf of"
    r"|copyright held by (?:the )?(?:owner|author)(?:/author)?(?:\(s\))?|publication rights licensed to"
    r"|reprinted with permission(?: of)?|(?:is )?part of|a (?:division|company|member) of|creative commons",
    re.I,
)
_LINKS = frozenset(
    "copyright crown of the and for by in on an et und der die das de la le les du des van von di del e y a "
    "author authors s publisher publishers license licence licensee c inc ltd gmbh co llc bv b.v "
    "online all rights reserved ed eds edition with from published access open association press".split()
)
_PROSE = re.compile(
    r"\b(?:we|our|results?|methods?|conclusions?|background|objectives?|show(?:s|ed|n)?|find|found|is|are|were"
    r"|was|than|this|these|it)\b",
    re.I,
)
_WINDOW = 1100
_WORDS = 30
_END = re.compile(r"(?:(?<![A-Z])|(?<=B\.V)|(?<=IEEE)|(?<=ACM)|(?<=[A-Z]{2}))\.\s*(?=[A-Z“\"\d(])")
_GOES_ON = re.compile(
    r"all rights|published (?:online )?by|licensee|this is an open[- ]access|publication rights|peer-review",
    re.I,
)
_NOT_TAIL = re.compile(
    r"published (?:online )?by|all rights|springer|this |the |psyc|publication|abstract", re.I
)
_FRONT = 400
_STARTS = (
    r"We|This|The|These|In|A|An|It|Our|To|For|Here|There|Background|Purpose|Objectives?|Introduction|Aims?|Context"
    r"|Recent(?:ly)?|Many|Most|While|Although|Despite|Given|As|With|On|Using|BACKGROUND|OBJECTIVES?|PURPOSE|AIMS?"
)
_HEADING = re.compile(
    rf"(?:abstract|a b s t r a c t)\s*(?:[:.—–|]|--)[-:.—–\s]*(?=[^\W_]|[(\[“\"])"
    rf"|(?-i:(?:Abstract|ABSTRACT)(?:\s*-\s*|\s*)(?=(?:{_STARTS})\b))|(?-i:ABSTRACT\s+(?=[A-Z][a-z]))",
    re.I,
)


def cut_rights(text: str) -> str:
    """The text without the sentences of copyright that it ends with."""
    start = max(0, len(text) - _WINDOW)
    for found in _OPENING.finditer(text, start):
        if _may_begin(text, found) and _is_notice(text[found.start() :]):
            return text[: found.start()].rstrip()
    return text


def cut_front(text: str) -> str:
    """The text without a notice of copyright or the word "Abstract" that it begins with."""
    heading = _HEADING.match(text)
    text = text[heading.end() :] if heading else text
    opening = _OPENING.match(text)
    if not opening or _NOT_TAIL.match(opening[0].lstrip("[(")):
        return text
    end = 0
    for found in _END.finditer(text[:_FRONT]):
        if end and not _GOES_ON.match(text, end):
            break
        if not _is_notice(text[: found.end()].strip()):
            break
        end = found.end()
    return text[end:]


def _may_begin(text: str, found: re.Match[str]) -> bool:
    """Whether a notice may begin here: at a sentence's beginning, and not as the third point of a list."""
    before = text[max(0, found.start() - 20) : found.start()]
    if found["point"] and "(b)" in text[: found.start()].lower():
        return False
    if not _BEGINS.search(before):
        return found[0][0] == "©" and bool(re.search(r"rights reserved\W*\Z", text[-40:], re.I))
    return found[0].lstrip("[(")[:1] == "©" or bool(_SENTENCE.search(before))


def _is_notice(text: str) -> bool:
    """Whether the text speaks of rights alone: names, years and what notices say; no sentence of its own."""
    rest = _PHRASES.sub(" ", _PROPERTY.sub(" ", text))
    words = re.findall(r"[^\s,;:()\[\]/©]+", rest)
    if len(words) > _WORDS or _PROSE.search(rest):
        return False
    return all(_is_name(word) for word in words)


def _is_name(word: str) -> bool:
    bare = word.strip(".'’\"“”*®™&-–—").lower()
    return not bare or bare in _LINKS or not bare[0].isalpha() or not word.lstrip("'’\"“”*")[:1].islower()
