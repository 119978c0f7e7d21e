"""What a look at a collection's stores gives."""

from __future__ import annotations

from dataclasses import dataclass

REBUILD = "run `assistant rebuild`"
"""The remedy for an index that isn't as the catalogue says."""


@dataclass(frozen=True)
class Finding:
    """What one look found; `remedy` is "" where all is well."""

    name: str
    found: str
    remedy: str = ""
