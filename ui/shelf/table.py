"""A page of papers as an HTML string."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from corpus.listing import PAGE, Page
from corpus.papers import Paper
from ui.shelf.bar import papers_in_words

_AUTHORS = 3
_WORDS = 4
_COLUMNS = ("Authors", "Year", "Venue", "Keywords", "File")


def table_html(page: Page, *, query: str = "", near: bool = False, narrowed: bool = False) -> str:
    """The table with its count and its pages; `near` says that no paper holds all words of the query."""
    if page.total == 0:
        return '<p class="nothing" role="status">No paper matches.</p>' if query or narrowed else _empty()
    cells = [_cells(paper) for paper in page.papers]
    shown = [name for name in _COLUMNS if any(one[name] for one in cells)]
    rows = "".join(_row(paper, one, shown) for paper, one in zip(page.papers, cells, strict=True))
    heads = "".join(f'<th scope="col" data-name="{name}">{name}</th>' for name in ("Paper", *shown))
    return (
        f'{_told(page, query, near)}<div class="shelf-table" role="region" aria-label="Papers" tabindex="0">'
        f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>{_pages(page)}"
    )


def shortened(text: str, most: int) -> str:
    """The text, cut where it is longer than `most` characters."""
    return text if len(text) <= most else text[: most - 1] + "…"


def _told(page: Page, query: str, near: bool) -> str:
    if near:
        said = f"No paper holds all of these words. The {page.total} nearest in meaning:"
    else:
        said = papers_in_words(page.total) + (f" for “{escape(query)}”" if query else "")
    first = (page.number - 1) * PAGE + 1
    part = f" · {first:,}–{first + len(page.papers) - 1:,}" if page.pages > 1 else ""
    return f'<p class="told" role="status">{said}{part}</p>'


def _cells(paper: Paper) -> dict[str, str]:
    """The row's cells by column, "" for what isn't known."""
    authors = ", ".join(paper.authors[:_AUTHORS]) + (" et al." if len(paper.authors) > _AUTHORS else "")
    files = list(dict.fromkeys(source.file for source in paper.sources))
    more = f" +{len(files) - 1}" if len(files) > 1 else ""
    return {
        "Authors": shortened(authors, 160),
        "Year": str(paper.year or ""),
        "Venue": shortened(paper.venue or "", 80),
        "Keywords": shortened(", ".join(paper.keywords[:_WORDS]), 120),
        "File": shortened(files[0], 60) + more if files else "",
    }


def _row(paper: Paper, cells: dict[str, str], shown: Sequence[str]) -> str:
    """A row; columns that are empty on the whole page aren't shown."""
    title = "" if paper.title in (None, paper.label) else paper.title or ""
    said = f'<span class="title">{escape(shortened(title, 220))}</span>' if title else ""
    rest = "".join(f'<td data-name="{name}">{escape(cells[name])}</td>' for name in shown)
    return (
        f'<tr data-paper="{escape(paper.id)}"><th scope="row"><button type="button" class="open" '
        f'data-paper="{escape(paper.id)}">{escape(shortened(paper.label, 120))}</button>'
        f"{said}</th>{rest}</tr>"
    )


def _pages(page: Page) -> str:
    if page.pages == 1:
        return ""
    steps = (
        ("First", 1, "" if page.number > 1 else " disabled"),
        ("Previous", page.number - 1, "" if page.number > 1 else " disabled"),
        ("Next", page.number + 1, "" if page.number < page.pages else " disabled"),
        ("Last", page.pages, "" if page.number < page.pages else " disabled"),
    )
    buttons = [
        f'<button type="button" class="quiet" data-page="{number}"{off}>{name}</button>'
        for name, number, off in steps
    ]
    where = f"<span>Page {page.number:,} of {page.pages:,}</span>"
    return f'<nav class="pages" aria-label="Pages">{"".join(buttons[:2])}{where}{"".join(buttons[2:])}</nav>'


def _empty() -> str:
    return (
        '<div class="nothing"><h2>No papers yet</h2><p>Drop files above: BibTeX, RIS, CSV, PubMed, JSON '
        "Lines, plain pages of abstracts, or a .zip of them. They can be asked about at once.</p></div>"
    )
