"""Questions for how a paper's system works and what it is for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assistant.drafting.lookups import NOT_DOING
from assistant.drafting.material import Material
from assistant.drafting.wording import base_form, cut_phrase, points_elsewhere

_MEANS = re.compile(r",?\s(?:by|through|using|via|with the help of|thanks to)\s(?=\w)")
# "PYRA addresses this challenge" says nothing of how.
_LEANS = re.compile(
    r"\b(?:such|both|all three)\b|\bth(?:is|ese|ose)\b(?!\s(?:paper|work|study|report|article)\b)", re.I
)
_TROUBLE = re.compile(
    r"\b(?:but|however|although|though|yet|challeng\w*|difficult\w*|limit\w*|costly|costs|bottleneck\w*|suffer\w*|"
    r"expensive|lacks?|wast\w*|too|demand\w*|hard|cannot|can't|fails?|problems?|inefficien\w*|poor\w*|overhead\w*|"
    r"hinders?|unclear|unable|little)\b"
)


def explanations(material: Material, topic: str | None) -> Iterator[tuple[str, str]]:
    """Questions, each with the sentence that answers it; `topic` names a paper that has no name."""
    name = material.name
    if name is None:
        if topic:
            yield from _of_unnamed(material, topic)
        return
    bare = re.escape(material.bare_name or name)
    named_before = False
    for sentence, role in zip(material.sentences, material.roles, strict=True):
        subject = rf"(?:{bare}|It)" if named_before else bare
        named_before = bool(re.match(bare, sentence))
        found = re.match(rf"{subject}(?:\s\([^()]*\))?\s([a-z]+s)\s(.*)", sentence)
        if found and role in ("approach", "result") and found[1] not in NOT_DOING | {"uses"}:
            parts = _MEANS.split(found[2], maxsplit=1)
            aim = cut_phrase(parts[0], 2, 12)
            if len(parts) == 2 and aim and "," not in aim and not points_elsewhere(aim):
                yield f"How does {name} {base_form(found[1])} {aim}?", sentence


def plain_explanations(material: Material) -> Iterator[tuple[str, str]]:
    """The questions that every paper with a name can be asked."""
    name, bare = material.name, material.bare_name
    if not name or not bare:
        return
    own = [
        sentence
        for sentence, role in zip(material.sentences, material.roles, strict=True)
        if role == "approach" and bare in sentence and not _LEANS.search(sentence)
    ]
    if own:
        yield f"How does {name} work?", own[0]
        yield f"What is the idea behind {name}?", own[0]
    for sentence, role in zip(material.sentences, material.roles, strict=True):
        if own and role == "problem" and _TROUBLE.search(sentence):
            yield f"What problem does {name} address?", sentence
            return


def _of_unnamed(material: Material, topic: str) -> Iterator[tuple[str, str]]:
    for sentence, role in zip(material.sentences, material.roles, strict=True):
        if role == "approach" and re.match(
            r"(?:[Ww]e|[Tt]h(?:is|e) (?:paper|work|study)) (?:propos|present|introduc|develop)", sentence
        ):
            yield f"What does the paper on {topic} propose?", sentence
            return
