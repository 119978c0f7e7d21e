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
from assistant.verify.features import Compared, compare
from assistant.verify.finding import Finding, is_verbatim, quotes_of, verbatim_quotes
from assistant.verify.model import learned
from assistant.verify.pooling import pooled
from assistant.verify.reasons import doubtful_in, doubts_of, faults_of
from assistant.verify.texts import EmbedsWords, Source, Text, Vectors, has_words, read_source, read_text
from assistant.words import ASKING_WORDS, content_words

if TYPE_CHECKING:
    from corpus.collection import Sentence
    from corpus.hits import Hit
    from corpus.papers import Paper

SUPPORTED = 0.5
"""The score from which a sentence without a fault is supported, PARTLY from which it is so in part; chosen on
the half of the set that the check was made with, see docs/verify.md."""
PARTLY = 0.25
_COVERED, _NEAR = 0.38, 0.2
"""How much of a sentence two of the source's have to cover, and how near one has to be, at least."""
_LONGEST = 4_000
"""Characters of the longest sentence that is checked."""
_CACHED = 512
# A run of letters of scripts that write no spaces between words.
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]{4}")
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
class Among:
    """A claim among all papers of a collection, whatever it cites.

    `rarities` says by stem how rare each of its words is, `cosines` how near the best sentence of each of the
    nearest papers is, nearest first.
    """

    rarities: Mapping[str, float]
    cosines: Mapping[str, float]

    def rival(self, ids: tuple[str, ...]) -> float:
        """How near the nearest sentence of any paper but these is, of the few nearest papers."""
        near = list(self.cosines)[: _RIVALS + len(ids)]
        return max((self.cosines[one] for one in near if one not in ids), default=0.0)


class Verifier:
    """Checks sentences against abstracts of one collection; safe to share between threads."""

    def __init__(self, library: Library, embedder: EmbedsWords) -> None:
        self._library = library
        self.embedder = embedder
        self._source = lru_cache(maxsize=_CACHED)(self._read)

    def check(self, text: str, cited: Sequence[Paper], *, others: Sequence[Paper] = ()) -> Verdict:
        """The verdict on one sentence that cites these papers; where it cites none, on the best of `others`.

        A sentence that says nothing ("In summary:") has the text "". Of several papers that are cited those
        that don't bear it out alone are left out where one does; where none does, all together are tried.
        """
        if says_nothing(text):
            return Verdict("", "supported", 1.0)
        given = {paper.id: paper for paper in (cited or others)}
        papers = [paper for paper in given.values() if has_words(paper.abstract or "")]
        if not papers:
            reason = "its source has no abstract" if cited else "no source is cited"
            return Verdict(text, "unsupported", 0.0, (reason,))
        if len(text) > _LONGEST:
            return Verdict(text, "unsupported", 0.0, (f"it is longer than {_LONGEST:,} characters",))
        claim = read_text(text, self.embedder)
        if not claim.words:
            return Verdict(text, "unsupported", 0.0, ("nothing in it can be checked",))
        among = self.among(claim, len(papers))
        found = {
            paper.id: self._finding(claim, among, self.source_of(paper), (paper.id,)) for paper in papers
        }
        best = max(papers, key=lambda paper: found[paper.id].rank)
        if not cited:
            return _unmarked(text, best, found[best.id])
        if found[best.id].good:
            kept = [paper for paper in papers if found[paper.id].good]
            return _verdict(text, found[best.id], {paper.id: found[paper.id].quotes for paper in kept})
        if len(papers) > 1:
            together = self._together(claim, among, papers)
            if together.rank > found[best.id].rank:
                return _verdict(text, together, {paper.id: found[paper.id].quotes[:1] for paper in papers})
        return _verdict(text, found[best.id], {best.id: found[best.id].quotes})

    def source_of(self, paper: Paper) -> Source:
        """The paper's abstract, ready to be compared with."""
        record = f"{paper.label}. {paper.title or ''}. {' '.join(paper.authors)}"
        return self._source(paper.abstract or "", record)

    def among(self, claim: Text, papers: int) -> Among:
        """The claim among all papers, for sources that are up to so many of them."""
        near = [hit.paper_id for hit in self._library.nearest(claim.mean, _RIVALS + papers)]
        sentences = self._library.sentences(near)
        cosines = {
            one: max(
                (float(sentence.vector @ claim.mean) for sentence in sentences.get(one, ())), default=0.0
            )
            for one in near
        }
        return Among(self._rarities(claim), cosines)

    def measure(
        self, claim: Text, among: Among, source: Source, ids: tuple[str, ...], reduce: Vectors
    ) -> tuple[Compared, Vectors]:
        """The claim against the source, and one row for the whole of it; `ids` are the source's papers."""
        seen = compare(claim, source, among.rarities, reduce)
        own = float((source.sentence_vectors @ claim.mean).max())
        return seen, np.append(seen.whole, [own, own - among.rival(ids)]).astype(np.float32)

    def _together(self, claim: Text, among: Among, papers: Sequence[Paper]) -> Finding:
        """What all the papers say taken as one text."""
        text = "\n".join(paper.abstract or "" for paper in papers)
        record = " ".join(f"{paper.label}. {paper.title or ''}" for paper in papers)
        return self._finding(claim, among, self._source(text, record), tuple(paper.id for paper in papers))

    def _finding(self, claim: Text, among: Among, source: Source, ids: tuple[str, ...]) -> Finding:
        verbatim = is_verbatim(claim.text, source.text)
        if verbatim and (words := verbatim_quotes(claim.text, source)):
            return Finding("verbatim", 1.0, (), words)
        model = learned()
        seen, whole = self.measure(claim, among, source, ids, model.reduce)
        quotes = quotes_of(source, seen)
        if verbatim:
            return Finding("verbatim", 1.0, (), quotes)
        wrong = model.words(seen.words)
        score = 1 - float(model.whole(pooled(wrong, seen.words, whole)[None])[0])
        faults = faults_of(claim, source, seen)
        if not faults and (seen.covered < _COVERED or whole[-2] < _NEAR):
            faults.append("nothing there is about it")
        if faults:
            return Finding("unsupported", min(score, PARTLY / 2), tuple(faults), quotes)
        support: Support = (
            "supported" if score >= SUPPORTED else "partly" if score >= PARTLY else "unsupported"
        )
        doubtful = doubtful_in(seen)
        support = "partly" if doubtful and support == "supported" else support
        reasons = () if support == "supported" else tuple(doubtful or doubts_of(claim, seen, wrong))
        return Finding(support, score, reasons, quotes)

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

    def _read(self, abstract: str, record: str) -> Source:
        return read_source(abstract, record, self.embedder)


def says_nothing(text: str) -> bool:
    """True for a sentence without a figure, a name or a word of topic: "In summary:"."""
    if re.search(r"\d", text) or _UNSPACED.search(text):
        return False
    asked = [word for word in content_words(text) if word not in ASKING_WORDS]
    return len(asked) < (4 if text.rstrip().endswith(":") else 1)


def _unmarked(text: str, paper: Paper, found: Finding) -> Verdict:
    if found.good:
        return _verdict(text, found, {paper.id: found.quotes})
    return Verdict(
        text, "unsupported", round(found.score, 3), ("no source is cited, and none that was shown says it",)
    )


def _verdict(text: str, found: Finding, quotes: Mapping[str, Sequence[Quote]]) -> Verdict:
    grounds = tuple(Ground(paper_id, quote) for paper_id, own in quotes.items() for quote in own)
    return Verdict(text, found.support, round(found.score, 3), found.reasons, grounds)
