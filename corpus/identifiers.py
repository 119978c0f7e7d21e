"""DOIs, arXiv ids and PubMed ids from any form that they are written in."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape
from urllib.parse import unquote

_DOI = re.compile(r"(?<![\d.])(10\.\d{4,9}(?:\.\d+)*/[^\s\"]+)")
# What web addresses of publishers have behind the DOI.
_BEHIND = re.compile(r"(?:[?#].*|/(?:full(?:text)?|abstract|pdf|epub|summary|meta)|\.pdf)+$", re.I)
_ARXIV = re.compile(r"(?<![\d.])(\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(v\d{1,3})?(?!\d)")
_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(.+)", re.I)
_UNVERSIONED = re.compile(r"v\d{1,3}$")
_ARXIV_URL = re.compile(r"https?://(?:[\w-]+\.)?arxiv\.org/\w+/(\S+)", re.I)
_DOI_URL = re.compile(r"https?://(?:dx\.)?(?:www\.)?doi\.org/|https?://[^\s/]+/doi/", re.I)
_PMID = re.compile(r"\s*(?:pmid|pubmed|medline)?[\s:=]*0*([1-9]\d{0,8})(?:\.0)?\s*(?:\[[^\]]*\]\s*)?", re.I)
_PMID_URL = re.compile(
    r"https?://(?:pubmed\.ncbi\.nlm\.nih\.gov|(?:www\.)?ncbi\.nlm\.nih\.gov/(?:m/)?pubmed)/0*([1-9]\d{0,8})\b",
    re.I,
)

_LONGEST = 2000
"""How much of a field is looked through."""


@dataclass(frozen=True)
class Identifiers:
    """What a record is known by elsewhere; `arxiv_version` is the id with its version, "2301.10936v2"."""

    doi: str | None = None
    arxiv_id: str | None = None
    arxiv_version: str | None = None
    pmid: str | None = None


def find_identifiers(*, doi: object, arxiv_id: object, pmid: object, url: object) -> Identifiers:
    """The identifiers of a record's fields; each also from the address or, arXiv's, from the DOI."""
    address = url[:_LONGEST].strip() if isinstance(url, str) else ""
    found_doi = clean_doi(doi) or (clean_doi(address) if _DOI_URL.match(address) else None)
    in_doi = _ARXIV_DOI.fullmatch(found_doi or "")
    in_url = _ARXIV_URL.match(address)
    texts = [str(arxiv_id or "")[:_LONGEST], in_doi[1] if in_doi else "", in_url[1] if in_url else ""]
    if in_doi:
        found_doi = f"10.48550/arxiv.{_UNVERSIONED.sub('', in_doi[1])}"
    matches = [match for match in map(_ARXIV.search, texts) if match]
    version = next((match[0] for match in matches if match[2]), None)
    in_address = _PMID_URL.match(address)
    return Identifiers(
        found_doi,
        matches[0][1] if matches else None,
        version,
        clean_pmid(pmid) or (in_address[1] if in_address else None),
    )


def clean_doi(value: object) -> str | None:
    """The bare DOI in lower case ("10.1145/3600006.3613139"), or None for what isn't one."""
    text = str(value or "").strip()[:_LONGEST]
    if not text:
        return None
    if re.search(r"10\.\d{4,9}(?:\.\d+)*%2f", text, re.I) or (text.startswith("http") and "%" in text):
        text = unquote(text)
    found = _DOI.search(unescape(text).replace("\\", "").replace("{", "").replace("}", ""))
    if not found:
        return None
    doi = found[1]
    if text.lower().startswith(("http", "www")):
        doi = _BEHIND.sub("", doi)
    end = len(doi)
    while end and (doi[end - 1] in ".,;:'" or _surplus(doi[:end])):
        end -= 1
    return doi[:end].lower() if not doi[:end].endswith("/") else None


def _surplus(doi: str) -> bool:
    """Whether the last character closes a bracket that the DOI doesn't open."""
    return any(
        doi.endswith(close) and doi.count(close) > doi.count(opens) for opens, close in ("()", "[]", "<>")
    )


def clean_arxiv_id(value: object) -> str | None:
    """The bare arXiv id without its version ("2301.10936", "cs/9901001"), or None for what isn't one."""
    found = _ARXIV.search(str(value or "")[:_LONGEST])
    return found[1] if found else None


def clean_pmid(value: object) -> str | None:
    """The PubMed id as digits, or None for what isn't one."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    found = _PMID.fullmatch(str(value)) or _PMID_URL.match(str(value).strip())
    return found[1] if found else None
