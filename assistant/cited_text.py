"""A cited text read for checking: its sentences with their markers, and which paper each marker means."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rapidfuzz import fuzz, process

from assistant.markers import REFERENCES, Paragraph, read_paragraphs
from assistant.refs import RefIndex
from corpus.papers import text_key

if TYPE_CHECKING:
    from corpus.papers import Paper

# "[3] REF", "[3]: REF"; further lines of it are indented.
_REFERENCE = re.compile(r"^\s*(?:[-*]\s+)?\[(\d{1,4})\]:?\s+(\S.*)$")
_NEAR = 90.0
"""How alike (0 to 100) a reference has to be to a paper's title or label."""
_SHORTEST = 12
"""Letters and digits from which a name, or a reference, is compared nearly."""
_READ = 500
"""Characters of a reference that are read."""
_IN_BRACKETS = re.compile(r"\(([^()\s]+)\)\s*$")


@dataclass(frozen=True)
class CitedText:
    """The paragraphs of a text and the paper that each of its references means, None where none does."""

    paragraphs: tuple[Paragraph, ...]
    references: dict[int, Paper | None]


def read_cited(text: str, papers: Sequence[Paper]) -> CitedText:
    """The text with its references, which stand at its end, found among the papers of the collection."""
    lines = text.splitlines()
    found: dict[int, str] = {}
    end = len(lines)
    while end and (not lines[end - 1].strip() or _is_reference_part(lines, end - 1)):
        end -= 1
    for line in lines[end:]:
        if match := _REFERENCE.match(line):
            found[int(match[1])] = match[2].strip()
    finder = Finder(papers)
    references = {number: finder.find(ref) for number, ref in found.items()}
    return CitedText(tuple(read_paragraphs("\n".join(lines[:end]))), references)


def _is_reference_part(lines: Sequence[str], at: int) -> bool:
    """True for a reference, for a line indented below one, and for the heading over them."""
    line = lines[at]
    if _REFERENCE.match(line):
        return True
    if re.match(r"^\s{2,}\S", line):
        return any(_REFERENCE.match(before) for before in lines[max(0, at - 8) : at])
    return bool(REFERENCES.match(line)) and any(_REFERENCE.match(after) for after in lines[at + 1 : at + 4])


class Finder:
    """Finds the paper of a reference: an id, DOI, arXiv id, label, title or an abstract's beginning."""

    def __init__(self, papers: Sequence[Paper]) -> None:
        self._papers = {paper.id: paper for paper in papers}
        self._refs = RefIndex(papers)
        self._names: dict[str, list[str]] = {}
        for paper in papers:
            for name in {text_key(paper.label), text_key(paper.title or "")}:
                if name:
                    self._names.setdefault(name, []).append(paper.id)

    def find(self, ref: str) -> Paper | None:
        """The one paper that the reference means, None where none or several do."""
        ref = ref[:_READ]
        inner = _IN_BRACKETS.search(ref)
        for form in (ref, inner[1] if inner else "", re.sub(r"\s*\([^()]*\)\s*$", "", ref)):
            ids = set(self._refs.find(form)) if form else set()
            ids = ids or set(self._names.get(text_key(form), ())) if form else ids
            if len(ids) == 1:
                return self._papers[ids.pop()]
        return self._nearly(ref)

    def _nearly(self, ref: str) -> Paper | None:
        """The paper whose title or label the reference holds nearly letter by letter, or is a part of."""
        key = text_key(ref)
        if len(key) < _SHORTEST:
            return None
        long = [name for name in self._names if len(name) >= _SHORTEST]
        found = process.extract(key, long, scorer=fuzz.partial_ratio, limit=None, score_cutoff=_NEAR)
        best = [name for name, score, _ in found if score == found[0][1]]
        # Of names within the reference the longest is meant: it may hold another's.
        inside = max((len(name) for name in best if len(name) <= len(key)), default=None)
        ids = {one for name in best if inside in (None, len(name)) for one in self._names[name]}
        return self._papers[ids.pop()] if len(ids) == 1 else None
