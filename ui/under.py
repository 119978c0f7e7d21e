"""What stands under an answer: copying, asking again, a verdict, and questions to ask next."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from assistant.answer import Answer
from assistant.feedback import REASONS
from assistant.references import as_bibtex, as_markdown
from assistant.suggest import next_questions
from corpus.papers import Paper

_UP = (
    '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M7 10.5 11 3a2.4 2.4 0 0 1 2.3 2.9L12.6 9.5H18'
    'a2 2 0 0 1 2 2.4l-1.3 6.5a2 2 0 0 1-2 1.6H7M7 10.5V20M7 10.5H4V20h3"/></svg>'
)


def under_html(answer: Answer, papers: Mapping[str, Paper], turn: int) -> str:
    """The row of actions with the form for a bad verdict, and under it the suggested questions.

    `papers` are the papers by id. The page's script does what the buttons say.
    """
    parts = (_actions(answer, papers), _form(turn), _next(answer, papers))
    return f'<div class="under" data-turn="{turn}">{"".join(parts)}</div>'


def again_html(turn: int) -> str:
    """What can be done after a fault or a stop: ask once more, or change the question."""
    actions = f'<div class="actions" role="group" aria-label="This question">{_AGAIN}</div>'
    return f'<div class="under" data-turn="{turn}">{actions}</div>'


_AGAIN = (
    '<button type="button" data-do="retry" class="last">Ask again</button>'
    '<button type="button" data-do="edit" class="last">Edit question</button>'
)


def _actions(answer: Answer, papers: Mapping[str, Paper]) -> str:
    bibtex = as_bibtex(answer, papers)
    copies = _copy("Copy as Markdown", as_markdown(answer, papers))
    copies += _copy("Copy BibTeX", bibtex) if bibtex else ""
    return (
        f'<div class="actions" role="group" aria-label="This answer">{copies}{_AGAIN}<span class="verdicts">'
        f"{_thumb('up', 'Good answer')}{_thumb('down', 'Bad answer')}</span>"
        '<span class="said" role="status"></span></div>'
    )


def _copy(name: str, text: str) -> str:
    return f'<button type="button" data-do="copy" data-text="{escape(text)}">{name}</button>'


def _thumb(verdict: str, name: str) -> str:
    more = ' aria-expanded="false"' if verdict == "down" else ""
    return (
        f'<button type="button" class="thumb {verdict}" data-do="{verdict}" aria-label="{name}" '
        f'title="{name}" aria-pressed="false"{more}>{_UP}</button>'
    )


def _form(turn: int) -> str:
    reasons = "".join(
        f'<label><input type="radio" name="reason-{turn}" value="{escape(reason)}"><span>'
        f"{escape(reason[0].upper() + reason[1:])}</span></label>"
        for reason in REASONS
    )
    return (
        '<form class="complaint" hidden><fieldset><legend>What is wrong with it?</legend>'
        f'{reasons}</fieldset><label class="note"><span>A note (optional)</span>'
        '<textarea rows="2" maxlength="2000"></textarea></label>'
        '<div class="buttons"><button type="submit" data-do="send">Send</button>'
        '<button type="button" data-do="cancel">Cancel</button></div></form>'
    )


def _next(answer: Answer, papers: Mapping[str, Paper]) -> str:
    questions = "".join(
        f'<li><button type="button" data-do="ask">{escape(question)}</button></li>'
        for question in next_questions(answer, papers)
    )
    return f'<div class="next last"><h3>Ask next</h3><ul>{questions}</ul></div>' if questions else ""
