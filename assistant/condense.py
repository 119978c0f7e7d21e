"""A question made to stand alone by a language model, where its words lean on the talk."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from assistant.models import Completion, Message
from assistant.verify.names import missing_names
from prompts import load

if TYPE_CHECKING:
    import threading

    from assistant.answer import Turn
    from assistant.models import Model, Notify

_TURNS = 6
_LONGEST = 600
"""Characters of one turn that are shown."""
_LONGEST_QUESTION = 400
_OUTPUT = 120


def condensed(
    model: Model,
    question: str,
    history: Sequence[Turn],
    known: str,
    *,
    stop: threading.Event | None = None,
    notify: Notify | None = None,
) -> tuple[str | None, Completion]:
    """The question as it stands alone, None where what came can't be trusted, and the call.

    It can't where it is no single short line, or holds a name or a figure that neither the talk nor `known`
    (the labels of the last answer's papers) does. Raises ModelError.
    """
    talk = "\n".join(
        f"{turn.role}: {' '.join(turn.content.split())[:_LONGEST]}" for turn in history[-_TURNS:]
    )
    prompt = load("condense").fill(talk=talk, question=" ".join(question.split()))
    done = model.complete([Message("user", prompt)], stop=stop, notify=notify, max_tokens=_OUTPUT)
    lines = [line.strip() for line in done.text.splitlines() if line.strip()]
    text = (
        re.sub(r"^(?:standalone |last )?question:\s*", "", lines[0], flags=re.I).strip("\"' ")
        if lines
        else ""
    )
    said = f"{talk} {question} {known}"
    strange = missing_names(text, said) or set(re.findall(r"\d+", text)) - set(re.findall(r"\d+", said))
    usable = len(lines) == 1 and 3 <= len(text) <= _LONGEST_QUESTION and done.finish == "stop" and not strange
    return (text if usable else None), done
