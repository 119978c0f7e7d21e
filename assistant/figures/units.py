"""What a number counts: its unit in one spelling, or the noun behind it."""

from __future__ import annotations

import re

from assistant.figures.amount import Amount
from assistant.figures.unit_table import PROCESSOR_TIMES, Unit, known_unit

_DEVICES = re.compile(
    r"\s?[x×X]?\s?(?:(?:NVIDIA|Nvidia|AMD|Intel|Google|Tesla|RTX|GeForce|Huawei|Ascend|Maxwell|Titan|X)\s)*"
    r"(?:(?:RTX[\s-]?)?\d{4}(?:\s?Ti)?|[AHVPBTL]\d{1,4}|GH\d{3}|A6000|MI\d{3}X?|"
    r"X)?(?:[\s-]\d+\s?GB)?(?:\s?GPUs?\b|s\b|(?=[\s,.;)]|$))"
)
_MODEL = re.compile(
    r"\s(?:(?:NVIDIA|Nvidia|AMD|Tesla)\s)?(?:[AHV]\d00s?|GH200s?|MI\d{3}X?s?|A6000s?)(?:\s\d+GB|"
    r"-\d+GB)?(?=[\s,.;)]|$)(?!\s(?:GPU|TPU)?[\s-]?(?:hour|day))"
)
_STOPS = frozenset(
    "a an the this that these those of on in at for with by from to as into onto over under across between "
    "within without "
    "during per via than then and or but nor if so while when where which who whose is are was were be "
    "been has have had "
    "can could will would may might must we it its they their our more less fewer better worse higher "
    "lower faster slower "
    "smaller larger longer shorter greater superior bigger cheaper respectively compared versus vs using "
    "only even up down "
    "about not also both each every all out after before until against including such top".split()
)
_NO_NOUNS = frozenset(
    "is was has does this its as less plus across versus thus always various times us bias loss gains "
    "improvements increases "
    "reductions speedups savings achieves outperforms requires shows reduces improves uses takes yields "
    "provides reaches "
    "matches surpasses exceeds enables delivers needs runs costs means hours minutes analysis process "
    "access progress "
    "basis focus address class success previous continuous simultaneous autonomous famous corpus consensus "
    "status "
    "heterogeneous homogeneous rigorous synchronous asynchronous dangerous stages "
    "series lens cross ours theirs yes towards perhaps besides sometimes whereas".split()
)
_WORD_COUNTS = frozenset(
    "GPUs TPUs NPUs CPUs parameters tokens datasets benchmarks tasks languages models papers domains "
    "experts layers nodes "
    "machines applications workloads images samples users requests servers accelerators devices "
    "architectures baselines "
    "programs cores clients problems games environments cities countries participants queries instances "
    "networks".split()
)
_SELDOM_SINGLE = frozenset(("tokens", "parameters", "bits", "bytes"))
_SAME = {
    "param": "parameters",
    "params": "parameters",
    "parameter": "parameters",
    "token": "tokens",
}
_PROCESSOR = re.compile(r"(?:[GTC]PU|[AHV]\d00)$")
_SIZED = re.compile(
    r"[\s-](?:(?!for\b|of\b|in\b|on\b|to\b|and\b|with\b|from\b)[\w.+-]+\s){0,3}?(?:models?|LLMs?|MLLMs?|"
    r"VLMs?|[Tt]ransformers?|networks?|MoEs?|GPT|scales?|Llama|LLaMA)\b"
)
_CONTEXT = re.compile(r"[\s-](?:[\w-]+\s)?(?:contexts?|sequences?|token|input lengths?|prompts?)\b")
_VAGUELY = re.compile(r"\s+of\s+")
_GAP = re.compile(r"\s?-?")
_PER_SECOND = re.compile(r"/s(?:ec)?\b|\s(?:per|a|every|each) second\b")
_GOES_ON = re.compile(
    r"\s(?:to|or|and)\s(?:\d|(?:one|two|three|four|five|six|seven|eight|nine|ten|an?|twenty|thirty)\b)"
)
_WALKED = re.compile(r"([\s-]*)([A-Za-z][\w'’+.-]*[\w+]|[A-Za-z])(/s(?:ec)?\b)?")


def unit_of(text: str, amount: Amount) -> Unit | None:
    """The unit of the amount; a Unit named "" for a bare number, None for a number that is part of a name."""
    if amount.mark:
        return Unit(amount.mark, amount.end)
    gap = (_VAGUELY if amount.scale == "vague" else _GAP).match(text, amount.end)
    following = text[amount.end : amount.end + 2]
    unit = _devices(text, amount) or known_unit(text, gap.end() if gap else amount.end)
    single = amount.worded and amount.value == 1
    if unit and not (single and (following.startswith("-") or unit.name in _SELDOM_SINGLE)):
        return unit
    if text.startswith(("-length", "-context"), amount.end):
        return Unit("tokens", amount.end)
    hyphened = re.match(r"-[A-Za-z]", following) and (amount.worded or not amount.scale)
    if following[:1].isalnum() or hyphened:
        return None
    return _sized(text, amount) or _counted(text, amount)


def _sized(text: str, amount: Amount) -> Unit | None:
    """The unit of "a 70B dense model": parameters."""
    lettered = amount.scale in ("b", "t", "m") and text[amount.end - 1 : amount.end] in "BTMb+"
    return Unit("parameters", amount.end) if lettered and _SIZED.match(text, amount.end) else None


def _counted(text: str, amount: Amount) -> Unit | None:
    """The noun behind the number, or what a scale without a noun counts."""
    noun = _noun(text, amount)
    # Not a count of things: a decimal, "one" of them, a word before a noun that is seldom counted.
    whole = amount.scale or amount.value.is_integer()
    told = not amount.worded or amount.scale or (noun and noun.name in _WORD_COUNTS)
    one = amount.worded and amount.value == 1
    if (
        noun
        and told
        and not (one and noun.name in _SELDOM_SINGLE)
        and (noun.known or noun.name.endswith("/s") or (whole and not one))
    ):
        return noun
    if amount.scale in ("k", "m", "t") and (context := _CONTEXT.match(text, amount.end)):
        return Unit("tokens", context.end() if "token" in context[0] else amount.end)
    if amount.scale in ("b", "t", "m") and _SIZED.match(text, amount.end):
        return Unit("parameters", amount.end)
    if amount.worded and not _GOES_ON.match(text, amount.end):
        return None
    if amount.scale == "b" and text[amount.end - 1 : amount.end] in ("B", "+"):
        return Unit("parameters", amount.end)
    return Unit("", amount.end, known=False)


def _devices(text: str, amount: Amount) -> Unit | None:
    """Unit of "8xH200" and "4x NVIDIA A6000": a count of GPUs, no factor."""
    if _MODEL.match(text, amount.end):
        return Unit("GPUs", amount.end)
    if amount.value != int(min(amount.value, 1e9)) or not re.match(
        r"\s?[x×X]", text[amount.end : amount.end + 2]
    ):
        return None
    found = _DEVICES.match(text, amount.end)
    said = found and re.search(r"\d|GPUs\b", found[0])
    return Unit("GPUs", found.end()) if found and said else None


def _noun(text: str, amount: Amount) -> Unit | None:
    """The plural noun that heads the words behind the number: "21 large language models" counts models."""
    counted = _VAGUELY.match(text, amount.end) if amount.scale == "vague" else None
    place, before, walked = counted.end() if counted else amount.end, "", 0
    while walked < 6 and (step := _WALKED.match(text, place)):
        word = step[2].rstrip("'’.")
        low = word.lower()
        if low in _STOPS or (not step[1] and walked):
            break
        walked, place = walked + 1, step.start(2) + len(word)
        name = _SAME.get(low) or (_plural(word) if _is_plural(word) else "")
        if low in PROCESSOR_TIMES and _PROCESSOR.search(before):
            return Unit(f"{before if before[1:] == 'PU' else 'GPU'} {PROCESSOR_TIMES[low]}", place)
        if name:
            return _rate(text, name, place, step)
        if word != step[2]:
            break
        before = word
    return None


def _rate(text: str, name: str, place: int, step: re.Match[str]) -> Unit:
    per = _PER_SECOND.match(text, place)
    known = name in ("parameters", "tokens", "GPUs", "nodes")
    return Unit(f"{name}/s", per.end()) if per else Unit(name, place, known=known)


def _is_plural(word: str) -> bool:
    low = word.lower()
    return (
        len(word) > 3 and low.endswith("s") and not low.endswith(("ss", "ous", "'s")) and low not in _NO_NOUNS
    )


def _plural(word: str) -> str:
    """The noun in small letters, unless it is an acronym ("GCDs", "LLMs")."""
    return word if sum(char.isupper() for char in word) > 1 else word.lower()
