"""Structured abstracts whose headings stand on lines of their own."""

from __future__ import annotations

import re
from dataclasses import replace

from corpus.readers.records import Record

_HEADINGS = (
    r"background(?: and (?:aims?|objectives?|purpose))?|introduction|context|motivation|rationale|problem|"
    r"(?:main |primary |study )?(?:objectives?|aims?|purpose|goals?)|importance|hypothesis|"
    r"(?:materials? and |patients and |subjects and |study |data and )?(?:methods?|methodology)|"
    r"methods and (?:materials?|findings|results)|(?:study )?design(?: and setting)?|"
    r"design/methodology/approach|approach|settings?|participants|patients|subjects|interventions?|"
    r"(?:main )?(?:outcomes?(?: measures?)?|measurements?|measures)|data sources?|(?:main |key )?results?|"
    r"findings|conclusions?(?: and (?:relevance|implications))?|discussion|interpretation|significance|"
    r"(?:practical |research |social )?implications|limitations|originality/value|contributions?|evaluation|"
    r"funding|trial registration|availability(?: and implementation)?|supplementary information|summary"
)
_HEADING = re.compile(rf"[*_#\s]*({_HEADINGS})[*_\s]*[:.]?[*_\s]*", re.I)
_TITLE = re.compile(r"abstract\s*:?", re.I)
_LONGEST = 60


def with_headings(record: Record) -> Record:
    """The record, such headings of its abstract put before their texts: "METHODS: We ... RESULTS: ..."."""
    given = record.fields.get("abstract")
    if not isinstance(given, str) or "\n" not in given:
        return record
    text = _headed(given)
    return record if text is None else replace(record, fields={**record.fields, "abstract": text})


def _headed(text: str) -> str | None:
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    if lines and _TITLE.fullmatch(lines[0]):
        lines = lines[1:]
    headings = [match[1].upper() if (match := _match(line)) else "" for line in lines]
    # One alone may be a word of the text that stands on a line by chance.
    if sum(map(bool, headings)) < 2 or not headings[0] or headings[-1]:
        return None
    pairs = zip(lines, headings, strict=True)
    return " ".join(f"{heading}:" if heading else line for line, heading in pairs)


def _match(line: str) -> re.Match[str] | None:
    return _HEADING.fullmatch(line) if len(line) <= _LONGEST else None
