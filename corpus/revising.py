"""A record that was read before and says something else now."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import fields, replace

from corpus.cleaning import clean_text
from corpus.dedupe import label_of, merge
from corpus.facts import differ, facts_of
from corpus.papers import Paper, text_key

_KEPT = frozenset({"id", "aliases", "sources"})
# A text of fewer letters may be a part of others by chance.
_PART = 40


def is_revision(old: Paper, new: Paper) -> bool:
    """Whether the record speaks for all places that the paper was read from, and so has the last word."""
    return set(old.sources) <= set(new.sources)


def is_rewritten(old: Paper, new: Paper) -> bool:
    """Whether a record in the place of another is that one cut down or drawn out."""
    short, long = sorted((text_key(old.abstract or ""), text_key(new.abstract or "")), key=len)
    return len(short) >= _PART and short in long and not differ(facts_of(old), facts_of(new))


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


def revise_one(old: Paper, new: Paper, others: Sequence[str]) -> Paper:
    """The paper of several records of which one changed: `others` are the texts of those that didn't.

    Title and abstract that none of the others has came from this record, and are what it says now.
    """
    merged = merge(old, new)
    title, abstract = merged.title, merged.abstract
    if new.title and old.title == title and not _is_held(old.title or "", others):
        title = new.title
    if new.abstract and old.abstract == abstract and not _is_held(old.abstract or "", others):
        abstract = new.abstract
    if (title, abstract) == (merged.title, merged.abstract):
        return merged
    revised = replace(merged, title=title, abstract=abstract)
    return replace(revised, label=label_of(old, revised))


def _is_held(text: str, raws: Sequence[str]) -> bool:
    """Whether one of the records as they were read has the text."""
    key = text_key(text)
    return any(key in _letters(raw) for raw in raws)


def _letters(raw: str) -> str:
    """The letters and digits of a record, whatever stands between them."""
    if raw.lstrip().startswith("{"):
        with suppress(ValueError, RecursionError):
            raw = json.dumps(json.loads(raw), ensure_ascii=False)
    return text_key(clean_text(re.sub(r"\\[nrt]", " ", raw)))
