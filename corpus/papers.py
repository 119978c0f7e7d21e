"""Paper: the record that everything else speaks of."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, TypeVar

_T = TypeVar("_T")
_LISTS = ("authors", "organisations", "keywords", "aliases", "other_ids")


@dataclass(frozen=True)
class Source:
    """Where a paper was read: the file's name and the record's number in it, counted from 1."""

    file: str
    record: int


@dataclass(frozen=True)
class Paper:
    """One paper, cleaned: what is shown, quoted and searched. Unknown fields are None or ()."""

    id: str
    label: str
    abstract: str | None
    title: str | None = None
    authors: tuple[str, ...] = ()
    organisations: tuple[str, ...] = ()
    year: int | None = None
    venue: str | None = None
    doi: str | None = None
    arxiv_id: str | None = None
    url: str | None = None
    keywords: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    aliases: tuple[str, ...] = ()
    pmid: str | None = None
    other_ids: tuple[str, ...] = ()
    """Identifiers beside the main ones: "arxiv:2301.10936v2", "doi:10.1101/1", "pmid:1", "https://..."."""

    def field(self, name: str) -> str:
        """The text of a quotable field; lists are joined by ", ", unknown is ""."""
        value = getattr(self, name)
        return ", ".join(value) if isinstance(value, tuple) else "" if value is None else str(value)

    def to_dict(self) -> dict[str, Any]:
        """The paper as one JSON object, in the contract's order of keys."""
        order = ("id", "label", "title", "abstract")
        plain = asdict(self)
        return {key: plain[key] for key in (*order, *(k for k in plain if k not in order))}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Paper:
        """The paper that `to_dict` wrote."""
        known = {f.name: data[f.name] for f in fields(cls) if f.name in data}
        for name in _LISTS:
            known[name] = tuple(known.get(name) or ())
        known["sources"] = tuple(Source(**source) for source in known.get("sources") or ())
        return cls(**known)


def storable(value: _T) -> _T:
    """The value, a text without the lone halves of characters that no UTF-8 can hold."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value  # type: ignore[return-value]


def text_key(text: str) -> str:
    """The text reduced to its letters and digits, folded: equal keys are the same words."""
    return re.sub(r"\W+", "", text.casefold())


def new_id(text: str) -> str:
    """An id of 12 hex digits, made from the words of `text`."""
    return "p" + hashlib.sha256(text_key(text).encode()).hexdigest()[:11]
