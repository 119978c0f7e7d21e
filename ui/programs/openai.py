"""OpenAI's protocol: /v1/models and /v1/chat/completions, a collection being a model."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import threading
import time
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse

from assistant.answer import Answer, Notice
from corpus.errors import AssistantError, BusyError, InputError
from ui.programs.pump import pumped
from ui.programs.references import references, with_references
from ui.programs.wire import Asked, Refused, chunk, completion, extras, read_request, usage

if TYPE_CHECKING:
    from assistant.assistant import Assistant
    from ui.programs.rooms import Rooms

_AT_ONCE = 16
_LARGEST_BODY = 4_000_000
_OWNER = "abstracts-assistant"
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Written:
    """An answer and its text with the list of references."""

    answer: Answer
    text: str


def routes(rooms: Rooms) -> APIRouter:
    """The routes below /v1."""
    router = APIRouter(prefix="/v1")
    turn = asyncio.Semaphore(_AT_ONCE)

    @router.get("/models")
    def models() -> dict[str, Any]:
        return {"object": "list", "data": [_model(name) for name in rooms.names()]}

    @router.get("/models/{name}")
    def model(name: str) -> Response:
        return JSONResponse(_model(name)) if name in rooms.names() else _error(_unknown(name, rooms))

    @router.post("/chat/completions")
    async def chat(request: Request) -> Response:
        try:
            asked = read_request(await _body(request))
            assistant = await asyncio.to_thread(_assistant, rooms, asked.model)
        except Exception as error:
            return _error(error)
        head = {"id": f"chatcmpl-{uuid.uuid4().hex}", "created": int(time.time()), "model": asked.model}
        if asked.stream:
            stream = _events(assistant, asked, head, turn)
            return StreamingResponse(
                stream, media_type="text/event-stream", headers={"Cache-Control": "no-store"}
            )
        return await _unless_gone(request, _completed(assistant, asked, head, turn))

    @router.api_route("/{rest:path}", methods=["GET", "POST", "PUT", "PATCH", "DELETE"])
    def nothing(rest: str) -> Response:
        known = "GET /v1/models and POST /v1/chat/completions"
        return _error(Refused(f"There is no such address; there are {known}.", 404, code="unknown_url"))

    return router


async def _completed(
    assistant: Assistant, asked: Asked, head: Mapping[str, Any], turn: asyncio.Semaphore
) -> Response:
    try:
        async with turn, aclosing(_pieces(assistant, asked)) as pieces:
            async for piece in pieces:
                if isinstance(piece, Written):
                    return JSONResponse(completion(piece.answer, piece.text, head))
    except Exception as error:
        return _error(error)
    raise AssertionError("a stream ends with its Answer")


async def _events(
    assistant: Assistant, asked: Asked, head: Mapping[str, Any], turn: asyncio.Semaphore
) -> AsyncIterator[str]:
    """The lines of a streamed answer.

    A model's text may still change when it is checked, and a marker of it may go; it is sent as
    `reasoning_content`, which clients show as thoughts. What is sent as content is the checked answer.
    """
    if asked.with_usage:
        head = {**head, "usage": None}
    yield _event(chunk(head, {"role": "assistant", "content": ""}))
    try:
        async with turn, aclosing(_pieces(assistant, asked)) as pieces:
            async for piece in pieces:
                if isinstance(piece, Written):
                    for words in re.findall(r"\S+\s*|^\s+", piece.text):
                        yield _event(chunk(head, {"content": words}))
                    yield _event(chunk(head, extras(piece.answer), "stop"))
                    if asked.with_usage:
                        last = {**chunk(head, {}), "choices": [], "usage": usage(piece.answer)}
                        yield _event(last)
                else:
                    yield ": waiting\n\n" if not piece else _event(chunk(head, {"reasoning_content": piece}))
    except Exception as error:
        yield _event(_refused(error).body)
    yield "data: [DONE]\n\n"


def _pieces(assistant: Assistant, asked: Asked) -> AsyncGenerator[str | Written, None]:
    """A model's draft as it comes ("" where something is waited for), then the answer as it was written."""

    def stream(halt: threading.Event) -> Iterator[str | Written]:
        drafted = assistant.llm != "none"
        for piece in assistant.stream(asked.question, history=asked.history, stop=halt):
            if isinstance(piece, Answer):
                if piece.status == "error":
                    raise AssistantError(piece.error or piece.text)
                yield Written(piece, with_references(piece.text, references(piece, assistant)))
            elif isinstance(piece, Notice):
                yield ""
            elif drafted:
                yield piece

    return pumped(stream)


async def _unless_gone(request: Request, work: Any) -> Response:
    """The work's response; the work is ended when the client goes before it."""
    answering = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait({answering, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if answering.done():
            response: Response = answering.result()
            return response
        return Response(status_code=499)
    finally:
        answering.cancel()
        leaving.cancel()


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _body(request: Request) -> bytes:
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > _LARGEST_BODY:
            raise Refused(f"The body is longer than {_LARGEST_BODY:,} bytes.", 413)
    return bytes(body)


def _assistant(rooms: Rooms, name: str) -> Assistant:
    try:
        return rooms.assistant(name)
    except InputError as error:
        raise _unknown(name, rooms) from error


def _unknown(name: str, rooms: Rooms) -> Refused:
    known = ", ".join(rooms.names()[:20])
    words = f"The model {name[:80]!r} does not exist: a model is a collection, and there are {known}."
    return Refused(words, 404, param="model", code="model_not_found")


def _refused(error: Exception) -> Refused:
    if isinstance(error, Refused):
        return error
    if isinstance(error, InputError):
        return Refused(str(error))
    if isinstance(error, AssistantError):
        status = 503 if isinstance(error, BusyError) else 500
        return Refused(str(error), status, kind="server_error")
    _log.error("The answer failed", exc_info=error)
    words = "The answer failed because of a fault in the program; its log says where."
    return Refused(words, 500, kind="server_error")


def _error(error: Exception) -> JSONResponse:
    refused = _refused(error)
    return JSONResponse(refused.body, refused.status)


def _event(data: Mapping[str, Any]) -> str:
    return f"data: {json.dumps(data, ensure_ascii=False)}\n\n"


def _model(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": 0, "owned_by": _OWNER}
