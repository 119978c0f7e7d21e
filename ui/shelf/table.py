"""A page of papers as an HTML string."""

from __future__ import annotations

from html import escape

from corpus.listing import PAGE, Page
from corpus.papers import Paper
from ui.shelf.bar import papers_in_words

_AUTHORS = 3
_WORDS = 5


def table_html(page: Page, *, query: str = "", near: bool = False, narrowed: bool = False) -> str:
    """The table with its count and its pages; `near` says that no paper holds all words of the query."""
    if page.total == 0:
        return '<p class="nothing" role="status">No paper matches.</p>' if query or narrowed else _empty()
    rows = "".join(_row(paper) for paper in page.papers)
    return (
        f'{_told(page, query, near)}<div class="shelf-table"><table><thead><tr><th scope="col">Paper</th>'
        '<th scope="col">Authors</th><th scope="col">Year</th><th scope="col">Venue</th>'
        '<th scope="col">Keywords</th><th scope="col">File</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div>{_pages(page)}"
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


def _row(paper: Paper) -> str:
    title = "" if paper.title in (None, paper.label) else paper.title or ""
    said = f'<span class="title">{escape(shortened(title, 220))}</span>' if title else ""
    authors = ", ".join(paper.authors[:_AUTHORS]) + (" et al." if len(paper.authors) > _AUTHORS else "")
    files = list(dict.fromkeys(source.file for source in paper.sources))
    more = f" +{len(files) - 1}" if len(files) > 1 else ""
    cells = (
        ("Authors", shortened(authors, 160)),
        ("Year", str(paper.year or "")),
        ("Venue", shortened(paper.venue or "", 80)),
        ("Keywords", shortened(", ".join(paper.keywords[:_WORDS]), 160)),
        ("File", shortened(files[0], 60) + more if files else ""),
    )
    rest = "".join(f'<td data-name="{name}">{escape(text)}</td>' for name, text in cells)
    return (
        f'<tr data-paper="{escape(paper.id)}"><th scope="row"><button type="button" class="open" '
        f'data-paper="{escape(paper.id)}">{escape(shortened(paper.label, 120))}</button>{said}</th>{rest}</tr>'
    )


def _pages(page: Page) -> str:
    if page.pages == 1:
        return ""
    steps = (
        ("First", 1, page.number > 1),
        ("Previous", page.number - 1, page.number > 1),
        ("Next", page.number + 1, page.number < page.pages),
        ("Last", page.pages, page.number < page.pages),
    )
    buttons = [
        f'<button type="button" class="quiet" data-page="{number}"{"" if can else " disabled"}>{name}</button>'
        for name, number, can in steps
    ]
    where = f"<span>Page {page.number:,} of {page.pages:,}</span>"
    return f'<nav class="pages" aria-label="Pages">{"".join(buttons[:2])}{where}{"".join(buttons[2:])}</nav>'


def _empty() -> str:
    return (
        '<div class="nothing"><h2>No papers yet</h2><p>Drop files above: BibTeX, RIS, CSV, PubMed, JSON Lines, '
        "plain pages of abstracts, or a .zip of them. They can be asked about at once.</p></div>"
    )
