"""How each kind of figure is asked for: rows of measure and unit, the best first."""

from __future__ import annotations

import re
from dataclasses import dataclass

_THINGS = "datasets|benchmarks|tasks|architectures|languages|models"
_MACHINES = "GPUs|TPUs|NPUs|CPUs|nodes|accelerators|devices|machines|chips"


@dataclass(frozen=True)
class Asking:
    """`frame` takes the name {n}, "at best"/"on average" {q}, the rival {vs}, the setting {on}, a noun {m}.

    `measure` and `unit` are patterns of the whole; `noun` is the measure in a question's words where these
    differ; `says` has to be in the sentence, `near` next to the figure; `rival` is True where nothing can be
    asked without one.
    """

    measure: str
    unit: str
    frame: str
    noun: str = ""
    says: str = ""
    rival: bool = False
    near: str = ""

    @property
    def level(self) -> bool:
        """True where the figure is what is reached, not how much better it is."""
        return self.frame == _REACH

    def fits(self, measure: str, unit: str, sentence: str) -> bool:
        """Whether a figure is asked for in this way."""
        return bool(
            re.fullmatch(self.measure, measure)
            and re.fullmatch(self.unit, unit)
            and (not self.says or re.search(self.says, sentence))
        )


_CUT = "By how much does {n} cut {m}{q}{vs}{on}?"
_RAISE = "By how much does {n} raise {m}{q}{vs}{on}?"
_LOSE = "How much {m} does {n} lose{q}{vs}{on}?"
_REACH = "What {m} does {n} reach{q}{on}?"
_RATIO = "x|%"
_FASTER = r"fast|speed|accelerat|quick|\btimes\b|\bslow"
_CHANGE = "x|%|points"

ASKINGS: tuple[Asking, ...] = (
    Asking("speedup", _RATIO, "How much faster is {n}{q}{than}{on}?", rival=True, near=_FASTER),
    Asking("speedup", _RATIO, "What speedup does {n} reach{q}{on}?", near=_FASTER),
    Asking("performance increase", _CHANGE, "By how much does {n} outperform {rival}{q}{on}?", rival=True),
    Asking("(?:accuracy|performance|quality|F1|AP|mAP) reduction", "%|points", _LOSE),
    Asking("memory reduction", _CHANGE, _CUT, "memory use"),
    Asking("communication reduction", _CHANGE, _CUT, "communication"),
    Asking("energy reduction", _CHANGE, _CUT, "energy use"),
    Asking("model size reduction", _CHANGE, _CUT, "the number of parameters", says="param"),
    Asking("model size reduction", _CHANGE, "How much smaller does {n} make models{q}{vs}{on}?"),
    Asking("compute reduction", _CHANGE, _CUT, "computation"),
    Asking("cost reduction", _CHANGE, _CUT, "cost"),
    Asking(
        "(?:latency|FLOPs|MACs|training time|training cost|fragmentation|overhead|perplexity|error|runtime|"
        "bandwidth|search cost|time to first token|training data) reduction",
        _CHANGE,
        _CUT,
    ),
    Asking(
        "(?:throughput|energy efficiency|area efficiency|utilization|MFU|bandwidth|hit rate|success rate|"
        "sample efficiency|memory efficiency|scaling efficiency|win rate) increase",
        _CHANGE,
        _RAISE,
    ),
    Asking(
        "(?:accuracy|F1|AP|mAP|BLEU|AUC|mIoU|recall|quality) increase",
        _CHANGE,
        "By how much does {n} improve {m}{q}{vs}{on}?",
    ),
    Asking("MFU|utilization|scaling efficiency", "%", _REACH),
    Asking("accuracy|success rate|win rate|recall|precision|F1|AP|mAP|mIoU|AUC", "%|", _REACH),
    Asking("perplexity|FID|PSNR|BLEU", "|dB", _REACH),
    Asking(
        "sparsity",
        "%",
        "What sparsity does {n} reach{q}{on}?",
        says=r"\b(?:reach\w*|achiev\w*|attain\w*|up to)\s(?:[\w~-]+\s){0,3}?\d",
    ),
    Asking("compression", "x", "What compression ratio does {n} reach{q}{on}?"),
    Asking("throughput", r"\w+/s", _REACH),
    Asking("bandwidth", r"\w+/s", _REACH),
    Asking(
        "context length",
        "tokens",
        "How long a context does {n} handle{q}?",
        says=r"\b(?:handl|support|extend|scal|process)\w*\s(?!with)",
    ),
    Asking("training time", "s|min|h|days?", "How long does training take with {n}{on}?"),
    Asking("compute", "GPU hours|GPU days|TPU days", "How many {unit} does {n} take{q}?"),
    Asking("latency|time to first token", "ms|s", "What {m} does {n} have{q}{on}?"),
    Asking(
        "scale",
        _MACHINES,
        "On how many {unit} is {n} run{q}?",
        says=r"\b(?:on|across|over|with|using|to|at)\s(?:[\w~-]+\s){0,4}?\d",
    ),
    Asking(
        "scale|",
        _THINGS,
        "On how many {unit} is {n} evaluated{q}?",
        says=r"(?i)\b(?:experiments?|evaluat\w+|test(?:s|ed)?|results)\b",
    ),
)


def askings_for(measure: str | None, unit: str, sentence: str) -> list[Asking]:
    """The rows that a figure can be asked for by, the best first."""
    return [row for row in ASKINGS if row.fits(measure or "", unit, sentence)]


def noun_of(asking: Asking, measure: str) -> str:
    """The measure as the question calls it."""
    return asking.noun or re.sub(r" (?:reduction|increase)$", "", measure)
