"""What a number counts: its unit in one spelling, or the noun behind it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from assistant.amounts import Amount

# Pattern behind the number, unit, factor to the unit's base. The first that matches counts, long ones before short ones.
_ROWS: tuple[tuple[str, str, float], ...] = (
    (
        r"(?:percentage|percent|%)[\s-]?points?\b|pp\b|%p\b|p\.p\.|(?:absolute )?points?\b(?! (?:cloud|out))",
        "points",
        1,
    ),
    (r"%|percent\b|per ?cent\b", "%", 1),
    (r"orders?[\s-]of[\s-]magnitude", "orders", 1),
    (r"[x×X](?!\w)|\$?\\times\$?|times\b|-?\s?fold\b(?![\s-]cross)", "x", 1),
    (
        r"(?:(?:[A-Z][\w-]*\s){0,3}(?:[GTNC]PU|[AHV]\d00))[\s-](?:core[\s-])?(?P<time>hours?|hrs?|h|days?|minutes?|years?)\b",
        "GPU {time}",
        1,
    ),
    (r"(?:ps|psec|picoseconds?)\b", "ps", 1),
    (r"(?:ns|nanoseconds?)\b", "ns", 1),
    (r"(?:[μµu]s|microseconds?)\b", "µs", 1),
    (r"(?:ms|msec|milliseconds?)\b", "ms", 1),
    (r"(?:s|secs?|seconds?)\b", "s", 1),
    (r"(?:mins?|minutes?)\b", "min", 1),
    (r"(?:h|hrs?|hours?)\b", "h", 1),
    (r"days?\b", "days", 1),
    (r"weeks?\b", "weeks", 1),
    (r"months?\b", "months", 1),
    (r"years?\b", "years", 1),
    (r"(?P<bytes>[KMGTPEk])i?(?:B(?:/s(?:ec)?|ps)\b|(?:B|ytes) per second)", "{bytes}B/s", 1),
    (r"(?P<gbits>[KMGT])(?:b/s|bps|bit/s|bits? per second)", "{gbits}b/s", 1),
    (r"(?P<byte>[KMGTPEk])i?B\b|(?P<long>kilo|mega|giga|tera|peta|exa)bytes?\b", "{byte}B", 1),
    (
        r"(?P<flops>[KMGTPE]|[Kk]ilo|[Mm]ega|[Gg]iga|[Tt]era|[Pp]eta|[Ee]xa)-?\s?(?:FLOPS\b|flop/?s\b(?!/)|FLOPs?/s(?:ec)?\b|FLOPs?(?= per second))(?:/s\b| per second)?",
        "{flops}FLOP",
        1,
    ),
    (r"(?P<tf>[TP])(?:FLOPs|Flops|Flop|FLOP|F)\b", "{tf}FLOP/s", 1),
    (r"(?P<ops>[KMGTP])OPS\b(?!/)", "{ops}OP/s", 1),
    (r"(?P<count>[KMG])FLOPs?\b", "{count}FLOPs", 1),
    (r"FLOPs/s|FLOPS/s|FLOP/s", "FLOP/s", 1),
    (r"(?:FLOPs?|FLOPS|floating[- ]point operations)\b(?! (?:utili[sz]ation|per second))", "FLOPs", 1),
    (r"(?P<mac>[MG])(?:MACs?|MAdds?)\b", "{mac}MACs", 1),
    (r"(?:MACs?|MAdds|[Mm]ult(?:iply)?-[Aa]dds?)\b", "MACs", 1),
    (r"(?:fps|FPS)\b|[Ff]rames?(?:/s(?:ec)?\b| per second)", "frames/s", 1),
    (r"(?:qps|QPS)\b", "queries/s", 1),
    (r"kWh\b", "kWh", 1),
    (r"(?:W|watts?)\b", "W", 1),
    (r"(?P<joule>[mk]?)J\b|joules?\b", "{joule}J", 1),
    (r"dB\b", "dB", 1),
    (r"(?P<hz>[kMGT]?)Hz\b", "{hz}Hz", 1),
    (r"(?P<len>[nµμmck]m)\b", "{len}", 1),
    (r"bits?\b", "bits", 1),
    (r"bytes?\b", "bytes", 1),
    (r"param(?:eter)?s?\b", "parameters", 1),
    (r"tokens?(?:/s(?:ec(?:ond)?)?\b| per second| a second)", "tokens/s", 1),
    (r"tokens?\b", "tokens", 1),
    (r"(?P<device>[GTNC])PUs?\b", "{device}PUs", 1),
)
_UNIT = re.compile("|".join(f"(?P<u{i}>{pattern})" for i, (pattern, _, _) in enumerate(_ROWS)))
_DEVICES = re.compile(
    r"\s?[x×X]?\s?(?:(?:NVIDIA|Nvidia|AMD|Intel|Google|Tesla|RTX|GeForce|Huawei|Ascend|Maxwell|Titan|X)\s)*"
    r"(?:(?:RTX[\s-]?)?\d{4}(?:\s?Ti)?|[AHVPBTL]\d{1,4}|GH\d{3}|A6000|MI\d{3}X?|X)?(?:[\s-]\d+\s?GB)?(?:\s?GPUs?\b|s\b|(?=[\s,.;)]|$))"
)
_MODEL = re.compile(
    r"\s(?:(?:NVIDIA|Nvidia|AMD|Tesla)\s)?(?:[AHV]\d00s?|GH200s?|MI\d{3}X?s?|A6000s?)(?:\s\d+GB|-\d+GB)?(?=[\s,.;)]|$)(?!\s(?:GPU|TPU)?[\s-]?(?:hour|day))"
)
_PREFIX = {"K": 1e3, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18}
_LONG = {"kilo": "K", "mega": "M", "giga": "G", "tera": "T", "peta": "P", "exa": "E"}

_STOPS = frozenset(
    "a an the this that these those of on in at for with by from to as into onto over under across between within without "
    "during per via than then and or but nor if so while when where which who whose is are was were be been has have had "
    "can could will would may might must we it its they their our more less fewer better worse higher lower faster slower "
    "smaller larger longer shorter greater superior bigger cheaper respectively compared versus vs using only even up down "
    "about not also both each every all out after before until against including such top".split()
)
_NO_NOUNS = frozenset(
    "is was has does this its as less plus across versus thus always various times us bias loss gains improvements increases "
    "reductions speedups savings achieves outperforms requires shows reduces improves uses takes yields provides reaches "
    "matches surpasses exceeds enables delivers needs runs costs means hours minutes analysis process access progress "
    "basis focus address class success previous continuous simultaneous autonomous famous corpus consensus status "
    "heterogeneous homogeneous rigorous synchronous asynchronous dangerous stages "
    "series lens cross ours theirs yes towards perhaps besides sometimes whereas".split()
)
_WORD_COUNTS = frozenset(
    "GPUs TPUs NPUs CPUs parameters tokens datasets benchmarks tasks languages models papers domains experts layers nodes "
    "machines applications workloads images samples users requests servers accelerators devices architectures baselines "
    "programs cores clients problems games environments cities countries participants queries instances networks".split()
)
_SAME = {
    "param": "parameters",
    "params": "parameters",
    "parameter": "parameters",
    "token": "tokens",
    "gpu": "GPUs",
    "node": "nodes",
}
_TIMES = {"hour": "hours", "hours": "hours", "hrs": "hours", "h": "hours", "day": "days", "days": "days"}
_PROCESSOR = re.compile(r"(?:[GTC]PU|[AHV]\d00)$")
_SIZED = re.compile(
    r"[\s-](?:(?!for\b|of\b|in\b|on\b|to\b|and\b|with\b|from\b)[\w.+-]+\s){0,3}?(?:models?|LLMs?|MLLMs?|VLMs?|[Tt]ransformers?|networks?|MoEs?|GPT|scales?|Llama|LLaMA)\b"
)
_CONTEXT = re.compile(r"[\s-](?:[\w-]+\s)?(?:contexts?|sequences?|token|input lengths?|prompts?)\b")
_VAGUELY = re.compile(r"\s+of\s+")
_GAP = re.compile(r"\s?-?")
_PER_SECOND = re.compile(r"/s(?:ec)?\b|\s(?:per|a|every|each) second\b")
_WALKED = re.compile(r"([\s-]*)([A-Za-z][\w'’+.-]*[\w+]|[A-Za-z])(/s(?:ec)?\b)?")


@dataclass(frozen=True)
class Unit:
    """The unit's one spelling, where it ends in the text, what to multiply by; `known` where it isn't just a noun."""

    name: str
    end: int
    factor: float = 1.0
    known: bool = True


def unit_of(text: str, amount: Amount) -> Unit | None:
    """The unit of the amount in this text; a Unit named "" for a bare number, None where it is part of a name."""
    if amount.mark:
        return Unit(amount.mark, amount.end)
    devices = _devices(text, amount)
    if devices:
        return devices
    gap = (_VAGUELY if amount.scale == "vague" else _GAP).match(text, amount.end)
    begin = gap.end() if gap else amount.end
    found = _UNIT.match(text, begin)
    if found and not (amount.worded and text[amount.end : amount.end + 1] == "-" and amount.value == 1):
        return _known(found, amount)
    if text[amount.end : amount.end + 1].isalnum():
        return None
    if (
        text[amount.end : amount.end + 1] == "-"
        and (amount.worded or not amount.scale)
        and re.match(r"-[A-Za-z]", text[amount.end : amount.end + 2])
    ):
        return None
    lettered = amount.scale in ("b", "t", "m") and text[amount.end - 1 : amount.end] in "BTM+"
    if lettered and _SIZED.match(text, amount.end):
        return Unit("parameters", amount.end)
    noun = _noun(text, amount)
    if noun and not (amount.worded and not amount.scale and noun.name not in _WORD_COUNTS):
        return noun
    if amount.scale in ("k", "m", "t") and (long := _CONTEXT.match(text, amount.end)):
        return Unit("tokens", long.end() if "token" in long[0] else amount.end)
    if amount.scale in ("b", "t", "m") and _SIZED.match(text, amount.end):
        return Unit("parameters", amount.end)
    if amount.worded:
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


def _known(found: re.Match[str], amount: Amount) -> Unit:
    index = int((found.lastgroup or "u0")[1:]) if (found.lastgroup or "").startswith("u") else _row(found)
    name = _ROWS[index][1]
    held = {key: value or "" for key, value in found.groupdict().items()}
    if name.startswith("GPU {"):
        device = next((one for one in ("TPU", "NPU", "CPU") if one in found[0]), "GPU")
        span = held["time"]
        return Unit(f"{device} {_TIMES.get(span, span if span.endswith('s') else span + 's')}", found.end())
    if name == "{byte}B":
        return Unit(f"{(_LONG.get(held['long'], held['byte'])).upper()}B", found.end())
    prefix = next((held[key] for key in ("flops", "tf", "ops", "count", "mac") if f"{{{key}}}" in name), "")
    if prefix:
        base = name.partition("}")[2]
        base = "FLOP/s" if base == "FLOP" else base
        base = "FLOPs" if base == "FLOP/s" and found.string.startswith(" of comp", found.end()) else base
        return Unit(base, found.end(), _PREFIX[_LONG.get(prefix.lower(), prefix)])
    return Unit(name.format(**held), found.end())


def _row(found: re.Match[str]) -> int:
    return next(i for i in range(len(_ROWS)) if found[f"u{i}"] is not None)


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
        if low in _TIMES and _PROCESSOR.search(before):
            return Unit(f"{before if before[1:] == 'PU' else 'GPU'} {_TIMES[low]}", place)
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
