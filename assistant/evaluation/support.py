"""Does what a sentence cites bear it out: the check of `assistant.verify` as the judge of ALCE's metrics."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from assistant.answer import Answer
from assistant.evaluation.metrics import citation_support, figures_found, fold
from assistant.markers import read_paragraphs
from assistant.verify import is_verbatim, says_nothing
from assistant.words import content_words, holds

if TYPE_CHECKING:
    from assistant.verify import Verifier
    from corpus.papers import Paper

_FIELDS = ("title", "label", "year", "venue", "authors", "organisations", "keywords")
# What is said of the collection or of an abstract as such has no words of a paper to stand on.
_OF_THE_COLLECTION = re.compile(r"\b(?:in|of|from) this collection\b|\babstracts?\b", re.I)
# Words in which rules say what they have found in quotes: "Only PIT speaks of tiles", "Largest: 5.9x, PIT."
_SAYING = frozenset(
    "speak speaks largest smallest highest lowest longest shortest fastest slowest earliest latest".split()
)
_SHORT = 12
"""Characters of the longest text that is a figure or a name, not a sentence."""
_GOOD = ("verbatim", "supported")


class CheckedSupport:
    """Judges sentences by the check; what stands in the paper word for word needs no check."""

    def __init__(self, verifier: Verifier) -> None:
        self._verifier = verifier

    def of(self, answer: Answer, papers: Mapping[str, Paper]) -> Sequence[tuple[float, Sequence[float]]]:
        """Of each sentence that needs a source: citation recall, and the precision of each source.

        A sentence without a marker counts 0, unless it says nothing or speaks of the collection.
        """
        cited = {citation.marker: papers.get(citation.paper_id) for citation in answer.citations}
        found = []
        for text, marks, quoted in _sentences(answer):
            if not marks and (says_nothing(text) or _OF_THE_COLLECTION.search(text)):
                continue
            sources = [paper for mark in dict.fromkeys(marks) if (paper := cited.get(mark))]
            made = quoted and answer.model is None and _is_made_of(text, quoted)
            bear_out = _everything if made else partial(self._bear_out, text)
            found.append(citation_support(sources, bear_out))
        return found

    def _bear_out(self, text: str, papers: Sequence[Paper]) -> bool:
        if any(_holds(paper, text) for paper in papers):
            return True
        return bool(papers) and self._verifier.check(text, papers).support in _GOOD


def _everything(papers: Sequence[Paper]) -> bool:
    return True


def _is_made_of(text: str, quoted: str) -> bool:
    """True for a sentence of a rule: each figure and word of topic stands in its own quotes or labels."""
    return all(figures_found(text, quoted)) and all(
        holds(quoted, word) for word in content_words(text) if word not in _SAYING
    )


def _sentences(answer: Answer) -> list[tuple[str, tuple[int, ...], str]]:
    """The sentences of an answer, their markers, and what a sentence of a rule quotes ("" for others).

    They are read out of the text where the answer doesn't list them.
    """
    if not answer.sentences:
        read = [sentence for paragraph in read_paragraphs(answer.text) for sentence in paragraph.sentences]
        return [(sentence.text, sentence.markers, "") for sentence in read]
    cited = {citation.marker: citation for citation in answer.citations}
    found = []
    for one in answer.sentences:
        marks = [mark for mark in one.citations if mark.marker in cited]
        quoted = [cited[mark.marker].label for mark in marks]
        quoted += [quote.text for mark in marks for quote in cited[mark.marker].quotes]
        found.append(
            (
                one.text,
                tuple(mark.marker for mark in one.citations),
                " ".join(quoted) if one.support == "supported" else "",
            )
        )
    return found


def _holds(paper: Paper, text: str) -> bool:
    """True where the abstract has the very words, or a field is the text, a heading before it or not."""
    abstract = paper.abstract or ""
    if is_verbatim(text, abstract):
        return True
    alone = fold(text.partition(": ")[2] or text).strip(" .")
    if len(alone) <= _SHORT:
        return bool(re.search(rf"(?<![\w.]){re.escape(alone)}(?!\w|\.\d)", fold(abstract)))
    return any(alone == fold(paper.field(name)).strip(" .") for name in _FIELDS)
