"""Answers as HTML strings. Pure: nothing here knows Gradio, the collection or the session."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from assistant.answer import Answer, Mark, Row, Statement, Table
from ui.prose import read_prose

_KINDS = {
    "lookup": "Finding a paper",
    "number": "A figure",
    "explain": "Explanation",
    "compare": "Comparison",
    "list": "List of papers",
    "aggregate": "Across papers",
}

_CHECKED = {"verbatim": "In the abstract’s own words", "supported": "Checked against these words"}


def question_html(question: str) -> str:
    """What the reader asked, as text."""
    return f'<div class="question"><p>{escape(question)}</p></div>'


def answer_html(answer: Answer, turn: int) -> str:
    """The answer with its markers as links to the sources of this turn."""
    if answer.status == "error":
        return fault_html(answer.error or answer.text)
    prose = read_prose(answer.text)
    stands_on = _marked_in_order(answer, prose.markers)
    known = {citation.marker: citation.label for citation in answer.citations}

    def chip(number: int, place: int) -> str:
        if number not in known:
            return ""
        mark, statement = stands_on[place] if stands_on else (Mark(number, ()), None)
        return marker_html(mark, known[number], turn, statement)

    said = {statement.text: statement for statement in answer.sentences}
    table = None if answer.table is None else table_html(answer.table, known, turn, said)
    missing = answer.status == "not_found"
    where = "these abstracts" if answer.citations else "this collection"
    heading = f'<h2 class="verdict">Not in {where}</h2>' if missing else ""
    name = "answer not-found" if missing else "answer"
    notice = f'<p class="notice">{escape(answer.error)}</p>' if answer.error else ""
    body = prose.html(chip, table)
    parts = (heading, notice, body, _nearest(answer, turn), _cautions(answer), _about(answer))
    return f'<div class="{name}" data-turn="{turn}">{"".join(parts)}</div>'


def partial_html(text: str, *, writing: bool = True, notice: str = "") -> str:
    """An answer that isn't whole (yet); its markers can't be followed. `notice` says what is waited for."""

    def inert(number: int, _place: int) -> str:
        return f'<span class="marker">{_face(number)}</span>'

    body = read_prose(text).html(inert) if text else '<p class="waiting">Reading the abstracts</p>'
    if notice:
        body = f'<p class="notice">{escape(notice)}</p>{body}'
    state = 'class="answer writing" aria-busy="true"' if writing else 'class="answer"'
    return f"<div {state}>{body}</div>"


def fault_html(message: str) -> str:
    """One plain line that says what went wrong."""
    return f'<p class="fault" role="alert">{escape(" ".join(message.split()))}</p>'


def marker_html(mark: Mark, label: str, turn: int, statement: Statement | None = None) -> str:
    """A link to source `mark.marker`, saying which of its quotes the statement stands on, and how firmly."""
    number, quotes = mark.marker, " ".join(map(str, mark.quotes))
    support = statement.support if statement else ""
    doubted = support in ("partly", "unsupported")
    why = _verdict(support) + _why(statement) if statement and doubted else _CHECKED.get(support, "")
    said = f"; {_verdict(support).lower()}" if doubted else ""
    return (
        f'<a class="marker{" doubted" if doubted else ""}" href="#source-{turn}-{number}" data-turn="{turn}" '
        f'data-quotes="{quotes}" data-support="{why}" '
        f'aria-label="Source {number}: {escape(label)}{said}">{_face(number)}</a>'
    )


def table_html(
    table: Table, labels: dict[int, str], turn: int, said: Mapping[str, Statement] | None = None
) -> str:
    """A comparison as a table that scrolls inside its own box; `said` are the checked statements by text."""
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in table.columns)
    rows = "".join(_row(row, labels, turn, said or {}) for row in table.rows)
    return (
        '<div class="table-scroll" role="region" aria-label="Comparison" tabindex="0"><table>'
        f"<thead><tr><td></td>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _row(row: Row, labels: dict[int, str], turn: int, said: Mapping[str, Statement]) -> str:
    cells = []
    for cell in row.cells:
        if cell is None:
            cells.append('<td class="unstated">not stated in the abstract</td>')
            continue
        marks = "".join(
            marker_html(mark, labels[mark.marker], turn, said.get(cell.text))
            for mark in cell.citations
            if mark.marker in labels
        )
        text = read_prose(cell.text).html(lambda *_: "").strip()
        cells.append(f"<td>{text.removeprefix('<p>').removesuffix('</p>')} {marks}</td>")
    return f'<tr><th scope="row">{escape(row.aspect)}</th>{"".join(cells)}</tr>'


def _face(number: int) -> str:
    # The brackets take no room on the screen and are there when the answer is copied.
    return f'<span class="bracket">[</span>{number}<span class="bracket">]</span>'


def _marked_in_order(answer: Answer, markers: tuple[int, ...]) -> tuple[tuple[Mark, Statement], ...]:
    """The mark and statement behind each marker of the text, or () where these don't run in step."""
    marked = tuple((mark, statement) for statement in answer.sentences for mark in statement.citations)
    return marked if tuple(mark.marker for mark, _ in marked) == markers else ()


def _about(answer: Answer) -> str:
    """The small line below an answer: kind, the question as understood where it differs, model, time."""
    parts = [escape(_KINDS.get(answer.kind, answer.kind))] if answer.status == "answered" else []
    asked, understood = (" ".join(q.split()) for q in (answer.question, answer.standalone_question))
    if understood and understood.casefold() != asked.casefold():
        parts.append(f'understood as <q class="understood">{escape(understood)}</q>')
    if answer.model:
        parts.append(escape(answer.model))
    elif answer.status == "answered":
        parts.append("in the abstracts’ own words")
    if answer.timings_ms.total:
        parts.append(_span(answer.timings_ms.total))
    return f'<p class="about">{" · ".join(parts)}</p>' if parts else ""


def _span(milliseconds: float) -> str:
    return f"{milliseconds:.0f} ms" if milliseconds < 1000 else f"{milliseconds / 1000:.1f} s"


def _nearest(answer: Answer, turn: int) -> str:
    """The nearest papers of an answer that wasn't found, each a link to its place in the source panel."""
    if answer.status != "not_found" or not answer.related:
        return ""
    links = (
        f'<a class="near" href="#related-{turn}-{place}" data-turn="{turn}">{escape(paper.label)}</a>'
        for place, paper in enumerate(answer.related)
    )
    return f'<p class="nearest">Nearest papers here: {", ".join(links)}</p>'


def _cautions(answer: Answer) -> str:
    """The sentences that their sources don't fully bear out, named under the answer."""
    return "".join(
        f'<p class="caution {statement.support}">{_verdict(statement.support)}: '
        f"<q>{escape(statement.text)}</q>{_why(statement)}</p>"
        for statement in answer.sentences
        if statement.support in ("partly", "unsupported")
    )


def _why(statement: Statement) -> str:
    return f" ({escape('; '.join(statement.reasons))})" if statement.reasons else ""


def _verdict(support: str) -> str:
    return "Only partly supported by what it cites" if support == "partly" else "Not supported by the sources"
