"""The one guard in front of everything that is served: page, Gradio's API, files, uploads, /v1 and MCP.

It lets a request through that comes to a name of ours, from no page of a stranger, and, where accounts are
set, from somebody who has signed in or has a key. What is added later is behind it from its first day.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from typing import Any

from fastapi import Request
from fastapi.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response

from ui.guard.accounts import Accounts
from ui.guard.headers import guarded
from ui.guard.hosts import Hosts
from ui.guard.sessions import Sessions
from ui.guard.sign_in import SignIn
from ui.guard.throttle import Throttle

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

USER = "assistant.user"
"""Where a request's scope holds the name of who has signed in."""


@dataclass(frozen=True)
class Guard:
    """An ASGI application in front of another."""

    app: App
    hosts: Hosts
    accounts: Accounts | None
    sign_in: SignIn | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        if self.accounts:
            signing = SignIn(self.accounts, Sessions(self.accounts), Throttle())
            object.__setattr__(self, "sign_in", signing)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The request's response, by the application or a refusal."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":  # nothing here speaks WebSocket
            await send({"type": "websocket.close", "code": 1008})
            return

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = guarded(message.get("headers", ()), private=self.sign_in is not None)
                message = {**message, "headers": headers}
            await send(message)

        request = Request(scope, receive)
        response = await self._response(request)
        await (response or self.app)(scope, receive, answer)

    async def _response(self, request: Request) -> Response | None:
        """What is answered in place of the application, None where the request may pass."""
        if not self.hosts.know(request.headers.get("host", "")):
            return PlainTextResponse(
                "The chat doesn't answer to this name; where it should, put it into ASSISTANT_HOSTS.",
                421,
            )
        if self.hosts.foreign(request.headers, request.method):
            return _refused(request, 403, "Pages of another origin may not speak to the chat.")
        path = request.url.path.rstrip("/")
        if self.sign_in is None:
            return RedirectResponse("/", 303) if path in ("/login", "/logout") else None
        if path == "/login":
            return await self.sign_in.login(request)
        if path == "/logout":
            return self.sign_in.logout(request)
        wait, user = self.sign_in.who(request)
        if user:
            request.scope[USER] = user
            return None
        return await self.sign_in.unknown(request, wait)


def _refused(request: Request, status: int, message: str) -> Response:
    return JSONResponse({"error": {"message": message, "type": "permission_error", "code": None}}, status)
