"""Who asks: a login's name, else a random id that the browser keeps."""

from __future__ import annotations

import ipaddress
import re
import secrets

import gradio as gr

_KEY = "abstracts-assistant"
_ID = re.compile(r"[0-9a-f]{32}")
_FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip")


def kept(name: str, default: object) -> gr.BrowserState:
    """A value that the browser keeps under this name, over restarts of the server too.

    Gradio scrambles it with a word that every page holds: to anybody with the browser it is no secret.
    """
    return gr.BrowserState(default, storage_key=f"{_KEY}-{name}", secret=_KEY)


def known_id(found: object) -> str:
    """The browser's id, a new one (128 bits) where what it sent is none."""
    return found if isinstance(found, str) and _ID.fullmatch(found) else secrets.token_hex(16)


def owner_of(request: gr.Request, browser_id: object) -> str:
    """Whose things these are: the login's, else this browser's; "" where it hasn't said its id yet."""
    if request.username:
        return f"login:{request.username}"
    return f"browser:{browser_id}" if isinstance(browser_id, str) and _ID.fullmatch(browser_id) else ""


def is_local(request: gr.Request) -> bool:
    """True for a person at this machine: no login, no proxy, an address of the machine itself."""
    if request.username or any(request.headers.get(name) for name in _FORWARDED):
        return False
    try:
        return ipaddress.ip_address(request.client.host).is_loopback
    except (AttributeError, ValueError):
        return False
