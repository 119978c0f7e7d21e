"""Does the cited abstract support the sentence: figures, names, direction, denial, meaning."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

import numpy as np

from assistant.answer import Quote, Support
from assistant.verify.features import Compared, EmbedsWords, Source, Text, compare, read_source, read_text
from assistant.verify.measured import misplaced
from assistant.verify.model import learned
from assistant.verify.pooling import pooled
from assistant.words import ASKING_WORDS, content_words
from corpus.papers import text_key

if TYPE_CHECKING:
    from assistant.verify.figures import Fit
    from assistant.verify.model import Vectors
    from corpus.collection import Sentence
    from corpus.hits import Hit
    from corpus.papers import Paper

SUPPORTED = 0.5
"""The score from which a sentence without a fault is supported, PARTLY from which it is so in part; chosen on
the half of the set that the check was made with, see docs/verify.md."""
PARTLY = 0.25
_COVERED, _NEAR = 0.38, 0.2
"""How much of a sentence two of the source's have to cover, and how near one has to be, at least."""
_FULL = 0.05
"""How much a second sentence has to add to what the first covers to be quoted beside it."""
_CACHED = 512
_RIVALS = 8
_USUAL = 400
"""Papers of a collection whose counts say how rare a word is; smaller ones are taken for this large."""


class Library(Protocol):
    """What checking asks of a collection."""

    @property
    def size(self) -> int: ...
    def doc_freq(self, terms: Sequence[str]) -> dict[str, int]: ...
    def nearest(self, vector: Vectors, top_k: int) -> list[Hit]: ...
    def sentences(self, ids: Sequence[str]) -> dict[str, list[Sentence]]: ...


@dataclass(frozen=True)
class Ground:
    """Words of a paper that a sentence stands on."""

    paper_id: str
    quote: Quote


@dataclass(frozen=True)
class Verdict:
    """What a check found of a sentence: how far it is supported (`score` 0 to 1), why not, by which words."""

    text: str
    support: Support
    score: float
    reasons: tuple[str, ...] = ()
    quotes: tuple[Ground, ...] = ()


@dataclass(frozen=True)
class _Finding:
    support: Support
    score: float
    reasons: tuple[str, ...]
    quotes: tuple[Quote, ...]

    @property
    def rank(self) -> tuple[int, float]:
        return ("unsupported", "partly", "supported", "verbatim").index(self.support), self.score


class Verifier:
    """Checks sentences against abstracts of one collection; safe to share between threads."""

    def __init__(self, library: Library, embedder: EmbedsWords) -> None:
        self._library = library
        self._embedder = embedder
        self._source = lru_cache(maxsize=_CACHED)(self._read)

    def check(self, text: str, cited: Sequence[Paper], *, others: Sequence[Paper] = ()) -> Verdict:
        """The verdict on one sentence that cites these papers; where it cites none, that on the best of `others`.

        A sentence that says nothing ("In summary:") has the text "". Of several papers that are cited those
        that don't bear it out alone are left out where one does; where none does, all together are tried.
        """
        if says_nothing(text):
            return Verdict("", "supported", 1.0)
        papers = [paper for paper in (cited or others) if paper.abstract]
        if not papers:
            reason = "its source has no abstract" if cited else "no source is cited"
            return Verdict(text, "unsupported", 0.0, (reason,))
        claim = read_text(text, self._embedder)
        if not claim.words:
            return Verdict(text, "unsupported", 0.0, ("nothing in it can be checked",))
        found = {paper.id: self._judge(claim, paper) for paper in papers}
        best = max(papers, key=lambda paper: found[paper.id].rank)
        if not cited:
            return _unmarked(text, best, found[best.id])
        if found[best.id].support in ("supported", "verbatim"):
            kept = [paper for paper in papers if found[paper.id].support in ("supported", "verbatim")]
            return _verdict(text, found[best.id], {paper.id: found[paper.id].quotes for paper in kept})
        if len(papers) > 1:
            together = self._together(claim, papers)
            if together.rank > found[best.id].rank:
                return _verdict(text, together, {paper.id: found[paper.id].quotes[:1] for paper in papers})
        return _verdict(text, found[best.id], {best.id: found[best.id].quotes})

    def _judge(self, claim: Text, paper: Paper) -> _Finding:
        source = self._source(
            paper.abstract or "", f"{paper.label}. {paper.title or ''}. {' '.join(paper.authors)}"
        )
        return self._finding(claim, source, self._rival(claim, (paper.id,)))

    def _together(self, claim: Text, papers: Sequence[Paper]) -> _Finding:
        """What all the papers say taken as one text."""
        text = "\n".join(paper.abstract or "" for paper in papers)
        record = " ".join(f"{paper.label}. {paper.title or ''}" for paper in papers)
        return self._finding(
            claim, self._source(text, record), self._rival(claim, tuple(paper.id for paper in papers))
        )

    def _finding(self, claim: Text, source: Source, rival: float) -> _Finding:
        model = learned()
        seen = compare(claim, source, self._rarities(claim), model.reduce)
        own = float((source.sentence_vectors @ claim.mean).max())
        wrong = model.words(seen.words)
        whole = np.append(seen.whole, [own, own - rival]).astype(np.float32)
        score = 1 - float(model.whole(pooled(wrong, seen.words, whole)[None])[0])
        quotes = _quotes(source, seen)
        if is_verbatim(claim.text, source.text):
            return _Finding("verbatim", 1.0, (), _verbatim_quotes(claim.text, source) or quotes)
        faults = _faults(claim, source, seen)
        if not faults and (seen.covered < _COVERED or own < _NEAR):
            faults = ["nothing there is about it"]
        if faults:
            return _Finding("unsupported", min(score, PARTLY / 2), tuple(faults), quotes)
        support: Support = (
            "supported" if score >= SUPPORTED else "partly" if score >= PARTLY else "unsupported"
        )
        averages = _averages(seen)
        support = "partly" if averages and support == "supported" else support
        reasons = () if support == "supported" else tuple(averages or _doubts(claim, seen, wrong))
        return _Finding(support, score, reasons, quotes)

    def _rarities(self, claim: Text) -> Mapping[str, float]:
        """How rare each stem of the claim is among the abstracts: 0 in all, 1 in none."""
        counts = self._library.doc_freq([word.lower() for word in claim.words])
        size = max(self._library.size, 1)
        usual = max(size, _USUAL)
        return {
            one: math.log((usual + 1) / (counts.get(word.lower(), 0) * usual / size + 1))
            / math.log(usual + 1)
            for one, word in zip(claim.stems, claim.words, strict=True)
        }

    def _rival(self, claim: Text, ids: tuple[str, ...]) -> float:
        """How near the nearest sentence of any other paper is."""
        near = [hit.paper_id for hit in self._library.nearest(claim.mean, _RIVALS + len(ids))]
        others = self._library.sentences([one for one in near if one not in ids])
        cosines = [float(one.vector @ claim.mean) for found in others.values() for one in found]
        return max(cosines, default=0.0)

    def _read(self, abstract: str, record: str) -> Source:
        return read_source(abstract, record, self._embedder)


def says_nothing(text: str) -> bool:
    """True for a sentence without a figure, a name or two words of topic: "In summary:"."""
    if re.search(r"\d", text):
        return False
    asked = [word for word in content_words(text) if word not in ASKING_WORDS]
    return len(asked) < (4 if text.rstrip().endswith(":") else 2)


def is_verbatim(text: str, source: str) -> bool:
    """True where the source has the text's very words, but for spaces, stops and case."""
    key = text_key(text)
    return len(key) >= 12 and key in text_key(source)


def _verbatim_quotes(text: str, source: Source) -> tuple[Quote, ...]:
    """The sentences of the source that the text is made of."""
    key = text_key(text)
    inside = [
        (start, end)
        for start, end in source.sentences
        if (own := text_key(source.text[start:end])) and (own in key or key in own)
    ]
    return tuple(Quote("abstract", start, end, source.text[start:end]) for start, end in inside)


def _quotes(source: Source, seen: Compared) -> tuple[Quote, ...]:
    places = [seen.best, *([seen.second] if seen.second != seen.best and seen.gain >= _FULL else [])]
    spans = [source.sentences[place] for place in sorted(places)]
    return tuple(Quote("abstract", start, end, source.text[start:end]) for start, end in spans)


def _unmarked(text: str, paper: Paper, found: _Finding) -> Verdict:
    if found.support in ("supported", "verbatim"):
        return _verdict(text, found, {paper.id: found.quotes})
    return Verdict(text, "unsupported", found.score, ("no source is cited, and none that was shown says it",))


def _verdict(text: str, found: _Finding, quotes: Mapping[str, Sequence[Quote]]) -> Verdict:
    grounds = tuple(Ground(paper_id, quote) for paper_id, own in quotes.items() for quote in own)
    return Verdict(text, found.support, round(found.score, 3), found.reasons, grounds)


def _faults(claim: Text, source: Source, seen: Compared) -> list[str]:
    """What is wrong beyond doubt, in words: figures and names that the source hasn't."""
    found = [reason for fit in seen.fits if (reason := _fault(fit, claim.text))]
    found += misplaced(claim.text, source.text)
    return [*found, *(f"{name!r} isn't named there" for name in seen.strangers)]


def _fault(fit: Fit, text: str) -> str:
    shown = text[fit.number.start : fit.number.end].strip()
    if fit.fault == "missing":
        return f"the figure {shown} isn't there"
    if fit.match and fit.fault == "unit":
        return f"the figure {shown} has the unit {fit.match.unit!r} there, not {fit.number.unit!r}"
    if fit.match and fit.fault == "clash":
        here = f"{fit.number.qualifier!r}" if fit.number.qualifier else "without"
        return f"the figure {shown} is {fit.match.qualifier!r} there, {here} here"
    return ""


def _averages(seen: Compared) -> list[str]:
    """The averages of the source that the claim gives as if they held everywhere."""
    return [
        f"the figure {fit.number.value:g} is an {fit.match.qualifier} there"
        for fit in seen.fits
        if fit.match and not fit.number.qualifier and fit.match.qualifier in ("average", "mean", "median")
    ]


def _doubts(claim: Text, seen: Compared, wrong: Vectors) -> list[str]:
    """What a low score may come from, in words."""
    found = [f"{word!r} goes the other way there" for word in seen.turned]
    found += [f"{word!r} is denied on one side only" for word in seen.denied]
    found += [
        f"the figure {fit.number.value:g} is {fit.number.qualifier or 'unqualified'!r} here and "
        f"{fit.match.qualifier or 'unqualified'!r} there"
        for fit in seen.fits
        if fit.fault == "qualifier" and fit.match
    ]
    if not found and len(wrong):
        first = int(np.convolve(wrong, np.ones(min(4, len(wrong))), "valid").argmax())
        start, end = claim.spans[first][0], claim.spans[min(first + 3, len(wrong) - 1)][1]
        found.append(f"nothing there says {claim.text[start:end]!r}")
    return found
