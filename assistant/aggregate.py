"""Questions that need figures of many papers: what is measured, which way, how far; and those figures."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from assistant.figures import Figure, figures_of
from assistant.roles import roles_of
from assistant.words import content_words, stem, words

if TYPE_CHECKING:
    from corpus.collection import Sentence
    from corpus.papers import Paper

Way = Literal["most", "least", "count"]

_LEAST = re.compile(r"\b(?:smallest|lowest|least|shortest|fewest|cheapest|minimum|min)\b", re.I)
_MOST = re.compile(
    r"\b(?:largest|biggest|highest|longest|most|greatest|fastest|maximum|max|best|peak|sort|rank|order)\b",
    re.I,
)
_COUNT = re.compile(
    r"\bhow many\b.*\b(?:papers?|works?|studies|abstracts|of them)\b|\bin how many\b|\bcount\b", re.I
)
# Without one of these a sentence has no figure, and needn't be read.
_MAY_HOLD = re.compile(
    r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|twenty|hundred|thousand|million|billion|half|halv|twice"
    r"|doubl|tripl|quarter|third|fold|order|dozen|single|one)",
    re.I,
)
_CHANGE = re.compile(
    r"\b(?:reduc\w*|sav\w*|gains?|improve\w*|increase\w*|decrease\w*|cuts?|drops?|loss|less|lower|fewer|better)\b",
    re.I,
)
_THRESHOLD = re.compile(
    r"\b(?:or (?:above|more|higher|over|better)|at least|more than|over|above|beyond|exceed\w*)\b", re.I
)
_BELOW = re.compile(
    r"\b(?:or (?:below|less|lower|under|fewer)|at most|less than|under|below|fewer than)\b", re.I
)

# What a question calls a figure, and the units and measures in which abstracts give it.
_CALLED: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"speed-?ups?|faster|acceleration", ("x", "speedup")),
    (r"flops?\b", ("FLOPs",)),
    (r"(?:sequence|context|prompt|input)s?\b", ("tokens", "sequence length", "context length")),
    (r"\bgpus?\b|accelerators?|devices|cards|cluster", ("GPUs", "GCDs", "TPUs", "NPUs", "devices")),
    (r"param\w*|model size|(?:largest|biggest|smallest) model", ("parameters",)),
    (r"\bgraphs?\b", ("nodes", "edges", "vertices")),
    (r"time to first token|ttft", ("time to first token", "ttft")),
    (r"sparsity|sparse", ("sparsity",)),
    (r"throughput", ("throughput", "tokens/s")),
    (r"memory", ("memory", "GB")),
    (r"energy|power", ("energy", "power")),
    (r"latency", ("latency", "ms")),
    (r"accurac\w*|\btop-?[15]\b", ("accuracy", "top-1", "top-5")),
    (r"batch", ("batch size",)),
)

# What a sentence has to speak of for a count of tokens to be a length; what a change, or a sentence on
# magnitudes, has to be of for a multiple to be a speedup.
_OF_LENGTH = re.compile(r"sequence|context|prompt|input", re.I)
_OF_SPEED = re.compile(r"fast|speed|accelerat|quick|slow|throughput|latency|time", re.I)
_SAYS_NOTHING = re.compile(
    r"\b(?:papers?|works?|abstracts?|studies|collection|anybody|anyone|everyone|who(?:se)?|reports?|reported|claims?"
    r"|claimed|gives?|shows?|uses?|used|has|have|gets?|reach(?:es|ed)?|really|ever|ran|run|experiments?|among|across"
    r"|any|all|overall|length|size|count|number|figure|reductions?|increases?|savings?|improvements?|gains?|value)\b",
    re.I,
)


@dataclass(frozen=True)
class Aim:
    """What is asked of many papers: which way, in which units, past which value, with what words.

    `change` asks for a reduction or an increase and not for a value; `named` are words that the sentence
    has to hold where any does, such as a data set's name.
    """

    way: Way
    terms: tuple[str, ...]
    past: float | None = None
    below: bool = False
    change: bool = False
    named: tuple[str, ...] = ()


@dataclass(frozen=True)
class Found:
    """A paper's figure that meets the aim, and the sentence that it stands in."""

    paper: Paper
    sentence: Sentence
    figure: Figure

    @property
    def value(self) -> float:
        """The figure as one number: the far end of a range."""
        return max(self.figure.value, self.figure.high or self.figure.value)


def aim_of(question: str, named: Sequence[str] = ()) -> Aim:
    """What the question asks of many papers; `named` are the names in it that are no paper's own."""
    terms = _asked_terms(question)
    if not terms:
        terms = [word for word in content_words(question) if not _MOST.fullmatch(word)]
    limits = [figure.value for figure in figures_of(question)]
    bounded = bool(_THRESHOLD.search(question) or _BELOW.search(question)) and bool(limits)
    way: Way = "count" if _COUNT.search(question) else "least" if _LEAST.search(question) else "most"
    return Aim(
        way,
        tuple(terms),
        past=limits[0] if bounded else None,
        below=bool(_BELOW.search(question)),
        change=bool(_CHANGE.search(question)),
        named=tuple(named),
    )


def asks_of_all(question: str) -> bool:
    """True where the question has no topic beside the figure: "the largest speedup in any paper"."""
    rest = _SAYS_NOTHING.sub(" ", _LEAST.sub(" ", _MOST.sub(" ", question)))
    for pattern, _ in _CALLED:
        rest = re.sub(pattern, " ", rest, flags=re.I)
    return _COUNT.search(question) is None and not content_words(rest)


def _asked_terms(question: str) -> list[str]:
    """The units and measures asked for: after "largest" the nearest only, else all."""
    most = _MOST.search(question) or _LEAST.search(question)
    order = re.search(r"\b(?:sort|rank|order)\w*\b.*\bby (.+)", question, re.I)
    for asked in (order[1] if order else question[most.end() :] if most else "", question):
        matches = [
            (found.start(), terms) for pattern, terms in _CALLED if (found := re.search(pattern, asked, re.I))
        ]
        if matches:
            return [term for _, terms in (sorted(matches)[:1] if most else matches) for term in terms]
    return []


def figures_for(
    aim: Aim, papers: Sequence[Paper], sentences: Mapping[str, Sequence[Sentence]], rivals: Sequence[str]
) -> list[Found]:
    """One figure a paper, the farthest the asked way, farthest first; those against a rival if any are.

    All are of one unit, the one that is asked for or else the one that most papers give. What only motivates
    a paper's work is no figure of its own.
    """
    every = [
        Found(paper, sentence, figure)
        for paper in papers
        for sentence in _own(aim, sentences.get(paper.id, ()))
        for figure in _read(sentence.text)
        if _meets(aim, figure, sentence.text)
    ]
    narrowed = _narrowed(every, lambda one: any(_in(rival, one.figure.against or "") for rival in rivals))
    narrowed = _narrowed(narrowed, lambda one: all(_in(name, one.sentence.text) for name in aim.named))
    narrowed = _of_one_unit(aim, narrowed)
    best: dict[str, Found] = {}
    for one in narrowed:
        known = best.get(one.paper.id)
        if known is None or (one.value < known.value if aim.way == "least" else one.value > known.value):
            best[one.paper.id] = one
    return sorted(best.values(), key=lambda one: one.value if aim.way == "least" else -one.value)


def _own(aim: Aim, sentences: Sequence[Sentence]) -> list[Sentence]:
    """The sentences on the paper's own work, where any has a figure of the kind that is asked for."""
    if not any(gives(aim, one.text) for one in sentences):
        return []
    return [one for one, role in zip(sentences, roles_of(sentences), strict=True) if role != "problem"]


def _narrowed(found: list[Found], fits: Callable[[Found], bool]) -> list[Found]:
    """Those that fit, or all where none does."""
    return [one for one in found if fits(one)] or found


def _in(word: str, text: str) -> bool:
    return word.lower() in text.lower()


def _of_one_unit(aim: Aim, found: list[Found]) -> list[Found]:
    units = Counter(unit for unit, _ in {(one.figure.unit, one.paper.id) for one in found})
    alike = {"GPUs", "GCDs", "TPUs", "NPUs", "devices"}
    asked = next((term for term in aim.terms if units[term]), None)
    unit = asked or (units.most_common(1)[0][0] if units else "")
    return [one for one in found if one.figure.unit == unit or {one.figure.unit, unit} <= alike]


def gives(aim: Aim, text: str) -> bool:
    """True where a sentence has a figure of the kind that is asked for."""
    return any(_meets(aim, figure, text) for figure in _read(text))


@lru_cache(maxsize=8_192)
def _read(text: str) -> tuple[Figure, ...]:
    """The figures of a sentence; the same sentences are read for many questions."""
    return tuple(figures_of(text)) if _MAY_HOLD.search(text) else ()


def _meets(aim: Aim, figure: Figure, text: str) -> bool:
    if aim.past is not None:
        value = max(figure.value, figure.high or figure.value)
        if (value > aim.past) if aim.below else (value < aim.past):
            return False
    measure = figure.measure or ""
    changed = measure.endswith((" reduction", " increase"))
    if changed != aim.change and (aim.change or not set(aim.terms) & {"x", "speedup"}) and measure:
        return False
    if figure.unit == "tokens" and "sequence length" in aim.terms and not _OF_LENGTH.search(text):
        return False
    of = measure if changed or "compress" in measure else text if "magnitude" in text else "speed"
    if "speedup" in aim.terms and not _OF_SPEED.search(of):
        return False
    own = {stem(word) for word in words(f"{figure.unit} {measure}")}
    return any(term == figure.unit or {stem(word) for word in words(term)} <= own for term in aim.terms)
