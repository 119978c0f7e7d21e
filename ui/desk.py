"""The chat's components in each of its states: at its start, with a conversation, answering, at rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gradio as gr

from corpus.errors import AssistantError
from ui.conversation import Conversation, Exchange
from ui.page import Page
from ui.render import fault_html
from ui.welcome import EXAMPLES_SHOWN, empty_sources_html, example_questions, header_html, welcome_html

if TYPE_CHECKING:
    from assistant.assistant import Assistant
    from ui.conversation import Choose

Update = dict[Any, Any]
"""New values by component; the components that aren't named stay as they are."""


def greeting(page: Page, choose: Choose, picked: str) -> Update:
    """The head line and the example questions, from the collection as it stands now."""
    try:
        collection = choose(picked).collection
        collection.refresh()
        name, size = collection.name, collection.size
        found = collection.papers([hit.paper_id for hit in collection.lexical("we present a system", 20)])
    except AssistantError as error:
        return {page.notice: gr.HTML(fault_html(str(error)), visible=True)}
    questions = example_questions(name, found)
    shown = [gr.Button(question, visible=True) for question in questions]
    hidden = [gr.Button(visible=False)] * (EXAMPLES_SHOWN - len(shown))
    return {
        page.header: header_html(name, size),
        page.welcome: welcome_html(name, size),
        **dict(zip(page.examples, [*shown, *hidden], strict=True)),
    }


def headed(page: Page, assistant: Assistant) -> Update:
    """The head line with the collection as it stands now."""
    return {page.header: header_html(assistant.collection.name, assistant.collection.size)}


def begun(page: Page, conversation: Conversation, exchange: Exchange) -> Update:
    """The page with a question on its way."""
    return shown_talk(page, conversation, exchange.html) | {page.box: "", page.sources: gr.skip()}


def ended(page: Page, conversation: Conversation, exchange: Exchange) -> Update:
    """The page at rest again, with the exchange put to the conversation."""
    whole = conversation.plus(exchange)
    update: Update = {
        page.conversation: whole,
        page.current: exchange.html,
        page.sources: whole.sources or empty_sources_html(),
        **_buttons(page, writing=False),
    }
    return update | ({page.box: exchange.question} if exchange.failed else {})


def shown_talk(page: Page, conversation: Conversation, going: str = "") -> Update:
    """The page with a conversation, and below it the exchange that is being written, if one is."""
    *before, newest = conversation.exchanges or (None,)
    past = conversation.html if going else "".join(exchange.html for exchange in before if exchange)
    return {
        page.conversation: conversation,
        page.pane.talk: conversation.id,
        page.start: gr.Column(visible=False),
        page.past: past,
        page.current: going or (newest.html if newest else ""),
        page.sources: conversation.sources or empty_sources_html(),
        page.notice: gr.HTML(visible=False),
        **_buttons(page, writing=bool(going)),
    }


def at_rest(page: Page) -> Update:
    """The empty chat."""
    return {
        page.conversation: Conversation(),
        page.pane.talk: "",
        page.start: gr.Column(visible=True),
        page.past: "",
        page.current: "",
        page.notice: gr.HTML(visible=False),
        page.sources: empty_sources_html(),
        **_buttons(page, writing=False),
        page.clear: gr.Button(visible=False),
    }


def _buttons(page: Page, *, writing: bool) -> Update:
    return {
        page.ask: gr.Button(visible=not writing),
        page.stop: gr.Button(visible=writing),
        page.clear: gr.Button(visible=True),
    }
