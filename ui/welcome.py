"""What the empty chat shows: the collection's name and size, and questions that it can answer."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from corpus.layout import BUILT_IN
from corpus.papers import Paper

EXAMPLES_SHOWN = 4

_BUILT_IN_EXAMPLES = (
    "What speedup does PIT reach over state-of-the-art compilers?",
    "How does FlashAttention-2 raise GPU utilization?",
    "Which paper prunes GPT models in one shot, without retraining?",
    "What MFU does MegaScale reach when training a 175B model?",
)
_PATTERNS = (
    "What does {} do?",
    "How does {} work?",
    "What results does {} report?",
    "What problem does {} solve?",
)


def header_html(name: str, size: int) -> str:
    """The page's head line: the product's name, the collection's and its size."""
    papers = "1 paper" if size == 1 else f"{size:,} papers"
    return (
        '<div class="brand"><h1>Abstracts Assistant</h1>'
        f'<p class="collection"><strong>{escape(name)}</strong><span class="size">{papers}</span></p></div>'
    )


def welcome_html(name: str, size: int) -> str:
    """The words over the example questions."""
    if size == 0:
        return (
            f"<h2>The collection “{escape(name)}” is empty</h2><p>Put papers into it with "
            "<code>assistant ingest FILES</code>; they can be asked about at once.</p>"
        )
    lead = "<h2>Ask the abstracts</h2><p>Every statement comes with the very sentence that it stands on.</p>"
    if name != BUILT_IN:
        return lead
    return lead + (
        '<p class="own">This is the built-in collection, shown while yours is empty. Add your own papers '
        "with <code>assistant ingest FILES</code>.</p>"
    )


def example_questions(name: str, papers: Sequence[Paper]) -> tuple[str, ...]:
    """Up to four questions that this collection can answer; () if nothing in it has a short name."""
    if name == BUILT_IN:
        return _BUILT_IN_EXAMPLES
    named = [
        p.label for p in papers if p.label != p.title and len(p.label.split()) <= 3 and len(p.label) <= 30
    ]
    labels = list(dict.fromkeys(named))[:EXAMPLES_SHOWN]
    return tuple(pattern.format(label) for pattern, label in zip(_PATTERNS, labels, strict=False))


def empty_sources_html() -> str:
    """The source panel before the first answer."""
    return (
        '<div class="no-sources"><h2>Sources</h2><p>The papers behind an answer appear here, with the quoted '
        "sentences marked. Follow a marker such as "
        '<span class="marker"><span class="bracket">[</span>1<span class="bracket">]</span></span> '
        "to see what a statement stands on.</p></div>"
    )
