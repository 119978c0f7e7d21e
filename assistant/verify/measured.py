"""Figures that stand in a source, but for another measure or against another rival than the claim says."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from assistant.figures import Figure, figures_of
from assistant.verify.figures import same_value
from assistant.words import content_words, stem

# Words of measures that tell none apart.
_GENERAL = frozenset(
    stem(word)
    for word in "reduction increase improvement gain size higher lower ratio rate time overall average score"
    " performance model training inference cost number".split()
)


def misplaced(claim: str, source: str) -> list[str]:
    """What is wrong with the claim's figures, in words: "1.8x is of 'cost efficiency' there".

    A figure is misplaced where the source has its value only for other things, and what the claim says it is
    of (or against) with another value of the same unit.
    """
    theirs = _figures(source)
    found = []
    for figure in _figures(claim):
        same = [one for one in theirs if same_value(one.value, figure.value)]
        others = [one for one in theirs if one not in same and one.unit == figure.unit]
        shown = claim[figure.start : figure.end].strip()
        if same and _elsewhere(
            figure.measure, [one.measure for one in same], [one.measure for one in others]
        ):
            found.append(f"{shown} is of {same[0].measure!r} there, not of {figure.measure!r}")
        elif same and _elsewhere(
            figure.against, [one.against for one in same], [one.against for one in others]
        ):
            found.append(f"{shown} is against {same[0].against!r} there, not against {figure.against!r}")
    return found


@lru_cache(maxsize=4_096)
def _figures(text: str) -> tuple[Figure, ...]:
    return tuple(figures_of(text))


def _elsewhere(mine: str | None, same: Sequence[str | None], others: Sequence[str | None]) -> bool:
    """True where all that has the value is of something else, and another value of what the claim says."""
    own = _stems(mine)
    if not own or any(not _stems(one) or _stems(one) & own for one in same):
        return False
    return any(_stems(one) & own for one in others)


def _stems(text: str | None) -> frozenset[str]:
    return frozenset(stem(word) for word in content_words(text or "")) - _GENERAL
