"""The page of one paper as an HTML string: all that is known of it, and what can be done with it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from urllib.parse import quote

from assistant.references import address_of
from corpus.exporters.bibtex import entry
from corpus.exporters.keys import Keys
from corpus.papers import Paper
from ui.shelf.marks import made
from ui.shelf.table import shortened

_LONGEST = 20_000
_QUESTION = 120

Raw = tuple[str, int, str]
"""A record as it was read: its file, its number, its text."""


def paper_html(paper: Paper, raw: Sequence[Raw], *, removable: bool) -> str:
    """The paper with its fields, its text as it was read, its BibTeX, and the ways on from it."""
    title = "" if paper.title in (None, paper.label) else f'<p class="title">{_text(paper.title or "")}</p>'
    abstract = _text(paper.abstract) if paper.abstract else "No abstract."
    return (
        f'<article class="paper-page"{made()} data-paper="{escape(paper.id)}" tabindex="-1" '
        'aria-label="Paper">'
        '<p class="top"><button type="button" class="quiet" data-act="close">Close</button></p>'
        f"<h2>{_text(shortened(paper.label, 300))}</h2>{title}{_links(paper)}"
        f'<p class="acts"><button type="button" data-question="{escape(question_about(paper))}">'
        'Ask about this paper</button><button type="button" class="quiet" data-act="locate" '
        f'data-paper="{escape(paper.id)}">Show on the map</button></p>'
        f'<p class="abstract">{abstract}</p>{_fields(paper)}{_keywords(paper)}{_bibtex(paper)}{_raw(raw)}'
        f"{_removal(paper) if removable else ''}</article>"
    )


def gone_html(words: str) -> str:
    """What stands in a paper's place once it is gone."""
    return (
        f'<div class="paper-page gone"{made()} tabindex="-1"><p class="top">'
        '<button type="button" class="quiet" '
        f'data-act="close">Close</button></p><p role="status">{escape(words)}</p></div>'
    )


def question_about(paper: Paper) -> str:
    """A question about the paper, for the box of the chat."""
    return f"What does {shortened(' '.join(paper.label.split()), _QUESTION)} do?"


def bibtex_of(paper: Paper) -> str:
    """The paper as a BibTeX entry, for a list of references."""
    return entry(paper, "", Keys().key(paper))


def _fields(paper: Paper) -> str:
    sources = "; ".join(f"{source.file}, record {source.record}" for source in paper.sources)
    rows = (
        ("Authors", ", ".join(paper.authors)),
        ("Organisations", ", ".join(paper.organisations)),
        ("Year", str(paper.year or "")),
        ("Venue", paper.venue or ""),
        ("Read from", sources),
        ("Id", ", ".join((paper.id, *paper.aliases))),
    )
    items = "".join(f"<dt>{name}</dt><dd>{_text(text)}</dd>" for name, text in rows if text)
    return f"<dl>{items}</dl>"


def _links(paper: Paper) -> str:
    known = (
        ("DOI", paper.doi and f"https://doi.org/{quote(paper.doi, safe='/().;:-_')}"),
        ("arXiv", paper.arxiv_id and f"https://arxiv.org/abs/{quote(paper.arxiv_id, safe='/.')}"),
        ("PubMed", paper.pmid and f"https://pubmed.ncbi.nlm.nih.gov/{quote(paper.pmid, safe='')}/"),
        ("Web page", address_of(paper) if paper.url else None),
    )
    seen: dict[str, str] = {}
    for name, address in known:
        if address and address not in seen:
            seen[address] = name
    links = (
        f'<a href="{escape(address)}" target="_blank" rel="noopener noreferrer">{name}</a>'
        for address, name in seen.items()
    )
    return f'<p class="links">{"".join(links)}</p>' if seen else ""


def _keywords(paper: Paper) -> str:
    words = "".join(
        f'<li><button type="button" data-keyword="{escape(word)}">{escape(shortened(word, 80))}</button></li>'
        for word in paper.keywords[:60]
    )
    return f'<ul class="words" aria-label="Keywords">{words}</ul>' if words else ""


def _bibtex(paper: Paper) -> str:
    return (
        '<details class="bibtex"><summary>BibTeX</summary>'
        f'<pre tabindex="0"><code>{_text(bibtex_of(paper))}</code></pre>'
        '<button type="button" class="quiet" data-act="copy">Copy</button></details>'
    )


def _raw(raw: Sequence[Raw]) -> str:
    if not raw:
        return ""
    records = "".join(
        f'<p class="from">{escape(file)}, record {number}</p>'
        f'<pre tabindex="0"><code>{_text(text)}</code></pre>'
        for file, number, text in raw
    )
    return f'<details class="raw"><summary>As it was read</summary>{records}</details>'


def _removal(paper: Paper) -> str:
    return (
        '<details class="removal"><summary>Remove from the collection</summary>'
        f"<p>“{escape(shortened(paper.label, 80))}” leaves the collection for good, unless its file is read "
        'again.</p><button type="button" class="danger" data-act="remove" '
        f'data-paper="{escape(paper.id)}">Remove it</button></details>'
    )


def _text(text: str) -> str:
    """The text escaped; of a very long one only the beginning."""
    if len(text) <= _LONGEST:
        return escape(text)
    return f"{escape(text[:_LONGEST])}… <em>({len(text):,} characters)</em>"
