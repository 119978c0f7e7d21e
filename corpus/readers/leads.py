"""What stands above the data of a file: comments and a few lines of somebody's own, which are passed over."""

from __future__ import annotations

import json
import re
import tempfile
from typing import BinaryIO, cast

from corpus.readers.encodings import decode, read_whole

_COMMENTS = re.compile(r"\s*(?:<!--(?:(?!-->)[\s\S])*+-->\s*)+")
_LINES = 5
_LONGEST = 300
_KEY = r"\{\s*\"[^\"\n]{1,100}\"\s*:\s*(?:[\"\[{]|-?\d|(?:true|false|null)\b)"
_JSON = re.compile(
    rf"\s*+(?:\[\s*+(?:(?:null\b|\[)\s*+,?\s*+)*+)?{_KEY}"
    r"|\s*+\[\s*+(?:\{\s*+\}|null\b|[\[\"])|\s*+\{\s*+\}"
)
_FIRST_TAG = re.compile(
    r"\s*<(?:(?P<sure>[?]xml\b|!doctype\b|!--)|[a-z][\w:.-]*(?:\s[^<>]*)?>(?P<inner>\s*<[a-z!?/])?)", re.I
)
_TAG = re.compile(r"</?[a-z][\w:.-]*(?:\s[^<>]*)?/?>", re.I)
_MANY_TAGS = 4
_DECODER = json.JSONDecoder(strict=False)
_LINE_END = re.compile(r"\r\n|\n|\r")


def is_json(text: str) -> bool:
    """Whether the text begins as JSON that could hold papers: prose that begins with a bracket doesn't."""
    found = _JSON.match(text)
    if found is None:
        return False
    place = len(text) - len(text.lstrip())
    try:
        value, end = _DECODER.raw_decode(text, place)
    except (ValueError, RecursionError):
        return re.search(r"\{", found[0]) is not None or "null" in found[0]
    rest = text[end:].lstrip(" \t")
    if isinstance(value, list) and value and isinstance(value[0], str):
        return not rest.strip()
    return rest[:1] in ("", "\n", "\r", ",", ";", "[", "{", "]", "}") or not rest[:1].isalpha()


def is_markup(text: str) -> bool:
    """Whether the text begins as XML or HTML: a tag in front of prose is none."""
    found = _FIRST_TAG.match(text)
    if found is None:
        return False
    if found["sure"] or found["inner"]:
        return True
    tags = [match[0] for _, match in zip(range(_MANY_TAGS), _TAG.finditer(text[:4000]), strict=False)]
    return len(tags) == _MANY_TAGS and any(tag.startswith("</") for tag in tags)


def comments_length(text: str) -> int:
    """The characters of markup's comments above what is no markup."""
    comments = _COMMENTS.match(text)
    begin = comments.end() if comments else 0
    return 0 if text[begin : begin + 1] in ("<", "") else begin


def lead_length(text: str) -> int:
    """The characters of a few lines above what is JSON or markup; 0 where nothing is to be passed over."""
    place = 0
    for _ in range(_LINES + 1):
        place += len(text[place : place + 2000]) - len(text[place : place + 2000].lstrip())
        rest = text[place:] if text[place : place + 1] in tuple("[{<") else ""
        if rest and (is_json(rest) or is_markup(rest)):
            return place if text[:place].strip() else 0
        end = text.find("\n", place)
        if end < 0 or end - place > _LONGEST:
            break
        place = end
    return 0


def without_lead(stream: BinaryIO, head: bytes, lead: str) -> BinaryIO:
    """A copy of the stream in which only the line ends are left of its beginning."""
    copy = cast(BinaryIO, tempfile.TemporaryFile())  # noqa: SIM115  the caller closes it
    copy.write(b"\n" * len(_LINE_END.findall(lead)))
    marked = head.startswith(b"\xef\xbb\xbf")
    size = len(lead.encode("utf-8", "replace")) + 3 * marked
    stream.seek(0)
    if decode(head[:size]).removeprefix("\ufeff") == lead:
        stream.seek(size)
        while block := stream.read(1024 * 1024):
            copy.write(block)
    else:
        whole = read_whole(stream).removeprefix("\ufeff")
        copy.write(whole[len(_LINE_END.sub("\n", lead)) :].encode("utf-8", "replace"))
    copy.seek(0)
    return copy
