"""PubMed's "Abstract (text)": numbered records of paragraphs, the citation first, the identifiers last."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from corpus.readers.encodings import read_whole
from corpus.readers.records import Record, Rejected

_BEGIN = re.compile(r"^(\d{1,6})\. (?=[^\n]*(?:\n\S[^\n]*){0,3}?(?:\b(?:19|20)\d\d\b|doi:))", re.M)
_IDS = re.compile(r"^(DOI|PMID|PMCID): *(\S+)", re.M)
_YEAR = re.compile(r"\b(?:18|19|20)\d\d\b")
_PARAGRAPH = re.compile(r"\n[ \t]*\n\s*")
_NOTE = re.compile(
    r"(?:Author information:|Comment (?:in|on)|Erratum (?:in|for)|Update (?:in|of)|Collaborators?:|"
    r"Conflict of interest|Copyright\b|©|Published by\b|Republished|Retraction|Plain Language|DOI:|PMC?ID:|"
    r"\(c\) \d{4}|©|\[Article in |\[Indexed )",
    re.I,
)
_PLACE = re.compile(r"(?:^|\s)\(\d+\)")
_FOOTNOTE = re.compile(r"(?:\(#?\d+\)|\(#\))+")
_MEND = "mend that record and ingest the file again; the other records went in"


@dataclass(frozen=True)
class _Piece:
    number: int
    text: str
    line: int


def looks_like_pubmed_text(text: str) -> bool:
    """True for a first record that begins with its number and a citation, and a line with a PubMed id."""
    found = _BEGIN.match(text.lstrip())
    return found is not None and re.search(r"^PMID: *\d", text, re.M) is not None


def read_pubmed_text(stream: BinaryIO, file: str) -> Iterator[Record | Rejected]:
    """One Record or Rejected for each numbered record."""
    for piece in _pieces(read_whole(stream)):
        fields = _fields(piece.text)
        if fields.get("title"):
            yield Record(piece.number, fields, piece.text, file)
        else:
            yield Rejected(file, piece.number, f"the record at line {piece.line} has no title", _MEND)


def _pieces(text: str) -> Iterator[_Piece]:
    """The records: each begins behind a blank line with the number that follows the last one's."""
    starts: list[int] = []
    for found in _BEGIN.finditer(text):
        above = text[: found.start()] if found.start() < 3 else text[found.start() - 3 : found.start()]
        if (not above.strip() and above.count("\n") > 1) or not starts:
            starts.append(found.start())
    line, counted = 1, 0
    for number, (start, end) in enumerate(zip(starts, [*starts[1:], len(text)], strict=True), 1):
        line += text.count("\n", counted, start)
        counted = start
        yield _Piece(number, text[start:end].strip(), line)


def _fields(text: str) -> dict[str, object]:
    parts = [" ".join(part.split()) for part in _PARAGRAPH.split(text)]
    citation = parts[0].partition(". ")[2]
    ids = {name: value.rstrip(".") for name, value in _IDS.findall(text)}
    doi = ids.get("DOI") or next(iter(re.findall(r"doi: *(10\.\S+?)\.?(?:\s|$)", citation)), "")
    year = _YEAR.search(citation.partition(". ")[2] or citation)
    body = [part for part in parts[2:] if not _NOTE.match(part)]
    authors: list[str] = []
    if body and _are_people(body[0]):
        authors = [name for one in _people(body.pop(0)) if (name := one.removeprefix("and "))]
    information = next((part for part in parts if part.startswith("Author information:")), "")
    places = [one.strip(" .;") for one in _PLACE.split(information.partition(":")[2])]
    fields: dict[str, object] = {
        "title": parts[1].rstrip() if len(parts) > 1 else "",
        "abstract": "\n\n".join(body),
        "authors": authors,
        "organisations": [one for one in places if one],
        "year": year[0] if year else "",
        "venue": citation.partition(". ")[0],
        "doi": doi,
        "pmid": ids.get("PMID", ""),
    }
    return {name: value for name, value in fields.items() if value}


def _are_people(part: str) -> bool:
    """Whether a paragraph is names: each a family's name and initials, no sentence."""
    names = _people(part)
    fits = sum(
        bool(re.fullmatch(r"(?:[^\W\d_][\w'’.-]*\s){1,5}[A-Z]{1,4}(?: (?:Jr|Sr|\d\w\w))?|et al", one[:80]))
        for one in names
    )
    return 2 * fits >= len(names)


def _people(part: str) -> list[str]:
    return [one.strip() for one in re.split("[,;]", _FOOTNOTE.sub("", part).rstrip("."))]
