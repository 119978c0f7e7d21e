"""A record that was read before and says something else now."""

from __future__ import annotations

from dataclasses import fields, replace

from corpus.papers import Paper

_KEPT = frozenset({"id", "aliases", "sources"})


def is_revision(old: Paper, new: Paper) -> bool:
    """Whether the record speaks for all places that the paper was read from, and so has the last word."""
    return set(old.sources) <= set(new.sources)


def revise(old: Paper, new: Paper) -> Paper:
    """The paper as its one record says now; what the record no longer gives stays, and so does the id."""
    told = {
        field.name: getattr(new, field.name) or getattr(old, field.name)
        for field in fields(Paper)
        if field.name not in _KEPT
    }
    aliases = dict.fromkeys((*old.aliases, new.id, *new.aliases))
    sources = tuple(dict.fromkeys((*old.sources, *new.sources)))
    return replace(old, **told, sources=sources, aliases=tuple(name for name in aliases if name != old.id))
