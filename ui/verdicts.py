"""What the page's script asks of the server beside answers: verdicts to keep, papers to pick."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from html import escape
from typing import TYPE_CHECKING, Any

import gradio as gr

from assistant.feedback import REASONS, append
from corpus.errors import AssistantError
from ui.conversation import Conversation
from ui.page import Page
from ui.picks import Picks, picks_html

if TYPE_CHECKING:
    from ui.conversation import Choose

_LONGEST_NOTE = 2_000
_PLAIN: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private"}


def wished(wish: gr.EventData) -> Mapping[str, Any]:
    """What the page's script sent along, {} where that is no object."""
    data = wish._data
    return data if isinstance(data, dict) else {}


def wire_verdicts(page: Page) -> None:
    """Thumbs: each verdict is kept with its answer, and the page told so."""

    def keep(conversation: Conversation, wish: gr.EventData, request: gr.Request) -> str:
        return kept_html(conversation, wished(wish), request.session_hash or "")

    page.signal.submit(keep, page.conversation, page.told, **_PLAIN)


def wire_picks(page: Page, choose: Choose, picked: gr.State) -> None:
    """Picks: the chips above the box, and what the next questions are narrowed to."""

    def pick(picks: Picks, name: str, wish: gr.EventData) -> tuple[Picks, str]:
        # Where the collection can't be read nothing is picked; the next question says what is the matter.
        with suppress(AssistantError):
            picks = picks.after(wished(wish), choose(name).collection)
        return picks, picks_html(picks)

    page.signal.select(pick, [page.picks, picked], [page.picks, page.picked], **_PLAIN)
    for button in (page.clear, page.pane.new):
        button.click(lambda: (Picks(), ""), None, [page.picks, page.picked], **_PLAIN)


def kept_html(conversation: Conversation, wish: Mapping[str, Any], owner: str) -> str:
    """One line that says that the verdict is kept or why it isn't; `owner` names the conversation.

    `wish` is {"turn", "verdict"} and, where the verdict is "down", {"reason", "note"}; "" where it is none.
    """
    exchange = conversation.exchange(wish.get("turn"))
    verdict, reason, note = (wish.get(name) for name in ("verdict", "reason", "note"))
    if (
        exchange is None
        or exchange.answer is None
        or exchange.layout is None
        or verdict not in ("up", "down")
    ):
        return ""
    try:
        append(
            exchange.layout,
            exchange.answer,
            verdict,
            conversation=owner,
            history=conversation.before(exchange.turn).history(),
            reason=reason if reason in REASONS and verdict == "down" else None,
            note=note[:_LONGEST_NOTE] if isinstance(note, str) and verdict == "down" else "",
        )
    except AssistantError as error:
        return _told(exchange.turn, "", str(error))
    return _told(exchange.turn, verdict, "Thanks, kept on this machine.")


def _told(turn: int, verdict: str, words: str) -> str:
    return f'<p data-turn="{turn}" data-verdict="{verdict}">{escape(words)}</p>'
