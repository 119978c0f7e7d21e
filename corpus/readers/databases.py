"""The tagged files of databases: MEDLINE (nbib), Web of Science, Ovid."""

from __future__ import annotations

import re

from corpus.readers import ovid
from corpus.readers.tagfields import (
    Dialect,
    Values,
    abstract,
    arxiv_id,
    doi,
    entries,
    first,
    keywords,
    pmid,
    url,
    year,
)
from corpus.readers.taglines import Grammar, tags

_NAMES = r"\n|;\s"


def _medline_authors(values: Values) -> list[str]:
    """Full names where they are given (FAU), short ones (AU) where they aren't, and groups (CN)."""
    named = [(tag, text) for tag, text in values if tag in ("FAU", "AU", "CN") and text]
    before = ["", *(tag for tag, _ in named)]
    found = [text for (tag, text), last in zip(named, before, strict=False) if (tag, last) != ("AU", "FAU")]
    return list(dict.fromkeys(" ".join(text.split()) for text in found))


def _medline_doi(values: Values) -> str | None:
    """The identifier marked "[doi]", else whatever of LID, AID, DO is a DOI."""
    marked = [(tag, text[: -len("[doi]")]) for tag, text in values if text.endswith("[doi]")]
    found = doi("LID", "AID", links=("SO",))(marked) or doi("DO", links=("LID", "AID"))(values)
    return found if isinstance(found, str) else None


NBIB = Dialect(
    Grammar(
        re.compile(
            r"(?P<tag>PM(?:ID|CR|C)(?= {0,2}-)|[A-Z][A-Z0-9]{1,3}(?= {0,3}-(?:[ \t]|\n|\Z)))"
            r" {0,3}-(?P<value>.*)"
        ),
        opens=tags("PMID"),
        content=tags("TI AB FAU AU JT DP"),
        body=tags("TI BTI CTI AB OAB PT MH"),
        long=tags("AB OAB"),
        leads=tags("PMID PMC PMCR OWN STAT TI"),
    ),
    {
        "title": first("TI", "BTI", "CTI", "TT"),
        "abstract": abstract("AB", other=("OAB",), wrapped=True),
        "authors": _medline_authors,
        "organisations": entries(("AD",), split=r"\n\n"),
        "year": year("DP", "DEP", "CRDT"),
        "venue": first("JT", "TA", "BTI", "CTI"),
        "doi": _medline_doi,
        "arxiv_id": arxiv_id("LID", "AID"),
        "pmid": pmid(bare=("PMID",)),
        "url": url("URL", "URLF"),
        "keywords": keywords("OT", "MH", split=r"(?!)"),
    },
    "TI",
)

_WOS_TAGS = (
    "AA AB AF AN AR AU BA BE BF BN BP BS C1 C2 C3 CA CL CO CR CT CY D2 DA DE DG DI DS DT EA EC ED EF EI "
    "EM EP ER EY FN FU FX G1 GA GE GP HC HO HP ID IS J1 J2 J9 JI LA MA NO NR OA OI P1 PA PD PG PI PM PN "
    "PS PT PU PV PY RI RP SC SE SI SN SO SP SU TA TC TI U1 U2 UT VL VR WC WE WP X1 X4 X5 X8 Y1 Y4 Y5 Y8 "
    "Z1 Z2 Z3 Z4 Z5 Z6 Z7 Z8 Z9"
).split()


def _wos_organisations(values: Values) -> list[str]:
    """The organisations (C3), else the addresses (C1) without the names of those who work there."""
    found = entries(("C3",), split=r"[;\n]")(values) or entries(("C1",), split=r"(?<=\.)\n|\n(?=\[)")(values)
    names = found if isinstance(found, list) else []
    return [re.sub(r"^\[[^\[\]]*\]\s*", "", name) for name in names]


WOS = Dialect(
    Grammar(
        re.compile(rf"(?P<tag>{'|'.join(_WOS_TAGS)})(?:[ \t]+(?P<value>\S.*)|[ \t]*(?=\n|\Z))"),
        opens=tags("PT"),
        closes=tags("ER"),
        outside=tags("FN VR EF"),
        content=tags("TI AB AU SO"),
    ),
    {
        "title": first("TI", "X1", "Y1", "Z1"),
        "abstract": abstract("AB", other=("X4", "Y4", "Z4"), wrapped=True),
        "authors": entries(("AF",), ("AU",), split=_NAMES, also=("CA", "GP")),
        "organisations": _wos_organisations,
        "year": year("PY", "EY", "PD", "EA"),
        "venue": first("SO", "CT", "BS", "SE", "JI", "J9"),
        "doi": doi("DI", "D2", links=("UR",)),
        "arxiv_id": arxiv_id("AR", "AN", "UT", "DI"),
        "pmid": pmid("UT", bare=("PM",)),
        "url": url("UR"),
        "keywords": keywords("DE", "ID", split=";"),
    },
    "TI",
)

# Names of fields in words stand alone on a line, with their text indented below.
OVID = Dialect(
    Grammar(
        re.compile(
            r"(?P<tag><(?=\d{1,7}\.? *>)|[A-Z][A-Z0-9](?= {1,3}-(?: |\n|\Z))"
            rf"|(?:{'|'.join(map(re.escape, ovid.NAMES))})(?=[ \t]*:?[ \t]*(?:\n|\Z))"
            r"|[A-Z][A-Za-z][A-Za-z ()/&'.-]{0,50}?(?=[ \t]*\n {1,8}[^\s]))"
            r"(?: {0,3}-(?P<value>.*)|.*)"
        ),
        opens=tags("< VN"),
        content=tags("TI AB AU Title Abstract Author Authors"),
    ),
    {
        "title": ovid.title,
        "abstract": abstract("AB", "Abstract"),
        "authors": ovid.authors,
        "organisations": entries(("IN", "Institution"), split=r"\n|(?<=\.)\s{2,}"),
        "year": ovid.year,
        "venue": ovid.venue,
        "doi": doi("DO", "DI", "DOI", "Digital Object Identifier"),
        "arxiv_id": arxiv_id("XL", "JL"),
        "pmid": ovid.pmid,
        "url": url("JL", "XL", "Link to the Ovid Full Text or citation"),
        "keywords": keywords(
            "KW", "KP", "MH", "Author Keywords", "Keywords", "Keyword Heading", "Subject Headings"
        ),
    },
    "TI",
)
