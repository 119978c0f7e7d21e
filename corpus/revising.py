"""A record that was read before and says something else now."""

from __future__ import annotations

from dataclasses import fields, replace

from corpus.papers import Paper, Source
from corpus.stored import RawRecord

_KEPT = frozenset({"id", "aliases", "sources"})


def is_revision(old: Paper, raw: RawRecord) -> bool:
    """Whether the paper was read from this very place and no other, which so has the last word."""
    return old.sources == (Source(raw.file, raw.record),)


def revise(old: Paper, new: Paper) -> Paper:
    """The paper as its one record says now; what the record no longer gives stays, and so does the id."""
    told = {
        field.name: getattr(new, field.name) or getattr(old, field.name)
        for field in fields(Paper)
        if field.name not in _KEPT
    }
    aliases = dict.fromkeys((*old.aliases, new.id, *new.aliases))
    return replace(old, **told, aliases=tuple(name for name in aliases if name != old.id))
