"""What happens on each event of the page: the components' new values, step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import gradio as gr

from corpus.errors import AssistantError
from ui.conversation import Conversation, Exchange, refusal, respond, stopped
from ui.page import Page
from ui.render import fault_html
from ui.welcome import EXAMPLES_SHOWN, empty_sources_html, example_questions, header_html, welcome_html

if TYPE_CHECKING:
    from assistant.assistant import Assistant

Update = dict[Any, Any]
"""New values by component; the components that aren't named stay as they are."""

_PLAIN: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private"}


def _greeting(page: Page, choose: Callable[[str], Assistant], picked: str) -> Update:
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


def wire(
    blocks: gr.Blocks, page: Page, choose: Callable[[str], Assistant], picked: gr.State
) -> Callable[[Any], None]:
    """Each event of the page, tied to what it does; `choose` gives the assistant over the collection picked.

    What comes back ties the greeting to an event after which another collection may be picked.
    """

    def answer(
        question: str, conversation: Conversation, live: Exchange | None, name: str
    ) -> Iterator[Update]:
        # One answer at a time: while one is being written, the next question waits in the box.
        if live is None or live.halt.is_set():
            try:
                assistant = choose(name)
            except AssistantError as error:
                yield {page.notice: gr.HTML(fault_html(str(error)), visible=True)}
                return
            yield from _answer(page, assistant, conversation, question or "")
        else:
            yield {page.notice: gr.skip()}

    page_opened = [page.header, page.welcome, page.notice, *page.examples]

    def greet(event: Any) -> None:
        event(lambda name: _greeting(page, choose, name), [picked], page_opened, **_PLAIN)

    greet(blocks.load)
    asked = [
        listen(answer, [source, page.conversation, page.live, picked], page.answering, **_PLAIN)
        for source, listen in _ways_to_ask(page)
    ]
    page.stop.click(
        lambda conversation, live: _stop(page, conversation, live),
        [page.conversation, page.live],
        page.answering,
        cancels=asked,
        **_PLAIN,
    )
    page.clear.click(lambda live: _clear(page, live), [page.live], page.answering, cancels=asked, **_PLAIN)
    return greet


def _ways_to_ask(page: Page) -> list[tuple[Any, Callable[..., Any]]]:
    """Where the question's text is, with the event that asks it."""
    ways: list[tuple[Any, Callable[..., Any]]] = [(page.box, page.box.submit), (page.box, page.ask.click)]
    return ways + [(button, button.click) for button in page.examples]


def _answer(page: Page, assistant: Assistant, conversation: Conversation, question: str) -> Iterator[Update]:
    question = question.strip()
    if not question:
        yield {page.notice: gr.skip()}
        return
    reason = refusal(question)
    if reason:
        yield {page.notice: gr.HTML(fault_html(reason), visible=True)}
        return
    first = True
    exchange = Exchange(conversation.next_turn, question)
    for exchange in respond(assistant, conversation, question):
        yield {page.live: exchange, page.current: exchange.html} | (
            _begun(page, conversation) if first else {}
        )
        first = False
    yield _ended(page, conversation, exchange) | {
        page.header: header_html(assistant.collection.name, assistant.collection.size)
    }


def _begun(page: Page, conversation: Conversation) -> Update:
    return {
        page.past: conversation.html,
        page.start: gr.Column(visible=False),
        page.notice: gr.HTML(visible=False),
        page.box: "",
        page.ask: gr.Button(visible=False),
        page.stop: gr.Button(visible=True),
    }


def _ended(page: Page, conversation: Conversation, exchange: Exchange) -> Update:
    """The page at rest again, with the exchange put to the conversation."""
    whole = conversation.plus(exchange)
    update: Update = {
        page.conversation: whole,
        page.live: None,
        page.current: exchange.html,
        page.sources: whole.sources or empty_sources_html(),
        page.ask: gr.Button(visible=True),
        page.stop: gr.Button(visible=False),
        page.clear: gr.Button(visible=True),
    }
    return update | ({page.box: exchange.question} if exchange.failed else {})


def _stop(page: Page, conversation: Conversation, live: Exchange | None) -> Update:
    return _ended(page, conversation, stopped(live)) if live else {page.stop: gr.Button(visible=False)}


def _clear(page: Page, live: Exchange | None) -> Update:
    if live:
        stopped(live)
    return {
        page.conversation: Conversation(),
        page.live: None,
        page.start: gr.Column(visible=True),
        page.past: "",
        page.current: "",
        page.notice: gr.HTML(visible=False),
        page.ask: gr.Button(visible=True),
        page.stop: gr.Button(visible=False),
        page.clear: gr.Button(visible=False),
        page.sources: empty_sources_html(),
    }
