"""Cases out of what people said of answers in the chat."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from assistant.evaluation.case import CaseType
from assistant.evaluation.drafts import Draft, draft_id
from assistant.feedback import Feedback

_MARKER = re.compile(r"\s*(?<!\\)\[\d+\]")
_CITATION = "citation doesn't say it"
_REFUSE = "should have refused"
_TO_FILL_IN: Mapping[str | None, str] = {
    "wrong figure": "put the right figure into must; check that gold is the paper that gives it",
    _CITATION: "name the papers in gold that do say it",
    "missed a paper": "add the paper that was missed to gold",
    _REFUSE: "check that the collection doesn't hold the answer",
}
"""What the person who rated has seen and the file can't hold."""
_OTHER = "say in must what the answer has to hold; check gold"
_RIGHT = "check that gold is all that answers it; say in must what the answer has to hold"


def cases_of(feedback: Iterable[Feedback], ids: Mapping[str, str], *, praised: bool = False) -> list[Draft]:
    """A draft for each answer rated down and, with `praised`, for each rated up, in their order.

    `ids` gives the id of each paper of the collection by every id that it has had.
    """
    return [_case(one, ids) for one in feedback if one.verdict == "down" or praised]


def _case(one: Feedback, ids: Mapping[str, str]) -> Draft:
    cited = [citation.paper_id for citation in one.answer.citations]
    gone = [paper for paper in cited if paper not in ids]
    kind = _type(one)
    gold = tuple(dict.fromkeys(ids[paper] for paper in cited if paper in ids))
    if kind == "unanswerable" or one.reason == _CITATION:
        gold = ()
    return Draft(
        id=draft_id("feedback", one.conversation, one.question),
        question=one.question,
        type=kind,
        gold=gold,
        history=one.history,
        answer=_MARKER.sub("", one.answer.text) if one.verdict == "up" else None,
        note=_note(one, kind, gold, gone),
    )


def _type(one: Feedback) -> CaseType:
    if one.reason == _REFUSE or (one.verdict == "up" and one.answer.status == "not_found"):
        return "unanswerable"
    return "followup" if one.history else one.answer.kind


def _note(one: Feedback, kind: CaseType, gold: tuple[str, ...], gone: list[str]) -> str:
    if one.verdict == "up":
        parts = ["rated up", _TO_FILL_IN[_REFUSE] if kind == "unanswerable" else _RIGHT]
    else:
        parts = [f"rated down: {one.reason or 'no reason given'}", _TO_FILL_IN.get(one.reason, _OTHER)]
    if one.note:
        parts.append(f'they said: "{" ".join(one.note.split())}"')
    if kind != "unanswerable" and not gold and one.reason != _CITATION:
        parts.append("nothing was cited: name the papers in gold")
    if gone and kind != "unanswerable":
        parts.append(f"cited and no longer here: {', '.join(gone)}")
    return "; ".join(parts)
