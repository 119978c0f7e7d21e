"""Units behind numbers, each in one spelling with its factor."""

from __future__ import annotations

import re
from dataclasses import dataclass

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
        r"(?:(?:[A-Z][\w-]*\s){0,3}(?:[GTNC]PU|[AHV]\d00))[\s-](?:core[\s-])?(?P<time>hours?|hrs?|h|days?|"
        r"minutes?|years?)\b",
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
        r"(?P<flops>[KMGTPE]|[Kk]ilo|[Mm]ega|[Gg]iga|[Tt]era|[Pp]eta|[Ee]xa)-?\s?(?:FLOPS\b|flop/?s\b(?!/)|"
        r"FLOPs?/s(?:ec)?\b|FLOPs?(?= per second))(?:/s\b| per second)?",
        "{flops}FLOP/s",
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
    (r"(?P<device>[GTNC])PU(?:s\b|\b(?!\s[a-z]{3,}s\b))", "{device}PUs", 1),
)
_UNIT = re.compile("|".join(f"(?P<u{i}>{pattern})" for i, (pattern, _, _) in enumerate(_ROWS)))
_PREFIX = {"K": 1e3, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18}
_LONG = {"kilo": "K", "mega": "M", "giga": "G", "tera": "T", "peta": "P", "exa": "E"}
PROCESSOR_TIMES = {
    "hour": "hours",
    "hours": "hours",
    "hrs": "hours",
    "h": "hours",
    "day": "days",
    "days": "days",
}


@dataclass(frozen=True)
class Unit:
    """A unit in one spelling, where it ends in the text, what to multiply by; `known` if more than a noun."""

    name: str
    end: int
    factor: float = 1.0
    known: bool = True


def known_unit(text: str, place: int) -> Unit | None:
    """The unit that stands at `place`, or None."""
    found = _UNIT.match(text, place)
    if found is None:
        return None
    name = next(row for i, (_, row, _) in enumerate(_ROWS) if found[f"u{i}"] is not None)
    held = {key: value or "" for key, value in found.groupdict().items()}
    if name == "GPU {time}":
        device = next((one for one in ("TPU", "NPU", "CPU") if one in found[0]), "GPU")
        span = held["time"]
        return Unit(f"{device} {PROCESSOR_TIMES.get(span, span.removesuffix('s') + 's')}", found.end())
    if name == "{byte}B":
        return Unit(f"{_LONG.get(held['long'], held['byte']).upper()}B", found.end())
    prefix = next((held[key] for key in ("flops", "tf", "ops", "count", "mac") if f"{{{key}}}" in name), "")
    if prefix:
        base = name.partition("}")[2]
        counted = base == "FLOP/s" and text.startswith(" of comp", found.end())
        return Unit("FLOPs" if counted else base, found.end(), _PREFIX[_LONG.get(prefix.lower(), prefix)])
    return Unit(name.format(**held), found.end())
