"""The names that exporters give their columns, and what they stand for."""

from __future__ import annotations

import re
from collections.abc import Sequence

# For each field its columns, the better ones first, in lower case, a space for all but letters and digits:
# Zotero, Scopus, IEEE Xplore, Lens, Embase, OpenAlex, ProQuest, PubMed, Web of Science, Dimensions, JabRef,
# ASReview, Rayyan, Publish or Perish, and people's own tables in several languages.
_COLUMNS = {
    "title": """title, article title, document title, paper title, primary title, work title, item title,
        titles, display name, titel, titre, título, titulo, headline, original title""",
    "abstract": """abstract, abstract note, abstracts, abstract text, paper abstract, article abstract,
        english abstract, summary, zusammenfassung, résumé, resume, resumen, resumo, original abstract,
        description""",
    "authors": """author full names, author full name, authors full names, authors, author,
        author names, author s, first authors, authorships author display name, authors list, author list,
        autoren, autor, auteurs, auteur, autores, authorships raw author name, creators, creator,
        book authors, group authors""",
    "organisations": """research organizations standardized, affiliations, author affiliations,
        author affiliation, authoraffiliation, authorships institutions display name, institutions,
        institution, organisations, organizations, addresses""",
    "year": """year, publication year, pubyear, pub year, year published, published year, year of publication,
        jahr, année, año, ano, publication date, date published, date of publication, pub date, pubdate,
        published, publish date, date, issue date, online date, early access date""",
    "venue": """source title, publication title, journal, journal book, journal title, full journal title,
        source title anthology title, pubtitle, venue, publication venue, container title,
        primary location source display name, host venue display name, secondary title, conference name,
        conference title, conference, book title, booktitle, proceedings title, meeting name, journal name,
        journaltitle, publication, zeitschrift, revue, revista, source, publication name""",
    "doi": """doi, dois, digital object identifier, digital object identifier doi, article doi, ids doi,
        doi url, doi link""",
    "arxiv_id": "arxiv id, arxiv, arxivid, arxiv number, eprint",
    "pmid": "pmid, pubmed id, pubmedid, pubmed, ids pmid, medline pmid, pubmed pmid",
    "url": """url, link, article url, paper url, document url, documenturl, dimensions url, source urls,
        external url, primary location landing page url, landing page url, urls, full text link,
        full text url, web link, weblink, pdf link, embase link, doi link, ids doi""",
    "keywords": """author keywords, keywords, keyword, manual tags, automatic tags, tags, authors keywords,
        schlagwörter, mots clés, palabras clave, identifierkeywords, keywords display name""",
    "terms": """index keywords, keywords plus, ieee terms, mesh terms, mesh, subject terms, subjectterms,
        subjects, subject, fields of study, concepts display name, index terms""",
    "extra": "extra",
    "resolver": "open url link",
}
COLUMNS = {field: [name.strip() for name in names.split(",")] for field, names in _COLUMNS.items()}
"""Field -> the names of its columns as `column_name` gives them, the better ones first."""
# Tags of the Web of Science where they head columns.
_TAGS = {
    "TI": "title", "AB": "abstract", "AF": "author full names", "AU": "authors", "CA": "group authors",
    "BA": "book authors", "C3": "affiliations", "C1": "addresses", "PY": "year", "SO": "source title",
    "DI": "doi", "PM": "pmid", "DE": "author keywords", "ID": "keywords plus",
}  # fmt: skip
_FIELD_OF = {name: field for field, names in reversed(COLUMNS.items()) for name in names}


def column_name(cell: str) -> str:
    """The name of a column as it is compared: "Author(s)" is "author s"."""
    return " ".join(re.findall(r"[^\W_]+", cell[:200].lower()))


def column_names(header: Sequence[str]) -> list[str]:
    """The names of all columns; two-letter tags, where they head them all, by their meaning."""
    cells = [cell.strip(" \ufeff") for cell in header]
    filled = [cell for cell in cells if cell]
    tags = sum(re.fullmatch(r"[A-Z][A-Z0-9]", cell) is not None for cell in filled)
    if "TI" in filled and tags > 0.8 * len(filled):
        return [_TAGS.get(cell, "" if not cell else cell.lower()) for cell in cells]
    return [column_name(cell) for cell in cells]


def field_of(name: str) -> str | None:
    """The field that a column of this name holds, None for one that isn't read."""
    return _FIELD_OF.get(name)


def known_fields(header: Sequence[str]) -> set[str]:
    """The fields that a row names, if it is a header."""
    return {field for name in column_names(header) if (field := field_of(name))}


def columns_of(header: Sequence[str]) -> dict[str, list[int]]:
    """Field -> the places of its columns, the better ones first."""
    places: dict[str, list[int]] = {}
    for place, name in enumerate(column_names(header)):
        if name:
            places.setdefault(name, []).append(place)
    return {
        field: found
        for field, names in COLUMNS.items()
        if (found := [place for name in names for place in places.get(name, ())])
    }
