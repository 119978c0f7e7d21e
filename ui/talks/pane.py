"""The components of the list of conversations: a pane beside the chat, on a phone a drawer over it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gradio as gr

from ui.talks.listing import SHOWN

_BAR = (
    '<div class="talks-bar"><button type="button" class="drawer" aria-controls="talks" aria-expanded="false" '
    'aria-label="Conversations" title="Conversations"><svg viewBox="0 0 20 20" width="18" height="18" '
    'aria-hidden="true"><path d="M3 5h14M3 10h14M3 15h9" fill="none" stroke="currentColor" '
    'stroke-width="1.6" stroke-linecap="round"/></svg></button>'
    '<button type="button" class="fresh">New chat</button></div>'
)
# What the reader does in the list comes as an event of its own; opening and deleting change the page's chat.
_BRIDGE = """
element.addEventListener("talk", (event) => {
  trigger(["open", "delete"].includes(event.detail.act) ? "select" : "click", event.detail);
});
"""
_SAVE = """watch("value", () => window.assistantTalks && window.assistantTalks.save(props.value));"""


@dataclass(frozen=True)
class Pane:
    """The components of the list."""

    browser: gr.BrowserState  # the random id by which a browser without a login owns its conversations
    talk: gr.Textbox  # the open conversation's id, held by the page
    top: gr.State  # how many are listed
    new: gr.Button
    search: gr.Textbox
    listing: gr.HTML
    refresh: gr.Button  # pressed by the page's script when another page changed something
    parcel: gr.HTML  # a file on its way to the reader's disk

    @property
    def asked(self) -> list[Any]:
        """What a change of the list is made from."""
        return [self.browser, self.talk, self.search, self.top]


def lay_out(browser: gr.BrowserState) -> Pane:
    """The pane's components, laid out in the row of the chat, before it."""
    _html("talks-bar", _BAR)
    with gr.Column(elem_id="talks"):
        new = gr.Button("New chat", elem_id="talks-new")
        search = gr.Textbox(
            label="Search conversations",
            placeholder="Search",
            show_label=False,
            container=False,
            elem_id="talks-search",
        )
        listing = _html("talks-list", js_on_load=_BRIDGE)
        refresh = gr.Button("Refresh", elem_id="talks-refresh", visible="hidden")
        talk = gr.Textbox("", label="Conversation", elem_id="talks-open", visible="hidden")
        parcel = _html("talks-parcel", js_on_load=_SAVE, visible="hidden", html_template=" ")
    return Pane(
        browser=browser,
        talk=talk,
        top=gr.State(SHOWN),
        new=new,
        search=search,
        listing=listing,
        refresh=refresh,
        parcel=parcel,
    )


def _html(name: str, value: str = "", *, js_on_load: str | None = None, **options: Any) -> gr.HTML:
    return gr.HTML(value, elem_id=name, apply_default_css=False, js_on_load=js_on_load, **options)
