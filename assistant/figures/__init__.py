"""Figures read out of sentences: value, unit, qualifier, what is measured and against what."""

from __future__ import annotations

from dataclasses import replace

from assistant.figures.drafts import drafts_of, groups_of
from assistant.figures.figure import Figure as Figure
from assistant.figures.figure import base_of
from assistant.figures.reading import read
from assistant.figures.sharing import shared

# What a number without a unit may be: of anything else it is a setting, an index, a part of a name.
_SCORES = frozenset(
    "accuracy mIoU mAP AP F1 BLEU ROUGE PSNR SSIM FID AUC nDCG recall precision error perplexity score "
    "quality "
    "MFU utilization performance speedup compression correlation".split()
) | {"scaling efficiency", "win rate", "success rate", "acceptance rate", "hit rate", "batch size"}


_LONGEST = 2_000
"""Characters that are read at once: each figure looks at the words on both its sides."""


def figures_of(text: str) -> list[Figure]:
    """The figures of a sentence in order, each with what the sentence says about it.

    A text that is far longer than a sentence is read in pieces, for its figures would cost quadratic time.
    """
    if len(text) <= _LONGEST:
        return _figures_of(text)
    found, place = [], 0
    while place < len(text):
        space = text.rfind(" ", place + 1, place + _LONGEST) if len(text) - place > _LONGEST else -1
        end = space if space > 0 else place + _LONGEST
        piece = _figures_of(text[place:end])
        found += [replace(one, start=one.start + place, end=one.end + place) for one in piece]
        place = end
    return found


def _figures_of(text: str) -> list[Figure]:
    drafts = drafts_of(text)
    figures = [figure for group in groups_of(text, drafts) for figure in read(text, drafts, group)]
    return [_finished(one) for one in shared(text, figures) if one.unit or base_of(one.measure) in _SCORES]


def _finished(figure: Figure) -> Figure:
    """The figure with orders of magnitude as factors, and points as the unit of a score's change."""
    if figure.unit == "orders":
        value, high = (10.0 ** min(one or 0.0, 300.0) for one in (figure.value, figure.high))
        return replace(figure, value=value, high=high if figure.high is not None else None, unit="x")
    changed = figure.measure and base_of(figure.measure) != figure.measure
    return replace(figure, unit="points") if not figure.unit and changed else figure
