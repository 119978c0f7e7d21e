"""What tells papers of one name apart: a phrase for what only one of them is about."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from corpus.papers import Paper

_WORD = re.compile(r"[^\W\d_][\w-]*")
# A phrase begins behind one of these and ends before one, or before a stop; so what is in it is nouns and
# what describes them, not a sentence's verb.
_OPENS = frozenset(
    "a an the of for in on with by from our its their as into and between this these using via".split()
)
_CLOSES = frozenset(
    "of for in on with by from to and or that which is are was were can has have into via through "
    "using while than as at under over without during across between we it".split()
)
_PLAIN = frozenset(
    "a an the this that these those it its their our we they which who what where when while not no "
    "more most many much some any each every all both several such other another same own new novel "
    "fewer less magnitude recent existing previous large small high low good better best simple different "
    "various first "
    "second two three four five ten few one thus paper work study method methods approach "
    "approaches technique techniques framework model models system systems result results "
    "performance experiments state-of-the-art art state number range use set way ways effectiveness "
    "efficiency problem problems challenge challenges order case terms fact key main paradigm "
    "strategy strategies solution solutions family training inference data".split()
)
_NOUN = re.compile(
    r"(?:tion|sion|ment|ness|ity|ism|ance|ence|ency|ancy|ship|age|ure|ery|ory|ary|ing|ers?|ors?|ists?|ics?|ogy"
    r"|[^aeious]s|es|[a-z]+(?:work|graph|net|ware|base|set|tree|code|cache|core|search|space|loss|cost|rank|mask"
    r"|label|level|kernel|model|task|query|node|layer|token|field|stack|tool|bench|chain|path|drop|collapse))$"
)
_NOT_NOUN = re.compile(r"(?:ly|ed|ive|ous|ful|able|ible|al|ates|i[sz]es|ifies|[^aeiou]its)$")
_DOING = re.compile(r"[a-z]+(?:ing|ly|es|ed)$")


def topic_of(paper: Paper, others: Sequence[Paper]) -> str | None:
    """A noun phrase of the paper that none of the others holds, or else a noun; None where it has neither.

    Keywords come first.
    """
    theirs = "\n".join(_text(other) for other in others if other.id != paper.id)
    for keyword in paper.keywords:
        if 3 <= len(keyword) <= 40 and keyword.lower() not in theirs:
            return keyword.lower()
    text = _text(paper)
    phrases = [phrase for phrase in noun_phrases(text) if phrase not in theirs]
    counts = Counter(phrases)
    words = Counter(_WORD.findall(text))
    own = Counter({word: count for word, count in words.items() if word not in theirs})

    def fit(phrase: str) -> tuple[float, int]:
        parts = phrase.split()
        return 2.0 * counts[phrase] + sum(own[part] + 0.2 * words[part] for part in parts) / len(
            parts
        ), -text.find(phrase)

    if counts:
        return max(counts, key=fit)
    nouns = [word for word in own if len(word) > 4 and _describes([word])]
    return max(nouns, key=lambda word: own[word], default=None)


def _text(paper: Paper) -> str:
    return f"{paper.title or ''}\n{', '.join(paper.keywords)}\n{paper.abstract or ''}".lower()


def noun_phrases(text: str) -> Iterator[str]:
    """Runs of two or three words that stand as a noun does in a sentence."""
    tokens = list(_WORD.finditer(text))
    for first in range(1, len(tokens)):
        for count in (2, 3):
            run = tokens[first : first + count]
            if len(run) == count and _is_noun(
                text, run, tokens[first - 1], tokens[first + count : first + count + 1]
            ):
                yield text[run[0].start() : run[-1].end()]


def _is_noun(
    text: str, run: Sequence[re.Match[str]], before: re.Match[str], after: Sequence[re.Match[str]]
) -> bool:
    words = [token.group() for token in run]
    if before.group() not in _OPENS or text[before.end() : run[0].start()] != " ":
        return False
    if any(text[one.end() : two.start()] != " " for one, two in pairwise(run)):
        return False
    ends = not after or text[run[-1].end() : after[0].start()] != " " or after[0].group() in _CLOSES
    return ends and _describes(words)


def _describes(words: Sequence[str]) -> bool:
    """True for describing words and a noun behind them, none of them a word of every abstract."""
    if any(word in _PLAIN or word in _OPENS or word in _CLOSES or len(word) < 3 for word in words):
        return False
    if words[0].endswith("ly") or any(
        _DOING.fullmatch(word) and not word.endswith("ing") for word in words[1:-1]
    ):
        return False
    if re.fullmatch(r"[a-z]+ing", words[0]):
        return False
    last = words[-1]
    return bool(_NOUN.search(last)) and not _NOT_NOUN.search(last)
