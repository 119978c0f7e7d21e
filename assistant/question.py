"""What a question asks: its kind, the papers it names, the names that it takes for granted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from assistant.answer import Kind, Turn
from assistant.words import FUNCTION_WORDS, content_words, words
from corpus.labels import names_of
from corpus.papers import Paper, text_key

_SIDES = r"(?:papers|works|methods|approaches|systems|solvers?|ones|schemes|models)"
_COMPARE = re.compile(
    rf"\bcompar(?:e|ing|ison)\b|\bdiffer(?:s|ent|ence|ences)?\b|\bsame (?:verdict|conclusion|idea)\b"
    rf"|\b(?:do|does|did|for|in|of) each\b|\beach (?:one |of them )?"
    rf"(?:claim|show|get|save|rely|step|throw|use|do|decide|sync|give)|^(?:is|are|does|do) \S+ "
    rf"(?:any |really )?\w+er than\b"
    rf"|\b(?:two|three|both) (?:\w+ ){{0,3}}{_SIDES}\b|\bone (?:paper )?on\b.*\bone on\b|\b(?:that"
    rf"|which) the first (?:one )?(?:did|could|does)n[o']t\b",
    re.I,
)
_VERSUS = re.compile(r"\bvs\b|\bversus\b|\bcompared (?:to|with)\b|\bor\b", re.I)
_AGGREGATE = re.compile(
    r"\bhow many (?:of (?:the|these) )?(?:\w+ ){0,2}(?:papers|works|studies|abstracts|of them)\b"
    r"|\bin how many\b"
    r"|\b(?:largest|biggest|highest|longest|smallest|lowest|fastest|greatest|most"
    r"|least)\b.*\b(?:any(?:body|one)?|among|in these|across|whose|papers?|collection|comes with)\b"
    r"|\b(?:which|whose|who|among)\b.*\b(?:largest|biggest|highest|longest|smallest|lowest|greatest"
    r"|most)\b|\b(?:sort|rank|order) (?:\w+ ){0,3}by\b|\bon average across\b",
    re.I,
)
_THINGS = r"(?:papers|works|studies|articles|benchmarks|surveys|publications)"
_LIST = re.compile(
    rf"\b(?:which|what|list|give me|show me|find|name|all)\b(?: [\w-]+){{0,4}} {_THINGS}\b"
    rf"|^(?:[\w-]+ ){{0,3}}{_THINGS} (?:on|about|for|that|which)\b|^list\b|\beverything (?:by|on"
    rf"|about)\b"
    r"|\bwho (?:actually |all )?(?:deals?|shows?|works?|handles?)\b|\bwhat (?:have|do) we (?:got"
    r"|have)\b|\bwhere is \w+ (?:used|applied)\b|^(?:models|methods|systems|tools) (?:built|that"
    r"|which|for|on|with)\b",
    re.I,
)
_START = r"(?:^|[.,;:?!()]\s*|\b(?:and|but|so|ok|okay|then)\s+)"
_NUMBER = re.compile(
    rf"{_START}(?:by |to |over |worst case, )?how (?:many|much|fast|long|large|big|small|tiny|far"
    rf"|often|high|low|extreme|quick\w*|wide)\b|\bhow many times\b|\bhow (?:many|much|long|tiny"
    rf"|large) "
    r"|\b(?:what|which)(?:'s| is| are| was| were)? (?:the |its |their )?(?:[\w-]+ ){0,3}(?:accuracy"
    r"|throughput|latency|percent\w*|fraction|share|ratio|score|count|size|rate|mfu|gain|reduction"
    r"|saving"
    r"|bandwidth|f1|bleu|perplexity|wer|improvement|overhead|speed-?up)\b|\bspeed-?ups?\b|\btokens "
    r"per second\b|\b(?:number|nr|no\.|percentage|rate|share) of\b"
    r"|\b(?:accuracy|wer|epoch time|parameter count|mfu|saving|gain|drop|latency|energy)\b.*(?:\?|$)",
    re.I,
)
_EXPLAIN = re.compile(
    rf"{_START}(?:why|explain|how (?:do|does|did|can|is|are|was|were|come)|in what way|what (?:is|are"
    rf"|does|do|did|'s)|what's)\b|^(?:is|are|does|do|can|given)\b|\bwhat does\b|\bdescribe\b",
    re.I,
)
_LOOKUP = re.compile(
    r"\bwhich (?:[\w-]+ ){0,3}(?:paper|work|model|system|method|one|layer|library|framework|tool)\b"
    r"|\bwho (?:did|does|solve[sd]?|settled|tweaks|has|have|made|proposed|built|wrote)\b|\bwho\s*\??$"
    r"|\bname\s*\??$"
    r"|\bis there (?:a|an|any)|\banything\b|^something\b|\bany(?:body|one)\b|\bsome(?:body|one)\b"
    r"|\bdoable\b|\bwhat (?:did|has|have) .{3,40} (?:publish|put out|write|written|done)\b|\bany \w+ "
    r"(?:which|that)\b|\bsmth\b",
    re.I,
)
_FOLLOWS = re.compile(
    r"^(?:and|or|but|so|ok(?:ay)?|then|also|no|yes|what about|how about|why)\b|\b(?:it|its|they|them"
    r"|their|theirs|those|these|that|this one|that one|the (?:first|second|third|last|other|former"
    r"|latter) one|there|he|she)\b",
    re.I,
)
_NEW_TOPIC = re.compile(
    r"\b(?:different|new|another|other) (?:topic|question|subject)\b|\bswitching to\b|\bchange of "
    r"(?:topic|subject)\b|\bsomething else\b",
    re.I,
)
_TOKEN = re.compile(r"[^\W_](?:[^\s,;:?!()\"“”/*]*[\w+])?")
_LONGEST_NAME = 6
_BASELINE = r"(?:over|than|against|vs\.?|versus|relative to|compared (?:to|with)|from|beat|beats|surpass\w*)"

NAMED = 50.0
"""Added to the score of a paper that a question names: nothing else outranks it."""
BASELINE = 2.0
"""Added where the name is only what is measured against."""
RECALLED = 6.0
"""Added where an earlier question named the paper and this one leans on it."""


class Names(Protocol):
    """What understanding a question asks of a collection."""

    def find_names(self, keys: Sequence[str]) -> dict[str, list[str]]: ...
    def doc_freq(self, terms: Sequence[str]) -> dict[str, int]: ...
    def papers(self, ids: Sequence[str] | None = None) -> list[Paper]: ...


@dataclass(frozen=True)
class Named:
    """A name in a question and the papers that go by it."""

    text: str
    paper_ids: tuple[str, ...]

    @property
    def sure(self) -> bool:
        """False for a single word in small letters, which may be meant as a word ("plain") and not as a name ("PLAIN")."""
        return not (self.text.isalpha() and self.text.islower())


@dataclass(frozen=True)
class Question:
    """A question, understood: `query` is what is searched, `unknown` names occur nowhere in the collection."""

    text: str
    standalone: str
    query: str
    kind: Kind
    named: tuple[Named, ...] = ()
    authors: tuple[Named, ...] = ()
    unknown: tuple[str, ...] = ()
    recalled: tuple[Named, ...] = ()

    @property
    def wants_many(self) -> bool:
        """True where the answer is made of many papers."""
        return self.kind in ("list", "aggregate")

    @property
    def subjects(self) -> tuple[Named, ...]:
        """The names that the question is about, without those it only measures against ("over X").

        A question for many papers is about none of them.
        """
        if self.wants_many:
            return ()
        named = tuple(name for name in self.named if name.sure or len(self.named) > 1)
        return (
            named
            if self.kind == "compare"
            else tuple(name for name in named if not _is_baseline(self.text, name.text))
        )

    @property
    def boosts(self) -> dict[str, float]:
        """Paper id -> what is added to its retrieval score for being named: now, as a baseline, or earlier in the talk."""
        boosts: dict[str, float] = {}
        for group, weight in (
            (self.recalled, RECALLED),
            (tuple(name for name in self.named if name.sure), BASELINE),
            (self.subjects, NAMED),
            (self.authors, NAMED),
        ):
            for name in group:
                for paper_id in name.paper_ids:
                    boosts[paper_id] = boosts.get(paper_id, 0.0) + weight
        return boosts


def understand(text: str, history: Sequence[Turn], names: Names) -> Question:
    """The question with its kind and names, made to stand alone with the history's help."""
    standalone = _standalone(text, history)
    authors = _find(text, names, role=True)
    own_words = text
    for author in authors:
        own_words = own_words.replace(author.text, " ")
    named = _find(own_words, names, role=False)
    known = {one for name in named for one in name.paper_ids}
    before = standalone.removesuffix(text)
    earlier = [*_find(before, names, role=True), *_find(before, names, role=False)] if before else []
    return Question(
        text=text,
        standalone=standalone,
        query=standalone,
        kind=kind_of(text, len({name.paper_ids for name in named})),
        named=tuple(named),
        authors=tuple(authors),
        unknown=tuple(_unknown(own_words, named, names)),
        recalled=tuple(name for name in earlier if not known & set(name.paper_ids)),
    )


def kind_of(text: str, sides: int = 0) -> Kind:
    """The kind of a question; `sides` is how many different papers it names."""
    number = _NUMBER.search(text)
    if (sides >= 2 and _VERSUS.search(text)) or (_COMPARE.search(text) and (sides != 1 or not number)):
        return "compare"
    if re.search(r"\bvs\b|\bversus\b", text, re.I) and not number:
        return "compare"
    if _AGGREGATE.search(text):
        return "aggregate"
    if not sides and _LIST.search(text):
        return "list"
    if not sides and _LOOKUP.search(text) and not (number and number.start() == 0):
        return "lookup"
    if number and not re.match(r"(?:why|how do|how does|explain)\b", text, re.I):
        return "number"
    if _EXPLAIN.search(text):
        return "explain"
    return "explain" if sides else "lookup"


def _is_baseline(text: str, name: str) -> bool:
    return bool(
        re.search(rf"\b{_BASELINE} (?:the |stock |plain |standard |its own )?{re.escape(name)}", text, re.I)
    )


def _standalone(text: str, history: Sequence[Turn]) -> str:
    """The question with the last questions before it where it leans on them."""
    asked = [turn.content.strip() for turn in history if turn.role == "user" and turn.content.strip()]
    if turned := _NEW_TOPIC.search(text):
        return text[turned.end() :].lstrip(" :,;.-–—") or text
    if not asked:
        return text
    if _FOLLOWS.search(text) or len(content_words(text)) <= 3:
        return " ".join([*asked[-2:], text])
    return text


def _find(text: str, names: Names, *, role: bool) -> list[Named]:
    """The names in a text that the collection knows, longest first where they overlap; `role`: authors, organisations."""
    spans = _spans(text)
    prefixes = ("author", "organisation") if role else ("",)
    known = names.find_names(
        sorted({text_key(prefix + form) for span in spans for form in span.forms for prefix in prefixes})
    )
    found: list[Named] = []
    taken: list[_Span] = []
    for span in sorted(spans, key=lambda one: (one.start - one.end, one.start)):
        if any(span.start < other.end and other.start < span.end for other in taken):
            continue
        ids = _ids(span, known, prefixes)
        if ids and not role:
            ids = _meant(span, ids, names)
        if ids:
            taken.append(span)
            found.append(Named(span.text, ids))
    return sorted(found, key=lambda name: text.find(name.text))


@dataclass(frozen=True)
class _Span:
    start: int
    end: int
    text: str

    @property
    def forms(self) -> tuple[str, ...]:
        """The text, and its singular."""
        return (self.text, self.text[:-1]) if re.search(r"[A-Z].*s$", self.text) else (self.text,)


def _spans(text: str) -> list[_Span]:
    tokens = [(found.start(), found.end()) for found in _TOKEN.finditer(text)]
    spans = []
    for first, (start, _) in enumerate(tokens):
        for _, end in tokens[first : first + _LONGEST_NAME]:
            shown = re.sub(r"['’]s?$|[.…]+$", "", text[start:end])
            if len(text_key(shown)) >= 2:
                spans.append(_Span(start, start + len(shown), shown))
    return spans


def _ids(span: _Span, known: dict[str, list[str]], prefixes: Sequence[str]) -> tuple[str, ...]:
    ids = [
        one for form in span.forms for prefix in prefixes for one in known.get(text_key(prefix + form), ())
    ]
    if prefixes != ("",) and " " not in span.text and not span.text[0].isupper():
        return ()
    return tuple(dict.fromkeys(ids))


def _meant(span: _Span, ids: Sequence[str], names: Names) -> tuple[str, ...]:
    """The papers whose name the words are, and not only what they mean in every sentence.

    A name as it is written, "ZeRO++" and not "ZeRO", where a paper has it so; in small letters only where no other paper uses the word.
    """
    if span.text.lower() in FUNCTION_WORDS or span.text.isdigit():
        return ()
    own = {paper.id: {_form(name) for name in names_of(paper)} for paper in names.papers(ids)}
    forms = {_form(form) for form in span.forms}
    written = [one for one, mine in own.items() if forms & mine]
    if written and not span.text.islower():
        return tuple(written)
    folded = {one: {name.lower(): name for name in mine} for one, mine in own.items()}
    close = [one for one, mine in folded.items() if any(form.lower() in mine for form in forms)] or list(ids)
    real = any(
        not name.islower()
        for one in close
        for form in forms
        if (name := folded.get(one, {}).get(form.lower(), "A"))
    )
    if (len(text_key(span.text)) < 4 and span.text.islower()) or not real:
        return ()
    spread = names.doc_freq([span.text]).get(span.text, 0)
    return tuple(close) if not span.text.islower() or spread <= len(ids) + span.text.count(" ") else ()


def _form(name: str) -> str:
    return re.sub(r"[\s-]+", " ", name)


def _unknown(text: str, named: Sequence[Named], names: Names) -> list[str]:
    """Name-like words of the text that the collection holds nowhere."""
    inside = " ".join(name.text for name in named).lower()
    shaped = []
    for found in _TOKEN.finditer(text):
        token = re.sub(r"['’]s?$|[.…]+$", "", found[0]).strip("*'`‘’-–—/")
        if token.lower() not in inside and _looks_like_name(token, first=found.start() == 0):
            shaped.append(token)
    known = names.doc_freq(shaped) if shaped else {}
    return [
        token for token in dict.fromkeys(shaped) if not known.get(token) and not _spelled_apart(token, names)
    ]


def _spelled_apart(token: str, names: Names) -> bool:
    """True where the collection writes the name in several words, or without a plural's s."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Za-z])(?=\d)|-", " ", token)
    forms = [form for form in (apart, token[:-1] if token.endswith("s") else "") if form and form != token]
    parts = [part for part in token.split("-") if len(part) > 1]
    known = names.doc_freq([*forms, *parts])
    return any(known[form] for form in forms) or (len(parts) > 1 and all(known[part] for part in parts))


def _looks_like_name(token: str, *, first: bool) -> bool:
    bare = re.sub(r"\W", "", token)
    if len(bare) < 3 or bare.isdigit() or re.fullmatch(r"\d+(?:\.\d+)?[a-zA-Z%]{0,3}", bare):
        return False
    if any(char.isupper() for char in bare[1:]):
        return True
    return bare[0].isupper() and not first
