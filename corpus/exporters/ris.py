"""Papers as RIS records, for Zotero, EndNote, Mendeley and most databases."""

from __future__ import annotations

from collections.abc import Iterator

from corpus.exporters.names import without_others
from corpus.papers import Paper
from corpus.readers.bylines import ET_AL


def record(paper: Paper, own: str, key: str) -> str:
    """The paper as one record; what RIS has no tag for stands in C8."""
    return "".join(f"{tag}  - {text}\n" for tag, text in _lines(paper, own, key)) + "\n"


def _lines(paper: Paper, own: str, key: str) -> Iterator[tuple[str, str]]:
    names, more = without_others(paper.authors)
    yield "TY", "JOUR" if paper.venue else "GEN"
    yield "ID", key
    yield from (("TI", paper.title),) if paper.title else ()
    yield from (("AU", f"{name.family}, {name.given}" if name.family else name.whole) for name in names)
    yield from (("AU", ET_AL),) if more else ()
    yield from (("AD", place) for place in paper.organisations)
    yield from (("PY", str(paper.year)),) if paper.year else ()
    yield from (("T2", paper.venue),) if paper.venue else ()
    yield from (("DO", paper.doi),) if paper.doi else ()
    yield from (("UR", paper.url),) if paper.url else ()
    yield from (("KW", word) for word in paper.keywords)
    yield from (("AB", paper.abstract),) if paper.abstract else ()
    yield from (("C8", own),) if own else ()
    yield "ER", ""
