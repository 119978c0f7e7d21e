"""The plan of an ingest: what is new, changed or the same, before anything is embedded or written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from corpus.catalogue import Catalogue
from corpus.cleaning import paper_from, unused_fields
from corpus.dedupe import merge
from corpus.facts import Facts, differ, facts_of
from corpus.labels import distinct_labels
from corpus.papers import Paper, new_id
from corpus.planned import Planned, PlannedPapers
from corpus.readers.records import Notice, Record, Rejected
from corpus.revising import is_revision, revise
from corpus.short import told_apart
from corpus.stored import RawRecord, early_hashes, id_hash, identity_hashes, paper_digest

# More papers of one label than this aren't told apart by topics, which costs the square of their number.
_SAME_LABEL = 30

_Outcome = Literal["added", "updated", "unchanged", "merged"]


@dataclass(frozen=True)
class Plan:
    """The papers to be written, and how many records were what."""

    papers: PlannedPapers
    added: int
    updated: int
    unchanged: int
    merged: int
    rejected: tuple[Rejected, ...]
    notices: tuple[Notice, ...]
    without_abstract: int = 0


def make_plan(catalogue: Catalogue, records: Iterable[Record | Rejected]) -> Plan:
    """The plan for these records, each seen against the catalogue and the records before it."""
    papers = PlannedPapers(catalogue)
    counts: Counter[_Outcome] = Counter()
    bare = 0
    rejected, notices = [], []
    for item in records:
        made = paper_from(item, item.file) if isinstance(item, Record) else item
        if isinstance(made, Paper) and isinstance(item, Record):
            raw = RawRecord(item.file, item.number, paper_digest(made), item.raw)
            counts[_plan_record(papers, made, raw)] += 1
            bare += made.abstract is None
            notices += [Notice(item.file, item.number, text) for text in unused_fields(item, made)]
        elif isinstance(made, Rejected):
            rejected.append(made)
    _tell_apart(papers)
    return Plan(
        papers,
        *(counts["added"], counts["updated"], counts["unchanged"], counts["merged"]),
        rejected=tuple(rejected),
        notices=tuple(notices),
        without_abstract=bare,
    )


def _plan_record(papers: PlannedPapers, paper: Paper, raw: RawRecord) -> _Outcome:
    """Plans one record; says what it is to the collection."""
    facts = facts_of(paper)
    found = _recognise(papers, paper, raw, facts)
    if found:
        return _join(papers, paper, raw, found, facts)
    free, tried = paper.id, 0
    while papers.find(id_hash(free)):
        tried += 1
        free = new_id(f"{paper.id} {paper.abstract or paper.title}{f' {tried}' if tried > 1 else ''}")
    paper = replace(paper, id=free)
    papers.put(Planned(paper, paper.label, (), (raw,), facts=(facts,)))
    return "added"


def _recognise(papers: PlannedPapers, paper: Paper, raw: RawRecord, facts: Facts) -> list[Planned]:
    """The papers that this record is, in order of first ingest."""
    found = {one.paper.id: one for one in papers.same(facts)}
    if before := papers.read_before(raw):
        found.setdefault(before.paper.id, before)
    for key in early_hashes(paper):
        if one := papers.find(key):
            found.setdefault(one.paper.id, one)
    same_id = papers.find(id_hash(paper.id))
    if same_id and same_id.paper.id not in found and _is_given(paper) and _alike(same_id.paper, paper):
        found[same_id.paper.id] = same_id
    return sorted(found.values(), key=lambda one: papers.place(one.paper.id))


def _is_given(paper: Paper) -> bool:
    """Whether the record brought its id; one made of its words is that of any paper with these words."""
    return paper.id != new_id(paper.abstract or paper.title or "")


def _alike(old: Paper, new: Paper) -> bool:
    """Whether two records of one id are one paper: ids like "1" or "smith2020" come from many files.

    They are when they were read from the same place, or share half of their words and nothing else that they
    say of themselves speaks against it.
    """
    if set(old.sources) & set(new.sources):
        return True
    one, two = ({*f"{paper.title or ''} {paper.abstract or ''}".lower().split()} for paper in (old, new))
    return 2 * len(one & two) >= min(len(one), len(two)) and not differ(facts_of(old), facts_of(new))


def _join(
    papers: PlannedPapers, paper: Paper, raw: RawRecord, found: list[Planned], facts: Facts
) -> _Outcome:
    """Plans a record of papers that are known already; several that it joins become the first of them."""
    first, *others = found
    seen = papers.seen(first.paper.id, raw)
    if seen == raw.digest and not others:
        return "unchanged"
    owner = papers.find(id_hash(paper.id))
    if owner and all(owner.paper.id != one.paper.id for one in found):
        # Another paper goes by the record's id; it can't be an alias of this one.
        paper = replace(paper, id=first.paper.id)
    combine = revise if seen and is_revision(first.paper, raw) else merge
    merged = combine(first.paper, paper)
    for other in others:
        merged = merge(merged, other.paper)
        papers.take_in(other.paper, first.paper.id)
    given = first.given if merged.label == first.paper.label else merged.label
    absorbs = tuple(name for other in others for name in (other.paper.id, *other.absorbs))
    identities = tuple(identity_hashes(paper))
    papers.put(Planned(merged, given, (*first.absorbs, *absorbs), (raw,), identities, (facts,)))
    return "updated" if seen and not others else "merged"


def _tell_apart(papers: PlannedPapers) -> None:
    """Gives papers that were read with one label labels of their own, those in the catalogue included."""
    for group in papers.same_labels():
        some = group[:_SAME_LABEL]
        labels = distinct_labels([replace(one.paper, label=one.given) for one in some])
        for one in group:
            label = told_apart(labels.get(one.paper.id, f"{one.given} ({one.paper.id})"), one.given)
            if label != one.paper.label:
                papers.put(replace(one, paper=replace(one.paper, label=label)))
