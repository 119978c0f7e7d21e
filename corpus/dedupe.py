"""Which records are the same paper, and what the two make together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

from corpus.papers import Paper, text_key

_T = TypeVar("_T")


def same_paper_key(paper: Paper) -> list[str]:
    """The paper's identity keys: two records that share one are the same paper.

    Equal DOI, equal arXiv id (its version doesn't count), equal words of the abstract; the title's words only
    where there is no abstract. Nearly equal abstracts are two papers: a journal version isn't its preprint.
    """
    keys = [f"doi:{paper.doi}"] if paper.doi else []
    if paper.arxiv_id:
        keys.append(f"arxiv:{paper.arxiv_id.partition('v')[0]}")
    if words := text_key(paper.abstract or ""):
        keys.append(f"text:{words}")
    elif words := text_key(paper.title or ""):
        keys.append(f"title:{words}")
    return keys


def merge(old: Paper, new: Paper) -> Paper:
    """Both records as one paper: the old one's id, sources and ids united, the fuller value of each field."""
    if new.id == old.id or text_key(new.abstract or "") == text_key(old.abstract or ""):
        return _united(old, new, abstract=new.abstract or old.abstract)
    return _united(old, new, abstract=_fuller(old.abstract, new.abstract))


def _united(old: Paper, new: Paper, *, abstract: str | None) -> Paper:
    return replace(
        old,
        label=new.label if new.title and not old.title else old.label,
        abstract=abstract,
        title=_fuller(old.title, new.title),
        authors=_longer(old.authors, new.authors),
        organisations=_union(old.organisations, new.organisations),
        year=old.year or new.year,
        venue=_fuller(old.venue, new.venue),
        doi=old.doi or new.doi,
        arxiv_id=old.arxiv_id or new.arxiv_id,
        url=old.url or new.url,
        keywords=_union(old.keywords, new.keywords),
        sources=_union(old.sources, new.sources),
        aliases=tuple(name for name in _union(old.aliases, (new.id, *new.aliases)) if name != old.id),
    )


def _fuller(old: str | None, new: str | None) -> str | None:
    """The text with more letters and digits; the old one where they are level."""
    return new if len(text_key(new or "")) > len(text_key(old or "")) else old


def _longer(old: tuple[str, ...], new: tuple[str, ...]) -> tuple[str, ...]:
    """The list with more real names: a byline that ends in "et al." is shorter than it looks."""
    return new if len(set(new) - {"et al."}) > len(set(old) - {"et al."}) else old


def _union(old: Iterable[_T], new: Iterable[_T]) -> tuple[_T, ...]:
    return tuple(dict.fromkeys((*old, *new)))
