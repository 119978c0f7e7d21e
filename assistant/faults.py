"""Vendors' exceptions as ours: the one place where they are translated."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import httpx
import openai

from assistant.address import Address
from assistant.retries import retry_after
from corpus.errors import ModelError

_OVERFLOW = re.compile(
    r"context[ _](?:length|size|window)|maximum context|prompt is too long|too many (?:input )?tokens", re.I
)
_OVERFLOW_CODES = {"context_length_exceeded", "exceed_context_size_error"}
_NO_PARAMETER = {"unsupported_parameter", "unsupported_value", "unknown_parameter"}
# Endpoints that take no schema say so in words of their own, most of them without code or parameter.
_NO_SCHEMA = re.compile(r"response[ _](?:format|schema)|json[ _]?schema|structured[ _]outputs?", re.I)


@dataclass(frozen=True)
class _Row:
    """What a status means and what helps; `{0}` is the endpoint."""

    kind: str
    words: str
    remedy: str
    again: bool = False


_KEY = _Row("key", "{0} refuses the key", "set OPENAI_API_KEY to a key that it takes")
_SERVER = _Row("server", "{0} has a fault of its own", "try again later", True)
_NOT_FOUND = _Row(
    "not_found", "{0} doesn't know the model or the address", "check ASSISTANT_LLM and OPENAI_BASE_URL"
)
_INVALID = _Row("invalid", "{0} refuses the request", "check that ASSISTANT_LLM names a chat model")
_TIMEOUT = _Row("timeout", "{0} took too long", "try again later", True)
_LIMIT = _Row("rate_limit", "{0} has had too many requests", "wait, or ask fewer questions at a time", True)
_QUOTA = _Row("rate_limit", "{0} says that the quota is used up", "see to the account's billing")
_TOO_LONG = _Row(
    "overflow", "the prompt is too long for {0}", "set ASSISTANT_CONTEXT_WINDOW to what it takes"
)
_FILTER = _Row("refusal", "{0} refuses to answer this", "ask in other words")
_BY_STATUS = {401: _KEY, 403: _KEY, 404: _NOT_FOUND, 408: _TIMEOUT, 429: _LIMIT, 504: _TIMEOUT}


class UnwantedParameter(Exception):
    """The endpoint takes no such parameter for this model; `args[0]` names it."""


def translated(error: BaseException, address: Address, *, begun: bool) -> Exception:
    """Our exception for a vendor's, or UnwantedParameter; what isn't a vendor's comes back as it is.

    `begun` says whether the response had begun: a connection that ends then is an answer cut off.
    """
    if isinstance(error, openai.APIStatusError):
        return _of_status(error, address)
    if isinstance(error, openai.APIConnectionError) and error.__cause__:
        error = error.__cause__
    if isinstance(error, httpx.TimeoutException):
        return _fault(_TIMEOUT, address, "")
    if isinstance(error, openai.APIConnectionError | httpx.HTTPError | httpx.InvalidURL | OSError):
        return _of_connection(error, address, begun)
    if isinstance(error, openai.APIError):
        return _fault(_row(500, _body(error), error.message) or _SERVER, address, error.message)
    if isinstance(error, openai.OpenAIError | ValueError | TypeError | AttributeError | LookupError):
        # What the vendors' packages raise over a response that isn't what the protocol says.
        words = f"{address.shown} sent what isn't a chat completion ({type(error).__name__})"
        return ModelError(f"{words}; check OPENAI_BASE_URL", "invalid")
    return error if isinstance(error, Exception) else RuntimeError(repr(error))


def may_be_shown(error: BaseException, address: Address) -> bool:
    """Whether a traceback may hold the vendor's exception: nothing of the key is in it."""
    text = f"{error}{error.__cause__ or ''}{error.__context__ or ''}"
    return "***" not in address.cleaned(text[:10_000])


def _of_status(error: openai.APIStatusError, address: Address) -> Exception:
    body = _body(error)
    status, code = error.status_code, str(body.get("code") or "")
    if status == 400 and code in _NO_PARAMETER and body.get("param"):
        return UnwantedParameter(str(body["param"]).partition(".")[0])
    message = body.get("message")
    said = message if isinstance(message, str) else ""
    row = _row(status, body, said)
    if row is _INVALID and _NO_SCHEMA.search(said or str(error.body)):
        return UnwantedParameter("response_format")
    return _fault(row, address, said, status=status, wait=retry_after(error.response.headers))


def _row(status: int, body: dict[str, Any], said: str) -> _Row:
    codes = {str(body.get("code")), str(body.get("type"))}
    if codes & _OVERFLOW_CODES or (status in (400, 413, 422, 500) and _OVERFLOW.search(said)):
        return _TOO_LONG
    if "model_not_found" in codes:
        return _NOT_FOUND
    if "content_filter" in codes:
        return _FILTER
    if "insufficient_quota" in codes:
        return _QUOTA
    return _BY_STATUS.get(status) or (_SERVER if status >= 500 else _INVALID)


def _fault(
    row: _Row, address: Address, said: str, *, status: int | None = None, wait: float | None = None
) -> ModelError:
    words = row.words.format(address.shown) + (f" ({status})" if status else "")
    if wait and row.again:
        words += f" and asks to wait {wait:.0f} s"
    if said := address.cleaned(said).rstrip(" ."):
        words += f": {said}"
    return ModelError(f"{words}; {row.remedy}", row.kind, again=row.again, wait=wait)


def _of_connection(error: BaseException, address: Address, begun: bool) -> ModelError:
    if begun:
        return cut_off(address)
    reason = address.cleaned(str(error)) or type(error).__name__
    never = isinstance(error, httpx.InvalidURL | httpx.UnsupportedProtocol)
    words = f"{address.shown} can't be reached: {reason}"
    remedy = "start the server or check OPENAI_BASE_URL and the connection"
    return ModelError(f"{words}; {remedy}", "connection", again=not never)


def cut_off(address: Address) -> ModelError:
    """The fault of an answer that ended in the middle."""
    return ModelError(
        f"the answer of {address.shown} was cut off in the middle; ask again", "cut_off", again=True
    )


def _body(error: openai.APIError) -> dict[str, Any]:
    body = error.body
    if isinstance(body, dict) and isinstance(body.get("error"), dict):
        body = body["error"]
    if isinstance(body, dict):
        return body
    return {"message": body if isinstance(body, str) else ""}
