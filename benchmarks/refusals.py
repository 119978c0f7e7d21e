"""False answers against false refusals, as strictness moves and as each rule is switched off.

usage: python benchmarks/refusals.py TESTSET.jsonl [--svg FILE] [--failures]

The collection is the one that the settings name. Every question is asked once; then only the decision is made
again, with other limits or without one of its rules.
"""

from __future__ import annotations

import argparse
import html
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from unittest.mock import patch

from assistant import answerable, drafts
from assistant.assistant import Assistant
from assistant.config import load_settings
from assistant.evaluation.testset import Case, read_testset
from assistant.missing import Missing
from assistant.question import Question
from assistant.retrieve import Candidate, Retrieval
from assistant.words import content_words, holds
from corpus.collection import Collection
from corpus.papers import Paper

STRICTNESS = (0.0, 0.5, 0.75, 0.9, 1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.8, 2.0)
RULES: Mapping[str, tuple[str, str]] = {
    "asks nothing that the collection speaks of": ("_asks_nothing", "False"),
    "a name that no paper is about, a condition not spoken of": ("absent_name", "None"),
    "a facet that the paper doesn't give": ("lacks_facet", "None"),
    "a count that the paper doesn't speak of": ("lacks_count", "None"),
    "what is asked of a named paper": ("lacks_asked", "None"),
    "too far from every paper": ("_far", "None"),
}
WIDTH, HEIGHT, EDGE = 560, 360, 56


Given = tuple[Question, Retrieval, Sequence[Paper], Collection]


@dataclass(frozen=True)
class Decision:
    """One question and what its answer was decided on; `sideless` comparisons are refused later on."""

    case: Case
    given: Given
    sideless: bool

    def refused(self) -> bool:
        """True where the question isn't answered, with the rules as they are now."""
        return self.sideless or answerable.missing(*self.given) is not None

    @property
    def question(self) -> Question:
        """The question, understood."""
        return self.given[0]

    @property
    def candidates(self) -> Sequence[Candidate]:
        """What was found, best first."""
        return self.given[1].candidates


@dataclass(frozen=True)
class Rates:
    """Shares of questions: unanswerable ones that are answered, answerable ones that are refused."""

    name: str
    false_answers: float
    false_refusals: float


@dataclass
class _Recorder:
    calls: list[Given] = field(default_factory=list)

    def __call__(
        self, question: Question, retrieval: Retrieval, papers: Sequence[Paper], counts: Collection
    ) -> Missing | None:
        self.calls.append((question, retrieval, papers, counts))
        return answerable.missing(question, retrieval, papers, counts)


def decide(assistant: Assistant, cases: Sequence[Case]) -> list[Decision]:
    """What each question's answer is decided on."""
    recorder = _Recorder()
    decisions = []
    with patch.object(drafts, "missing", recorder):
        for case in cases:
            answer = assistant.ask(case.question, history=case.history)
            given = recorder.calls[-1]
            late = answer.status == "not_found" and answerable.missing(*given) is None
            decisions.append(Decision(case, given, late))
    return decisions


def rates(name: str, decisions: Sequence[Decision], refuses: Callable[[Decision], bool]) -> Rates:
    """The rates when `refuses` decides."""
    hopeless = [refuses(one) for one in decisions if not one.case.answerable]
    good = [refuses(one) for one in decisions if one.case.answerable]
    return Rates(name, 1 - sum(hopeless) / max(len(hopeless), 1), sum(good) / max(len(good), 1))


def at_strictness(decisions: Sequence[Decision], strictness: float) -> Rates:
    """The rates with the limits of nearness and of words held multiplied."""
    with ExitStack() as stack:
        least = {kind: value * strictness for kind, value in answerable.LEAST_COSINE.items()}
        stack.enter_context(patch.object(answerable, "LEAST_COSINE", least))
        stack.enter_context(patch.object(answerable, "LEAST_COVERED", answerable.LEAST_COVERED * strictness))
        return rates(f"{strictness:g}", decisions, Decision.refused)


def without(decisions: Sequence[Decision], off: Sequence[str], name: str) -> Rates:
    """The rates with some of the rules switched off."""
    with ExitStack() as stack:
        for rule in off:
            function, value = RULES[rule]
            result = {"False": False, "None": None}[value]
            stack.enter_context(patch.object(answerable, function, lambda *_, result=result: result))
        return rates(name, decisions, Decision.refused)


def nearness(decision: Decision) -> float:
    """The cosine of the best sentence of the first three papers."""
    return max((one.cosine for one in decision.candidates[:3]), default=0.0)


def coverage(decision: Decision) -> float:
    """The share of the question's words that the first paper's abstract holds."""
    asked = content_words(decision.question.focus)
    text = next((paper.abstract or "" for paper in decision.given[2]), "")
    return sum(holds(text, word) for word in asked) / max(len(asked), 1)


def lead(decision: Decision) -> float:
    """How far the first paper's score is before the second's."""
    scores = [one.score for one in decision.candidates[:2]]
    return scores[0] - scores[1] if len(scores) == 2 else 0.0


def top_score(decision: Decision) -> float:
    """The first paper's score."""
    return decision.candidates[0].score if decision.candidates else 0.0


FEATURES: Mapping[str, Callable[[Decision], float]] = {
    "best sentence's cosine": nearness,
    "question's words held": coverage,
    "score of the first paper": top_score,
    "lead over the second": lead,
}


def auc(decisions: Sequence[Decision], feature: Callable[[Decision], float]) -> float:
    """The chance that an answerable question has more of the feature than one that isn't, ties half."""
    good = [feature(one) for one in decisions if one.case.answerable]
    hopeless = [feature(one) for one in decisions if not one.case.answerable]
    wins = sum((g > h) + 0.5 * (g == h) for g in good for h in hopeless)
    return wins / max(len(good) * len(hopeless), 1)


def by_threshold(
    decisions: Sequence[Decision], feature: Callable[[Decision], float], name: str
) -> list[Rates]:
    """The curve of a single limit on one feature."""
    values = sorted({round(feature(one), 3) for one in decisions})
    limits = [values[place * (len(values) - 1) // 24] for place in range(25)]
    return [rates(name, decisions, lambda one, limit=limit: feature(one) < limit) for limit in limits]  # type: ignore[misc]


def chart(curves: Mapping[str, Sequence[Rates]], title: str) -> str:
    """An SVG of curves: false refusals to the right, false answers upwards."""
    colours = ("#1f6feb", "#d1242f", "#8a8a8a")
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{EDGE}" y="22" font-size="14">{html.escape(title)}</text>',
    ]
    for step in range(6):
        share = step / 5
        x, y = _place(share, share)
        parts += [
            f'<line x1="{x:.0f}" y1="{HEIGHT - EDGE}" x2="{x:.0f}" y2="40" stroke="#e5e5e5"/>',
            f'<line x1="{EDGE}" y1="{y:.0f}" x2="{WIDTH - 20}" y2="{y:.0f}" stroke="#e5e5e5"/>',
            f'<text x="{x:.0f}" y="{HEIGHT - EDGE + 18}" text-anchor="middle">{share:.1f}</text>',
            f'<text x="{EDGE - 8}" y="{y + 4:.0f}" text-anchor="end">{share:.1f}</text>',
        ]
    parts += [
        f'<text x="{WIDTH / 2:.0f}" y="{HEIGHT - 14}" text-anchor="middle">'
        "answerable questions refused</text>",
        f'<text transform="translate(16 {HEIGHT / 2:.0f}) rotate(-90)" text-anchor="middle">'
        "unanswerable questions answered</text>",
    ]
    for place, ((name, curve), colour) in enumerate(zip(curves.items(), colours, strict=False)):
        points = [_place(one.false_refusals, one.false_answers) for one in curve]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points]
        parts.append(
            f'<text x="{WIDTH - 24}" y="{58 + 18 * place}" text-anchor="end" fill="{colour}">'
            f"{html.escape(name)}</text>"
        )
    return "\n".join([*parts, "</svg>"]) + "\n"


def _place(right: float, up: float) -> tuple[float, float]:
    return EDGE + right * (WIDTH - 20 - EDGE), HEIGHT - EDGE - up * (HEIGHT - EDGE - 40)


def table(head: str, rows: Sequence[Rates]) -> str:
    """The rates as a Markdown table."""
    lines = [f"| {head} | unanswerable answered | answerable refused |", "| --- | ---: | ---: |"]
    lines += [f"| {row.name} | {row.false_answers:.3f} | {row.false_refusals:.3f} |" for row in rows]
    return "\n".join(lines) + "\n\n"


def main() -> None:
    """Prints the tables, and writes the chart where it is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("testset", type=Path)
    parser.add_argument("--svg", type=Path, metavar="FILE", help="writes the curves")
    parser.add_argument("--failures", action="store_true", help="list the questions that are decided wrongly")
    options = parser.parse_args()
    assistant = Assistant.open(load_settings(llm="none"))
    decisions = decide(assistant, read_testset(options.testset, assistant.collection.papers()))
    strict = [at_strictness(decisions, strictness) for strictness in STRICTNESS]
    off = [without(decisions, [], "none"), *(without(decisions, [rule], rule) for rule in RULES)]
    off.append(without(decisions, list(RULES), "all"))
    alone = [without(decisions, [other for other in RULES if other != rule], rule) for rule in RULES]
    out = sys.stdout
    out.write(table("limits times", strict) + table("switched off", off) + table("alone", alone))
    numbers = [one for one in decisions if one.question.kind == "number"]
    out.write("| feature | AUC, all | AUC, number questions |\n| --- | ---: | ---: |\n")
    for name, feature in FEATURES.items():
        out.write(f"| {name} | {auc(decisions, feature):.2f} | {auc(numbers, feature):.2f} |\n")
    if options.svg:
        curves = {
            "all rules, limits moved": strict,
            "cosine alone": by_threshold(decisions, nearness, "cosine"),
            "words held alone": by_threshold(decisions, coverage, "words"),
        }
        options.svg.write_text(chart(curves, "Refusals"), encoding="utf-8")
    for one in decisions if options.failures else ():
        if one.refused() == one.case.answerable:
            out.write(f"{one.case.id} {one.question.kind} {one.case.question}\n")


if __name__ == "__main__":
    main()
