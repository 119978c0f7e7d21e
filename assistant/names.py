"""Names in a question: of papers, authors and organisations, and those that the collection doesn't know."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, get_args

from assistant.words import FUNCTION_WORDS
from corpus.hits import Hit
from corpus.labels import names_of
from corpus.papers import Paper, text_key

_TOKEN = re.compile(r"[^\W_](?:[^\s,;:?!()\"“”/*]*[\w+])?")
_LONGEST_NAME = 6
# A word that more papers hold than this many for each paper of the name is a word ("Attention").
_SPREAD = 8
_BASELINE = r"(?:over|than|against|vs\.?|versus|relative to|compared (?:to|with)|from|beat|beats|surpass\w*)"


Role = Literal["author", "organisation", "venue"]
_ROLES: tuple[Role, ...] = get_args(Role)
# A name in small letters is one behind such a word only: "from microsoft-research".
_LEADS = re.compile(r"\b(?:by|from|at|in)\s+(?:the\s+)?$", re.I)


class Names(Protocol):
    """What understanding a question asks of a collection."""

    def find_names(self, keys: Sequence[str]) -> dict[str, list[str]]: ...
    def doc_freq(self, terms: Sequence[str]) -> dict[str, int]: ...
    def papers(self, ids: Sequence[str] | None = None) -> list[Paper]: ...
    def lexical(self, query: str, top_k: int) -> list[Hit]: ...


@dataclass(frozen=True)
class Named:
    """A name in a question and the papers that go by it; `role`: whose it is, None for a paper's own."""

    text: str
    paper_ids: tuple[str, ...]
    role: Role | None = None

    @property
    def sure(self) -> bool:
        """False for one word in small letters, which may be meant as a word ("plain") and not as "PLAIN"."""
        return not (self.text.isalpha() and self.text.islower())


@dataclass(frozen=True)
class NamesIn:
    """The names in a text: of papers, `unknown` to the collection, `mentioned` in it but nobody's own."""

    named: tuple[Named, ...] = ()
    unknown: tuple[str, ...] = ()
    mentioned: tuple[str, ...] = ()


def names_in(text: str, names: Names) -> NamesIn:
    """The names in a text that aren't authors'."""
    named = find_named(text, names)
    unknown, mentioned = _strange(text, named, names)
    taken, others = _adopted(mentioned, names)
    versions = {name: found for name in named if (found := _other_version(text, name, named))}
    ordered = sorted([*named, *taken], key=lambda name: text.find(name.text))
    kept = (name for name in ordered if name not in versions or _stands_bare(text, name))
    return NamesIn(tuple(dict.fromkeys(kept)), (*unknown, *versions.values()), tuple(others))


_VERSION = r"[ -]?(?:[vV]\d+(?:\.\d+)?|\d+\.\d+)(?![\w])"


def _other_version(text: str, name: Named, named: Sequence[Named]) -> str | None:
    """ "X v2" where the collection has X alone."""
    found = re.search(rf"(?<![\w-]){re.escape(name.text)}{_VERSION}", text)
    return found[0] if found and not any(found[0] in other.text for other in named) else None


def _stands_bare(text: str, name: Named) -> bool:
    """True where the text speaks of X without a number behind it too."""
    return bool(re.search(rf"(?<![\w-]){re.escape(name.text)}(?!{_VERSION})(?![\w-])", text))


def find_named(text: str, names: Names) -> list[Named]:
    """The names of papers in a text that the collection knows, the longest of those that overlap."""
    spans = _spans(text)
    known = names.find_names(sorted({text_key(form) for span in spans for form in span.forms}))
    found: list[Named] = []
    taken: list[_Span] = []
    doubtful: list[tuple[_Span, tuple[str, ...]]] = []
    for span in _longest_first(spans):
        if any(span.overlaps(other) for other in taken):
            continue
        ids = span.ids(known)
        if meant := _meant(span, ids, names) if ids else ():
            taken.append(span)
            found.append(Named(span.text, meant))
        elif ids and " " not in span.text:
            doubtful.append((span, ids))
    for span, ids in doubtful:
        if any(_beside(text, span, other) for other in taken):
            found.append(Named(span.text, ids))
    return sorted(found, key=lambda name: text.find(name.text))


def find_roles(text: str, names: Names) -> list[Named]:
    """The authors, organisations and venues in a text that the collection knows, as `find_named`."""
    spans = [
        span
        for span in _spans(text)
        if " " in span.text or span.text[0].isupper() or _LEADS.search(text[: span.start])
    ]
    keys = sorted({text_key(role + form) for span in spans for form in span.forms for role in _ROLES})
    known = names.find_names(keys)
    found: list[Named] = []
    taken: list[_Span] = []
    for span in _longest_first(spans):
        if any(span.overlaps(other) for other in taken):
            continue
        for role in _ROLES:
            if ids := span.ids(known, role):
                taken.append(span)
                found.append(Named(span.text, ids, role))
                break
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

    def overlaps(self, other: _Span) -> bool:
        """True where the two share a letter of the text."""
        return self.start < other.end and other.start < self.end

    def ids(self, known: Mapping[str, Sequence[str]], role: str = "") -> tuple[str, ...]:
        """The papers that `known` has by the span's text, in that role."""
        found = [one for form in self.forms for one in known.get(text_key(role + form), ())]
        return tuple(dict.fromkeys(found))


def _longest_first(spans: Sequence[_Span]) -> list[_Span]:
    return sorted(spans, key=lambda one: (one.start - one.end, one.start))


def _spans(text: str) -> list[_Span]:
    tokens = [(found.start(), found.end()) for found in _TOKEN.finditer(text)]
    spans = []
    for first, (start, _) in enumerate(tokens):
        for _, end in tokens[first : first + _LONGEST_NAME]:
            shown = re.sub(r"['’]s?$|[.…]+$", "", text[start:end])
            if len(text_key(shown)) >= 2:
                spans.append(_Span(start, start + len(shown), shown))
    return spans


def _meant(span: _Span, ids: Sequence[str], names: Names) -> tuple[str, ...]:
    """The papers whose name the words are, and not only what they mean in every sentence.

    A name as it is written, "ZeRO++" and not "ZeRO", where a paper has it so; in small letters only where no
    other paper uses the word.
    """
    if span.text.lower() in FUNCTION_WORDS or span.text.isdigit():
        return ()
    own = {paper.id: {_form(name) for name in names_of(paper)} for paper in names.papers(ids)}
    forms = {_form(form) for form in span.forms}
    called = {paper.id: _form(re.sub(r" \([^()]*\)$", "", paper.label)) for paper in names.papers(ids)}
    written = [one for one, label in called.items() if label in forms]
    written = written or [one for one, mine in own.items() if forms & mine]
    spread = names.doc_freq([span.text]).get(span.text, 0)
    if written and not span.text.islower() and spread <= _SPREAD * (len(written) + 1):
        return tuple(written)
    folded = {one: {name.lower(): name for name in mine} for one, mine in own.items()}
    close = [one for one, mine in folded.items() if any(form.lower() in mine for form in forms)]
    close = close or ([] if " " in span.text else list(ids))
    real = any(
        not name.islower()
        for one in close
        for form in forms
        if (name := folded.get(one, {}).get(form.lower(), "A"))
    )
    if (len(text_key(span.text)) < 4 and span.text.islower()) or not real:
        return ()
    close = [one for one in close if called[one] in forms] or close
    return tuple(close) if not span.text.islower() or spread <= len(ids) + span.text.count(" ") else ()


def _beside(text: str, span: _Span, other: _Span) -> bool:
    """True where the word and the name are neighbours in a list: "R-Sparse, teal and chess"."""
    between = text[min(span.end, other.end) : max(span.start, other.start)]
    return len(between) < 12 and bool(
        re.fullmatch(r"\s*(?:,|/|-|and|or|vs\.?|versus|&|,\s*and)\s*", between, re.I)
    )


def _form(name: str) -> str:
    return re.sub(r"[\s-]+", " ", name)


def _strange(text: str, named: Sequence[Named], names: Names) -> tuple[list[str], list[str]]:
    """Name-like words that are no paper's name: those that no abstract holds, those that some do."""
    inside = " ".join(name.text for name in named).lower()
    shaped = []
    for found in _TOKEN.finditer(text):
        token = re.sub(r"['’]s?$|[.…]+$", "", found[0]).strip("*'`‘’-–—/")
        if token.lower() not in inside and _looks_like_name(token, first=found.start() == 0):
            shaped.append(token)
    known = names.doc_freq(shaped) if shaped else {}
    unknown: list[str] = []
    mentioned: list[str] = []
    for token in dict.fromkeys(shaped):
        (mentioned if known.get(token) or _spelled_apart(token, names) else unknown).append(token)
    return unknown, mentioned


def _adopted(mentioned: Sequence[str], names: Names) -> tuple[list[Named], list[str]]:
    """The names that only one paper uses, itself nameless, as that paper's; and the others."""
    counts = names.doc_freq(list(mentioned)) if mentioned else {}
    taken, others = [], []
    for name in mentioned:
        own = counts[name] == 1 and re.search(r"[a-z]", name) and re.search(r"\w[A-Z]", name)
        hits = names.lexical(name, 1) if own else []
        paper = names.papers([hits[0].paper_id])[0] if hits else None
        if paper and paper.label.endswith("…") and name in (paper.abstract or ""):
            taken.append(Named(name, (paper.id,)))
        else:
            others.append(name)
    return taken, others


def _spelled_apart(token: str, names: Names) -> bool:
    """True where the collection writes the name in several words, or without a plural's s."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Za-z])(?=\d)|-", " ", token)
    forms = [form for form in (apart, token[:-1] if token.endswith("s") else "") if form and form != token]
    parts = [part for part in token.split("-") if len(part) > 1]
    known = names.doc_freq([*forms, *parts])
    plain = len(parts) > 1 and parts[-1].islower() and all(known[part] for part in parts)
    return plain or any(known[form] for form in forms)


def _looks_like_name(token: str, *, first: bool) -> bool:
    bare = re.sub(r"\W", "", token)
    if (
        token.lower() in FUNCTION_WORDS
        or len(bare) < 3
        or bare.isdigit()
        or re.fullmatch(r"\d+(?:\.\d+)?[a-zA-Z%]{0,3}", bare)
    ):
        return False
    if any(char.isupper() for char in bare[1:]):
        return True
    return bare[0].isupper() and not first


def is_baseline(text: str, name: str) -> bool:
    return bool(
        re.search(rf"\b{_BASELINE} (?:the |stock |plain |standard |its own )?{re.escape(name)}", text, re.I)
    )
