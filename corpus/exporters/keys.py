"""Keys of entries: plain, short, and each once in a file."""

from __future__ import annotations

import re
import unicodedata

from corpus.exporters.names import without_others
from corpus.papers import Paper

_MADE = re.compile(r"p[0-9a-f]{11}")
_KEY = re.compile(r"[A-Za-z][A-Za-z0-9:._-]{0,79}")
_LINKS = frozenset("a an the on of in for to and with from by at is are".split())


class Keys:
    """Gives each paper of a file a key of its own; BibTeX doesn't tell small letters from capitals."""

    def __init__(self) -> None:
        self._given: dict[str, int] = {}

    def key(self, paper: Paper) -> str:
        """The paper's id where it came with one that can be a key, else like "lovelace2024sparse"."""
        own = bool(_KEY.fullmatch(paper.id)) and not _MADE.fullmatch(paper.id)
        base = paper.id if own else _made(paper)
        key = base
        while key.casefold() in self._given:
            self._given[base.casefold()] = number = self._given.get(base.casefold(), 1) + 1
            key = f"{base}-{number}"
        self._given.setdefault(key.casefold(), 1)
        return key


def _made(paper: Paper) -> str:
    names, _ = without_others(paper.authors)
    family = _ascii((names[0].family or names[0].whole.split()[-1]) if names else "")
    words = [word for word in re.findall(r"\w+", _ascii(paper.title or paper.label)) if word not in _LINKS]
    key = re.sub(r"[^a-z0-9]", "", f"{family}{paper.year or ''}{words[0] if words else ''}")[:60]
    return key if key[:1].isalpha() else f"p{key or paper.id}" if re.fullmatch(r"\w*", key) else "paper"


def _ascii(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.replace("ß", "ss").replace("ø", "o").replace("ł", "l"))
    return plain.encode("ascii", "ignore").decode().lower()
