"""JSON documents of papers: the pages and lists that services answer with, or one's own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from corpus.readers.encodings import read_whole
from corpus.readers.json_items import json_items
from corpus.readers.jsonl import read_jsonl
from corpus.readers.lines import MAX_BYTES
from corpus.readers.plain_json import item_record
from corpus.readers.records import Record, Rejected


def read_json(stream: BinaryIO, file: str) -> Iterator[Record | Rejected]:
    """One Record or Rejected for each paper of a JSON document; JSON Lines are streamed, line by line."""
    lines = _is_lines(stream)
    stream.seek(0)
    if lines:
        yield from read_jsonl(stream, file)
        return
    for number, item in enumerate(json_items(read_whole(stream)), start=1):
        yield item_record(item, number, file)


def _is_lines(stream: BinaryIO) -> bool:
    """True where an object fills the first line and another begins on the next; pages of papers are too."""
    stream.seek(0)
    first = stream.readline(MAX_BYTES + 1).removeprefix(b"\xef\xbb\xbf").strip()
    rest = stream.read(4096).lstrip()
    if not first.startswith(b"{") or not rest.startswith(b"{"):
        return False
    return first.endswith(b"}") or first[:2] == rest[:2] == b'{"'
