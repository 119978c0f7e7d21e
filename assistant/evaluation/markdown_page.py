"""The report of an evaluation as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assistant.evaluation.shown import about, cells, headline, lists, made_with, parts, summary, worst
from corpus.short import visible

if TYPE_CHECKING:
    from assistant.evaluation.run import EvaluationResult


def as_markdown(result: EvaluationResult) -> str:
    """The table, what changed, the worst questions with what they missed, what the run was made with."""
    columns = headline(result.rows)
    head = ("", "n", *columns)
    lines = [
        f"# Evaluation on {_one_line(result.setup.testset)}",
        "",
        _one_line(about(result)),
        "",
        _pipes(head),
    ]
    lines += [
        _pipes(["---", *["---:"] * (len(head) - 1)]),
        *(_pipes(cells(row, columns)) for row in result.rows),
    ]
    lines += ["", summary(result), ""]
    for title, items in lists(result):
        lines += [f"## {title}", "", *(f"- {_one_line(item)}" for item in items), ""]
    if result.comparison and result.comparison.questions:
        lines += ["## Questions that turned", ""]
        for one in result.comparison.questions:
            lines += [
                f"### {_one_line(one.case_id)}: {one.before:.2f} → {one.now:.2f}",
                "",
                _quoted(one.question),
                "",
            ]
            lines += [
                "**Before**",
                "",
                _quoted(one.text_before),
                "",
                "**Now**",
                "",
                _quoted(one.text_now),
                "",
            ]
    lines += ["## Worst questions", ""]
    for scored in worst(result):
        lines += [f"### {_one_line(scored.case.id)} ({scored.case.type}, {scored.quality:.2f})", ""]
        for name, text in parts(scored):
            lines += [f"**{name}**", "", _quoted(text), ""]
    lines += ["## Made with", "", *(f"- {name}: {_one_line(value)}" for name, value in made_with(result)), ""]
    return "\n".join(lines)


def _quoted(text: str) -> str:
    return "\n".join(f"> {_harmless(line)}" for line in text.splitlines())


def _harmless(text: str) -> str:
    """The text, its tags and images shown and not obeyed."""
    return visible(text).replace("&", "&amp;").replace("<", "&lt;").replace("![", "!\\[")


def _pipes(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _one_line(text: str) -> str:
    return " ".join(_harmless(text).split())
