"""Which records are the same paper, and what the two make together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

from corpus.authorship import family_of
from corpus.facts import Facts, bare_doi, facts_of, is_preprint
from corpus.labels import find_label
from corpus.papers import Paper, text_key
from corpus.people import ET_AL
from corpus.short import shortened
from corpus.titles import american_key, content_words, parts_of, title_key

_T = TypeVar("_T")

# Authors whose family names are keys, and how many words of the title stand with them.
_PEOPLE = 3
_WORDS = 3


def same_paper_key(facts: Facts) -> list[str]:
    """Keys under which a record's paper is looked for: two records of one paper share one of them.

    DOI, arXiv id (its version doesn't count), PubMed id and the abstract's words; of the title its folded
    words, also without a subtitle or a name in front, and its first and last words with a family name. A key
    in common is a reason to look closer (`same_work`), not a verdict.
    """
    keys = [f"doi:{bare_doi(facts.doi)}"] if facts.doi else []
    keys += [f"arxiv:{facts.arxiv}"] if facts.arxiv else []
    keys += [f"pmid:{facts.pmid}"] if facts.pmid else []
    keys += facts.also
    keys += [f"text:{facts.text}"] if facts.text else []
    for title in (facts.title, *parts_of(facts.title)):
        if title and (title is facts.title or len(content_words(title)) >= 2):
            keys.append(f"title:{title_key(title) or title.strip()}")
            keys.append(f"title:{american_key(title) or title.strip()}")
    words = content_words(facts.title)
    if len(words) >= 3:
        for person in facts.people[:_PEOPLE]:
            keys.append(f"first:{' '.join(words[:_WORDS])}:{family_of(person)}")
            keys.append(f"last:{' '.join(words[-_WORDS:])}:{family_of(person)}")
    return list(dict.fromkeys(keys))


def merge(old: Paper, new: Paper) -> Paper:
    """Both records as one paper: the old one's id, sources and ids united, the fuller value of each field.

    Where one is a preprint's, DOI, year and venue are those of what was published; the other's DOI, ids and
    address stay in `other_ids`.
    """
    same = new.id == old.id or text_key(new.abstract or "") == text_key(old.abstract or "")
    abstract = new.abstract or old.abstract if same else _fuller(old.abstract, new.abstract)
    first, second = (new, old) if _is_published(new, old) else (old, new)
    merged = replace(
        old,
        abstract=abstract,
        title=_fuller(old.title, new.title),
        authors=_longer(old.authors, new.authors),
        organisations=_union(old.organisations, new.organisations),
        year=first.year or second.year,
        venue=(first.venue or second.venue) if first is new else _fuller(old.venue, new.venue),
        doi=first.doi or second.doi,
        arxiv_id=old.arxiv_id or new.arxiv_id,
        pmid=old.pmid or new.pmid,
        url=old.url or new.url,
        keywords=_union(old.keywords, new.keywords),
        sources=_union(old.sources, new.sources),
        aliases=tuple(name for name in _union(old.aliases, (new.id, *new.aliases)) if name != old.id),
    )
    label = new.label if new.title and not old.title else label_of(old, merged)
    return replace(merged, label=label, other_ids=_others(merged, old, new))


def label_of(old: Paper, new: Paper) -> str:
    """What the paper goes by as it is now: a name that was made of title and abstract follows these."""
    if (old.title, old.abstract) == (new.title, new.abstract):
        return old.label
    made = old.label == shortened(find_label(old.title, old.abstract))
    return shortened(find_label(new.title, new.abstract)) if made else old.label


def _is_published(new: Paper, old: Paper) -> bool:
    return is_preprint(facts_of(old)) and not is_preprint(facts_of(new)) and bool(new.doi or new.venue)


def _others(merged: Paper, *papers: Paper) -> tuple[str, ...]:
    """The identifiers and addresses of the papers that aren't the merged one's own."""
    found = [one for paper in papers for one in paper.other_ids]
    for paper in papers:
        found += [f"doi:{paper.doi}"] if paper.doi else []
        found += [f"arxiv:{paper.arxiv_id}"] if paper.arxiv_id else []
        found += [f"pmid:{paper.pmid}"] if paper.pmid else []
        found += [paper.url] if paper.url else []
    own = {f"doi:{merged.doi}", f"arxiv:{merged.arxiv_id}", f"pmid:{merged.pmid}", merged.url}
    return tuple(dict.fromkeys(one for one in found if one not in own))


def _fuller(old: str | None, new: str | None) -> str | None:
    """The text with more letters and digits; the old one where they are level."""
    return new if len(text_key(new or "")) > len(text_key(old or "")) else old


def _longer(old: tuple[str, ...], new: tuple[str, ...]) -> tuple[str, ...]:
    """The list with more real names ("et al." is none), or with fuller ones."""
    sizes = [(len(set(names) - {ET_AL}), len(" ".join(names))) for names in (new, old)]
    if sizes[0][0] == sizes[1][0]:
        return new if ET_AL not in new and sizes[0][1] > sizes[1][1] else old
    return new if sizes[0][0] > sizes[1][0] else old


def _union(old: Iterable[_T], new: Iterable[_T]) -> tuple[_T, ...]:
    return tuple(dict.fromkeys((*old, *new)))
