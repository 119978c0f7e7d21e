"""Titles compared: the same, one a part of the other, nearly the same, or two different ones."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Literal

from corpus.spelling import american, is_slip, one_word

Likeness = Literal["same", "part", "near", "slip", "clash", "other"]
"""`near`: but for spelling and links; `slip`: but for a letter, which may make another word; `clash`: the
titles themselves say that they are two works, as parts of a series or an erratum do."""

_LETTERS = str.maketrans(
    {
        "ß": "ss", "ø": "o", "ł": "l", "æ": "ae", "œ": "oe", "đ": "d", "ð": "d", "þ": "th", "ı": "i",
        "&": " and ", "α": " alpha ", "β": " beta ", "γ": " gamma ", "δ": " delta ", "ε": " epsilon ",
        "κ": " kappa ", "λ": " lambda ", "μ": " mu ", "µ": " mu ", "π": " pi ", "σ": " sigma ",
        "τ": " tau ", "ω": " omega ", "’": "", "'": "", "‘": "",
    }
)  # fmt: skip
_STOP = frozenset(
    "a an the of for and or in on at to with by from as is are its via using into over under between".split()
)
_RETRACTED = re.compile(
    r"^\W*(?:retracted(?: article| paper)?|withdrawn)\W+"
    r"|\W*[(\[]retracted[^)\]]*[)\]]\W*$",
    re.I,
)
_NOTE = re.compile(
    r"\s*[(\[](?:extended abstract|preprint|conference paper|review|article|abstract|in \w+|poster)[)\]]\W*$",
    re.I,
)
# Works about another work, by how their titles begin or end.
_ABOUT = (
    ("erratum", r"^(?:publisher.?s? |author.? )?(?:erratum|errata|corrigend(?:um|a)|corrections?|addendum)\b"
                r"|[:(\[–—-]\s*(?:erratum|corrigendum|correction|addendum)\W*$"),
    ("retraction", r"^(?:retraction|withdrawal|expression of concern)\b"),
    ("reply", r"^(?:(?:the |an? )?(?:authors?.? )?(?:repl(?:y|ies)|response|rejoinder|rebuttal)"
                r"(?: to\b|:|$)|in reply\b|re:)"
              r"|[:(\[.–—-]\s*(?:an? )?(?:authors?.? )?(?:reply|response|rejoinder|rebuttal)"
              r"(?: to [^:]{3,80})?\W*$"),
    ("comment", r"^(?:(?:an? )?(?:comments?|commentary|discussion|notes?|remarks?|letter|editorial)"
                r"(?: on| to|:)|editorial comment)"
                r"|[:(\[–—-]\s*(?:an? )?(?:comments?|commentary|discussion)\W*$"),
    ("supplement", r"^(?:supplement(?:ary|al)?|supporting)\b|^(?:replication |supplementary )?data"
    r" (?:from|for)\b"
                   r"|[:(\[.,–—-]\s*(?:the |an? )?(?:online |electronic )?(?:supplement\w*|supporting"
                   r"|additional)"
                   r"(?: (?:online )?(?:materials?|information|data|files?|appendi\w+|tables?|figures?"
                   r"|methods?|notes?"
                   r"|documents?|content))?\W*\d*\W*$|[:(\[–—]\s*(?:online )?appendi(?:x|ces)\W*$"),
    ("review of", r"^(?:book )?review(?: of|:)"),
    ("summary", r"^(?:summary|abstract|highlights|plain language summary|poster)(?: of|:)"),
    ("protocol", r"\b(?:study |trial |review )?protocols?\b"),
)  # fmt: skip
_ABOUTS = tuple((kind, re.compile(pattern, re.I)) for kind, pattern in _ABOUT)
_ROMAN = re.compile(r"(?=[ivx])(?:x{0,2})(?:ix|iv|v?i{0,3})")
_COUNTS = frozenset(
    "one two three four five six seven eight nine ten first second third fourth fifth sixth seventh eighth "
    "ninth tenth "
    "eleventh twelfth followup update updated revisited annual part volume vol chapter version "
    "supplement addendum".split()
)
_BREAK = re.compile(r"\s*(?::|\?|!|\.\s|;|\s[-–—]\s|—|\s\(|\s\[)\s*")
_CUT = re.compile(r"(?:…|\.\.\.)\s*$")


@lru_cache(maxsize=65536)
def title_words(title: str) -> tuple[str, ...]:
    """The title's words, folded: no case, accents, notes in brackets; "&" is "and", "α" is "alpha"."""
    text = _NOTE.sub("", _RETRACTED.sub("", title))
    text = text.casefold().translate(_LETTERS)
    text = "".join(one for one in unicodedata.normalize("NFKD", text) if not unicodedata.combining(one))
    words = re.findall(r"[^\W_]+", text)
    return tuple(words[1:] if len(words) > 2 and words[0] in ("a", "an", "the") else words)


def content_words(title: str) -> tuple[str, ...]:
    """The folded words that aren't mere links between others."""
    return tuple(word for word in title_words(title) if word not in _STOP)


def title_key(title: str) -> str:
    """The folded title without spaces: "e-mail" and "email" are the same."""
    return "".join(title_words(title))


def american_key(title: str) -> str:
    """The key of the title in American spelling."""
    return "".join(map(american, title_words(title)))


def parts_of(title: str) -> tuple[str, ...]:
    """The title before its first break (a colon, a dash) and after it, where there is one."""
    bare = _RETRACTED.sub("", title)
    found = _BREAK.search(bare)
    if not found or not bare[: found.start()].strip() or not bare[found.end() :].strip():
        return ()
    return bare[: found.start()], bare[found.end() :]


def like(one: str, two: str) -> Likeness:
    """How the two titles compare; the same whichever comes first."""
    if _about(one) != _about(two):
        return "clash"
    first, second = title_key(one), title_key(two)
    if not first or not second:
        return "same" if text_equal(one, two) else "other"
    if first == second or american_key(one) == american_key(two):
        return "same"
    short, long = (one, two) if (len(first), one) < (len(second), two) else (two, one)
    if (found := _part(short, long)) != "other":
        return found
    return _near(one, two)


def text_equal(one: str, two: str) -> bool:
    """Whether titles without letters or digits are the same signs."""
    return one.split() == two.split()


@lru_cache(maxsize=65536)
def _about(title: str) -> str:
    bare = title.strip(" [](){}\"'“”.")
    return next((kind for kind, pattern in _ABOUTS if pattern.search(bare)), "")


def _part(short: str, long: str) -> Likeness:
    """Whether the short title is the long one cut off, or without its subtitle or its name in front."""
    little, much = title_key(short), title_key(long)
    if much.startswith(little):
        rest = _rest(short, long)
        if rest and _is_count(rest[0]):
            return "clash"
        heads = {title_key(head) for head in _heads(long)}
        if little in heads and (len(content_words(short)) >= 2 and len(little) >= 10):
            return "part"
        if len(little) >= (25 if _CUT.search(short) else 50) and (rest or _CUT.search(short)):
            return "part"
    pieces = parts_of(long)
    if pieces and title_key(pieces[1]) == little and len(content_words(short)) >= 3 and not _about(pieces[0]):
        return "clash" if any(map(_is_count, title_words(pieces[0])[-1:])) else "part"
    return "other"


def _heads(title: str) -> list[str]:
    """The title up to each of its breaks."""
    return [title[: found.start()] for found in _BREAK.finditer(title)]


def _rest(short: str, long: str) -> tuple[str, ...] | None:
    """The words of the long title behind those of the short one; None where that ends inside a word."""
    words, size = title_words(long), len(title_key(short))
    done = 0
    for place, word in enumerate(words):
        if done >= size:
            return words[place:] if done == size else None
        done += len(word)
    return () if done == size else None


def _near(one: str, two: str) -> Likeness:
    """Whether the titles differ by spelling or by links only; numbers that differ are two works."""
    first, second = content_words(one), content_words(two)
    if _counts(first) != _counts(second):
        return "clash" if _stripped(first) and _stripped(first) == _stripped(second) else "other"
    if first == second or (len(first) >= 5 and sorted(first) == sorted(second)):
        return "near" if len(first) >= 3 else "other"
    whole = ("".join(first), "".join(second))
    if whole[0] == whole[1]:
        return "near"
    if min(map(len, whole)) < 25 or len(first) != len(second):
        return "other"
    odd = [(a, b) for a, b in zip(first, second, strict=True) if not one_word(a, b)]
    if not odd:
        return "near"
    return "slip" if len(odd) == 1 and is_slip(*odd[0]) else "other"


def _counts(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(word for word in words if _is_count(word)))


def _stripped(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word for word in words if not _is_count(word))


@lru_cache(maxsize=65536)
def _is_count(word: str) -> bool:
    """Whether the word numbers a work: "2", "ii", "second", "2019"."""
    return any(one.isdigit() for one in word) or word in _COUNTS or bool(_ROMAN.fullmatch(word))
