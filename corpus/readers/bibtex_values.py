"""Values of BibTeX fields: in braces, in quotes, bare, joined by #; also where their braces don't balance."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

FIELD_NAME = r"[^\W\d][^\s={},\"#()%@]*+"
_MONTHS = {month: month.capitalize() for month in "jan feb mar apr may jun jul aug sep oct nov dec".split()}
_BRACES = re.compile(r"[{}]")
_BRACES_AND_QUOTES = re.compile(r'[{}"]')
_UNESCAPED = re.compile(r"\\.|[{}]", re.S)
_UNESCAPED_AND_QUOTES = re.compile(r'\\.|[{}"]', re.S)
_SPACE = re.compile(r"\s*+")
# What stands behind a value: a join, the entry's end, the next field, or a comma and one of these.
_FIELD = rf"{FIELD_NAME}\s*+="
_NEXT = rf"[}})%]|@\s*+[^\W\d][\w-]*+\s*+[{{(]|{_FIELD}|\Z"
_FOLLOWS = re.compile(rf"\s*+(?:#|[}})]|{_FIELD}|(?:,\s*+)++(?:{_NEXT}))")
# The end of the line before the next field or before the entry's own last line.
_LINE_END = re.compile(
    r"(?<=\S)[ \t]*+(?:[}\"][ \t]*+)?(?:,[ \t]*+)?\n\s*+"
    rf"(?={FIELD_NAME}[ \t]*+=[ \t]*+[{{\"\d]|[}})][ \t]*+(?:\n|\Z))"
)
_INLINE_FIELD = re.compile(rf"[,}}\"]\s*+{FIELD_NAME}\s*+=\s*+[{{\"]")
_BARE = re.compile(r"[^\s,#{}()\"]*+")
_REST = re.compile(r"[^,\n{}\"#]*+")


@dataclass(frozen=True)
class Value:
    """A field's text without its delimiters, where it ends, and whether its delimiters had to be guessed."""

    text: str
    end: int
    mended: bool = False


def read_value(text: str, at: int, stop: int, macros: Mapping[str, str]) -> Value | None:
    """The value that begins at `at`, or None for one that doesn't end before `stop`."""
    parts: list[str] = []
    mended = False
    while True:
        at = _after_space(text, at, stop)
        part = _part(text, at, stop, macros)
        if part is None:
            return None
        parts.append(part.text)
        mended = mended or part.mended
        following = _after_space(text, part.end, stop)
        if following >= stop or text[following] != "#":
            return Value("".join(parts), part.end, mended)
        at = following + 1


def closing_brace(text: str, at: int, stop: int) -> int | None:
    """Where the brace or bracket that opens before `at` is closed, braces counted, or None."""
    bracket = text[at - 1] == "("
    depth = 0 if bracket else 1
    for match in re.compile(r"[{})]" if bracket else r"[{}]").finditer(text, at, stop):
        depth += {"{": 1, "}": -1, ")": 0}[match[0]]
        if depth <= 0 and (match[0] == ")") == bracket:
            return match.start()
    return None


def _part(text: str, at: int, stop: int, macros: Mapping[str, str]) -> Value | None:
    if at < stop and text[at] in '{"':
        return _delimited(text, at, stop)
    word = _BARE.match(text, at, stop)
    assert word is not None
    after = _after_space(text, word.end(), stop)
    if after < stop and text[after] not in ",#})" and "\n" not in text[word.end() : after]:
        rest = _REST.match(text, at, stop)  # several words without delimiters
        assert rest is not None
        return Value(rest[0].strip(), max(rest.end(), word.end()), mended=True)
    name = word[0].lower()
    return Value(macros.get(name) or _MONTHS.get(name) or word[0], word.end())


def _delimited(text: str, at: int, stop: int) -> Value | None:
    quoted = text[at] == '"'
    first: int | None = None
    for count, ends in enumerate((_ends, _ends_but_escaped)):
        for end in ends(text, at + 1, stop, quoted=quoted):
            if _FOLLOWS.match(text, end + 1, stop):
                if first is not None and _INLINE_FIELD.search(text, first, end):
                    break
                return Value(text[at + 1 : end], end + 1, mended=count > 0 or first is not None)
            first = end if first is None else first
    line = _LINE_END.search(text, at + 1, stop)
    if line and (
        first is None or first > line.start() or not _INLINE_FIELD.search(text, first, line.start())
    ):
        return Value(text[at + 1 : line.start()], line.end(), mended=True)
    return None if first is None else Value(text[at + 1 : first], first + 1, mended=True)


def _ends(text: str, at: int, stop: int, *, quoted: bool) -> Iterator[int]:
    """The places where the value may end as BibTeX counts: every brace, a backslash before it or not."""
    yield from _closings((_BRACES_AND_QUOTES if quoted else _BRACES).finditer(text, at, stop), quoted)


def _ends_but_escaped(text: str, at: int, stop: int, *, quoted: bool) -> Iterator[int]:
    pattern = _UNESCAPED_AND_QUOTES if quoted else _UNESCAPED
    yield from _closings(pattern.finditer(text, at, stop), quoted)


def _closings(marks: Iterator[re.Match[str]], quoted: bool) -> Iterator[int]:
    depth = 0
    for mark in marks:
        if mark[0] == "{":
            depth += 1
        elif mark[0] == '"':
            if depth <= 0:
                yield mark.start()
        elif mark[0] == "}":
            depth -= 1
            if depth < 0 and not quoted:
                yield mark.start()


def _after_space(text: str, at: int, stop: int) -> int:
    match = _SPACE.match(text, at, stop)
    return match.end() if match else at
