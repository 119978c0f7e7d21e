"""What is measured of a claim against a source: a row for each word of the claim, and one for the whole."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from assistant.verify.figures import Fit, Number, fit_numbers, numbers_of, same_value
from assistant.verify.names import missing_names, names_of
from assistant.verify.polarity import Term, flags_of, is_direction, is_negator, signs_of, terms_of
from assistant.words import FUNCTION_WORDS, stem
from corpus.sentences import sentence_spans

Vectors = NDArray[np.float32]

_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][a-z]+)?|[%×<>~≈±=]")
_QUALIFIERS = frozenset(
    "up to at least most more than less over under about around nearly almost average averages peak only exactly"
    " roughly approximately some best".split()
)
_SHARPNESS = 12.0
_FAULTS = ("missing", "unit", "clash", "qualifier", "worded")
_SCALARS = (
    "near next same_near held held_best held_pair rarity number name negator direction qualifier function"
    " context same_context in_best at_best jump nearest best_mean pair_mean place length agree alike denial".split()
)
COLUMN = {name: place for place, name in enumerate(_SCALARS)}
"""Where in a word's row what stands."""
SENSES = slice(COLUMN["agree"], len(_SCALARS))
FAULTS = slice(len(_SCALARS), len(_SCALARS) + len(_FAULTS) + 1)
FIT = slice(FAULTS.stop, FAULTS.stop + 4)
FLAGS = slice(FIT.stop, FIT.stop + 2)


class EmbedsWords(Protocol):
    """What makes the vectors of words."""

    def embed_words(self, text: str, spans: Sequence[tuple[int, int]]) -> Vectors: ...


@dataclass(frozen=True)
class Text:
    """A text with its words: where they stand, their stems, their vectors in context (a row each, unit length)."""

    text: str
    spans: tuple[tuple[int, int], ...]
    words: tuple[str, ...]
    stems: tuple[str, ...]
    vectors: Vectors

    @cached_property
    def mean(self) -> Vectors:
        """The text's vector: the mean of its words', of unit length."""
        return _unit(self.vectors.mean(axis=0))

    def at(self, place: int) -> int | None:
        """The index of the word at a place of the text."""
        return next((i for i, (start, end) in enumerate(self.spans) if start <= place < end), None)


@dataclass(frozen=True)
class Source(Text):
    """An abstract: which sentence each word is in, and the sentences' vectors."""

    sentences: tuple[tuple[int, int], ...] = ()
    of: NDArray[np.int64] = None  # type: ignore[assignment]
    sentence_vectors: Vectors = None  # type: ignore[assignment]
    record: str = ""


def read_text(text: str, embedder: EmbedsWords) -> Text:
    """The text with the vectors of its words."""
    spans = tuple((found.start(), found.end()) for found in _WORD.finditer(text))
    words = tuple(text[start:end] for start, end in spans)
    return Text(
        text, spans, words, tuple(stem(word.lower()) for word in words), embedder.embed_words(text, spans)
    )


def read_source(abstract: str, record: str, embedder: EmbedsWords) -> Source:
    """An abstract, ready for claims; `record` is what else the paper's record says, for its names."""
    one = read_text(abstract, embedder)
    sentences = tuple(sentence_spans(abstract))
    starts = [start for start, _ in sentences]
    of = np.maximum(np.searchsorted(starts, [start for start, _ in one.spans], side="right") - 1, 0)
    means = [
        one.vectors[of == i].mean(axis=0) if (of == i).any() else one.mean for i in range(len(sentences))
    ]
    return Source(
        one.text, one.spans, one.words, one.stems, one.vectors, sentences, of, _unit(np.stack(means)), record
    )


@dataclass(frozen=True)
class Compared:
    """A claim against a source: `words` has a row for each word of the claim, `whole` is one row.

    `fits` are its figures, `strangers` the names that the source hasn't, `denied` and `turned` the words that the
    source denies or turns. `best` and `second` are the sentences that cover it best, `gain` what the second adds,
    `covered` how much both cover.
    """

    words: Vectors
    whole: Vectors
    fits: tuple[Fit, ...]
    strangers: tuple[str, ...]
    denied: tuple[str, ...]
    turned: tuple[str, ...]
    best: int
    second: int
    gain: float
    covered: float


def compare(claim: Text, source: Source, rarity: Mapping[str, float], reduce: Vectors) -> Compared:
    """The claim's rows; `rarity` by stem is 0 to 1, `reduce` projects vectors for the words' rows."""
    likeness = claim.vectors @ source.vectors.T
    near = source.sentence_vectors @ claim.mean
    by_sentence = np.stack([likeness[:, source.of == i].max(axis=1, initial=0.0) for i in range(len(near))])
    best = int(by_sentence.mean(axis=1).argmax())
    paired = np.maximum(by_sentence, by_sentence[best]).mean(axis=1)
    second = int(paired.argmax())
    pair = np.maximum(by_sentence[best], by_sentence[second])
    fits = tuple(fit_numbers(claim.text, source.text))
    strangers = tuple(missing_names(claim.text, f"{source.record} {source.text}"))
    flags = flags_of(claim.text, source.text)
    context = _context(likeness)
    marks = _marks(claim, source, fits, strangers, flags, context)
    rows = _rows(claim, source, likeness, context, near, by_sentence, (best, second), rarity, marks, reduce)
    whole = np.array(
        [
            *(sum(fit.fault == fault for fit in fits) for fault in _FAULTS), len(strangers), near.max(), near[best],
            by_sentence[best].mean(), pair.mean(), likeness.max(axis=1).mean(), _lowest(pair, 4), _lowest(pair, 7),
            _lowest(likeness.max(axis=1), 4), len(claim.words) / 40,
        ],
        dtype=np.float32,
    )  # fmt: skip
    shown = [(claim.words[i], flag) for i, flag in marks.flags]
    return Compared(
        rows, whole, fits, strangers,
        tuple(word for word, flag in shown if flag[0]), tuple(word for word, flag in shown if flag[1]),
        best, second, float(pair.mean() - by_sentence[best].mean()), float(pair.mean()),
    )  # fmt: skip


@dataclass(frozen=True)
class _Marks:
    """By word of the claim: faults of its figure, what its context and its rivals' contexts are like, flags."""

    faults: NDArray[np.float32]
    fit: NDArray[np.float32]
    flags: Sequence[tuple[int, tuple[float, float]]]


def _context(likeness: Vectors) -> Vectors:
    """For each pair of words how like their neighbours are: three on each side, within four of the source's."""
    padded = np.pad(likeness, ((3, 3), (4, 4)), constant_values=0.0)
    pooled = sliding_window_view(padded, 9, axis=1).max(axis=2)
    count = sliding_window_view(np.pad(np.ones(len(likeness)), 3), 7).sum(axis=1) - 1
    total = sliding_window_view(pooled, 7, axis=0).sum(axis=2) - pooled[3:-3]
    return np.asarray(total / np.maximum(count, 1)[:, None], dtype=np.float32)


def _marks(
    claim: Text,
    source: Source,
    fits: Sequence[Fit],
    strangers: Sequence[str],
    flags: Mapping[int, tuple[float, float]],
    context: Vectors,
) -> _Marks:
    count = len(claim.words)
    faults = np.zeros((count, len(_FAULTS) + 1), dtype=np.float32)
    fit = np.zeros((count, 4), dtype=np.float32)
    numbers = [(one, at) for one in numbers_of(source.text) if (at := source.at(one.end - 1)) is not None]
    for one in fits:
        at = claim.at(one.number.end - 1)
        if at is None:
            continue
        if one.fault:
            faults[max(at - 3, 0) : at + 3, _FAULTS.index(one.fault)] = 0.5
            faults[at, _FAULTS.index(one.fault)] = 1.0
        fit[at, :2] = _number_context(one.number, numbers, context[at])
    places = {name: _places(name, source) for name in names_of(source.text)}
    for name in names_of(claim.text):
        for at in _places(name, claim)[:1]:
            faults[at, -1] = float(name in strangers)
            fit[at, 2:] = _name_context(name, places, context[at])
    return _Marks(
        faults, fit, [(i, flags[start]) for i, (start, _) in enumerate(claim.spans) if start in flags]
    )


def _number_context(
    number: Number, numbers: Sequence[tuple[Number, int]], context: Vectors
) -> tuple[float, float]:
    """How like the context of the same number is, and by how much more than those of others of the unit."""
    own = [float(context[at]) for one, at in numbers if same_value(one.value, number.value)]
    if not own:
        return 0.0, 0.0
    others = [
        float(context[at])
        for one, at in numbers
        if not same_value(one.value, number.value)
        and (one.unit == number.unit or not one.unit or not number.unit)
    ]
    return max(own), max(own) - max(others, default=0.3)


def _name_context(name: str, places: Mapping[str, Sequence[int]], context: Vectors) -> tuple[float, float]:
    mine = name.lower().rstrip("s")
    own = [
        float(context[at])
        for other, found in places.items()
        if other.lower().rstrip("s") == mine
        for at in found
    ]
    if not own:
        return 0.0, 0.0
    others = [
        float(context[at])
        for other, found in places.items()
        if other.lower().rstrip("s") != mine
        for at in found
    ]
    return max(own), max(own) - max(others, default=0.3)


def _places(name: str, text: Text) -> list[int]:
    first = re.findall(r"[^\W\d_]+|\d+", name)[:1]
    return [
        i
        for i, word in enumerate(text.words)
        if first and word.lower().rstrip("s") == first[0].lower().rstrip("s")
    ]


def _rows(
    claim: Text,
    source: Source,
    likeness: Vectors,
    context: Vectors,
    near: Vectors,
    by_sentence: Vectors,
    pair: tuple[int, int],
    rarity: Mapping[str, float],
    marks: _Marks,
    reduce: Vectors,
) -> Vectors:
    count = len(claim.words)
    best_word = likeness.argmax(axis=1)
    ranked = np.sort(likeness, axis=1)
    weights = np.exp(_SHARPNESS * (likeness - ranked[:, -1:]))
    aligned = _unit((weights / weights.sum(axis=1, keepdims=True)) @ source.vectors)
    same = np.array([[one == other for other in source.stems] for one in claim.stems], dtype=bool)
    in_best, in_second = (source.of == one for one in pair)
    flags = np.zeros((count, 2), dtype=np.float32)
    for i, flag in marks.flags:
        flags[i] = flag
    lower = [word.lower() for word in claim.words]
    kinds = [
        [word[0].isdigit() for word in lower],
        [bool(re.search("[A-Z]", w[1:])) or (w[0].isupper() and i > 0) for i, w in enumerate(claim.words)],
        [is_negator(word) for word in lower],
        [is_direction(one) for one in claim.stems],
        [word in _QUALIFIERS for word in lower],
        [word in FUNCTION_WORDS for word in lower],
    ]
    columns = [
        ranked[:, -1], ranked[:, -2] if ranked.shape[1] > 1 else ranked[:, -1],
        np.where(same, likeness, 0).max(axis=1), same.any(axis=1), (same & in_best).any(axis=1),
        (same & (in_best | in_second)).any(axis=1), [rarity[one] for one in claim.stems], *kinds,
        context[np.arange(count), best_word], np.where(same, context, 0).max(axis=1), by_sentence[pair[0]],
        source.of[best_word] == pair[0], np.abs(np.diff(best_word, prepend=best_word[:1])).clip(0, 20) / 20,
        np.full(count, near.max()), np.full(count, by_sentence[pair[0]].mean()),
        np.full(count, np.maximum(by_sentence[pair[0]], by_sentence[pair[1]]).mean()),
        np.arange(count) / count, np.full(count, count / 40),
    ]  # fmt: skip
    columns += _senses(claim, source, likeness, context)
    scalars = np.stack([np.asarray(column, dtype=np.float32) for column in columns], axis=1)
    mine, other = claim.vectors @ reduce, aligned @ reduce
    parts = (scalars, marks.faults, marks.fit, flags, mine, other, mine * other, np.abs(mine - other))
    return np.concatenate(parts, axis=1, dtype=np.float32)


def _senses(claim: Text, source: Source, likeness: Vectors, context: Vectors) -> list[Vectors]:
    """How the words' way and denial agree with what stands in the source where the context is most alike.

    For a word of direction: its sign times the mean sign of the source's words of that axis, weighed by
    context, and how alike the best of those contexts is. For every word: whether it is denied less whether what
    it is most like is.
    """
    mine, theirs = (_by_word(one) for one in (claim, source))
    agree, alike, denial = (np.zeros(len(claim.words), dtype=np.float32) for _ in range(3))
    weights = np.exp(15 * (likeness + context - (likeness + context).max(axis=1, keepdims=True)))
    denied = np.array([bool(term and term.denied) for term in theirs], dtype=np.float32)
    signs = [dict(signs_of(term.stem)) if term else {} for term in theirs]
    for k, term in enumerate(mine):
        if term is None:
            continue
        denial[k] = float(term.denied) - float(weights[k] @ denied / weights[k].sum())
        for axis, sign in signs_of(term.stem):
            at = [j for j, one in enumerate(signs) if axis in one]
            if not at:
                continue
            near = np.exp(25 * (context[k, at] - context[k, at].max()))
            way = [signs[j][axis] * (-1 if denied[j] else 1) for j in at]
            value = (-sign if term.denied else sign) * float(near @ np.array(way) / near.sum())
            if alike[k] == 0 or value < agree[k]:
                agree[k], alike[k] = value, context[k, at].max()
    return [agree, alike, denial]


def _by_word(text: Text) -> list[Term | None]:
    terms = {term.start: term for term in terms_of(text.text)}
    return [terms.get(start) for start, _ in text.spans]


def _lowest(values: Vectors, size: int) -> float:
    """The lowest mean over a run of so many words."""
    size = min(size, len(values))
    return float(sliding_window_view(values, size).mean(axis=1).min())


def _unit(vectors: Vectors) -> Vectors:
    return np.asarray(
        vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-9), dtype=np.float32
    )
