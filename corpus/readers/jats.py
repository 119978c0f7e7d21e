"""JATS, the XML of abstracts at Crossref, as text."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, ParseError

from corpus.errors import InputError
from corpus.readers.elements import MAX_CHARACTERS, parse, words

_HEADED = re.compile(r"\s*abstract\W*", re.I)
_PARTS = {"sec", "abstract", "x"}


def jats_text(text: str) -> str:
    """The text without tags, its sections' titles as "TITLE: "; paragraphs outside of sections apart.

    What isn't well-formed comes back as it is.
    """
    if "<" not in text or len(text) > MAX_CHARACTERS:
        return text
    try:
        root = parse(f"<abstract>{text}</abstract>")
    except (ParseError, InputError):
        return text
    return "\n\n".join(filter(None, _parts(root))) if _is_jats(root) else text


def _is_jats(root: Element) -> bool:
    return any(one.tag in ("p", "sec", "title", "italic", "sub", "sup", "inline-formula") for one in root)


def _parts(parent: Element) -> list[str]:
    """The texts of a section's parts: with titles one running text, else paragraphs."""
    heading, parts, headed, loose = "", list[str](), False, [parent.text or ""]

    def close() -> None:
        nonlocal heading
        if text := " ".join("".join(loose).split()):
            parts.append(f"{heading}{text}")
            heading = ""
        loose.clear()

    for child in parent:
        if child.tag == "title":
            close()
            title = words(child).strip(" :.")
            heading = "" if _HEADED.fullmatch(title) or not title else f"{title.upper()}: "
            headed = headed or bool(heading)
        elif child.tag in _PARTS or child.tag == "p":
            close()
            inner = _parts(child) if child.tag != "p" else [words(child)]
            headed = headed or child.tag in _PARTS
            if inner:
                parts.append(heading + " ".join(inner))
                heading = ""
        else:
            loose.append(words(child))
        loose.append(child.tail or "")
    close()
    return [" ".join(parts)] if headed else parts
