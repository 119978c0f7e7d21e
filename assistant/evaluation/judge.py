"""A language model as judge of answers: verdicts by schema, kept, counted; a failure is never a score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.answer import Usage
from assistant.evaluation.judged import Item, shown
from assistant.evaluation.replies import key_of, open_replies
from assistant.evaluation.verdicts import SCORES, Verdicts, read_verdicts, schema_of
from assistant.models import Completion, Message, cost_usd, open_model
from corpus.errors import InputError, ModelError
from prompts import load

if TYPE_CHECKING:
    import threading

    from assistant.config import Settings
    from assistant.evaluation.verdicts import Form
    from assistant.models import Model

CACHE = "judge.jsonl"
"""The file in the data folder that keeps what judges said."""


@dataclass(frozen=True)
class Judgement:
    """The verdicts on one answer, 1 to 0, each the mean over the repeats that gave one.

    None: not asked for, or no repeat gave a verdict. `agreement` is the share of those repeats that gave the
    most frequent verdict, where both verdicts are asked for the mean of the two shares; None with fewer than
    two. `failures` has a reason for each repeat without a verdict, its first word the kind. `calls` and
    `usage` are of this run: what the cache knows costs nothing.
    """

    correct: float | None = None
    faithful: float | None = None
    agreement: float | None = None
    repeats: int = 0
    calls: int = 0
    failures: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)
    reasons: tuple[str, ...] = ()

    @property
    def failed(self) -> float | None:
        """Failed repeats / repeats, None where nothing was to be judged."""
        return len(self.failures) / self.repeats if self.repeats else None


@dataclass(frozen=True)
class _Repeat:
    """What came of asking once."""

    verdicts: Verdicts | None
    failure: str = ""
    usage: Usage = field(default_factory=Usage)


class Judge:
    """One model that judges each answer `repeats` times; shared by all threads."""

    def __init__(
        self, model: Model, cache: Path, repeats: int = 1, *, place: str = "", prices: Path | None = None
    ) -> None:
        """`cache` is the file of what was said before; `place` tells apart models of the same name.

        Raises InputError where the file can't be used.
        """
        self.repeats = repeats
        self._model = model
        self._replies = open_replies(cache)
        self._place = place
        self._prices = prices
        self._prompt = load("judge")

    @property
    def name(self) -> str:
        """The model's name, as in the settings."""
        return self._model.name

    @property
    def prompt_hash(self) -> str:
        """The hash of the prompt."""
        return self._prompt.hash

    def judge(self, item: Item, *, stop: threading.Event | None = None) -> Judgement:
        """The judgement. Raises ModelError only when it is stopped: every other fault is a failure in it."""
        form = item.form
        if form is None:
            return Judgement()
        made = [self._repeat(item, form, number, stop) for number in range(1, self.repeats + 1)]
        usage = Usage()
        for one in made:
            usage = usage.plus(one.usage)
        return replace(
            summed([one.verdicts for one in made if one.verdicts]),
            repeats=self.repeats,
            calls=usage.llm_calls,
            failures=tuple(one.failure for one in made if one.failure),
            usage=usage,
        )

    def close(self) -> None:
        """Nothing; the model is closed."""
        self._model.close()

    def _repeat(self, item: Item, form: Form, number: int, stop: threading.Event | None) -> _Repeat:
        schema = schema_of(form)
        text = self._prompt.fill(**shown(item), schema=schema.text)
        asked = {"model": self.name, "place": self._place, "prompt": self.prompt_hash, "text": text}
        key = key_of(**asked, schema=schema.text, repeat=number)
        usage = Usage()
        try:
            reply = self._replies.find(key)
            if reply is None:
                usage = Usage(1)
                reply = self._model.complete(
                    [Message("user", text)], stop=stop, temperature=0.0, schema=schema
                )
                usage = self._used(reply)
                # What the output limit cut is asked for again: the limit may be raised.
                if reply.finish == "stop":
                    self._replies.add(key, reply)
            return _Repeat(_read(reply, form), usage=usage)
        except ModelError as fault:
            if fault.kind == "stopped":
                raise
            return _Repeat(None, f"{fault.kind}: {fault}", usage)

    def _used(self, reply: Completion) -> Usage:
        cost = cost_usd(self.name, reply.prompt_tokens, reply.completion_tokens, self._prices)
        return Usage(1, reply.prompt_tokens, reply.completion_tokens, cost)


def open_judge(settings: Settings, model: str = "", repeats: int = 1) -> Judge:
    """A judge with this model, or that of the settings where none is named, and the data folder's cache.

    Raises InputError where neither names one, ModelError where it can't be used.
    """
    settings = replace(settings, llm=model or settings.llm)
    opened = open_model(settings)
    if opened is None:
        raise InputError(
            "--judge needs a language model, and ASSISTANT_LLM is 'none'; "
            "set it, or give --judge openai:MODEL after the test set"
        )
    try:
        place = _place(settings)
        return Judge(opened, settings.home / CACHE, repeats, place=place, prices=settings.prices)
    except InputError:
        opened.close()
        raise


def summed(verdicts: Sequence[Verdicts]) -> Judgement:
    """Means and agreement of the verdicts on one answer, and their reasons."""
    fields = [one.model_dump() for one in verdicts]
    given = {name: [row[name] for row in fields if name in row] for name in ("correct", "faithful")}
    shares = [max(Counter(words).values()) / len(words) for words in given.values() if len(words) > 1]
    reasons = [f"{row[name]}: {row[f'{name}_reason']}" for row in fields for name in given if name in row]
    return Judgement(
        correct=_mean([SCORES[word] for word in given["correct"]]),
        faithful=_mean([SCORES[word] for word in given["faithful"]]),
        agreement=_mean(shares),
        reasons=tuple(dict.fromkeys(reasons)),
    )


def _read(reply: Completion, form: Form) -> Verdicts:
    if reply.finish == "length":
        raise ModelError("the verdict is longer than it may be; raise ASSISTANT_MAX_OUTPUT", "cut_off")
    return read_verdicts(reply.text, form)


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _place(settings: Settings) -> str:
    if settings.llm.startswith("gguf:"):
        from assistant.gguf import gguf_path

        return str(gguf_path(settings).stat().st_size)
    from assistant.address import address_from_environment

    return address_from_environment().shown
