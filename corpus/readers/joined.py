"""Files that were joined of exports of several formats: where in the text the next format begins."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from corpus.readers.cells import read_rows
from corpus.readers.columns import known_fields

# What begins another format's records, at a line's beginning, with a second sign of it.
_BEGINS = re.compile(
    r"^(?:"
    r"(?P<bibtex>@[A-Za-z]+[ \t]*[{(][ \t]*[^\s,={}\"#]*,[ \t]*(?:\n|[\w-]+[ \t]*=))"
    r"|(?P<ris>\ufeff?TY[ \t]{0,5}-[ \t]*[A-Z]{3,7}\b[^\n]*\n[ \t]*[A-Z][A-Z0-9][ \t]{1,5}-)"
    r"|(?P<nbib>PMID- *\d+[ \t]*\n[A-Z]{2,4} {0,2}- )"
    r"|(?P<wos>FN \S[^\n]*\nVR |PT [A-Z][ \t]*\n[A-Z][A-Z0-9] \S)"
    r"|(?P<refworks>RT +[A-Z][\w ]*\n(?:SR|ID|T1|A1) )"
    r"|(?P<endnote>%0 [A-Z][^\n]*\n%[A-Z] \S)"
    r"|(?P<json>(?:\[\s{0,20})?\{\s{0,20}\"[^\"\n]{1,60}\"\s{0,20}:)"
    r"|(?P<xml><\?xml\b|<(?:PubmedArticleSet|records|modsCollection|feed|OAI-PMH|dblp)\b)"
    r"|(?P<csv>\ufeff?\"?[A-Za-z][^\n,;\t|]{0,40}[,;\t|](?=[^\n]{0,1000}\n))"
    r")",
    re.M,
)
_CLOSING_LINE = {
    "ris": re.compile(r"(?:^|\n)[ \t]*ER[ \t]{0,5}-?[ \t]*\Z"),
    "wos": re.compile(r"(?:^|\n)E[RF][ \t]*\Z"),
    "refworks": re.compile(r"(?:^|\n)ER\b[^\n]*\Z"),
    "xml": re.compile(r"</[\w:.-]{1,80}>\Z"),
}
_END = re.compile(r"^[ \t]*E[RF]\b", re.M)
_BRACES = re.compile(r"\\.|[{}]", re.S)
_BLANK = re.compile(r"\n[ \t]*\n\Z")
_COLUMNS = 3
_PROSE_WORDS = 40
_COMMENT = ("%", "#", "@", "<!--", "/*", "//")


def next_format(text: str, start: int, family: str) -> Iterator[int]:
    """The places behind `start` where records of another family than this one may begin, in their order.

    Only where a record of the family is closed: what stands inside of one is its own text.
    """
    state = _State(text, start, family)
    while text[start : start + 1].isspace():
        start += 1
    for found in _BEGINS.finditer(text, start):
        kind = found.lastgroup or ""
        if found.start() <= start or kind == family:
            continue
        if (kind != "csv" or _is_header(text, found.start())) and state.is_closed(found.start()):
            yield found.start()


def prose_above(text: str) -> bool:
    """Whether what stands above the first records holds an abstract, and not only comments."""
    blocks = (block.strip() for block in re.split(r"\n[ \t]*\n", text))
    return any(
        len(block.split(None, _PROSE_WORDS)) > _PROSE_WORDS and not block.startswith(_COMMENT)
        for block in blocks
    )


def _is_header(text: str, place: int) -> bool:
    end = text.find("\n", place)
    line = text[place : len(text) if end < 0 else end].removeprefix("\ufeff")
    low = line.lower()
    if "title" not in low and "abstract" not in low:
        return False
    rows = (row for mark in ",;\t|" if mark in line for row in islice(read_rows(line, mark), 1))
    return any(
        len(fields := known_fields(row.cells)) >= _COLUMNS and not fields.isdisjoint({"title", "abstract"})
        for row in rows
    )


class _State:
    """How far braces and quotation marks are counted, asked for in rising order."""

    def __init__(self, text: str, start: int, family: str) -> None:
        self._text, self._family, self._counted = text, family, start
        self._depth = 0
        self._quotes = 0
        self._closing = _CLOSING_LINE.get(family)
        self._has_end = family == "xml"

    def is_closed(self, place: int) -> bool:
        """Whether no record is open before the place."""
        before = self._text[max(0, place - 400) : place]
        if self._closing and not self._has_end:
            self._has_end = _END.search(self._text, self._counted, place) is not None
            self._counted = place
        if self._closing and self._has_end:
            return self._closing.search(before.rstrip()) is not None
        if self._family == "bibtex":
            self._count(place)
            return self._depth <= 0
        if self._family == "csv":
            self._quotes += self._text.count('"', self._counted, place)
            self._counted = place
            return self._quotes % 2 == 0 or _BLANK.search(before) is not None
        return _BLANK.search(before) is not None

    def _count(self, place: int) -> None:
        for mark in _BRACES.finditer(self._text, self._counted, place):
            self._depth += {"{": 1, "}": -1}.get(mark[0], 0)
        self._counted = place
