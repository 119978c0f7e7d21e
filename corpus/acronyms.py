"""Acronyms that abstracts explain: "mixture of experts (MoE)"."""

from __future__ import annotations

import re

_BRACKET = re.compile(r"\(([A-Za-z][\w-]{1,9}?)s?\)")
_WORD = re.compile(r"[A-Za-z0-9]+")
# How many characters before a bracket may spell it out.
_BEFORE = 100
# A longer word in small letters is a word.
_ACRONYM = 4


def acronyms_of(text: str) -> list[tuple[str, str]]:
    """The pairs (short form, long form in small letters) that the text explains, in order.

    The long form is the shortest run of words before the bracket whose letters hold the short form's in
    order, most of them as first letters (after Schwartz & Hearst, "A simple algorithm for identifying
    abbreviation definitions", 2003).
    """
    pairs = []
    for found in _BRACKET.finditer(text):
        short = found[1]
        if sum(char.isupper() for char in short) < 2:
            continue
        before = _WORD.findall(text[max(0, found.start() - _BEFORE) : found.start()])
        letters = [char.lower() for char in short if char.isalnum()]
        for count in range(2, min(len(letters) + 3, len(before)) + 1):
            words = [word.lower() for word in before[-count:]]
            if _spells(words, letters):
                pairs.append((short, " ".join(words)))
                break
    return pairs


def _spells(words: list[str], letters: list[str]) -> bool:
    if words[0][0] != letters[0]:
        return False
    place = iter("".join(words))
    if not all(letter in place for letter in letters):
        return False
    return sum(word[0] in letters for word in words) >= 0.6 * min(len(letters), len(words))


def form_keys(text: str) -> list[str]:
    """The keys under which a text's words and runs of up to six words may stand as a short or a long form."""
    found = _WORD.findall(text)
    words = [word.lower() for word in found]
    runs = (words[first : first + count] for count in range(1, 7) for first in range(len(words) - count + 1))
    # "train" is a word, "TRaIn" and "moe" may be acronyms.
    plain = {word for word in found if word.islower() and len(word) > _ACRONYM}
    keys = dict.fromkeys(form_key(" ".join(run)) for run in runs if len(run) > 1 or run[0] not in plain)
    return [key for key in keys if len(key) > 1]


def form_key(form: str) -> str:
    """The form folded to its letters and digits, without a plural's s."""
    key = "".join(_WORD.findall(form.lower()))
    return key[:-1] if len(key) > 2 and key.endswith("s") else key
