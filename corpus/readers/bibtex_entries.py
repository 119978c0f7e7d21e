"""The entries of a BibTeX file, each with its place; what is broken costs its own entry only.

Our own reading: parsers that we tried drop entries without a word (docs/readers.md). A line that begins with
`@type{key,` always begins an entry, so that one which never ends can't swallow those that follow.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from corpus.readers.bibtex_values import FIELD_NAME, closing_brace, read_value

_NO_RECORDS = frozenset({"comment", "preamble"})
# What makes an @ sure to begin an entry: a key and a comma, or a field at once.
_BEGIN = rf"[{{(]\s*+(?:[^,={{}}\"#\n]{{0,400}}+,|{FIELD_NAME}\s*+=)"
_START = re.compile(r"(?<![\w.@])@\s*+([^\W\d][\w-]*+)\s*+(?:\{|\((?=\s*+(?:[^\s,={}\"#()]*+\s*+[,=]|\")))")
_LINE_START = re.compile(
    rf"^[ \t]*+(@[ \t]*+(?:(?:comment|preamble|string)\s*+[{{(]|[^\W\d][\w-]*+\s*+{_BEGIN}))", re.M | re.I
)
_SIGNED = re.compile(
    r"@[ \t]*+(?:(?:comment|preamble|string)\b|[^\W\d][\w-]*+\s*+[{(]\s*+"
    rf"(?:[^\s,={{}}\"#]*+\s*+,[ \t]*+(?:\n|\Z|[}})%])|(?:[^,={{}}\"#\n]{{0,400}}+,\s*+)?{FIELD_NAME}\s*+=))",
    re.I,
)
_INLINE = re.compile(rf"(?<![\w.@])@\s*+[^\W\d][\w-]*+\s*+{_BEGIN}")
_ENTRY_KEY = re.compile(r"\s*+([^,={}\"#\n]*?)\s*(?:,|(?=[}\n]))")
_FIELD = re.compile(rf"({FIELD_NAME})\s*+=")
_GAP = re.compile(r"(?:[\s,]++|%[^\n]*+)*+")
_STRAY_END = re.compile(rf"\s*+,\s*+(?={FIELD_NAME}\s*+=\s*+[{{\"])")
_RESUME = re.compile(
    rf"(?:,|(?<=\S)[ \t]*+\n)\s*+(?={FIELD_NAME}\s*+=)|[}})](?=[ \t]*+(?:\Z|\n))"
    r"|(?<![\w.@])(?=@\s*+[^\W\d][\w-]*+[{(])"
)
# Guesses at a broken value read to the end of its entry; so few of them keep reading linear.
_MOST_MENDED = 8
MOST_FIELDS = 20_000
"""Of one entry; more would fill the memory."""


@dataclass(frozen=True)
class Entry:
    """One entry as it stood: fields in their order, names in lower case; `fault` says why it can't be read.

    `unread` is what stood between its fields and belongs to none.
    """

    kind: str
    key: str
    fields: tuple[tuple[str, str], ...]
    raw: str
    line: int
    fault: str = ""
    unread: str = ""


def bibtex_mark(text: str) -> int | None:
    """Where a line begins an entry: its key ends its line, or a field follows it."""
    return next(
        (one.start(1) for one in _LINE_START.finditer(text) if _SIGNED.match(text, one.start(1))), None
    )


def read_entries(text: str, macros: Mapping[str, str]) -> Iterator[Entry]:
    """The text's entries, @string among them, without comments and preambles; `macros` are known before."""
    known = dict(macros)
    starts = _Starts(text)
    line, counted, at = 1, 0, 0
    unclosed = 0  # up to here a comment doesn't close: looking for the end of each would take its square
    while start := _START.search(text, at):
        begin = start.start()
        line_begin = text.rfind("\n", at, begin) + 1 or at
        if text[line_begin:begin].lstrip().startswith("%"):
            at = _line_end(text, begin)
            continue
        line += text.count("\n", counted, begin)
        counted = begin
        stop = starts.after(begin)
        kind = start[1].lower()
        if kind in _NO_RECORDS:
            close = closing_brace(text, start.end(), stop) if begin >= unclosed else None
            unclosed = stop if close is None else unclosed
            at = _line_end(text, begin) if close is None else close + 1
            continue
        entry, at = _Reading(text, kind, start.end(), stop, known).entry(begin, line)
        if kind == "string":
            known.update(entry.fields)
        if entry.fault:
            starts.add_inline(begin, stop)
            at = starts.after(begin)
        yield entry


class _Starts:
    """Where entries surely begin, asked for in rising order."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._found = (match.start(1) for match in _LINE_START.finditer(text))
        self._next = -1
        self._inline: list[int] = []

    def after(self, place: int) -> int:
        """The first sure beginning after the place, or the text's end."""
        while self._inline and self._inline[-1] <= place:
            self._inline.pop()
        while self._next <= place:
            self._next = next(self._found, len(self._text) + 1)
        return min(self._inline[-1] if self._inline else self._next, self._next, len(self._text))

    def add_inline(self, begin: int, stop: int) -> None:
        """Takes beginnings inside lines as sure ones, up to `stop`: an entry there is broken."""
        if not self._inline:
            inside = _INLINE.finditer(self._text, begin + 1, stop)
            self._inline = [match.start() for match in inside][::-1]


class _Reading:
    """One entry being read, from behind its opening brace."""

    def __init__(self, text: str, kind: str, at: int, stop: int, macros: Mapping[str, str]) -> None:
        self._text, self._kind, self._at, self._stop, self._macros = text, kind, at, stop, macros
        self._closer = ")" if text[at - 1] == "(" else "}"
        self._fields: list[tuple[str, str]] = []
        self._unread: list[str] = []
        self._mended = 0
        self._fault = ""

    def entry(self, begin: int, line: int) -> tuple[Entry, int]:
        """The entry and where it ends."""
        key = "" if self._kind == "string" else self._key()
        while self._step():
            pass
        raw = self._text[begin : self._at]
        if self._fault:
            raw = self._text[begin : self._stop].rstrip()
        unread = " ".join(" ".join(self._unread).split())
        entry = Entry(self._kind, key, tuple(self._fields), raw, line, self._fault, unread)
        return entry, self._at

    def _key(self) -> str:
        found = _ENTRY_KEY.match(self._text, self._at, self._stop)
        if found is None:
            return ""  # it begins with a field at once
        self._at = found.end()
        return found[1]

    def _step(self) -> bool:
        """Reads one thing; False at the entry's end."""
        text, stop = self._text, self._stop
        gap = _GAP.match(text, self._at, stop)
        self._at = gap.end() if gap else self._at
        if self._at >= stop:
            if stop >= len(text):
                self._fault = "is cut off: the file ends before its closing brace"
            return False
        if text[self._at] == self._closer or text[self._at] == "}":
            return self._close()
        field = _FIELD.match(text, self._at, stop)
        return self._field(field) if field else self._pass_over()

    def _close(self) -> bool:
        self._at += 1
        stray = _STRAY_END.match(self._text, self._at, self._stop)
        if stray:
            self._at = stray.end()
        return stray is not None

    def _field(self, field: re.Match[str]) -> bool:
        value = read_value(self._text, field.end(), self._stop, self._macros)
        if value is None:
            self._fault = f"has a field {field[1]!r} that never ends"
            return False
        self._mended += value.mended
        if self._mended > _MOST_MENDED:
            self._fault = f"has more than {_MOST_MENDED} fields whose braces don't balance"
            return False
        if len(self._fields) >= MOST_FIELDS:
            self._fault = f"has more than {MOST_FIELDS:,} fields"
            self._fields.clear()
            return False
        self._fields.append((field[1].lower(), value.text.strip()))
        self._at = value.end
        return True

    def _pass_over(self) -> bool:
        text, at = self._text, self._at
        if _INLINE.match(text, at, self._stop):
            return False
        found = _RESUME.search(text, at + 1, self._stop)
        self._at = found.start() if found else self._stop
        self._unread.append(text[at : self._at])
        return True


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end
