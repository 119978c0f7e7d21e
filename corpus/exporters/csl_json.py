"""Papers as items of CSL-JSON, for Zotero, pandoc and citeproc."""

from __future__ import annotations

import json
from typing import Any

from corpus.exporters.names import without_others
from corpus.papers import Paper
from corpus.readers.bylines import ET_AL


def item(paper: Paper, own: str, key: str) -> str:
    """The paper as one item; what CSL has no variable for stands in `custom`."""
    names, more = without_others(paper.authors)
    authors: list[dict[str, str]] = [
        {"family": name.family, "given": name.given} if name.family else {"literal": name.whole}
        for name in names
    ]
    fields: dict[str, Any] = {
        "id": key,
        "citation-key": key,
        "type": "article-journal" if paper.venue else "article",
        "title": paper.title,
        "author": [*authors, *([{"literal": ET_AL}] if more else [])],
        "issued": {"date-parts": [[paper.year]]} if paper.year else None,
        "container-title": paper.venue,
        "DOI": paper.doi,
        "PMID": paper.pmid,
        "URL": paper.url,
        "keyword": _keywords(paper.keywords),
        "abstract": paper.abstract,
        "custom": {"assistant": own} if own else None,
    }
    return "  " + json.dumps({name: value for name, value in fields.items() if value}, ensure_ascii=False)


def _keywords(keywords: tuple[str, ...]) -> str:
    return ("; " if any("," in word for word in keywords) else ", ").join(keywords)
