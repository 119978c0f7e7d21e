"""What a person calls a paper: its label, and every other name it goes by."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Sequence

from corpus.acronyms import acronyms_of
from corpus.naming import rank_names
from corpus.papers import Paper, text_key
from corpus.shapes import WORD, folded_name, shape
from corpus.topics import topic_of

_HEAD = re.compile(rf"({WORD}(?:[ -]{WORD}){{0,2}}): \w")
_TOLD_APART = re.compile(r" \([^()]{3,40}\)$")
_SURE = 1.95
"""The weight from which a name is a label; `_VERY_SURE` where there is a title to be called by."""
_VERY_SURE = 3.5
_HEAD_WITHIN = 120
"""How many characters of a title may hold a name and the colon behind it."""
_FIRST_WORDS = 8
"""How many words of an abstract stand for a label."""


def find_label(title: str | None, abstract: str | None) -> str:
    """The system's name where the record gives one ("PIT"), else the title, else the first words."""
    head = _HEAD.match((title or "")[:_HEAD_WITHIN])
    if head and shape(head[1]) > (0.2 if " " in head[1] else 0.0):
        return head[1]
    best = next(iter(rank_names(abstract or "")), None)
    if best and best.weight >= (_VERY_SURE if title else _SURE) and (best.presented or not title):
        return best.text
    if title:
        return title
    words = (abstract or "").split()
    if not words:
        return "untitled"
    return " ".join(words[:_FIRST_WORDS]).rstrip(".,;:") + ("…" if len(words) > _FIRST_WORDS else "")


def names_of(paper: Paper) -> list[str]:
    """Every name that a reader may use for the paper: its label, title, the title's head, its systems' names.

    Behind the word "author" or "organisation" who wrote it, in full and by the last word of the name, without
    accents too; behind "venue" where it came out.
    """
    names = [paper.label]
    if paper.title:
        names.append(paper.title)
        if ": " in paper.title:
            names.append(paper.title.split(": ")[0])
    names += [name.text for name in rank_names(paper.abstract or "") if name.given and name.weight >= 2.0][:6]
    names += [part for part in re.split(r" / | and |, |\s*[()]\s*", paper.label) if shape(part) > 0]
    known = {text_key(name) for name in names}
    names += [long.title() for short, long in acronyms_of(paper.abstract or "") if text_key(short) in known]
    for author in paper.authors:
        if author.lower() != "et al.":
            names += [f"author {author}", f"author {author.split()[-1]}"]
            names += [_without_accents(name) for name in names[-2:]]
    names += [f"organisation {name}" for name in paper.organisations]
    names += [f"venue {name}" for name in _venue_names(paper.venue or "")]
    seen: dict[str, str] = {}
    for name in names:
        if len(text_key(name)) >= 2:
            seen.setdefault(text_key(name), name)
    return list(seen.values())


def _venue_names(venue: str) -> list[str]:
    """The venue as it is written, without its year, and by its acronym: "ICML" of "Proc. of ICML 2024"."""
    bare = re.sub(r"\W*\b(?:19|20)\d\d\b\W*", " ", venue).strip()
    return (
        [venue, bare, *re.findall(r"(?<![\w.])[A-Z][A-Za-z]*[A-Z][A-Za-z]*(?![\w.])", bare)] if bare else []
    )


def _without_accents(text: str) -> str:
    return "".join(one for one in unicodedata.normalize("NFKD", text) if not unicodedata.combining(one))


def distinct_labels(papers: Sequence[Paper]) -> dict[str, str]:
    """Paper id -> label; papers of one name are told apart by what only each of them speaks of."""
    groups: dict[str, list[Paper]] = defaultdict(list)
    for paper in papers:
        groups[folded_name(_bare(paper.label))].append(paper)
    labels = {}
    for group in groups.values():
        for paper in group:
            label = _bare(paper.label)
            topic = topic_of(paper, group) if len(group) > 1 else ""
            labels[paper.id] = label if len(group) == 1 else f"{label} ({topic or paper.id})"
    return labels


def _bare(label: str) -> str:
    return _TOLD_APART.sub("", label)
