"""What only Ovid's exports do: fields named in words, authors with footnotes, the source in one line."""

from __future__ import annotations

import re

from corpus.readers.tagfields import Values, cut, texts

NAMES = (
    "Accession Number", "Unique Identifier", "Title", "Original Title", "Book Title", "Author", "Authors",
    "Author/Editor", "Institution", "Source", "Abstract", "Author Keywords", "Keyword Heading", "Keywords",
    "Subject Headings", "MeSH Subject Headings", "DOI", "Digital Object Identifier", "Publication Type",
    "Year of Publication", "Date of Publication", "Publication Date", "Language", "Score", "References",
    "ISSN", "Database", "Country of Publication", "Link to the Ovid Full Text or citation", "Copyright",
    "PMID",
)  # fmt: skip
_TITLE_NOTE = re.compile(r"\s*\[[A-Z][A-Za-z ,&-]*\]\.?$")
_ROLE = re.compile(r"\s*\[[^\[\]]*\]")
_FOOTNOTE = re.compile(r"[\s,*+]*\d[\d\s,*+]*$|,?\s(?:MD|M\.D\.|Ph\.?D\.?|[BM]Sc|[BM]A|MPH|RN)\.?$")
_LONGEST_NAME = 200
_PLACE = re.compile(r"\.\s+(?=\d|\(|Vol\b|Conference\b|pp\b|Date\b)|\.\s{2,}|,\s+[Vv]ol\b|;|\.?$")
_YEAR = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)")
_SOURCES = ("SO", "Source")


def title(values: Values) -> str | None:
    """The title without the note of its kind ("[Article]")."""
    found = texts(values, ("TI", "Title")) or texts(values, ("BT", "Book Title", "Original Title"))
    return _TITLE_NOTE.sub("", " ".join(found[0].split())) or None if found else None


def authors(values: Values) -> list[str]:
    """The authors, one a line, between semicolons, or each ended by a full stop and two spaces."""
    found = texts(values, ("FA", "FAU")) or texts(values, ("AU", "Author", "Authors", "Author/Editor"))
    split = (
        r"[;\n]"
        if len(found) > 1 or any(";" in text or "\n" in text for text in found)
        else r"(?<=\w{2})\.\s{2,}"
    )
    return cut(map(_name, cut(found, split)), "\n")


def _name(text: str) -> str:
    """The name without its role ("[Author]"), its footnote's number and its degree."""
    return _FOOTNOTE.sub("", _ROLE.sub("", text)) if len(text) <= _LONGEST_NAME else text


def venue(values: Values) -> str | None:
    """The journal or book: a field of its own, else the beginning of the source."""
    found = texts(values, ("JT", "JN", "JF")) or texts(values, ("BT", "Book Title"))
    if found:
        return " ".join(found[0].split())
    source = next(iter(texts(values, _SOURCES)), "")
    return _PLACE.split(source, maxsplit=1)[0].strip() or None


def year(values: Values) -> str | None:
    """The year of publication: a field of its own, else the last one in the source."""
    tags = ("YR", "PY", "Year of Publication", "DP", "Date of Publication", "Publication Date", "DG")
    for tag in tags:
        if found := texts(values, (tag,)):
            return found[0]
    years = [match[0] for text in texts(values, _SOURCES) for match in _YEAR.finditer(text)]
    return years[-1] if years else None


def pmid(values: Values) -> str | None:
    """The PubMed id, which is the record's own id where the database is MEDLINE."""
    given = [*texts(values, ("PM", "PMID"))]
    if any("medline" in name.lower() for name in texts(values, ("DB", "Database"))):
        given += texts(values, ("UI", "AN", "Unique Identifier", "Accession Number"))
    return next((text for text in given if re.fullmatch(r"\d{4,9}", text)), None)
