"""What happens on each event of the page: the components' new values, step by step."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import gradio as gr

from assistant.choices import Choices
from corpus.errors import AssistantError
from corpus.papers import storable
from ui.conversation import Conversation, refusal
from ui.desk import at_rest, begun, ended, greeting, headed, shown_talk
from ui.page import Page
from ui.picks import Picks, picks_html
from ui.render import fault_html
from ui.talks.acts import Act, Asked, Update, changed, shown
from ui.talks.kept import owner_of
from ui.talks.listing import unkept_html
from ui.talks.reopened import refreshed, reopened, written_elsewhere
from ui.talks.runs import Run, Runs
from ui.verdicts import wire_picks, wire_verdicts, wished

if TYPE_CHECKING:
    from assistant.assistant import Assistant
    from ui.conversation import Choose
    from ui.talks.store import Talks

_PLAIN: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private", "concurrency_limit": None}
_STEP_SECONDS = 0.06  # between two looks at an answer being written
_PATIENT_SECONDS = 1.0  # where another process is writing it
# The page's tab remembers which conversation it has open.
_WITH_OPEN = "(browser, _, ...rest) => [browser, window.assistantTalks.opened(), ...rest]"
_REMEMBER = "(talk) => { window.assistantTalks.remember(talk); }"


def wire(
    blocks: gr.Blocks, page: Page, choose: Choose, talks: Talks, *, picked: gr.State, choices: gr.State
) -> Callable[[Any], None]:
    """Each event of the page, tied to what it does; `choose` gives the assistant over the collection picked.

    What comes back ties the greeting to an event after which another collection may be picked.
    """
    events = Events(page, choose, talks, Runs(talks))
    pane, known = page.pane, [*page.pane.asked, picked, page.conversation]
    asking = [page.picks, choices, *known]
    following: list[Any] = []

    def then_follow(first: Any) -> None:
        follow = first.then(events.follow, known, page.answering, trigger_mode="multiple", **_PLAIN)
        following.append(follow)

    page_opened = [*page.answering, page.welcome, *page.examples, pane.browser]
    then_follow(blocks.load(events.open_page, known, page_opened, js=_WITH_OPEN, **_PLAIN))
    for source, listen in _ways_to_ask(page):
        then_follow(listen(events.ask, [source, *asking], page.answering, **_PLAIN))
    then_follow(page.signal.input(events.ask_again, asking, page.answering, **_PLAIN))
    wire_verdicts(page)
    wire_picks(page, choose, picked)
    page.stop.click(events.stop, known, page.answering, **_PLAIN)
    # Whoever opens another conversation follows that one's answer, and no longer the one before.
    then_follow(pane.listing.select(events.turn_to, known, page.answering, cancels=list(following), **_PLAIN))
    then_follow(pane.refresh.click(events.look_again, known, page.answering, cancels=following, **_PLAIN))
    for button in (page.clear, pane.new):
        button.click(events.start_anew, known, page.answering, cancels=following, **_PLAIN)
    pane.listing.click(events.change_list, known, [pane.listing, pane.top, pane.parcel], **_PLAIN)
    pane.search.change(events.list_again, known, [pane.listing], trigger_mode="always_last", **_PLAIN)
    pane.talk.change(None, [pane.talk], None, js=_REMEMBER, **_PLAIN)
    greeted = [page.header, page.welcome, page.notice, *page.examples, page.picks, page.picked]
    return lambda event: event(events.greet, [picked, page.picks], greeted, **_PLAIN)


def _ways_to_ask(page: Page) -> list[tuple[Any, Callable[..., Any]]]:
    """Where the question's text is, with the event that asks it."""
    ways: list[tuple[Any, Callable[..., Any]]] = [(page.box, page.box.submit), (page.box, page.ask.click)]
    return ways + [(button, button.click) for button in page.examples]


@dataclass(frozen=True)
class Events:
    """What the events do. They take the browser's id, the open conversation's, the words searched for, how
    many are listed, the collection picked, and the conversation as the page last had it. A question comes
    with the papers that it is asked of and the session's choices."""

    page: Page
    choose: Choose
    talks: Talks
    runs: Runs

    def open_page(
        self, browser: Any, talk: Any, words: Any, top: Any, picked: Any, _: Conversation, request: gr.Request
    ) -> Update:
        """The page as it is first seen, or as it was before it was loaded again."""
        if not owner_of(None, browser):
            browser = secrets.token_hex(16)
        asked = Asked.by(request, browser, talk, words, top, picked)
        update = greeting(self.page, self.choose, asked.picked) | {self.page.pane.browser: browser}
        return update | self._opened(asked)

    def greet(self, picked: Any, picks: Picks) -> Update:
        """The head line, the welcome and the picked papers once another collection may be asked."""
        update = greeting(self.page, self.choose, picked)
        with suppress(AssistantError):
            picks = picks.within(self.choose(picked).collection)
        return update | {self.page.picks: picks, self.page.picked: picks_html(picks)}

    def ask(
        self,
        question: Any,
        picks: Picks,
        choices: Choices,
        browser: Any,
        talk: Any,
        words: Any,
        top: Any,
        picked: Any,
        known: Conversation,
        request: gr.Request,
    ) -> Update:
        """The page once the question is on its way; as it was where it can't be asked."""
        asked = Asked.by(request, browser, talk, words, top, picked)
        question = storable(question).strip() if isinstance(question, str) else ""
        reason = refusal(question)
        if reason:
            return {self.page.notice: gr.HTML(fault_html(reason), visible=True)}
        if not question:
            return {self.page.notice: gr.skip()}
        conversation = self._current(asked, known)
        try:
            assistant = self.choose(asked.picked)
        except AssistantError as error:
            return {self.page.notice: gr.HTML(fault_html(str(error)), visible=True)}
        return self._begun(asked, assistant, conversation, question, picks=picks, choices=choices)

    def ask_again(
        self,
        picks: Picks,
        choices: Choices,
        browser: Any,
        talk: Any,
        words: Any,
        top: Any,
        picked: Any,
        known: Conversation,
        request: gr.Request,
        event: gr.EventData,
    ) -> Update:
        """The page once the last question is on its way again; the new answer takes the old one's place."""
        asked = Asked.by(request, browser, talk, words, top, picked)
        conversation = self._current(asked, known)
        last = conversation.exchange(wished(event).get("turn"))
        if last is None or last is not conversation.exchanges[-1] or self._going(asked, conversation):
            return {self.page.notice: gr.skip()}
        try:
            assistant = self.choose(asked.picked)
            self.talks.take_back(asked.owner, asked.talk, last.turn)
        except AssistantError as error:
            return {self.page.notice: gr.HTML(fault_html(str(error)), visible=True)}
        before = conversation.before(last.turn)
        return self._begun(asked, assistant, before, last.question, picks=picks, choices=choices)

    async def follow(
        self,
        browser: Any,
        talk: Any,
        words: Any,
        top: Any,
        picked: Any,
        known: Conversation,
        request: gr.Request,
    ) -> AsyncIterator[Update]:
        """The answer that is being written in the open conversation, until it is there."""
        asked = Asked.by(request, browser, talk, words, top, picked)
        run = self.runs.of(asked.owner, asked.talk)
        if run is None or (known.exchanges and known.exchanges[-1].turn >= run.exchange.turn):
            async for update in self._wait(asked, known):
                yield update
            return
        last = None
        while not run.done.is_set():
            if run.exchange is not last:
                last = run.exchange
                yield {self.page.current: last.html}
            await asyncio.sleep(_STEP_SECONDS)
        yield await asyncio.to_thread(self._ended, asked, known, run)

    async def _wait(self, asked: Asked, known: Conversation) -> AsyncIterator[Update]:
        """The answer that another process is writing, once it is there."""
        waited = False
        while await asyncio.to_thread(self._elsewhere, asked, known):
            waited = True
            await asyncio.sleep(_PATIENT_SECONDS)
        yield await asyncio.to_thread(self._opened, asked) if waited else {self.page.notice: gr.skip()}

    def stop(
        self,
        browser: Any,
        talk: Any,
        words: Any,
        top: Any,
        picked: Any,
        known: Conversation,
        request: gr.Request,
    ) -> Update:
        """The page with the answer as far as it came."""
        asked = Asked.by(request, browser, talk, words, top, picked)
        run = self.runs.stop(asked.owner, asked.talk)
        # Whoever finished it a moment before is about to have put it away.
        if run is None or not run.done.wait(10):
            return {self.page.stop: gr.Button(visible=False), self.page.ask: gr.Button(visible=True)}
        return self._ended(asked, self._current(asked, known), run)

    def turn_to(
        self,
        browser: Any,
        talk: Any,
        words: Any,
        top: Any,
        picked: Any,
        known: Conversation,
        request: gr.Request,
        event: gr.EventData,
    ) -> Update:
        """The conversation chosen in the list; or the list without one that was deleted."""
        asked, act = Asked.by(request, browser, talk, words, top, picked), Act.of(event)
        if act.name == "open":
            return self._opened(replace(asked, talk=act.talk))
        gone = self.talks.talk(asked.owner, act.talk)
        if act.name != "delete" or gone is None:
            return self._list(asked)
        self.runs.stop(asked.owner, act.talk)
        self.talks.delete(asked.owner, act.talk)
        if act.talk != asked.talk:
            return shown(self.page.pane, self.talks, asked, undo=gone)
        return at_rest(self.page) | shown(self.page.pane, self.talks, replace(asked, talk=""), undo=gone)

    def look_again(
        self,
        browser: Any,
        talk: Any,
        words: Any,
        top: Any,
        picked: Any,
        known: Conversation,
        request: gr.Request,
    ) -> Update:
        """The page after another one, or another process, did something to the conversations."""
        asked = Asked.by(request, browser, talk, words, top, picked)
        conversation = self._current(asked, known)
        going = self._going(asked, conversation)
        if not conversation.exchanges and not going:
            return self._list(asked)
        return shown_talk(self.page, conversation, going) | self._list(asked)

    def start_anew(
        self, browser: Any, talk: Any, words: Any, top: Any, picked: Any, _: Conversation, request: gr.Request
    ) -> Update:
        """The empty chat. An answer that is being written goes on; it is found in the list."""
        asked = Asked.by(request, browser, talk, words, top, picked)
        return at_rest(self.page) | self._list(replace(asked, talk=""))

    def change_list(
        self,
        browser: Any,
        talk: Any,
        words: Any,
        top: Any,
        picked: Any,
        _: Conversation,
        request: gr.Request,
        event: gr.EventData,
    ) -> Update:
        """The list after something was done in it."""
        asked = Asked.by(request, browser, talk, words, top, picked)
        try:
            return changed(self.page.pane, self.choose, self.talks, asked, Act.of(event))
        except AssistantError as error:
            return {self.page.pane.listing: unkept_html(str(error))}

    def list_again(
        self, browser: Any, talk: Any, words: Any, top: Any, picked: Any, _: Conversation, request: gr.Request
    ) -> Update:
        """The list of those that hold the words."""
        return self._list(Asked.by(request, browser, talk, words, top, picked))

    def _begun(
        self,
        asked: Asked,
        assistant: Assistant,
        conversation: Conversation,
        question: str,
        *,
        picks: Picks,
        choices: Choices,
    ) -> Update:
        """The page with the question on its way; as it was while another answer is being written."""
        # One answer at a time: the next question waits in the box.
        run = self.runs.begin(
            *(assistant, asked.owner, conversation, question), filters=picks.filters, choices=choices
        )
        if run is None:
            return {self.page.notice: gr.skip()}
        conversation = replace(conversation, id=run.talk)
        return begun(self.page, conversation, run.exchange) | self._list(replace(asked, talk=run.talk))

    def _list(self, asked: Asked) -> Update:
        return shown(self.page.pane, self.talks, asked)

    def _opened(self, asked: Asked) -> Update:
        """The page with a kept conversation; the empty chat where there is none of that id."""
        try:
            conversation = reopened(self.choose, self.talks, asked.owner, asked.talk)
        except AssistantError as error:
            return self._list(asked) | {self.page.notice: gr.HTML(fault_html(str(error)), visible=True)}
        if conversation is None:
            return at_rest(self.page) | self._list(replace(asked, talk=""))
        going = self._going(asked, conversation)
        return shown_talk(self.page, conversation, going) | self._list(asked)

    def _current(self, asked: Asked, known: Conversation) -> Conversation:
        """The open conversation with all that was asked in it, by whichever page."""
        try:
            if known.id == asked.talk:
                return refreshed(self.choose, self.talks, asked.owner, known) if known.id else known
            opened = reopened(self.choose, self.talks, asked.owner, asked.talk)
        except AssistantError:
            return known
        return opened or Conversation()

    def _going(self, asked: Asked, conversation: Conversation) -> str:
        """The exchange that is being written, by whichever process, as HTML; "" if none is."""
        run = self.runs.of(asked.owner, asked.talk)
        # Between the moment in which it is kept and that in which it is done, it is among the finished.
        if run and not run.done.is_set() and run.exchange.turn >= conversation.next_turn:
            return run.exchange.html
        return self._elsewhere(asked, conversation)

    def _elsewhere(self, asked: Asked, conversation: Conversation) -> str:
        try:
            exchange = written_elsewhere(self.talks, asked.owner, conversation)
        except AssistantError:
            return ""
        return exchange.html if exchange else ""

    def _ended(self, asked: Asked, known: Conversation, run: Run) -> Update:
        """The page at rest again, with what came of the run."""
        update = ended(self.page, replace(known, id=run.talk), run.exchange)
        with suppress(AssistantError):  # a collection that is gone leaves the head line as it is
            update |= headed(self.page, self.choose(asked.picked))
        if run.unkept:
            update[self.page.notice] = gr.HTML(unkept_html(run.unkept), visible=True)
        return update | self._list(asked)
