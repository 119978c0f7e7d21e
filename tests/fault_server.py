"""An endpoint of OpenAI's protocol over real sockets that fails as it is told, and remembers what it saw."""

from __future__ import annotations

import json
import select
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

_LONGEST = 15.0


@dataclass(frozen=True)
class Seen:
    """One request for a completion."""

    headers: Mapping[str, str]
    body: dict[str, Any]


class FaultServer:
    """What a test tells the server and reads from it."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.requests: list[Seen] = []
        self.asked: list[str] = []
        self.disconnected = threading.Event()
        self.pages: dict[str, Any] = {}
        self._script: list[Reaction] = []
        self._lock = threading.Lock()

    def will(self, *script: Reaction) -> None:
        """Nothing; each next request gets the next reaction, all after the last one the last."""
        self._script = list(script)

    def take(self, seen: Seen) -> Reaction:
        """The reaction to a request."""
        with self._lock:
            self.requests.append(seen)
            return self._script.pop(0) if len(self._script) > 1 else self._script[0]


class Handler(BaseHTTPRequestHandler):
    """Answers one connection; reactions use its methods."""

    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        faults = self.server.faults
        faults.asked.append(self.path)
        page = faults.pages.get(self.path)
        if callable(page):
            with self.noticing():
                page(self)
        else:
            self.json(404 if page is None else 200, page or {"error": {"message": "no such page"}})

    def do_POST(self) -> None:
        self.body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.close_connection = True
        self.stream = bool(self.body.get("stream"))
        with self.noticing():
            self.server.faults.take(Seen(dict(self.headers), self.body))(self)

    def json(self, status: int, content: Any, headers: Mapping[str, str] | None = None) -> None:
        text = content if isinstance(content, str) else json.dumps(content)
        self.send_response(status)
        given = {"Content-Type": "application/json", "Content-Length": str(len(text.encode()))}
        for name, value in (given | dict(headers or {})).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text.encode())

    def begin(self, *, chunked: bool = True) -> None:
        """The head of a stream of events."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.chunked = chunked
        self.send_header(*(("Transfer-Encoding", "chunked") if chunked else ("Connection", "close")))
        self.end_headers()

    def send(self, text: str) -> None:
        """Some bytes of the stream."""
        data = text.encode()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data) if self.chunked else data)
        self.wfile.flush()

    def event(self, choice: Mapping[str, Any] | None, **more: Any) -> None:
        """One event: a choice, or none."""
        chunk = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
        self.send(f"data: {json.dumps(chunk | {'choices': [choice] if choice else []} | more)}\n\n")

    def delta(self, finish: str | None = None, **delta: Any) -> None:
        """One event with a piece of the answer."""
        self.event({"index": 0, "delta": delta, "finish_reason": finish})

    def end(self) -> None:
        """The proper end of a stream."""
        self.send("data: [DONE]\n\n")
        if self.chunked:
            self.wfile.write(b"0\r\n\r\n")

    def wait_for_the_client(self, seconds: float = _LONGEST) -> None:
        """Nothing; returns when the client has gone."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            readable, _, _ = select.select([self.connection], [], [], 0.02)
            if readable and not self.connection.recv(1, socket.MSG_PEEK):
                raise ConnectionResetError

    def reset(self) -> None:
        """Nothing; the connection breaks as when a server dies."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()

    @contextmanager
    def noticing(self) -> Iterator[None]:
        """The event `disconnected` is set when the client goes before the reaction is over."""
        try:
            yield
        except OSError:
            self.server.faults.disconnected.set()

    def finish(self) -> None:
        try:
            super().finish()
        except (OSError, ValueError):
            return

    def log_message(self, format: str, *args: object) -> None:
        return None


Reaction = Callable[[Handler], None]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64
    faults: FaultServer


@contextmanager
def running() -> Iterator[FaultServer]:
    """A server on a free port."""
    server = _Server(("127.0.0.1", 0), Handler)
    server.faults = FaultServer(f"http://127.0.0.1:{server.server_port}/v1")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server.faults
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def says(
    *pieces: str, finish: str = "stop", usage: tuple[int, int] | None = (11, 7), thinks: Sequence[str] = ()
) -> Reaction:
    """A proper answer."""

    def react(handler: Handler) -> None:
        if not handler.stream:
            message = {"role": "assistant", "content": "".join(pieces)}
            handler.json(200, {"choices": [{"index": 0, "message": message, "finish_reason": finish}]})
            return
        handler.begin()
        handler.delta(role="assistant", content=None)
        for thought in thinks:
            handler.delta(reasoning_content=thought)
        for piece in pieces:
            handler.delta(content=piece)
        handler.delta(finish)
        if usage:
            counts = {"prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": sum(usage)}
            handler.event(None, usage=counts)
        handler.end()

    return react


def fails(status: int, error: Any = None, **headers: str) -> Reaction:
    """An error with a status; `error` is the object in its body, or the body itself."""
    content = error if isinstance(error, str) else {"error": error or {"message": "made to fail"}}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda handler: handler.json(status, content, named)


def hangs(*pieces: str, pings: bool = False) -> Reaction:
    """Silence after the pieces, before the head of the response where there are none."""

    def react(handler: Handler) -> None:
        if pieces or pings:
            handler.begin()
        for piece in pieces:
            handler.delta(content=piece)
        while pings:
            handler.send(": ping\n\n")
            time.sleep(0.05)
        handler.wait_for_the_client()

    return react


def breaks(*pieces: str, how: str) -> Reaction:
    """An answer that doesn't end as it should: by "reset", "close" (of a chunked body), "eof" or "done"."""

    def react(handler: Handler) -> None:
        handler.begin(chunked=how != "eof")
        for piece in pieces:
            handler.delta(content=piece)
        if how == "done":
            handler.end()
        if how == "reset":
            time.sleep(0.1)
            handler.reset()

    return react


def sends(*lines: str, kind: str = "text/event-stream") -> Reaction:
    """Any bytes as the body of a response."""

    def react(handler: Handler) -> None:
        handler.json(200, "".join(line + "\n\n" for line in lines), {"Content-Type": kind})

    return react


def drops(handler: Handler) -> None:
    """No response: the connection is reset."""
    handler.reset()


def never_ends(*phrases: str) -> Reaction:
    """The phrases over and over, until the client has enough."""

    def react(handler: Handler) -> None:
        handler.begin()
        until = time.monotonic() + _LONGEST
        while time.monotonic() < until:
            for phrase in phrases:
                handler.delta(content=phrase)

    return react
