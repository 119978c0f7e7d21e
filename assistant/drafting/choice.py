"""Which questions are drafted: spread over the papers and the kinds, the same for the same seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

import numpy as np

from assistant.drafting.absent import lacking
from assistant.drafting.explanations import explanations, plain_explanations
from assistant.drafting.lookups import described, question_for
from assistant.drafting.material import Material, material_of, topic_for
from assistant.drafting.numbers import numbered
from assistant.evaluation.case import CaseType
from assistant.evaluation.drafts import Draft, draft_id
from corpus.collection import Collection
from corpus.papers import Paper

SHARES: dict[CaseType, float] = {"number": 0.4, "lookup": 0.3, "explain": 0.2, "unanswerable": 0.1}
_NEIGHBOURS = 10
_NEAR = 0.6
"""The cosine from which papers are of one topic."""


@dataclass(frozen=True)
class Drafted:
    """The drafts and what has to be said of them: kinds that couldn't be drafted."""

    drafts: tuple[Draft, ...]
    notices: tuple[str, ...]


@dataclass
class _Round:
    """What has been drafted so far."""

    collection: Collection
    papers: Sequence[Paper]
    dice: Random
    wanted: dict[CaseType, int]
    drafts: list[Draft] = field(default_factory=list)
    measures: Counter[str] = field(default_factory=Counter)
    asked: set[tuple[object, ...]] = field(default_factory=set)
    names: dict[str, str] = field(default_factory=dict)


def draft_cases(collection: Collection, number: int, seed: int = 0) -> Drafted:
    """Up to `number` drafts, no paper asked about twice before each has been tried once."""
    dice = Random(seed)
    papers = sorted(collection.papers(), key=lambda paper: paper.id)
    names = {paper.id: paper.label for paper in papers}
    state = _Round(collection, papers, dice, _quotas(number), names=names)
    order = dice.sample(papers, len(papers))
    while order and any(state.wanted.values()):
        # A paper that has nothing now won't have anything later: what is wanted only becomes less.
        order = [paper for paper in order if _draft_one(state, paper)]
    drafts = sorted(state.drafts, key=lambda draft: list(SHARES).index(draft.type))
    return Drafted(tuple(drafts), _notices(state.wanted))


def _quotas(number: int) -> dict[CaseType, int]:
    """How many of each kind: the shares, the rest to the kinds with the largest remainder."""
    exact = {kind: share * number for kind, share in SHARES.items()}
    quotas = {kind: int(value) for kind, value in exact.items()}
    rest = sorted(exact, key=lambda kind: quotas[kind] - exact[kind])
    for kind in rest[: number - sum(quotas.values())]:
        quotas[kind] += 1
    return quotas


def _draft_one(state: _Round, paper: Paper) -> bool:
    """Whether a draft was added: of the kind wanted most among those that the paper has words for."""
    if not any(state.wanted.values()):
        return False
    material = material_of(paper, state.collection)
    kinds = [kind for kind, left in state.wanted.items() if left]
    weighted = sorted(kinds, key=lambda kind: -state.wanted[kind] * state.dice.random())
    for kind in weighted:
        drafts = [one for one in _MAKERS[kind](state, material) if _asks(paper, one) not in state.asked]
        if drafts:
            draft = drafts[0]
            state.drafts.append(draft)
            state.asked.add(_asks(paper, draft))
            state.wanted[kind] -= 1
            return True
    return False


def _asks(paper: Paper, draft: Draft) -> tuple[object, ...]:
    """What the draft asks: the same figure or sentence of the same paper is asked about once."""
    what = draft.question if draft.type == "unanswerable" else draft.source
    return paper.id, draft.type, what, draft.must


def _numbers(state: _Round, material: Material) -> list[Draft]:
    strangers = [name for paper, name in state.names.items() if paper != material.paper.id]
    found = list(numbered(material, strangers))
    state.dice.shuffle(found)
    # Half of all figures are speedups, which must not be half of the questions.
    found.sort(key=lambda one: state.measures[one.measure])
    if found:
        state.measures[found[0].measure] += 1
    return [
        _draft(material, "number", one.question, answer=one.answer, must=one.must, source=one.sentence)
        for one in found
    ]


def _lookups(state: _Round, material: Material) -> list[Draft]:
    name = material.bare_name
    return [
        _draft(
            material,
            "lookup",
            question_for(one, state.dice.randrange(12)),
            answer=name or material.paper.title or one.sentence,
            must=((name,),) if name else (),
            source=one.sentence,
        )
        for one in described(material)
    ]


def _explanations(state: _Round, material: Material) -> list[Draft]:
    topic = topic_for(material.paper, state.papers) if material.name is None else None
    plain = list(plain_explanations(material))
    state.dice.shuffle(plain)
    return [
        _draft(material, "explain", question, answer=sentence, source=sentence)
        for question, sentence in (*explanations(material, topic), *plain)
    ]


def _unanswerables(state: _Round, material: Material) -> list[Draft]:
    def neighbours() -> list[Material]:
        sentences = state.collection.sentences([material.paper.id])[material.paper.id]
        middle = np.mean([one.vector for one in sentences], axis=0)
        hits = state.collection.nearest(middle / np.linalg.norm(middle), _NEIGHBOURS + 1)
        ids = [hit.paper_id for hit in hits if hit.score >= _NEAR and hit.paper_id != material.paper.id]
        near = state.collection.papers(ids)
        return [material_of(paper, state.collection) for paper in near]

    found = lacking(material, neighbours)
    state.dice.shuffle(found)
    found.sort(key=lambda one: state.measures[f"no {one.measure}"])
    if found:
        state.measures[f"no {found[0].measure}"] += 1
    return [
        _draft(material, "unanswerable", one.question, source=one.sentence, note=one.note) for one in found
    ]


_MAKERS: dict[CaseType, Callable[[_Round, Material], list[Draft]]] = {
    "number": _numbers,
    "lookup": _lookups,
    "explain": _explanations,
    "unanswerable": _unanswerables,
}


def _draft(
    material: Material,
    kind: CaseType,
    question: str,
    *,
    answer: str | None = None,
    must: tuple[tuple[str, ...], ...] = (),
    source: str = "",
    note: str = "",
) -> Draft:
    gold = () if kind == "unanswerable" else (material.paper.id,)
    return Draft(
        draft_id("draft", material.paper.id, question),
        question,
        kind,
        gold,
        answer=answer,
        must=must,
        source=source,
        note=note,
    )


def _notices(missing: dict[CaseType, int]) -> tuple[str, ...]:
    return tuple(
        f"{count} {kind} questions left out: the collection has no further sentence to draft one from"
        for kind, count in missing.items()
        if count
    )
