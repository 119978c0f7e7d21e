"""The tagged files of reference managers: RIS, EndNote, RefWorks."""

from __future__ import annotations

import re
from dataclasses import replace

from corpus.readers.tagfields import (
    Dialect,
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


# Two spaces and a dash after two characters are a tag. Other spacings are one after tags that no sentence
# begins with ("CT - guided"), and in files that write so themselves after all tags that we know.
_SURE = "TY|TI|T1|AB|AU|PY|DO|UR|KW|JF|JO"
_KNOWN = (
    "TY|TI|T[123T]|CT|BT|ST|AB|N[12]|A[1-4U]|ED|PY|Y[12]|DA|JO|J[12AF]|VL|IS|SP|EP|PB|CY|SN|DO|UR|L[1-4K]|KW|AN|"
    "DB|DP|ID|LA|M[123]|AD|C[1-8]|U[1-5]|CN|ET|RN|SE"
)
_RIS_LINKS = ("M3", "L3", "N1", "UR", "L2", "LK", "L1", "AN", "ID")
_RIS_IDS = ("UR", "L2", "L1", "LK", "DO", "AN", "U1", "C3", "C2", "M1", "M3", "N1", "JO", "JF", "T2", "ID")


def _ris_line(loose: str) -> re.Pattern[str]:
    return re.compile(
        r"[ \t\xa0]*(?P<tag>[A-Z][A-Z0-9](?=[ \t\xa0]{2,5}[-–—])"
        rf"|(?:{loose})(?=[ \t\xa0]{{0,5}}[-–—](?:[ \t\xa0]|\n|\Z))"
        r"|TY(?=[ \t\xa0]{0,5}[-–—][A-Z]{3,6}[ \t]*\n)"
        r"|ER(?=[ \t\xa0]{0,5}[-–—]?[ \t\xa0]*(?:\n[ \t]*\n|\n?[ \t]*TY\b|\n?\Z))"
        r"|ER(?=[ \t\xa0]{0,5}[-–—][ \t\xa0]*\n)"
        r"|Record #(?=\d+ of \d+[ \t]*(?:\n|\Z)))"
        r"[ \t\xa0]*(?:[-–—](?P<value>.*))?"
    )


RIS = Dialect(
    Grammar(
        _ris_line(_SURE),
        opens=tags("TY"),
        closes=tags("ER"),
        outside=frozenset({"Record #"}),
        content=tags("TI T1 CT BT AB N2 AU A1 PY Y1 JO JF T2 DO"),
        long=tags("AB N1 N2 KW"),
        leads=tags("TI T1 AU A1 ID AN DB JF JO"),
    ),
    {
        "title": first("TI", "T1", "CT", "BT", "TT", "ST"),
        "abstract": abstract("AB", "N2"),
        "authors": entries(("AU", "A1"), split=_NAMES),
        "organisations": entries(("AD",)),
        "year": year("PY", "Y1", "DA"),
        "venue": first("JF", "T2", "JO", "BT", "JA", "J2", "JI", "J9", "J1", "C3", "T3"),
        "doi": doi("DO", "DI", links=_RIS_LINKS),
        "arxiv_id": arxiv_id(*_RIS_IDS),
        "pmid": pmid(*_RIS_IDS),
        "url": url("UR", "L2", "LK", "L1"),
        "keywords": keywords("KW"),
    },
    "TI",
)
LOOSE_RIS = replace(RIS, grammar=replace(RIS.grammar, line=_ris_line(_KNOWN)))
"""For files in which records begin with another spacing than "TY  - "."""
BARE_RIS = replace(LOOSE_RIS, grammar=replace(LOOSE_RIS.grammar, body=tags("TI T1 CT BT AB N2")))
"""For files without TY and ER: a blank line is all that stands between records."""

ENDNOTE = Dialect(
    Grammar(
        re.compile(r"%(?P<tag>[0-9A-Z@!#$&(*+<>^~\[\]=?])(?:[ \t](?P<value>.*)|(?=\n|\Z))"),
        opens=tags("0 T"),
        body=tags("T X"),
        long=tags("X Z K +"),
        leads=tags("0 T A F"),
    ),
    {
        "title": first("T", "Q", "!"),
        "abstract": abstract("X"),
        "authors": entries(("A",), split=_NAMES),
        "organisations": entries(("+",)),
        "year": year("D", "8"),
        "venue": first("J", "B", "S"),
        "doi": doi("R", links=("U", "M", "3")),
        "arxiv_id": arxiv_id("U", "R", "J", "M", "9", "Z"),
        "pmid": pmid("U", "M", "2"),
        "url": url("U", ">"),
        "keywords": keywords("K"),
    },
    "%T",
)

_REFWORKS_TAGS = (
    "RT|SR|ID|T[123]|A[1-6]|AU|JF|JO|YR|FD|VO|IS|SP|OP|K1|AB|NO|ED|PB|PP|SN|AV|AD|AN|LA|CL|SF|OT|LK|DO|CN|DB|DS|IP|"
    "RD|ST|U1[0-5]|U[1-9]|UL|WP|WT|WV|OL|PMID|ER|LL|SL|CR|PD"
)
REFWORKS = Dialect(
    Grammar(
        re.compile(rf"(?P<tag>{_REFWORKS_TAGS})(?:[ \t]+(?P<value>\S.*)|[ \t]*(?=\n|\Z))"),
        opens=tags("RT"),
        closes=tags("ER"),
        content=tags("T1 AB A1 JF YR"),
        body=tags("T1 AB"),
        long=tags("AB NO K1"),
        leads=tags("RT T1 A1 SR ID"),
    ),
    {
        "title": first("T1", "OT", "ST"),
        "abstract": abstract("AB"),
        "authors": entries(("A1", "AU"), split=_NAMES),
        "organisations": entries(("AD",)),
        "year": year("YR", "FD", "PD"),
        "venue": first("JF", "T2", "JO", "T3"),
        "doi": doi("DO", links=("UL", "LK")),
        "arxiv_id": arxiv_id("UL", "LK", "DO", "JF", "AN"),
        "pmid": pmid("UL", "LK", "AN", bare=("PMID",)),
        "url": url("UL", "LK"),
        "keywords": keywords("K1"),
    },
    "T1",
)
