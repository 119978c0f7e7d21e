"""Words as Markdown that shows them as they are.

What the writers hand to `cite` are plain words in which only `**` means something: bold. A star of the words'
own is written `\\*`, a backslash before one `\\\\`. The rest may come from any abstract; it is shown as is.
"""

from __future__ import annotations

import re

_BOLD = re.compile(r"(?<!\\)(?:\\\\)*\*\*")
_SPECIAL = re.compile(
    r"[\[\]`*]"  # markers, links, code, emphasis
    r"|\\(?=[!-/:-@\[-`{-~]|$)"  # what would escape the character behind it
    r"|(?<![^\W_])_|_(?![^\W_])"  # emphasis; inside a word it is none
    r"|<(?=[A-Za-z/!?])"  # tags
    r"|&(?=#?\w+;)"  # entities
    r"|~(?=~)|(?<=~)~"  # struck out
)
_BLOCK = re.compile(r"(?:#{1,6}(?=\s|$)|[-+>](?=\s|$)|=+$|-{3,}$|>)|(\d{1,9})(?=[.)](?:\s|$))")


def own_words(text: str) -> str:
    """The text as words for `cite`: none of its stars makes anything bold."""
    return re.sub(r"\\(?=[\\*])|\*", lambda found: "\\" + found[0], text)


def bold(text: str) -> str:
    """The text as words for `cite`, all of it bold."""
    return f"**{own_words(text)}**"


def plain(words: str) -> str:
    """The words without what makes some of them bold."""
    return "".join(_literal(part) for part in _parts(words))


def markdown(words: str) -> str:
    """The words in Markdown, on one line: bold where they say so, every other character as it stands."""
    return "**".join(escaped(_literal(part)) for part in _parts(words))


def escaped(text: str) -> str:
    """The text in Markdown, on one line, every character as it stands."""
    return _SPECIAL.sub(lambda found: "\\" + found[0], re.sub(r"\s*\n\s*", " ", text))


def at_line_start(line: str) -> str:
    """A line of Markdown that begins no heading, list or quotation."""
    found = _BLOCK.match(line)
    if not found:
        return line
    place = found.end(1) if found[1] else 0
    return f"{line[:place]}\\{line[place:]}"


def _parts(words: str) -> list[str]:
    """The words outside and inside of bold in turn; all in one where the marks aren't paired."""
    places = [found.end() for found in _BOLD.finditer(words)]
    if len(places) % 2:
        return [words]
    edges = [0, *places]
    parts = [words[start : end - 2] for start, end in zip(edges, places, strict=False)]
    return [*parts, words[edges[-1] :]]


def _literal(part: str) -> str:
    return re.sub(r"\\([\\*])", r"\1", part)
