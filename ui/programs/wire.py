"""OpenAI's protocol as values: what a client sends, read and checked, and what it is sent."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from assistant.answer import LONGEST_QUESTION, Turn
from ui.programs.references import without_references

if TYPE_CHECKING:
    from assistant.answer import Answer

_KEPT = 100
_LONGEST_TURN = 50_000


class Refused(Exception):
    """A request that can't be answered; `body` is OpenAI's error object."""

    def __init__(
        self,
        message: str,
        status: int = 400,
        *,
        kind: str = "invalid_request_error",
        param: str | None = None,
        code: str | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.body = {"error": {"message": message, "type": kind, "param": param, "code": code}}


@dataclass(frozen=True)
class Asked:
    """What a client asks for."""

    model: str
    question: str
    history: tuple[Turn, ...]
    stream: bool
    with_usage: bool


def read_request(body: bytes) -> Asked:
    """The request; Refused says what is wrong with it."""
    try:
        data = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Refused("The body isn't JSON.") from error
    if not isinstance(data, dict):
        raise Refused("The body has to be a JSON object.")
    model = data.get("model")
    if not isinstance(model, str) or not model:
        raise Refused("'model' has to be the name of a collection; GET /v1/models lists them.", param="model")
    if data.get("n") not in (None, 1):
        raise Refused("'n' can only be 1: the same question has one answer.", param="n")
    options = data.get("stream_options")
    turns = _turns(data.get("messages"))
    if not turns or turns[-1].role != "user":
        raise Refused("The last message has to be the user's, with text.", param="messages")
    question = turns[-1].content.strip()
    if not question:
        raise Refused("The question is empty: ask something.", param="messages")
    if len(question) > LONGEST_QUESTION:
        raise Refused(
            f"The question has {len(question):,} characters; at most {LONGEST_QUESTION:,} can be asked.",
            param="messages",
            code="string_above_max_length",
        )
    history = tuple(turn for turn in turns[:-1][-_KEPT:] if turn.content.strip())
    usage = isinstance(options, dict) and options.get("include_usage") is True
    return Asked(model, question, history, data.get("stream") is True, usage)


def completion(answer: Answer, text: str, head: Mapping[str, Any]) -> dict[str, Any]:
    """The whole answer as a chat completion."""
    message = {"role": "assistant", "content": text, "refusal": None, **extras(answer)}
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}
    return {**head, "object": "chat.completion", "choices": [choice], "usage": usage(answer)}


def chunk(head: Mapping[str, Any], delta: Mapping[str, Any], finish: str | None = None) -> dict[str, Any]:
    """One piece of a streamed completion."""
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
    return {**head, "object": "chat.completion.chunk", "choices": [choice]}


def extras(answer: Answer) -> dict[str, Any]:
    """What goes beyond OpenAI's protocol: the citations, and what is to be known of the answer."""
    told = {
        "status": answer.status,
        "kind": answer.kind,
        "standalone_question": answer.standalone_question,
        "support": [
            {"text": one.text, "support": one.support, "score": one.score, "reasons": list(one.reasons)}
            for one in answer.sentences
        ],
        "related": [asdict(paper) for paper in answer.related],
        "model": answer.model,
        "notice": answer.error,
    }
    return {"citations": [asdict(citation) for citation in answer.citations], "answer": told}


def usage(answer: Answer) -> dict[str, int]:
    """The tokens of the language model; without one there are none."""
    sent, written = answer.usage.prompt_tokens, answer.usage.completion_tokens
    return {"prompt_tokens": sent, "completion_tokens": written, "total_tokens": sent + written}


def _turns(messages: object) -> list[Turn]:
    if not isinstance(messages, list) or not messages:
        raise Refused("'messages' has to be a list with a message at least.", param="messages")
    turns = []
    for number, message in enumerate(messages):
        role = message.get("role") if isinstance(message, dict) else None
        if not isinstance(role, str):
            raise Refused(
                f"messages[{number}] has to be an object with 'role' and 'content'.", param="messages"
            )
        if role == "user":
            turns.append(Turn("user", _text(message.get("content"), number)))
        elif role == "assistant":
            said = without_references(_text(message.get("content") or "", number))
            turns.append(Turn("assistant", said[:_LONGEST_TURN]))
    return turns


def _text(content: object, number: int) -> str:
    """The words of a message: a text, or parts of which those of type text count."""
    if isinstance(content, Sequence) and not isinstance(content, str | bytes):
        parts = [part for part in content if isinstance(part, dict) and part.get("type") == "text"]
        content = "\n".join(part["text"] for part in parts if isinstance(part.get("text"), str))
    if not isinstance(content, str):
        raise Refused(
            f"messages[{number}].content has to be a text or a list of parts of type text.", param="messages"
        )
    return content.encode("utf-8", "replace").decode()
