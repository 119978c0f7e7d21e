"""Who is signed in, and the way out, in the corner of the page; nothing where no password is set."""

from __future__ import annotations

from html import escape
from typing import Any

import gradio as gr


def add(blocks: gr.Blocks) -> None:
    """Nothing; the page in these Blocks, which are open, shows who is signed in."""
    corner = gr.HTML("", elem_id="account", apply_default_css=False, js_on_load=None)
    blocks.load(_shown, None, corner, show_progress="hidden", api_visibility="private")


def _shown(request: gr.Request) -> Any:
    return account_html(request.username) if request.username else gr.skip()


def account_html(user: str) -> str:
    """The user's name and a button that signs out."""
    name = escape(user)
    return (
        f'<form method="post" action="/logout"><span class="user" title="{name}">{name}</span>'
        '<button class="sign-out">Sign out</button></form>'
    )
