"""Papers as references: an answer as Markdown that ends with those that it cites, or these as BibTeX."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import quote, urlsplit

from assistant.answer import Answer
from assistant.markdown import escaped
from corpus.exporters.bibtex import entry
from corpus.exporters.keys import Keys
from corpus.papers import Paper

_AUTHORS_NAMED = 3


def address_of(paper: Paper) -> str | None:
    """The paper's address if it is a web address, else the one that its DOI or arXiv id makes."""
    if paper.url and _is_web(paper.url):
        return paper.url.strip()
    if paper.doi:
        return "https://doi.org/" + quote(paper.doi, safe="/().;:-_")
    return "https://arxiv.org/abs/" + quote(paper.arxiv_id, safe="/.") if paper.arxiv_id else None


def reference(label: str, paper: Paper | None) -> str:
    """One line of plain words: authors (year). Title. Venue. Address; the label where the paper is gone."""
    if paper is None:
        return label
    people = list(paper.authors) if len(paper.authors) <= _AUTHORS_NAMED else [paper.authors[0], "et al."]
    who = " ".join([", ".join(people[:-1]), people[-1]]) if people[-1:] == ["et al."] else ", ".join(people)
    year = f"({paper.year})" if paper.year else ""
    by = " ".join(part for part in (who, year) if part)
    parts = (by, paper.title or label, paper.venue or "", address_of(paper) or "")
    return ". ".join(part.rstrip(".") for part in parts if part)


def as_markdown(answer: Answer, papers: Mapping[str, Paper]) -> str:
    """The question as a heading, the answer with its markers, and a list of the papers that they mean."""
    lines = [f"## {escaped(answer.question)}", "", answer.text.strip() or escaped(answer.error or "")]
    if answer.citations:
        lines += ["", "### References", ""]
        lines += [
            # Two spaces end a line in Markdown; the form is the one that `assistant verify` reads.
            f"[{one.marker}] {escaped(reference(one.label, papers.get(one.paper_id)))}  "
            for one in answer.citations
        ]
    return "\n".join(lines).rstrip() + "\n"


def as_bibtex(answer: Answer, papers: Mapping[str, Paper]) -> str:
    """BibTeX entries of the cited papers in the order of their markers, without abstracts; "" for none."""
    keys = Keys()
    cited = [papers[one.paper_id] for one in answer.citations if one.paper_id in papers]
    titled = [replace(paper, title=paper.title or paper.label, abstract=None) for paper in cited]
    return "\n".join(entry(paper, "", keys.key(paper)) for paper in titled)


def _is_web(address: str) -> bool:
    try:
        parts = urlsplit(address.strip())
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.netloc)
