"""The source panel as HTML strings: each cited paper with the words that the answer stands on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from itertools import pairwise

from assistant.answer import Answer, Citation, Quote, Related
from assistant.references import address_of
from corpus.papers import Paper
from ui.formulas import formula_spans, with_formulas

_AUTHORS_SHOWN = 8


def sources_html(answer: Answer, papers: Mapping[str, Paper], turn: int) -> str:
    """The sources of one answer: the cited papers with their quotes marked, then the papers only named."""
    cited = "".join(_source(citation, papers.get(citation.paper_id), turn) for citation in answer.citations)
    named = _named(answer, papers, turn)
    nothing = "" if cited or named else '<p class="nothing">Nothing was cited.</p>'
    asked = escape(answer.standalone_question or answer.question)
    head = f'<p class="sources-for">Sources for “{asked}”</p>'
    return f'<section class="sources" data-turn="{turn}">{head}{cited}{named}{nothing}</section>'


def highlighted(text: str, quotes: Sequence[tuple[int, Quote]]) -> str:
    """The text with each quoted span inside <mark>; `data-quotes` of a mark names the quotes that hold it."""
    bounds = sorted({0, len(text), *(edge for _, q in quotes for edge in (q.start, q.end))})
    pieces, formulas = [], formula_spans(text)
    for start, end in pairwise(bounds):
        held = [str(index) for index, q in quotes if q.start <= start and end <= q.end]
        piece = with_formulas(text, start, end, formulas)
        pieces.append(f'<mark data-quotes="{" ".join(held)}">{piece}</mark>' if held else piece)
    return "".join(pieces)


def _source(citation: Citation, paper: Paper | None, turn: int) -> str:
    number = citation.marker
    quotes = list(enumerate(citation.quotes))
    fields = "" if paper is None else _fields(paper, quotes)
    lost = [(index, q) for index, q in quotes if paper is None or not _stands(paper, q)]
    changed = "".join(
        f'<blockquote class="changed" data-quotes="{index}">{escape(q.text)}</blockquote>'
        for index, q in lost
    )
    became = "is no longer in the collection" if paper is None else "has changed since"
    note = f'<p class="changed">Quoted when the answer was written; the record {became}.</p>'
    return (
        f'<article class="source" id="source-{turn}-{number}" tabindex="-1" '
        f'data-year="{escape(str(paper.year or "")) if paper else ""}" data-label="{escape(citation.label)}" '
        f'data-paper="{escape(citation.paper_id)}" '
        f'aria-labelledby="label-{turn}-{number}"><header><span class="number">{number}</span>'
        f'<h3 id="label-{turn}-{number}">{escape(citation.label)}</h3></header>'
        f"{fields}{note + changed if lost else ''}{_links(paper, turn)}"
        f"{_doings(paper, citation.label) if paper else ''}</article>"
    )


def _fields(paper: Paper, quotes: Sequence[tuple[int, Quote]]) -> str:
    """Title, byline, abstract and, where one is quoted, keywords."""
    title = _field(paper, "title", quotes) if paper.title != paper.label else ""
    abstract = _field(paper, "abstract", quotes)
    keywords = _field(paper, "keywords", quotes) if any(q.field == "keywords" for _, q in quotes) else ""
    return (
        (f'<p class="title">{title}</p>' if title else "")
        + _byline(paper, quotes)
        + (f'<p class="abstract">{abstract}</p>' if abstract else '<p class="abstract none">No abstract.</p>')
        + (f'<p class="keywords">Keywords: {keywords}</p>' if keywords else "")
    )


def _byline(paper: Paper, quotes: Sequence[tuple[int, Quote]] = ()) -> str:
    authors = _field(paper, "authors", quotes)
    if len(paper.authors) > _AUTHORS_SHOWN and not any(q.field == "authors" for _, q in quotes):
        more = len(paper.authors) - _AUTHORS_SHOWN + 1
        authors = escape(", ".join(paper.authors[: _AUTHORS_SHOWN - 1])) + f" and {more} more"
    parts = [authors, *(_field(paper, name, quotes) for name in ("organisations", "year", "venue"))]
    known = "\u00a0· ".join(part for part in parts if part)
    return f'<p class="byline">{known}</p>' if known else ""


def _field(paper: Paper, name: str, quotes: Sequence[tuple[int, Quote]]) -> str:
    inside = [(index, q) for index, q in quotes if q.field == name and _stands(paper, q)]
    return highlighted(paper.field(name), inside)


def _stands(paper: Paper, quote: Quote) -> bool:
    return paper.field(quote.field)[quote.start : quote.end] == quote.text


def _links(paper: Paper | None, turn: int) -> str:
    address = None if paper is None else address_of(paper)
    out = _out(address) if address else ""
    return (
        f'<p class="links">{out}<a class="back" href="#answer" data-turn="{turn}">Back to the answer</a></p>'
    )


def _doings(paper: Paper, label: str) -> str:
    """What can be done with a paper: ask about it, compare it, ask it and other picked ones only."""
    name = escape(label)
    return (
        f'<div class="doings" role="group" aria-label="{name}">'
        f'<button type="button" data-do="about" data-label="{name}">Ask about this paper</button>'
        f'<button type="button" data-do="compare" data-label="{name}" aria-haspopup="true" '
        f'aria-expanded="false">Compare with…</button>'
        f'<label class="pick"><input type="checkbox" data-do="pick" data-paper="{escape(paper.id)}">'
        f"<span>Use only these</span></label></div>"
    )


def _out(address: str) -> str:
    return f'<a href="{escape(address)}" target="_blank" rel="noopener noreferrer">Open the paper</a>'


def _named(answer: Answer, papers: Mapping[str, Paper], turn: int) -> str:
    """The papers that are named only, each to be opened for its abstract."""
    if not answer.related:
        return ""
    items = "".join(
        f'<li id="related-{turn}-{place}">{_item(entry, papers.get(entry.paper_id))}</li>'
        for place, entry in enumerate(answer.related)
    )
    heading = "Nearest papers" if answer.status == "not_found" else "Related papers"
    return f'<div class="related"><h3>{heading}</h3><ul>{items}</ul></div>'


def _item(entry: Related, paper: Paper | None) -> str:
    label = f'<span class="label">{escape(entry.label)}</span>'
    if paper is None:
        return label
    title = paper.title if paper.title and paper.title != entry.label else ""
    said = f'<span class="title">{escape(title)}</span>' if title else ""
    address = address_of(paper)
    links = f'<p class="links">{_out(address)}</p>' if address else ""
    abstract = with_formulas(paper.abstract) if paper.abstract else "No abstract."
    body = f'{_byline(paper)}<p class="abstract">{abstract}</p>{links}{_doings(paper, entry.label)}'
    return f"<details><summary>{label}{said}</summary>{body}</details>"
