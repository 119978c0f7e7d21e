"""What lies where in a JSON value, as text and as names; "" or none for what isn't there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


def at(item: object, *path: str | int) -> Any:
    """What lies at the path of keys and places, or None."""
    for step in path:
        if isinstance(step, str):
            item = item.get(step) if isinstance(item, Mapping) else None
        else:
            item = item[step] if isinstance(item, list) and len(item) > step else None
    return item


def text(item: object, *path: str | int) -> str:
    """The text, or the number as text, at the path; the first of a list; else ""."""
    found = at(item, *path)
    if isinstance(found, list):
        found = next((one for one in found if isinstance(one, str) and one), None)
    if isinstance(found, bool):
        return ""
    return found.strip() if isinstance(found, str) else str(found) if isinstance(found, int) else ""


def first(texts: Iterable[str]) -> str:
    """The first that isn't empty, or ""."""
    return next(filter(None, texts), "")


def each(item: object, *path: str | int) -> list[Any]:
    """The list at the path, or none."""
    found = at(item, *path)
    return found if isinstance(found, list) else []


def names(items: Iterable[object], *keys: str) -> list[str]:
    """Each item's name: the text itself, or what it has at the first of the keys that holds one."""
    found = (one if isinstance(one, str) else first(text(one, key) for key in keys) for one in items)
    return list(dict.fromkeys(filter(None, found)))


def person(item: object) -> str:
    """A person or a group as the file has it: "Family, Suffix, Given", a name, or a group's name."""
    if isinstance(item, str):
        return item.strip()
    parts = (text(item, "family"), text(item, "suffix"), text(item, "given"))
    keys = ("name", "literal", "full_name", "fullName", "display_name")
    return ", ".join(filter(None, parts)) or first(text(item, key) for key in keys)
