"""Tables of numbers in words, of scales and of units."""

from __future__ import annotations

from collections.abc import Mapping


def _table(rows: Mapping[float, str]) -> dict[str, float]:
    return {word: float(value) for value, words in rows.items() for word in words.split()}


WORDS = _table(
    {
        0: "zero",
        1: "one single once",
        2: "two twice double doubles doubled doubling twofold",
        3: "three triple triples tripled tripling threefold thrice",
        4: "four fourfold",
        5: "five fivefold",
        6: "six sixfold",
        7: "seven sevenfold",
        8: "eight eightfold",
        9: "nine",
        10: "ten tenfold",
        11: "eleven",
        12: "twelve dozen",
        13: "thirteen",
        14: "fourteen fourteenfold",
        15: "fifteen",
        16: "sixteen",
        20: "twenty",
        25: "quarter",
        30: "thirty",
        33: "third",
        40: "forty",
        50: "fifty half halve halves halved halving",
        60: "sixty",
        70: "seventy",
        80: "eighty",
        90: "ninety",
        100: "hundred hundredfold",
        1e3: "thousand",
        1e6: "million",
        1e9: "billion",
    }
)
"""Words that say a number; those of parts say it in percent."""
_TENS = "ten twenty thirty forty fifty sixty seventy eighty ninety"
COUNTS = {"a": 1.0, "an": 1.0} | {
    word: WORDS[word] for word in f"one two three four five six seven eight nine {_TENS}".split()
}
"""What may stand before a power of ten in words."""
SPELLED = {
    "second": "s", "sec": "s", "millisecond": "ms", "microsecond": "us", "µs": "us", "μs": "us",
    "nanosecond": "ns", "gigabyte": "gb", "megabyte": "mb", "terabyte": "tb", "petabyte": "pb", "watt": "w",
    "param": "parameter", "example": "sample", "image": "sample", "machine": "node", "accelerator": "gpu",
    "device": "gpu", "iteration": "step",
}  # fmt: skip
"""Units of one meaning under one name."""
MEASURED = frozenset(
    "ms s µs μs us ns second seconds minute minutes hour hours day days week weeks month months year "
    "years kb mb gb tb pb kib mib gib bits bit byte bytes gpu gpus tpu tpus cpu cpus npu npus node nodes "
    "token tokens parameter parameters params layer layers step steps epoch epochs iteration iterations "
    "expert experts dataset datasets benchmark benchmarks task tasks language languages sample samples "
    "example examples image images model models machine machines device devices user users query queries "
    "worker workers core cores watt watts w kw joule joules hz mhz ghz flops gflops tflops petaflops fps "
    "db pp ppl bleu millisecond microsecond nanosecond gigabyte megabyte terabyte petabyte sec gbps mbps "
    "block blocks head heads edge edges paper papers accelerator accelerators gpu-hours".split()
)
"""Words behind a number that are its unit."""
CLEAR = frozenset("x % points s ms minute hour day week month year us ns kb mb gb tb".split())
"""Units that a number in words has to share; "eight GPUs" may be "eight A100s" elsewhere."""
QUALIFIED = {
    "up to": "most", "peak": "most", "at most": "most", "less than": "below", "under": "below",
    "as low as": "least", "at least": "above", "more than": "above", "over": "above", "average": "mean",
    "mean": "mean", "median": "mean", "about": None, "only": None,
}  # fmt: skip
"""Qualifiers of one meaning; None says nothing."""
