"""Papers as BibTeX entries, for LaTeX, JabRef and Zotero."""

from __future__ import annotations

import re

from corpus.exporters.latex import escaped, title
from corpus.exporters.names import Name, without_others
from corpus.papers import Paper

_PROCEEDINGS = re.compile(
    r"\b(?:proceedings|proc|conference|symposium|workshop|congress|meeting|advances in)\b", re.I
)
_UNSAFE = re.compile(r"[{}\\\s]")


def entry(paper: Paper, own: str, key: str) -> str:
    """The paper as one entry; what BibTeX has no field for stands in `assistant`."""
    venue = paper.venue or ""
    held = bool(_PROCEEDINGS.search(venue))
    kind = "misc" if not venue else "inproceedings" if held else "article"
    fields = {
        "title": title(paper.title or ""),
        "author": _authors(paper.authors),
        "year": str(paper.year or ""),
        "booktitle" if held else "journal": escaped(venue),
        "doi": _verbatim(paper.doi),
        "eprint": paper.arxiv_id or "",
        "eprinttype": "arxiv" if paper.arxiv_id else "",
        "pmid": paper.pmid or "",
        "url": _verbatim(paper.url),
        "keywords": _keywords(paper.keywords),
        "abstract": escaped(paper.abstract or ""),
        "assistant": own,
    }
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items() if value)
    return f"@{kind}{{{key},\n{lines}}}\n"


def _authors(authors: tuple[str, ...]) -> str:
    names, more = without_others(authors)
    return " and ".join([*map(_author, names), *(["others"] if more else [])])


def _author(name: Name) -> str:
    if not name.family:
        return f"{{{escaped(name.whole)}}}"
    return f"{escaped(name.family)}, {escaped(name.given)}"


def _keywords(keywords: tuple[str, ...]) -> str:
    between = "; " if any("," in word for word in keywords) else ", "
    return between.join(map(escaped, keywords))


def _verbatim(text: str | None) -> str:
    """An identifier as it stands: such fields aren't LaTeX."""
    return _UNSAFE.sub(lambda match: f"%{ord(match[0]):02X}", text or "")
