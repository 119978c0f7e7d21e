"""What a figure measures, read from the words on either side of it."""

from __future__ import annotations

import re

from assistant.figures.metric_table import DOWN, METRIC, OF_UNIT, SIZE_METRICS, TIME_METRICS, TIMES
from assistant.figures.metrics import direction, first_metric, last_metric, meant, name_of, named, put

_CUT = re.compile(
    r"[;:,)]|[.](?:\s|$)|\s(?:and|or|while|whereas|but|when|with|without|over|than|compared|comparing|"
    r"against|versus|vs|relative|using|via|"
    r"under|on|for|at|across|by|from|to|that|which|resulting|leading|achieved|required|during|after|before|"
    r"through)(?![\w-])"
)
_CLAUSE = re.compile(
    r"[;:]|[.]\s|,\s(?:while|whereas|but|with|and|or|(?:\w+ly\s)?\w+ing)\b|\b(?:while|whereas)\b|\)\s"
)
_LEVEL = re.compile(r"\b(?:to|at|is|are|was|were|from|into|reach(?:es|ed|ing)?)\s*$|\bvs\.?\s*$")
_BEHIND = re.compile(
    r"(?:\b(?:by|of|to|at|is|are|was|from|is|exceeds?|exceeding|reach(?:es|ing)?|as|than)|[(=:])\s*$"
)
_OF_PEAK = re.compile(
    r"\s+of\s+(?:(?:the|its|their)\s)?(?:hardware\s)?(?:theoretical|peak|optimal|roofline)\b"
)
_NOMINAL = re.compile(
    r"\s*(?:(?!(?:with|and|at|for|on|but|or|while)\b)[\w-]+\s){0,3}?(?:reductions?|improvements?|increases?|gains?|decreases?|drops?|savings?|"
    r"boosts?)\s+(?:in|on|of|for|to)\s"
)
_COMPARATIVE = re.compile(
    r"\s*(smaller|larger|bigger|less|fewer|more)\b(?:\s(?!in\b|on\b|of\b|with\b)([a-z-]+))?(?:\s(?!in\b|"
    r"on\b|of\b|with\b|when\b)([a-z-]+))?"
)
_WINS = re.compile(r"outperform|surpass|exceed|margin|better|beat|\bimprov|\bgain", re.I)
_AMONG = re.compile(r"\s*(?:in|of)\b")
_OBJECT = re.compile(
    r"\b(?:reduc\w+|decreas\w+|lower\w*|sav\w+|cut\w*|increas\w+|improv\w+|boost\w*|rais\w+|shrink\w*|"
    r"drops?|grow\w*)\s+(?:of\s|in\s)?"
    r"(?:(?:the|its|their|an?|number|average|overall|total|peak|of)\s)*((?:[\w-]+\s){1,3}?)(?:by|to|of)\s*$"
)
_NEXT_TO = re.compile(
    r"\s*(?:(?:usage|consumption|sizes?|volumes?|requirements?|costs?|levels?|ratios?|rates?)\s*)?(?:(?:improv|increas|ris|grow|fall|drop|decreas|reduc|declin|doubl|has)\w*\s*)?"
)
_CHANGING = re.compile(r"\b(?:reduc|sav|cut|decreas|lower|increas|improv|boost)\w*\s*$")
_PREPOSITION = re.compile(r",|\b(?:at|with|on|for|and|under)\b")
_NOMINAL_OBJECT = re.compile(
    r"\s*(?:[\w-]+\s)?(reduction|increase|decrease)s?\s(?:in|of)\s(?:(?:the|its|their)\s)?([a-z]+)\b"
)
_SUBJECT = re.compile(
    r"(?:^|\b(?:[Tt]he|its|their|and|that)\s)((?:[\w-]+\s){1,2}?)(?:is\s|are\s|can be\s)?"
    r"(?:falls?|drops?|shrinks?|rises?|grows?|increases?d?|decreases?d?|reduced|declines?)\s(?:by\s)?$"
)
_ON = re.compile(r"\s(?:on|in terms of)\s(?:the\s)?(?:[\w-]+\s){0,2}|\sin\s(?:the\s)?(?:[\w-]+\s)?")
_BEATEN = re.compile(
    r"\b(?:outperform|surpass|exceed|beat)\w*(?:\s(?!at\b|with\b|on\b|in\b|and\b|below\b|even\b)[\w.+-]+){1,4}\s*$"
)
_RIVALRY = re.compile(r"\b(?:outperform|surpass|exceed|beat)")
_BARE = re.compile(
    r"\s*(?:higher|lower|better|worse|greater|less|more|shorter|longer)(?=\s(?:than|compared|while|when)|"
    r"\s*$)"
)


def measure_of(before: str, after: str, unit: str, earlier: str = "") -> str | None:
    """What is measured, with "reduction" or "increase" where the figure is a change, or None.

    `before` and `after` are the sentence's words up to the figures on either side, `earlier` all before.
    """
    if unit in OF_UNIT:
        return OF_UNIT[unit]
    if unit == "%" and _OF_PEAK.match(after):
        return "utilization"
    nominal = _NOMINAL.match(after)
    begin = nominal.end() if nominal else 0
    ahead = (after[:begin] + _CUT.split(after[begin:], maxsplit=1)[0])[:90]
    clauses = _CLAUSE.split(before)
    behind = clauses[-1][-160:] or before[-160:]
    if unit.endswith("/s"):
        return "bandwidth" if unit in ("GB/s", "TB/s", "MB/s", "Gb/s", "Tb/s", "Mb/s") else "throughput"
    if unit.partition(" ")[0] in ("GPU", "TPU", "CPU", "NPU"):
        return named(behind, ahead, frozenset(("training cost", "search cost", "training time"))) or "compute"
    if unit == "tokens":
        return _of_tokens(behind, ahead)
    if unit in TIMES:
        return named(behind, ahead, TIME_METRICS) or "time"
    if unit.endswith("B") and len(unit) == 2:
        return named(behind, ahead, SIZE_METRICS) or "memory"
    if unit not in ("x", "%", "points", "", "dB", "orders"):
        return None
    measure = _of_ratio((earlier or before)[-200:], behind, ahead)
    on = _on_metric(after) if measure in (None, "performance increase") else None
    if on is None:
        return measure
    return put(on, meant("increase" if measure else "", on, "better"), relative=True)


def _of_ratio(before: str, behind: str, ahead: str) -> str | None:
    """The measure of a ratio, a share or a score: the metric in the same noun phrase, else the one before."""
    connected = bool(_BEHIND.search(behind))
    first, last = first_metric(ahead), last_metric(behind)
    if last and _RIVALRY.search(behind, last.end()):
        last = None
    by = bool(re.search(r"\bby\s*$", behind))
    way_before = direction(behind) or (direction(before) if by else "")
    far = first is not None and len(ahead[: first.start()].split()) > 3
    if first and not (connected and last and (far or _AMONG.match(ahead))):
        beside = f"{ahead[: first.start()]} {' '.join(ahead[first.end() :].split()[:2])}"
        changed = bool(_CHANGING.search(behind))
        way = direction(beside) or (way_before if connected or changed else "")
        won = "increase" if by or re.search(r"\bmargin of\s*$", behind) else ""
        level = not (direction(beside) or won or changed)
        way = way or (won if _WINS.search(before) else "")
        return put(name_of(first), meant(way, name_of(first), f"{before} {beside}"), relative=not level)
    level = bool(_LEVEL.search(behind)) and not direction(ahead)
    spoken_of = last is not None and (name_of(last) == "speedup" or not connected)
    way = direction(ahead) or (_way_beside(behind, last) if last and spoken_of else way_before)
    beside_metric = last and (connected or _NEXT_TO.fullmatch(behind, last.end()))
    if last and beside_metric and _BARE.match(ahead):
        return put(name_of(last), meant(way, name_of(last), ahead), relative=True)
    if last and beside_metric and not direction(ahead):
        return put(name_of(last), meant(way, name_of(last), behind), relative=not level)
    if first:
        return put(name_of(first), way, relative=not level)
    return None if level or behind.endswith("(") else _without_metric(behind, ahead)


def _way_beside(behind: str, metric: re.Match[str]) -> str:
    """The direction of the words right before the metric and of those behind it."""
    near = 2 if name_of(metric) == "speedup" else 4
    words = _PREPOSITION.split(" ".join(behind[: metric.start()].split()[-near:]))[-1]
    return direction(words + behind[metric.end() :])


def _on_metric(after: str) -> str | None:
    """The metric of "by 52% on the test RMSE"; its direction isn't said."""
    metric = METRIC.search(after, 0, 60)
    near = metric and _ON.fullmatch(after, 0, metric.start())
    return name_of(metric) if metric and near else None


def _without_metric(behind: str, ahead: str) -> str | None:
    """The measure of a change without a metric: its grammatical object, or what the comparative implies."""
    word = _COMPARATIVE.match(ahead)
    if word:
        way = "increase" if word[1] in ("larger", "bigger", "more") else "reduction"
        noun = " ".join(one for one in word.groups()[1:] if one)
        sized = word[1] in ("smaller", "larger", "bigger")
        return f"{noun or 'size'} {way}" if noun or sized else None
    found = _OBJECT.search(behind)
    if found and found[1].strip():
        way = "reduction" if DOWN.match(found[0]) else "increase"
        return f"{found[1].strip()} {way}"
    nominal = _NOMINAL_OBJECT.match(ahead)
    if nominal:
        return f"{nominal[2]} {direction(nominal[1])}"
    subject = _SUBJECT.search(behind)
    if subject and subject[1].strip():
        return f"{subject[1].strip()} {direction(subject[0])}"
    won = _WINS.search(behind) if re.search(r"\b(?:by|of|with)\s*$", behind) else _BEATEN.search(behind)
    return (
        "performance increase" if won or re.match(r"\s*(?:better|improvement|gain|higher)", ahead) else None
    )


def _of_tokens(behind: str, ahead: str) -> str | None:
    if re.search(
        r"\b(?:context|sequence|window|input|prompt|long)\w*\b", behind[-40:] + " " + ahead[:40], re.I
    ):
        return "context length"
    return None
