"""Answers in the abstracts' own words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from assistant.aggregate import aim_of, gives
from assistant.answer import Quote
from assistant.cite import Line, Said, bold_figures, remark
from assistant.evidence import Evidence, choose, weigh, weights_of
from assistant.facets import record_fields
from assistant.markdown import bold, own_words

if TYPE_CHECKING:
    from assistant.missing import Missing
    from assistant.question import Question
    from assistant.retrieve import Retrieval
    from corpus.papers import Paper


@dataclass(frozen=True)
class Length:
    """How long an answer of a kind may be: words, labels and markers included, and sentences a paper."""

    words: int
    sentences: int


LENGTHS: Mapping[str, Length] = {
    "lookup": Length(120, 5),
    "number": Length(100, 4),
    "explain": Length(200, 5),
}
"""By kind."""

MOST_OF_AUTHOR = 5
"""Papers quoted where a question asks what somebody wrote."""

LONGEST = 1_000
"""Characters of one sentence that are shown at most."""

QUOTABLE = ("authors", "organisations", "year", "venue")
"""Fields of a record that may be quoted as a whole."""

_ASKS_WHO = re.compile(
    r"\bwho (?:else )?(?:is on|are|is|wrote|authored)\b|\bauthors?\b|\bby whom\b|\bwho else\b", re.I
)


def write(
    question: Question, retrieval: Retrieval, papers: Sequence[Paper], rare: Mapping[str, float]
) -> list[Line]:
    """The answer's lines: of each paper that answers, its label and its best sentences, in its own order."""
    length = LENGTHS[question.kind]
    chosen = _papers(question, papers)
    kind = "talk" if question.leans and question.kind == "explain" else question.kind
    lines = []
    for paper in chosen:
        bullet = len(chosen) > 1
        if said := _from_record(question, paper):
            lines.append(Line(said, lead=f"{bold(paper.label)}: ", bullet=bullet))
            continue
        weighed = weigh(retrieval.sentences.get(paper.id, ()), retrieval.vector, rare, kind)
        free = length.words // len(chosen) - len(paper.label.split()) - length.sentences
        best = choose(
            weighed,
            words=free,
            most=length.sentences,
            margin=weights_of(kind).margin,
            preferred=_with_figures(question, weighed),
        )
        if best:
            lines.append(_line(paper, best, bullet=bullet, words=free))
        elif paper.title:
            lines.append(_title_line(paper, bullet=bullet))
    return [*lines, *_namesakes(question, chosen, papers)]


def write_missing(lack: Missing, retrieval: Retrieval, rare: Mapping[str, float]) -> list[Line]:
    """The lines that say what is missing, and what the paper that it is missing from does say."""
    lines = [remark(lack.reason)]
    if lack.about:
        weighed = weigh(retrieval.sentences.get(lack.about.id, ()), retrieval.vector, rare, "number")
        word = (lack.word or "").lower()
        holding = [one for one in weighed if word in one.sentence.text.lower()]
        best = choose(holding or weighed, words=50, most=1, margin=0.0)
        if best:
            line = _line(lack.about, best, bullet=False, words=60)
            lines.append(replace(line, lead="What it does say: "))
    return lines


def _with_figures(question: Question, weighed: Sequence[Evidence]) -> frozenset[int]:
    """The indices of the sentences with a figure of the unit or measure that a number question asks for."""
    if question.kind != "number":
        return frozenset()
    aim = aim_of(question.focus)
    return frozenset(one.sentence.index for one in weighed if gives(aim, one.sentence.text))


def _papers(question: Question, papers: Sequence[Paper]) -> list[Paper]:
    """The papers to be quoted, best first: all of an author that a question names, else the one."""
    if question.credits and not question.named and question.kind == "lookup":
        return [paper for paper in papers if paper.id in question.credited][:MOST_OF_AUTHOR]
    listed = _listed(question, papers)
    return listed if len(listed) > 1 else list(papers[:1])


def _listed(question: Question, papers: Sequence[Paper]) -> list[Paper]:
    """The best paper of each name where the question lists several: "explain A, B and C"."""
    names = [re.escape(name.text) for name in question.subjects]
    between = r"(?:\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*)"
    if len(names) < 2 or not re.search(between.join(names), question.text):
        return []
    best = [next((one for one in papers if one.id in name.paper_ids), None) for name in question.subjects]
    return list(dict.fromkeys(one for one in best if one))


def _line(paper: Paper, best: Sequence[Evidence], *, bullet: bool, words: int) -> Line:
    said = tuple(_said(paper, one, words) for one in best)
    return Line(said, lead=f"{bold(paper.label)}: ", bullet=bullet)


def _said(paper: Paper, evidence: Evidence, words: int) -> Said:
    """The sentence; of one that is longer than `words` its beginning."""
    sentence = evidence.sentence
    kept = _beginning(sentence.text, words)
    quote = Quote("abstract", sentence.start, sentence.start + len(kept), kept)
    return Said(bold_figures(kept) + ("" if kept == sentence.text else " …"), ((paper.id, quote),))


def _beginning(text: str, words: int) -> str:
    """The text up to its word number `words`, and of a word without end its beginning."""
    ends = [found.end() for found in re.finditer(r"\S+", text)]
    cut = text if len(ends) <= words else text[: ends[max(words, 1) - 1]]
    return cut[:LONGEST].rstrip()


def _from_record(question: Question, paper: Paper) -> tuple[Said, ...]:
    """What the record itself says, where the question asks for nothing else: authors, year, venue."""
    fields = [field for field in record_fields(question.text) if paper.field(field)]
    fields += ["authors"] if not fields and paper.authors and _ASKS_WHO.search(question.text) else []
    if not fields or not (question.subjects or question.recalled or question.leans):
        return ()
    return tuple(
        Said(
            own_words(f"{field.capitalize()}: {paper.field(field).rstrip('.')}."),
            ((paper.id, Quote(field, 0, len(paper.field(field)), paper.field(field))),),
        )
        for field in fields
        if field in QUOTABLE
    )


def _namesakes(question: Question, chosen: Sequence[Paper], papers: Sequence[Paper]) -> list[Line]:
    """One line that names the other papers of the name that the question uses."""
    known = {paper.id for paper in chosen}
    others = [
        paper
        for name in question.subjects
        if known & set(name.paper_ids)
        for paper in papers
        if paper.id in name.paper_ids and paper.id not in known
    ]
    if not others or len(chosen) != 1:
        return []
    labels = ", ".join(bold(paper.label) for paper in dict.fromkeys(others))
    return [remark(f"Of the same name here: {labels}.")]


def _title_line(paper: Paper, *, bullet: bool) -> Line:
    title = paper.title or ""
    return Line((Said(own_words(title), ((paper.id, Quote("title", 0, len(title), title)),)),), bullet=bullet)


def _quote(evidence: Evidence) -> Quote:
    sentence = evidence.sentence
    return Quote("abstract", sentence.start, sentence.end, sentence.text)
