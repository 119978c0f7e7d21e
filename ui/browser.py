"""What the browser keeps, and who asks."""

from __future__ import annotations

import ipaddress

import gradio as gr

from ui.talks import kept as of_talks

_KEY = "abstracts-assistant"
_FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip")


def kept(name: str, default: object) -> gr.BrowserState:
    """A value that the browser keeps under this name, over restarts of the server too.

    Gradio scrambles it with a word that every page holds: to anybody with the browser it is no secret.
    """
    return gr.BrowserState(default, storage_key=f"{_KEY}-{name}", secret=_KEY)


def owner_of(request: gr.Request, browser_id: object) -> str:
    """Whose things these are: the login's, else this browser's; "" where it hasn't said its id yet."""
    return of_talks.owner_of(request.username, browser_id if isinstance(browser_id, str) else None)


def is_local(request: gr.Request) -> bool:
    """True for a person at this machine: no login, no proxy, an address of the machine itself."""
    if request.username or any(request.headers.get(name) for name in _FORWARDED):
        return False
    try:
        return ipaddress.ip_address(request.client.host).is_loopback
    except (AttributeError, ValueError):
        return False
