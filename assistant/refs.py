"""Which paper a REF means: an id, a DOI, an arXiv id, or how its abstract begins."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator

from corpus.papers import Paper, text_key

# Cleaning and folding may change a prefix near its cut, so this much of it has to agree and no more.
_SURE = 40
_SHORTEST = 24


class RefIndex:
    """The papers of a collection, findable by every form of REF."""

    def __init__(self, papers: Iterable[Paper]) -> None:
        self._by_name: dict[str, set[str]] = {}
        self._abstracts: dict[str, str] = {}
        for paper in papers:
            self._abstracts[paper.id] = (paper.abstract or "").strip()
            for name in (paper.id, *paper.aliases):
                self._by_name.setdefault(name, set()).add(paper.id)
            for name in (_doi(paper.doi or ""), _arxiv(paper.arxiv_id or "")):
                if name:
                    self._by_name.setdefault(name, set()).add(paper.id)
        self._keys = sorted((text_key(text), paper_id) for paper_id, text in self._abstracts.items())

    def find(self, ref: str) -> tuple[str, ...]:
        """The ids of all papers that `ref` may mean: none is unknown, more than one is ambiguous."""
        ref = ref.strip()
        for name in (ref, _doi(ref), _arxiv(ref)):
            if name and name in self._by_name:
                return tuple(sorted(self._by_name[name]))
        key = text_key(ref)
        found = self._beginning(key) or self._beginning(key[:_SURE])
        if len(found) > 1:
            # Two abstracts may differ in nothing but their capitals within the prefix.
            found = tuple(p for p in found if self._abstracts[p].startswith(ref)) or found
        return found

    def _beginning(self, key: str) -> tuple[str, ...]:
        return tuple(sorted(self._with_prefix(key)))

    def _with_prefix(self, key: str) -> Iterator[str]:
        if not key:
            return
        for at in range(bisect_left(self._keys, (key,)), len(self._keys)):
            whole, paper_id = self._keys[at]
            if not whole.startswith(key):
                return
            if len(key) >= _SHORTEST or whole == key:
                yield paper_id


def _doi(text: str) -> str:
    bare = re.sub(r"^(?:https?://(?:dx\.)?doi\.org/|doi:\s*)", "", text.strip(), flags=re.I).casefold()
    return f"doi:{bare}" if bare.startswith("10.") else ""


def _arxiv(text: str) -> str:
    bare = re.sub(r"^(?:https?://arxiv\.org/(?:abs|pdf)/|arxiv:\s*)", "", text.strip(), flags=re.I)
    found = re.fullmatch(r"(\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?/\d{7})(?:v\d+)?(?:\.pdf)?", bare.casefold())
    return f"arxiv:{found[1]}" if found else ""
