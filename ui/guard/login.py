"""The pages of signing in and out: plain HTML that needs no script and asks nothing else of the server."""

from __future__ import annotations

import base64
import hashlib
from html import escape
from importlib.resources import files

from fastapi.responses import HTMLResponse


def login_page(*, fault: str = "", goal: str = "/", status: int = 200) -> HTMLResponse:
    """The page that asks for name and password; `goal` is where it leads."""
    said = f'<p class="fault" role="alert">{escape(fault)}</p>' if fault else ""
    form = (
        f'<form method="post" action="/login">{said}'
        f'<input type="hidden" name="goal" value="{escape(goal)}">'
        '<label for="user">Name</label>'
        '<input id="user" name="user" autocomplete="username" autocapitalize="none" spellcheck="false" '
        "required autofocus>"
        '<label for="password">Password</label>'
        '<input id="password" name="password" type="password" autocomplete="current-password" required>'
        "<button>Sign in</button></form>"
    )
    return _page("Sign in", form, status)


def logout_page(user: str) -> HTMLResponse:
    """The page that asks whether to sign out."""
    form = (
        f'<form method="post" action="/logout"><p>Signed in as <strong>{escape(user)}</strong>.</p>'
        '<button>Sign out</button><p><a href="/">Back to the chat</a></p></form>'
    )
    return _page("Sign out", form, 200)


def safe_goal(goal: str) -> str:
    """The goal where it is a path of this server, else its first page."""
    inside = goal.startswith("/") and not goal.startswith("//") and goal.isprintable() and "\\" not in goal
    return goal if inside and goal.partition("?")[0] not in ("/login", "/logout") else "/"


def _page(title: str, form: str, status: int) -> HTMLResponse:
    style = files("ui").joinpath("guard/login.css").read_text("utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; style-src 'sha256-{digest}'; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'"
    )
    page = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{title} · Abstracts Assistant</title><style>{style}</style></head>"
        f"<body><main><h1>Abstracts Assistant</h1><h2>{title}</h2>{form}</main></body></html>"
    )
    return HTMLResponse(page, status, {"Content-Security-Policy": policy})
