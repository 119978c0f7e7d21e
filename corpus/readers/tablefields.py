"""From the cells of a table's row to the fields of a record."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from urllib.parse import unquote

from corpus.readers.listed import split_keywords, split_names, split_organisations

# What R, pandas and spreadsheets write for nothing.
_NOTHING = {"", "na", "nan", "n/a", "#n/a", "null", "none", "\\n", "-", "[]"}
# A spreadsheet's ="text", and a BibTeX value in its braces.
_WRAPPED = re.compile(r'="(.*)"|\{([^{}]*)\}', re.S)
# Embase: "Cancer (2004) 102:4 (253-258). Date of Publication: 25 Aug 2004".
_SOURCE = re.compile(
    r"(\S.{0,300}?) \(((?:1[89]|20)\d\d)\)(?: [\w:.() -]{0,200})?\.?(?: Date of Publication: .*)?", re.S
)
_DATABASES = {
    "scopus",
    "pubmed",
    "embase",
    "medline",
    "web of science",
    "wos",
    "google scholar",
    "ieee xplore",
}
# Zotero keeps what it has no column for in "Extra".
_EXTRA = re.compile(r"\b(arXiv|PMID|DOI): *(\S+)", re.I)
_EXTRA_FIELDS = {"arxiv": "arxiv_id", "pmid": "pmid", "doi": "doi"}
# Embase gives the DOI in a resolver's address only.
_RESOLVER = re.compile(r"[?&]id=doi:([^&\s]+)")
_ADDRESS = re.compile(r"https?://(?:(?!;\s*https?:)\S)+")


def fields_from(cells: Mapping[str, Sequence[str]]) -> dict[str, object]:
    """The fields of a record, from each field's cells, the better ones first; what is blank is left out."""
    filled = {field: found for field, given in cells.items() if (found := _filled(given))}
    fields: dict[str, object] = {
        field: found[0]
        for field, found in filled.items()
        if field in ("title", "abstract", "year", "venue", "doi", "arxiv_id", "pmid")
    }
    if authors := split_names(filled["authors"][0]) if "authors" in filled else []:
        fields["authors"] = authors
    if places := split_organisations(filled["organisations"][0]) if "organisations" in filled else []:
        fields["organisations"] = places
    if words := _keywords(filled):
        fields["keywords"] = words
    if addresses := [match[0] for one in filled.get("url", ()) for match in _ADDRESS.finditer(one)]:
        fields["url"] = addresses[0].rstrip(";,")
    _add_source(fields, filled.get("venue", []))
    for kind, value in _EXTRA.findall(" ".join(filled.get("extra", ()))):
        fields.setdefault(_EXTRA_FIELDS[kind.lower()], value)
    if resolved := _RESOLVER.search(" ".join(filled.get("resolver", ()))):
        fields.setdefault("doi", unquote(resolved[1]))
    return fields


def _filled(cells: Sequence[str]) -> list[str]:
    return [text for cell in cells if (text := _bare(cell.strip())).lower() not in _NOTHING]


def _bare(cell: str) -> str:
    found = _WRAPPED.fullmatch(cell)
    return (found[1] or found[2] or "").strip() if found else cell


def _keywords(filled: Mapping[str, list[str]]) -> list[str]:
    """What the authors and the owner gave; the database's own terms where there is nothing else."""
    cells = filled.get("keywords") or filled.get("terms") or []
    return list(dict.fromkeys(word for cell in cells for word in split_keywords(cell)))


def _add_source(fields: dict[str, object], venues: Sequence[str]) -> None:
    """Parts a source that tells the year too; a database's name is no venue."""
    named = [venue for venue in venues if venue.lower() not in _DATABASES]
    if not named:
        fields.pop("venue", None)
        return
    found = _SOURCE.fullmatch(named[0])
    fields["venue"] = found[1] if found else named[0]
    if found:
        fields.setdefault("year", found[2])
