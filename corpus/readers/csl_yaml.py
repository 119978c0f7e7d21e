"""The items of a YAML list, each read by itself, so that a broken one costs itself only."""

from __future__ import annotations

import re
from collections.abc import Iterator

import yaml

from corpus.readers.json_objects import Item
from corpus.readers.lines import MAX_BYTES

# Every scalar stays text ("No", 1e3, 2018-03-01), no tag is obeyed.
_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_LIST = re.compile(r"^references[ \t]*:[ \t]*(?:#[^\n]*)?\n", re.M)
_FIRST = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\n|---[^\n]*\n|%[^\n]*\n)*+([ ]*)-(?=[ \n])")


def read_yaml_items(text: str) -> Iterator[Item]:
    """The items under `references:`, or of the list that the document is."""
    block = _LIST.search(text)
    begin = block.end() if block else 0
    first = _FIRST.match(text, begin)
    if first is None:
        yield from _whole(text)
        return
    line, counted = 1, 0
    for start, end in _items(text, first.start(1), first[1]):
        line += text.count("\n", counted, start)
        counted = start
        yield _item(text[start:end].rstrip(), line)


def _items(text: str, start: int, indent: str) -> Iterator[tuple[int, int]]:
    """Where each item of the list begins and ends.

    The list ends with the document, or at a key at the left edge behind which no item follows.
    """
    item = rf"{indent}-(?=[ \n])"
    last = start
    for last_item in re.finditer(
        rf"^{item} +['\"]?(?:id|type|title|author|abstract|DOI|issued)\b", text, re.M
    ):
        last = last_item.start()
    marks = re.compile(rf"^(?:({item})|(?:\.\.\.|---)[ \t]*+$|[^\W\d][\w-]*+:(?=\s))", re.M)
    begin = start
    for mark in marks.finditer(text, start + len(indent) + 1):
        if mark[1] is None and mark.start() < last:
            continue
        yield begin, mark.start()
        if mark[1] is None:
            return
        begin = mark.start()
    yield begin, len(text)


def _item(raw: str, line: int) -> Item:
    if len(raw) > MAX_BYTES:
        return Item(None, raw[:1000], line, f"is longer than {MAX_BYTES / 1e6:.0f} MB")
    loaded, fault = _load(raw)
    if fault:
        return Item(None, raw, line, fault)
    value = loaded[0] if isinstance(loaded, list) and len(loaded) == 1 else loaded
    return Item(value, raw, line)


def _whole(text: str) -> Iterator[Item]:
    """The items of a document that isn't written a line a field: read as a whole."""
    if len(text) > MAX_BYTES:
        yield Item(None, "", 1, f"is longer than {MAX_BYTES / 1e6:.0f} MB and has no line for each item")
        return
    value, fault = _load(text)
    if fault:
        yield Item(None, text, 1, fault)
    if isinstance(value, dict):
        value = value.get("references", value)
    items = value if isinstance(value, list) else [value] if value else []
    yield from (Item(item, yaml.safe_dump(item, allow_unicode=True), 1) for item in items)


def _load(text: str) -> tuple[object, str]:
    try:
        return yaml.load(text, Loader=_LOADER), ""
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        return None, f"isn't YAML: {' '.join(str(error).split())[:200]}"
