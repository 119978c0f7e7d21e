"""What of a paper questions can be drafted from: its name, its sentences, their roles and figures."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from assistant.figures import Figure, figures_of
from assistant.roles import Role, roles_of
from corpus.collection import Collection, Sentence
from corpus.papers import Paper, text_key
from corpus.topics import topic_of

_LONGEST_NAME = 4
_SEVERAL = re.compile(r",| / | and |…")
_BRACKET = re.compile(r"\s*\([^()]*\)$")
_COMMON = re.compile(r"\s[a-z]+$")
_PLURAL = re.compile(r"\s[a-z]+s$")


@dataclass(frozen=True)
class Stated:
    """A figure with the sentence that gives it."""

    figure: Figure
    sentence: str
    role: Role

    @property
    def shown(self) -> str:
        """The figure in the sentence's own words."""
        return self.sentence[self.figure.start : self.figure.end]


@dataclass(frozen=True)
class Material:
    """One paper as questions are drafted from it."""

    paper: Paper
    sentences: tuple[str, ...]
    roles: tuple[Role, ...]

    @cached_property
    def name(self) -> str | None:
        """What people call it, None for a paper that is known by its title or its first words only."""
        label = self.paper.label
        bare = _BRACKET.sub("", label)
        if label == self.paper.title or _SEVERAL.search(label) or len(bare.split()) > _LONGEST_NAME:
            return None
        if text_key(bare) not in text_key(self.paper.abstract or "") or _PLURAL.search(bare):
            return None
        return f"the {label}" if _COMMON.search(bare) else label

    @property
    def bare_name(self) -> str | None:
        """The name as sentences have it, without what tells it apart from another of that name."""
        return _BRACKET.sub("", self.paper.label) if self.name else None

    @cached_property
    def figures(self) -> tuple[Stated, ...]:
        """Every figure of the abstract, in order."""
        return tuple(
            Stated(figure, sentence, role)
            for sentence, role in zip(self.sentences, self.roles, strict=True)
            for figure in figures_of(sentence)
        )


def material_of(paper: Paper, collection: Collection) -> Material:
    """The paper's material."""
    sentences: Sequence[Sentence] = collection.sentences([paper.id]).get(paper.id, [])
    return Material(paper, tuple(one.text for one in sentences), tuple(roles_of(sentences)))


def topic_for(paper: Paper, papers: Sequence[Paper]) -> str | None:
    """A keyword that only this one of the papers speaks of, None where it has none of more than a word."""
    topic = topic_of(paper, papers) if paper.keywords else None
    known = [keyword.lower() for keyword in paper.keywords]
    return topic if topic in known and len(topic.split()) > 1 else None
