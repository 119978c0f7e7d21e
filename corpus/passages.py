"""What of a paper is embedded, and how a long text is cut into windows."""

from __future__ import annotations

from dataclasses import dataclass

from corpus.papers import Paper, text_key
from corpus.sentences import sentence_spans

WINDOW = 510
"""Word pieces a window holds: the model's 512 less its two special tokens."""

OVERLAP = 128
"""Word pieces that two neighbouring windows share at least."""


@dataclass(frozen=True)
class Passage:
    """A paper as the embedder reads it: the text, and in it the sentences of the abstract."""

    text: str
    spans: tuple[tuple[int, int], ...]
    shift: int

    @property
    def abstract_spans(self) -> tuple[tuple[int, int], ...]:
        """The same sentences as spans of the abstract."""
        return tuple((start - self.shift, end - self.shift) for start, end in self.spans)


def passage_of(paper: Paper) -> Passage:
    """The paper's title, if any, and its abstract as one text, with the abstract's sentences marked."""
    abstract = paper.abstract or ""
    title = (paper.title or "").strip()
    if title and abstract and text_key(abstract).startswith(text_key(title)):
        title = ""
    lead = f"{title}\n" if title and abstract else title
    shift = len(lead)
    spans = tuple((start + shift, end + shift) for start, end in sentence_spans(abstract))
    return Passage(lead + abstract, spans, shift)


def windows(count: int, *, size: int = WINDOW, overlap: int = OVERLAP) -> list[tuple[int, int]]:
    """Windows over `count` word pieces: at least one, evenly spread, each of at most `size` pieces.

    Two neighbours share at least `overlap` pieces, so that no sentence stands only at a window's edge.
    """
    if count <= size:
        return [(0, count)]
    number = -(-(count - overlap) // (size - overlap))
    step = (count - size) / (number - 1)
    return [(round(i * step), round(i * step) + size) for i in range(number)]
