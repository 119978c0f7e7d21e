"""The year of a messy date."""

from __future__ import annotations

import re

_YEAR = r"1[5-9]\d\d|20\d\d|21\d\d"
_FOUND = re.compile(rf"(?<!\d)({_YEAR})(?!\d)")
_COMPACT = re.compile(rf"\s*({_YEAR})(?:0\d|1[0-2])(?:[0-2]\d|3[01])?(?!\d)")


def clean_year(value: object) -> int | None:
    """The first year in a date ("2019/03//", "19 May 2020", "c2019", 20190315), or None: "in press"."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    text = str(value)[:200]
    found = _FOUND.search(text) or _COMPACT.match(text)
    return int(found[1]) if found else None
