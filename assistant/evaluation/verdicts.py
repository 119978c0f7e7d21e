"""The shape of a judge's verdicts: asked for by a schema, found in any text, checked strictly."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from assistant.lines import first_fault
from assistant.models import Schema
from assistant.unspoken import spoken
from corpus.errors import ModelError

SCORES: Mapping[str, float] = {
    "correct": 1.0, "faithful": 1.0, "partly": 0.5, "wrong": 0.0, "unfaithful": 0.0,
}  # fmt: skip


class Correctness(BaseModel):
    """A verdict on correctness, its reason before it."""

    model_config = ConfigDict(extra="forbid", strict=True)
    correct_reason: str
    correct: Literal["correct", "partly", "wrong"]


class Faithfulness(BaseModel):
    """A verdict on faithfulness, its reason before it."""

    model_config = ConfigDict(extra="forbid", strict=True)
    faithful_reason: str
    faithful: Literal["faithful", "partly", "unfaithful"]


class Both(Faithfulness, Correctness):
    """Both verdicts, correctness first: pydantic takes the fields of the last base first."""


Form = type[Both] | type[Correctness] | type[Faithfulness]
Verdicts = Correctness | Faithfulness


def form_of(*, correctness: bool, faithfulness: bool) -> Form | None:
    """What a judge has to fill in, None where nothing is to be judged."""
    if correctness and faithfulness:
        return Both
    if correctness:
        return Correctness
    return Faithfulness if faithfulness else None


def schema_of(form: Form) -> Schema:
    """The form as JSON Schema, without what only people would read."""
    content = form.model_json_schema()
    fields = {
        name: {key: value for key, value in field.items() if key != "title"}
        for name, field in content["properties"].items()
    }
    shape = {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }
    return Schema("judgement", shape)


def read_verdicts(text: str, form: Form) -> Verdicts:
    """The verdicts in a reply, which may stand in a fence or among other words, not in a thought.

    Raises ModelError where there is no JSON object, more than one, or one that doesn't fit the form exactly.
    """
    said, _, thinks = spoken(text)
    found = [] if thinks and not said else list(_objects(said))
    if not found:
        raise ModelError(f"no JSON object in {_shown(said)}; ask a stronger model", "no_json")
    if len(found) > 1:
        raise ModelError(f"{len(found)} JSON objects in {_shown(said)}; ask a stronger model", "misfit")
    try:
        return form.model_validate(found[0])
    except ValidationError as fault:
        raise ModelError(f"{first_fault(fault)}; ask a stronger model", "misfit") from fault


def _objects(text: str) -> Iterator[Any]:
    """Each JSON object that stands in the text, none within another."""
    decoder = json.JSONDecoder(object_pairs_hook=_single)
    at = text.find("{")
    while at >= 0:
        try:
            found, end = decoder.raw_decode(text, at)
        # RecursionError: an object nested without end.
        except (ValueError, RecursionError):
            end = at + 1
        else:
            yield found
        at = text.find("{", end)


def _single(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object; of a key given twice a list of its values, which fits no form."""
    fields = dict(pairs)
    if len(fields) == len(pairs):
        return fields
    return {name: [value for key, value in pairs if key == name] for name in fields}


def _shown(text: str) -> str:
    return repr(" ".join(text.split())[:60])
