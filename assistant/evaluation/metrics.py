"""Metrics of retrieval, answers, citations and refusals: pure functions over ids and texts."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from typing import TypeVar

_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212"), "-")
_MARKUP = str.maketrans({"*": None, "\\": None, "×": "x"})
_HIGHEST = 30
"""The highest grade that counts as such."""
MARKER = re.compile(r"\[(\d+)\]")
_WHOLE = re.compile(r"(?<![\w.])\d+(?:\.\d+)?")
_FIGURE = re.compile(r"(?<![\w.\[])\d+(?:\.\d+)?(?![\w\]])")


@lru_cache(maxsize=256)
def fold(text: str) -> str:
    """The text with everything folded that doesn't count when texts are compared.

    Case, white space, thousands commas, Markdown's stars, backslashes (`\\%` is %), the kinds of dash,
    and `2.4times`, `2.4 times`, `2.4\\times`, `2.4×` as 2.4x. Source: CONTRACT.md, "Test set".
    """
    text = text.lower().translate(_DASHES).translate(_MARKUP)
    text = re.sub(r"(?<=\d)\s*times\b", "x", text)
    text = re.sub(r"(?<=\d),(?=\d{3})", "", text)
    return re.sub(r"\s+", " ", text)


def markers(text: str) -> list[int]:
    """The numbers of the markers [n] in a text, in order, repeats included."""
    return [int(number) for number in MARKER.findall(text)]


def must_part(must: Sequence[Sequence[str]], text: str) -> float:
    """Entries of `must` of which the text holds a variant / entries. The whole `must` is found at 1.0.

    Both sides folded. Source: CONTRACT.md, "How answers are scored".
    """
    folded = fold(text)
    return sum(any(fold(variant) in folded for variant in entry) for entry in must) / len(must)


def found_in(variants: Sequence[str], text: str) -> list[str]:
    """Those of the variants that the text holds, both folded (`must_not`: none may be)."""
    folded = fold(text)
    return [variant for variant in variants if fold(variant) in folded]


def citation_precision(cited: Collection[str], gold: Collection[str], optional: Collection[str]) -> float:
    """|cited and (gold or optional)| / |cited|, papers; 0 when nothing is cited.

    Source: CONTRACT.md, after the precision of Gao et al. 2023 (ALCE), by paper in place of by passage.
    """
    papers = set(cited)
    return len(papers & {*gold, *optional}) / len(papers) if papers else 0.0


def citation_recall(cited: Collection[str], gold: Collection[str]) -> float:
    """|cited and gold| / |gold|, papers. Source: CONTRACT.md."""
    return len(set(cited) & set(gold)) / len(set(gold))


_Source = TypeVar("_Source")


def citation_support(
    cited: Sequence[_Source], supports: Callable[[Sequence[_Source]], bool]
) -> tuple[float, list[float]]:
    """Citation recall of one sentence (0 or 1), and citation precision of each source that it cites.

    Recall is 1 where the sources together support it, so 0 without any. A source is precise where that is so
    and it supports the sentence alone, or the others don't without it. Source: Gao et al. 2023 (ALCE).
    """
    if not cited or not supports(cited):
        return 0.0, [0.0] * len(cited)
    if len(cited) == 1:
        return 1.0, [1.0]
    precise = []
    for at, source in enumerate(cited):
        others = [*cited[:at], *cited[at + 1 :]]
        precise.append(float(supports([source]) or not supports(others)))
    return 1.0, precise


def refusal_f1(refused_rightly: float, answered_falsely: float, refused_falsely: float) -> float | None:
    """2 TP / (2 TP + FN + FP) of refusing, from counts; None where nothing was to be refused, or was.

    TP: unanswerable and refused; FN: unanswerable and answered; FP: answerable and refused.
    """
    total = 2 * refused_rightly + answered_falsely + refused_falsely
    return 2 * refused_rightly / total if total else None


def figures_exact(text: str, reference: str) -> list[bool]:
    """For each figure of the reference: is it one of the text's, digit by digit? Both sides folded."""
    ours = set(_whole_figures(text))
    return [figure in ours for figure in dict.fromkeys(_whole_figures(reference))]


def recall_at_k(ranking: Sequence[str], gold: Collection[str], k: int) -> float:
    """|gold among the first k| / |gold|. Source: Manning et al., Introduction to IR, ch. 8."""
    return len(set(ranking[:k]) & set(gold)) / len(set(gold))


def hit_at_k(ranking: Sequence[str], gold: Collection[str], k: int) -> float:
    """1 when any gold is among the first k, else 0."""
    return float(bool(set(ranking[:k]) & set(gold)))


def reciprocal_rank(ranking: Sequence[str], gold: Collection[str]) -> float:
    """1 / rank of the first gold, 0 when there is none; its mean is MRR. Source: Voorhees, TREC-8, 1999."""
    return next((1 / rank for rank, item in enumerate(ranking, 1) if item in gold), 0.0)


def average_precision(ranking: Sequence[str], gold: Collection[str]) -> float:
    """Sum over the ranks of gold of (gold up to there / rank) / |gold|; its mean is MAP.

    Gold that isn't ranked adds 0. Source: Manning et al., Introduction to IR, ch. 8.
    """
    found, total = 0, 0.0
    for rank, item in enumerate(ranking, 1):
        if item in gold:
            found += 1
            total += found / rank
    return total / len(set(gold))


def ndcg_at_k(ranking: Sequence[str], grades: Mapping[str, int], k: int = 10) -> float:
    """DCG / DCG of the best order, over the first k, DCG = sum of (2^grade - 1) / log2(rank + 1).

    Unjudged counts 0, as does a negative grade; 0 when nothing has a grade over 0.
    Source: Burges et al. 2005 (the gain), Järvelin and Kekäläinen 2002 (the measure).
    """
    best = _dcg(sorted(grades.values(), reverse=True)[:k])
    return _dcg([grades.get(item, 0) for item in ranking[:k]]) / best if best else 0.0


def _dcg(grades: Sequence[int]) -> float:
    gains = [2.0 ** min(max(grade, 0), _HIGHEST) - 1 for grade in grades]
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))


def figures(text: str) -> list[str]:
    """The figures of a text, folded: numbers that stand free (no part of a word, name or marker).

    Of a decimal with a unit behind it only the whole part counts ("2.4x" gives 2), as in `score.py`.
    """
    return _FIGURE.findall(MARKER.sub("", fold(text)))


def figures_found(sentence: str, source: str) -> list[bool]:
    """For each figure of the sentence: does the source hold its digits? Their mean is `figures_ok`.

    Both sides folded. Source: `score.py` of the contract.
    """
    folded = fold(source)
    return [figure in folded for figure in figures(sentence)]


def _whole_figures(text: str) -> list[str]:
    return [
        figure.rstrip("0").rstrip(".") if "." in figure else figure
        for figure in _WHOLE.findall(fold(MARKER.sub("", text)))
    ]


def percentile(values: Sequence[float], share: float) -> float:
    """The value at position floor(share * n), from 0, of the sorted values; `share` in [0, 1].

    No interpolation, so that it is a value that was measured. Raises ValueError without values.
    """
    if not values:
        raise ValueError("a percentile of no values")
    return sorted(values)[min(int(share * len(values)), len(values) - 1)]


def mean(values: Sequence[float]) -> float | None:
    """Sum / number, None without values."""
    return sum(values) / len(values) if values else None
