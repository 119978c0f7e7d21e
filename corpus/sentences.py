"""Where the sentences of a text begin and end."""

from __future__ import annotations

import re

_CLOSERS = "\"'”’»)\\]}"
_OPENERS = "\"'“‘«(\\[{$`"

# A place where a sentence may end: a blank line, a full stop of a script that writes no spaces, a terminator
# before white space, or a full stop that lost its space ("results.We propose").
_CANDIDATE = re.compile(
    rf"(?P<blank>\n[^\S\n]*\n\s*)"
    rf"|(?P<wide>[。！？]+[{_CLOSERS}」』）]*)"
    rf"|(?P<stop>(?<![.!?…])[.!?…]++[{_CLOSERS}]*+)(?=\s)"
    rf"|(?P<glued>(?<=[a-z]{{2}})[.!?])(?=(?:We|The|This|These|In|Our|However|To|It|Here|Experiments)\s)"
)
_SPACE = re.compile(r"\s*")
_LAST_WORD = re.compile(r"[^\s(\[{\"'“‘«]*$")
_ITEM = re.compile(r"(?:[ivx]+|[a-z])\)")
_NEXT_WORD = re.compile(rf"\s+(?:[{_OPENERS}]*)(\S+)")

_GOES_ON = """
e.g i.e eg ie cf vs viz fig figs eq eqs sec sect tab ref refs dr prof mr mrs approx resp w.r.t wrt vol dept
univ incl esp
"""
_MAY_END = "al etc inc ltd co corp jr sr u.s u.k e.u ph.d a.k.a i.i.d"
_BEGINS = """
a additionally after all although an and another as at based because besides both but by code compared
consequently despite during each empirically even evaluated existing experimental experiments extensive
finally first for from further furthermore given hence here how however if in indeed instead is it its key
last lastly many moreover most motivated next no notably on one our overall parallel prior recent recently
results second secondly several similarly since so some specifically such surprisingly that the their then
there therefore these they third this those though thus to together two under unfortunately unlike using we
what when where whereas whether which while with yet you
"""
# After these a sentence goes on, whatever follows.
_NEVER = frozenset(_GOES_ON.split())
# After these a sentence may end; it does when the next word is one that sentences begin with.
_PERHAPS = frozenset(_MAY_END.split())
_STARTERS = frozenset(_BEGINS.split())


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """The sentences of `text` as code point spans, in order, trimmed of white space.

    Together the spans hold every character of the text that isn't white space. Abbreviations, initials,
    decimals, version numbers and addresses don't end a sentence.
    """
    spans: list[tuple[int, int]] = []
    start = _skip_space(text, 0)
    for match in _CANDIDATE.finditer(text):
        if match.end() > start and (match.lastgroup != "stop" or _ends(text, start, match)):
            spans.append((start, start + len(text[start : match.end()].rstrip())))
            start = _skip_space(text, match.end())
    if start < len(text):
        spans.append((start, start + len(text[start:].rstrip())))
    return spans


def _skip_space(text: str, start: int) -> int:
    match = _SPACE.match(text, start)
    return match.end() if match else start


def _ends(text: str, start: int, match: re.Match[str]) -> bool:
    """Whether the terminator at `match` ends the sentence whose first character is at `start`."""
    # Words are looked at up to a bound: a text that is one huge word would cost quadratic time.
    following = _NEXT_WORD.match(text, match.end(), match.end() + 120)
    if following is None:
        return True
    word = following[1]
    if not match["stop"].startswith("."):
        return not word[0].islower() or _mixed_case(word)
    last = _LAST_WORD.search(text, max(start, match.start() - 80), match.start())
    before = last[0] if last else ""
    # A full stop alone, or an item's number ("1. First, ...").
    if start >= match.start() or (before.isdecimal() and start + len(before) == match.start()):
        return False
    return _word_ends(before, word, closed=not match["stop"].endswith("."))


def _word_ends(before: str, word: str, *, closed: bool) -> bool:
    """Whether a sentence ends between `before`, a full stop, and `word`; `closed` by a bracket or a quote."""
    if word[0].islower() and not _mixed_case(word) and not _ITEM.match(word):
        return False
    if closed:
        return True
    shouted = len(before) > 1 and before.isupper() and "." not in before
    key = before.casefold().rstrip(".")
    if key in _NEVER and not shouted:
        return False
    if key in _PERHAPS or (len(before) == 1 and before.isupper()):
        return word.strip(".,;:").casefold() in _STARTERS
    return not (before[-1:].isdecimal() and word.rstrip(".,;:)%").isdecimal())


def _mixed_case(word: str) -> bool:
    """Whether a word that begins small is a name all the same: "vLLM" is, "k-NN" isn't."""
    head = re.match(r"\w+", word)
    return head is not None and any(char.isupper() for char in head[0])
