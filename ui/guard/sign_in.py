"""Signing in and out, and who a request comes from: by its cookie or by its key."""

from __future__ import annotations

import asyncio
import math
from urllib.parse import parse_qs, quote

from fastapi import Request
from fastapi.responses import JSONResponse, RedirectResponse, Response

from ui.guard.accounts import Accounts
from ui.guard.login import login_page, logout_page, safe_goal
from ui.guard.sessions import LASTS, Sessions
from ui.guard.throttle import Throttle

_LARGEST_FORM = 10_000
_MOMENT = 0.3
"""Seconds that every wrong password costs."""


class SignIn:
    """The door for people (a form and a cookie) and for programs (a key)."""

    def __init__(self, accounts: Accounts, sessions: Sessions, throttle: Throttle) -> None:
        self._accounts = accounts
        self._sessions = sessions
        self._throttle = throttle

    def who(self, request: Request) -> tuple[float, str | None]:
        """Seconds that a key from there has to wait, and the user's name, None for a stranger."""
        user = self._sessions.name(request.cookies.get(_cookie(request), ""))
        kind, _, key = request.headers.get("authorization", "").partition(" ")
        if user or kind.lower() != "bearer":
            return 0.0, user
        address = _address(request)
        wait = self._throttle.wait(address)
        if wait:
            return wait, None
        account = self._accounts.by_key(_header_text(key.strip()))
        (self._throttle.passed if account else self._throttle.failed)(address)
        return 0.0, account.name if account else None

    async def unknown(self, request: Request, wait: float) -> Response:
        """What a stranger gets: the way to the login page, or 401 for what no person asks."""
        if wait:
            return _error(429, "Too many wrong keys; try again later.", {"Retry-After": str(math.ceil(wait))})
        if "authorization" in request.headers:
            await asyncio.sleep(_MOMENT)
        elif _by_a_person(request):
            goal = request.url.path + (f"?{request.url.query}" if request.url.query else "")
            return RedirectResponse("/login" if goal == "/" else f"/login?goal={quote(goal, safe='/')}", 303)
        words = "Sign in, or send a password of ASSISTANT_AUTH as the API key (Authorization: Bearer ...)."
        return _error(401, words, {"WWW-Authenticate": "Bearer"})

    async def login(self, request: Request) -> Response:
        """The login page, or the way on with a cookie for who has given the right password."""
        if request.method in ("GET", "HEAD"):
            return login_page(goal=safe_goal(request.query_params.get("goal", "/")))
        if request.method != "POST":
            return _error(405, "The login page takes GET and POST.", {"Allow": "GET, HEAD, POST"})
        form = await _form(request)
        goal, address = safe_goal(form.get("goal", "/")), _address(request)
        if wait := self._throttle.wait(address):
            page = login_page(
                fault=f"Too many attempts. Try again in {_spoken(wait)}.", goal=goal, status=429
            )
            page.headers["Retry-After"] = str(math.ceil(wait))
            return page
        account = self._accounts.by_password(form.get("user", ""), form.get("password", ""))
        if account is None:
            self._throttle.failed(address)
            await asyncio.sleep(_MOMENT)
            return login_page(fault="Name or password is wrong.", goal=goal, status=401)
        self._throttle.passed(address)
        response = RedirectResponse(goal, 303)
        response.set_cookie(
            _cookie(request),
            self._sessions.new(account),
            max_age=LASTS,
            httponly=True,
            samesite="lax",
            secure=request.url.scheme == "https",
        )
        return response

    def logout(self, request: Request) -> Response:
        """The page that asks, or, for its form, the way to the login page without the session."""
        token = request.cookies.get(_cookie(request), "")
        user = self._sessions.name(token)
        if user and request.method in ("GET", "HEAD"):
            return logout_page(user)
        response = RedirectResponse("/login", 303)
        if request.method == "POST":
            self._sessions.end(token)
            response.delete_cookie(_cookie(request), httponly=True, samesite="lax")
        return response


def _cookie(request: Request) -> str:
    # Cookies are shared by all ports of a host.
    return f"assistant-session-{(request.scope.get('server') or ('', 0))[1]}"


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


def _header_text(text: str) -> str:
    """A header's text as it was meant: headers arrive as Latin-1, passwords may be any UTF-8."""
    try:
        return text.encode("latin-1").decode()
    except ValueError:
        return text


def _by_a_person(request: Request) -> bool:
    """True for a page that a browser opens."""
    programs = request.url.path.startswith(("/v1/", "/gradio_api/"))
    return request.method == "GET" and not programs and "text/html" in request.headers.get("accept", "")


async def _form(request: Request) -> dict[str, str]:
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > _LARGEST_FORM:
            return {}
    fields = parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=None)
    return {name: values[0] for name, values in fields.items()}


def _spoken(seconds: float) -> str:
    whole = math.ceil(seconds)
    return f"{whole} seconds" if whole > 1 else "a second"


def _error(status: int, message: str, headers: dict[str, str]) -> JSONResponse:
    kind = {401: "authentication_error", 429: "rate_limit_error"}.get(status, "invalid_request_error")
    code = {401: "invalid_api_key", 429: "rate_limit_exceeded"}.get(status)
    error = {"message": message, "type": kind, "param": None, "code": code}
    return JSONResponse({"error": error}, status, headers)
