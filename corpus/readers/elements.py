"""XML of one record as elements, and elements as text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from html.entities import html5
from typing import BinaryIO
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from corpus.errors import InputError
from corpus.readers.mathml import math_text
from corpus.readers.pieces import Piece, read_pieces
from corpus.readers.records import Record, Rejected

MAX_CHARACTERS = 8 * 1024 * 1024
"""Of one record: far above any paper's."""
MOST_ELEMENTS = 100_000
"""Of one record: a paper of 3,000 authors has some 30,000, and each takes much memory."""
_DEEPEST = 100
_MEND = "mend that record and ingest the file again; the other records went in"
_PREFIX = re.compile(r"[<\s/]([A-Za-z_][\w.-]*):[A-Za-z_][\w.-]*(?=[\s/>=])")
_NAMED = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);|#\d{1,7};|#x[0-9a-fA-F]{1,6};)(\w{1,32};)?")
_NO_TAG = re.compile(r"<(?![A-Za-z_/!?])")
_NO_XML = re.compile(
    r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
    r"|&#(?:0*(?:[0-8]|1[124-9]|2\d|3[01])|[xX]0*(?:[0-8bcefBCEF]|1[0-9a-fA-F]));"
)
_FORMULAS = ("alternatives", "inline-formula", "disp-formula")
_APART = {"p", "br", "break", "sec", "list-item", "list", "title", "div", "li", "AbstractText"}

Fields = dict[str, object]


def read_elements(
    stream: BinaryIO, file: str, start: str, fields: Callable[[Element], Fields]
) -> Iterator[Record | Rejected]:
    """One Record or Rejected for each record of an XML file; `fields` are made of a record's element.

    `fields` may raise InputError to say why a record is none.
    """
    for piece in read_pieces(stream, start):
        try:
            found = {key: value for key, value in fields(_element(piece)).items() if value}
        except InputError as error:
            yield Rejected(file, piece.number, str(error), _MEND)
            continue
        if found.get("title") or found.get("abstract"):
            yield Record(piece.number, found, piece.text, file)
        else:
            reason = f"has neither a title nor an abstract (line {piece.line})"
            yield Rejected(file, piece.number, reason, "add one of them")


def _element(piece: Piece) -> Element:
    if not piece.closed:
        raise InputError(f"the record that begins on line {piece.line} is cut off: its end tag is missing")
    if len(piece.text) > MAX_CHARACTERS:
        size = f"{len(piece.text) / 1e6:.0f} million characters"
        raise InputError(f"the record that begins on line {piece.line} is {size} long (the limit is 8)")
    if piece.text.count("<") > 2 * MOST_ELEMENTS:
        reason = f"the record that begins on line {piece.line} has more than {MOST_ELEMENTS:,} elements"
        raise InputError(reason)
    try:
        return parse(piece.text)
    except ParseError as error:
        line = piece.line + max(error.position[0] - 1, 0)
        why = str(error).partition(":")[0]
        raise InputError(f"isn't well-formed XML: {why} (line {line})") from error


def parse(text: str) -> Element:
    """The element that a text is, its tags and attributes without namespaces; ParseError for what is none.

    Bare ampersands and less-than signs, HTML's entities and characters that XML forbids are mended first
    where it can't be read else. A DTD is refused.
    """
    try:
        root = _parsed(text)
    except ParseError:
        root = _parsed(_mended(text))
    level, depth = [root], 0
    while level:
        for element in level:
            element.tag = element.tag.rpartition("}")[2]
            if any("}" in key for key in element.attrib):
                element.attrib = {key.rpartition("}")[2]: value for key, value in element.attrib.items()}
        level, depth = [child for element in level for child in element], depth + 1
        if depth > _DEEPEST:
            raise InputError(f"its elements are nested more than {_DEEPEST} deep")
    return root


def _parsed(text: str) -> Element:
    prefixes = dict.fromkeys(_PREFIX.findall(text))
    names = " ".join(f'xmlns:{one}="{one}"' for one in prefixes if not one.lower().startswith("xml"))
    try:
        wrapped: Element = fromstring(f"<x {names}>{text}</x>", forbid_dtd=True)
    except DefusedXmlException as error:
        raise InputError("it declares entities or a document type within a record; leave it out") from error
    except ValueError as error:
        raise InputError(f"isn't usable XML: {error}") from error
    if len(wrapped) != 1:
        raise ParseError("no single element: line 1, column 0")
    return wrapped[0]


def _mended(text: str) -> str:
    text = _NO_TAG.sub("&lt;", _NO_XML.sub(" ", text))
    return _NAMED.sub(lambda found: _entity(found[1] or ""), text)


def _entity(name: str) -> str:
    value = html5.get(name)
    return value.replace("&", "&amp;").replace("<", "&lt;") if value else f"&amp;{name}"


def words(element: Element | None) -> str:
    """The element's text on one line: superscripts with "^", maths in a line, paragraphs apart."""
    return " ".join("".join(_runs(element)).split()) if element is not None else ""


def _runs(element: Element) -> Iterator[str]:
    if element.tag == "math":
        yield math_text(element)
        return
    tex = element.find(".//tex-math") if element.tag in _FORMULAS else None
    if tex is not None:
        yield "".join(tex.itertext())
        return
    raised = element.tag == "sup" or "superscript" in element.get("face", "")
    if raised and (element.text or len(element)):
        yield "^"
    elif element.tag in _APART:
        yield " "
    yield element.text or ""
    for child in element:
        yield from _runs(child)
        yield child.tail or ""
    if element.tag in _APART:
        yield " "


def text_at(element: Element | None, *paths: str) -> str:
    """The text of the first element at any of these paths that has one."""
    if element is None:
        return ""
    return next((text for path in paths for one in element.iterfind(path) if (text := words(one))), "")


def texts_at(element: Element | None, *paths: str) -> list[str]:
    """The texts of all the elements at these paths, each once."""
    if element is None:
        return []
    return distinct(words(one) for path in paths for one in element.iterfind(path))


def distinct(texts: Iterable[str]) -> list[str]:
    """The texts that aren't empty, in their order, each once."""
    return [text for text in dict.fromkeys(texts) if text]


def joined_abstracts(abstracts: Iterable[tuple[str, str]]) -> str:
    """One abstract of several given with their languages ("" for none said): of two languages one is taken.

    English goes first, then the language of the first; texts that repeat another are left out.
    """
    given = [(text, language.lower()[:2]) for text, language in abstracts if text]
    languages = [language for _, language in given if language]
    wanted = "en" if "en" in languages else languages[0] if languages else ""
    return "\n\n".join(distinct(text for text, language in given if language in ("", wanted)))
