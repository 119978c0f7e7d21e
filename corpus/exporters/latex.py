"""Text written so that LaTeX prints it as it stands."""

from __future__ import annotations

import re

_ESCAPES = {
    "\\": r"\textbackslash{}", "$": r"\$", "&": r"\&", "%": r"\%", "#": r"\#", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "{": r"\{", "}": r"\}",
}  # fmt: skip
# BibTeX counts braces behind a backslash too, so those that don't match can't stand there.
_LONE = {"{": r"\textbraceleft{}", "}": r"\textbraceright{}"}
_SPECIAL = re.compile(r"[\\$&%#_^~{}]")
# Two of these make another sign: -- is a dash, `` a quotation mark.
_JOINED = re.compile(r"(?<=-)(?=-)|(?<=`)(?=`)|(?<=')(?=')|(?<=,)(?=,)|(?<=[?!])(?=`)")
_CAPITALS = re.compile(r"(?<![\\{\w])[^\W\d_]\w*[A-Z]\w*")


def escaped(text: str) -> str:
    """The text with what LaTeX takes for commands escaped, braces balanced."""
    table = _ESCAPES if _balanced(text) else _ESCAPES | _LONE
    return _JOINED.sub("{}", _SPECIAL.sub(lambda match: table[match[0]], text))


def title(text: str) -> str:
    """The escaped text, words with inner capitals in braces, so that styles keep them."""
    return escaped(text) if "\\" in text else _CAPITALS.sub(r"{\g<0>}", escaped(text))


def _balanced(text: str) -> bool:
    depth = 0
    for mark in re.findall(r"[{}]", text):
        depth += 1 if mark == "{" else -1
        if depth < 0:
            return False
    return depth == 0
