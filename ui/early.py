"""What has to be in the page before Gradio draws it: the theme's script, put at the head of its HTML."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, MutableMapping
    from typing import Any

    Message = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[Message]]
    Send = Callable[[Message], Awaitable[None]]
    App = Callable[[Message, Receive, Send], Awaitable[None]]

_STYLE = "html,html body{background:#fbfaf8}html.dark,html.dark body{background:#16181b}"
_MARK = b"<head>"


class EarlyScript:
    """ASGI: the page "/" with the script and the two backgrounds at the head; everything else untouched."""

    def __init__(self, app: App) -> None:
        script = (files("ui") / "early.js").read_text("utf-8")
        self._app = app
        self._added = f"<head><script>{script}</script><style>{_STYLE}</style>".encode()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Nothing; the request is answered."""
        if scope["type"] != "http" or scope["path"] not in ("/", ""):
            await self._app(scope, receive, send)
            return
        # What is compressed can't be added to; the page is small.
        headers = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]
        held: list[Message] = []

        async def hold(message: Message) -> None:
            held.append(message)
            if message["type"] == "http.response.body" and not message.get("more_body"):
                for one in self._changed(held):
                    await send(one)

        await self._app({**scope, "headers": headers}, receive, hold)

    def _changed(self, held: list[Message]) -> list[Message]:
        start, *parts = held
        headers: list[tuple[bytes, bytes]] = start["headers"]
        body = b"".join(part.get("body", b"") for part in parts)
        if (
            any(name == b"content-type" and value.startswith(b"text/html") for name, value in headers)
            and body
        ):
            body = body.replace(_MARK, self._added, 1)
            headers = [(name, value) for name, value in headers if name != b"content-length"]
            headers.append((b"content-length", str(len(body)).encode()))
        return [{**start, "headers": headers}, {"type": "http.response.body", "body": body}]
