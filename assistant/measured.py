"""What a figure measures, read from the words on either side of it."""

from __future__ import annotations

import re

_METRICS: tuple[tuple[str, str], ...] = (
    ("time to first token", r"(?i:time[\s-]to[\s-]first[\s-]token)|TTFT"),
    ("time per output token", r"time[\s-]per[\s-]output[\s-]token|TPOT|time between tokens|TBT"),
    ("training time", r"(?:pre-?)?train(?:ing)?[\s-](?:\w+\s)?times?|time to train|training duration"),
    ("training cost", r"(?:pre-?)?training (?:costs?|budget|compute|overheads?)"),
    ("training data", r"training (?:data|samples|tokens|examples)"),
    ("search cost", r"search (?:costs?|times?)"),
    ("latency", r"latenc(?:y|ies)|(?:response|inference|decoding|prefill(?:ing)?|serving) times?"),
    (
        "runtime",
        r"(?:execution|run|running|wall[\s-]?clock|processing|computation|compute|completion|computing|iteration|step)[\s-]?times?|runtimes?",
    ),
    ("performance", r"runtime performance"),
    ("throughput", r"throughputs?|goodput|requests? rates?|T?FLOPS per GPU|TFLOPS"),
    ("MFU", r"MFU|(?:[Mm]odel )?FLOP[sS]? [Uu]tili[sz]ation"),
    ("utilization", r"utili[sz]ations?|occupancy"),
    ("scaling efficiency", r"(?:(?:weak|strong)[\s-])?scaling efficienc(?:y|ies)|parallel efficiency"),
    ("energy efficiency", r"(?:energy|power)[\s-]+efficien\w+"),
    ("area efficiency", r"area[\s-]efficien\w+"),
    ("memory efficiency", r"memory[\s-]efficien(?:t|cy)"),
    ("sample efficiency", r"(?:sample|data)[\s-]efficien(?:t|cy)"),
    (
        "energy",
        r"energy(?: footprint)?|power(?: (?:consumption|draw|usage))?|joules|carbon(?: emissions?| footprint)?|emissions",
    ),
    ("bandwidth", r"bandwidths?"),
    ("communication", r"communicat\w+|(?:network |all-to-all )traffic|data (?:transfer|movement)s?"),
    ("KV cache", r"(?:KV|key[\s-]value|Key-Value)[\s-]?[Cc]aches?"),
    ("fragmentation", r"fragmentation"),
    ("memory", r"memory|memories|VRAM|DRAM|(?:memory )?footprints?"),
    ("sparsity", r"sparsity|sparsities|sparse ratios?|pruning (?:rates?|ratios?)"),
    ("compression", r"compress(?:ion|es|ed|ing)?(?: (?:ratios?|rates?))?"),
    (
        "model size",
        r"model (?:sizes?|scales?)|(?:trainable |tunable |learnable |active )?param(?:eter)?s?(?: counts?| sizes?)?|size of (?:the )?models?",
    ),
    ("context length", r"(?:context|sequence|prompt|input)[\s-](?:lengths?|windows?|sizes?)|contexts?"),
    ("batch size", r"(?:(?:micro|mini|global)[\s-]?)?batch[\s-]?sizes?"),
    ("FLOPs", r"(?:training |inference )?FLOPs|MACs|floating[\s-]point operations"),
    ("compute", r"computations?(?:al)?(?: costs?| overheads?| complexity)?|compute"),
    ("win rate", r"win[\s-]rates?"),
    ("success rate", r"success(?:es)?(?: rates?)?"),
    ("acceptance rate", r"accept(?:ance|ed) (?:rates?|lengths?)"),
    ("hit rate", r"hit rates?"),
    ("perplexity", r"perplexit(?:y|ies)|PPL"),
    ("accuracy", r"(?:[Tt]op[\s-]?[15] )?accurac(?:y|ies)|[Tt]op[\s-][15]|accurate"),
    ("mIoU", r"mIoU|mean IoU"),
    ("mAP", r"mAP"),
    ("AP", r"AP(?:50|75)?"),
    ("F1", r"F1(?:[\s-]scores?)?"),
    ("BLEU", r"(?:Sacre)?BLEU(?: scores?| points?)?"),
    ("ROUGE", r"ROUGE(?:-[\dL])?"),
    ("PSNR", r"PSNR"),
    ("SSIM", r"SSIM"),
    ("FID", r"FID"),
    ("AUC", r"AUC|AUROC"),
    ("nDCG", r"n?DCG(?:@\d+)?"),
    ("recall", r"recall(?:@\d+)?"),
    (
        "precision",
        r"(?<!full )(?<!half )(?<!low )(?<!lower )(?<!mixed )(?<!high )(?<!single )(?<!bit )precision",
    ),
    ("correlation", r"correlations?"),
    ("error", r"(?:error(?: rates?)?|errors|MAE|RMSE|MSE|WER|MAPE)"),
    ("overhead", r"overheads?"),
    ("cost", r"costs?|expenses?|price"),
    ("slowdown", r"slow(?:er|down|downs)"),
    (
        "speedup",
        r"speed[\s-]?ups?|speed(?:s|ing)?(?: up)?|sped up|accelerat(?:e|es|ed|ing|ions?)|faster|quicker|as fast|FPS|frame rates?",
    ),
    ("storage", r"storage|disk"),
    ("data", r"data"),
    ("scalability", r"scalability"),
    ("efficiency", r"efficienc(?:y|ies)|efficient"),
    ("performance", r"performances?"),
    ("size", r"sizes?"),
    ("score", r"scores?"),
    ("quality", r"quality"),
)
_WHOLE = r"(?!\w|-(?:sensitive|bound|aware|constrained|limited|intensive|optimal|free|friendly|hungry|preserving)\b)"
_METRIC = re.compile(
    r"(?<!\w)(?<!high-)(?<!low-)(?<!large-)(?<!top-)(?:"
    + "|".join(rf"(?P<m{i}>(?:{pattern}){_WHOLE})" for i, (_, pattern) in enumerate(_METRICS))
    + ")"
)
_NAMES = {f"m{i}": name for i, (name, _) in enumerate(_METRICS)}

_DOWN = re.compile(
    r"\b(?:reduc\w+|decreas\w+|lower(?:s|ed|ing)?|less|fewer|smaller|shorter|cheaper|sav(?:e|es|ed|ing|ings)|cut(?:s|ting)?|"
    r"drop(?:s|ped|ping)?|degrad\w+|shr(?:ink|inks|inking|unk)|compress(?:es|ed|ing)?|loss(?:es)?|halv\w+|slash\w*|"
    r"minimi[sz]\w+|declin\w+|mitigat\w+|shorten\w*|prun(?:e|es|ed|ing)|eliminat\w+|diminish\w*|down)\b",
    re.I,
)
_UP = re.compile(
    r"\b(?:increas\w+|improv\w+|gains?|gained|higher|more|larger|bigger|longer|boost\w*|enhanc\w+|better|greater|superior|rais\w+|"
    r"outperform\w*|surpass\w*|exceed(?:s|ed)|grow\w*|grew|lift\w*|uplift|doubl\w+|tripl\w+|beat(?:s|ing)?|elevat\w+)\b",
    re.I,
)
_CUT = re.compile(
    r"[;:,)]|[.](?:\s|$)|\s(?:and|or|while|whereas|but|when|with|without|over|than|compared|comparing|against|versus|vs|relative|using|via|"
    r"under|on|for|at|across|by|from|to|that|which|resulting|leading|achieved|required|during|after|before|through)(?![\w-])"
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
    r"\s*(?:[\w-]+\s){0,3}?(?:reductions?|improvements?|increases?|gains?|decreases?|drops?|savings?|boosts?)\s+(?:in|on|of|for|to)\s"
)
_COMPARATIVE = re.compile(
    r"\s*(smaller|larger|bigger|less|fewer|more)\b(?:\s(?!in\b|on\b|of\b|with\b)([a-z-]+))?(?:\s(?!in\b|on\b|of\b|with\b|when\b)([a-z-]+))?"
)
_BETTERED = re.compile(r"improv|better|enhanc|gain|outperform|surpass", re.I)
_ACCELERATED = re.compile(r"\b(?:speed|accelerat)", re.I)
_LESS_IS_BETTER = frozenset(
    "latency memory energy cost communication perplexity error FID overhead runtime fragmentation slowdown".split()
) | {
    "time to first token",
    "time per output token",
    "training time",
    "training cost",
    "search cost",
    "KV cache",
}
_WINS = re.compile(r"outperform|surpass|exceed|margin|better|beat|\bimprov|\bgain", re.I)
_AMONG = re.compile(r"\s*(?:in|of)\b")
_OBJECT = re.compile(
    r"\b(?:reduc\w+|decreas\w+|lower\w*|sav\w+|cut\w*|increas\w+|improv\w+|boost\w*|rais\w+|shrink\w*|drops?|grow\w*)\s+(?:of\s|in\s)?"
    r"(?:(?:the|its|their|an?|number|average|overall|total|peak|of)\s)*((?:[\w-]+\s){1,3}?)(?:by|to|of)\s*$"
)
_HEADS = frozenset(("speedup", "slowdown", "overhead", "utilization"))
_WAITS = frozenset(("time to first token", "time per output token"))
_RIVALRY = re.compile(r"\b(?:outperform|surpass|exceed|beat)")
_BARE = re.compile(
    r"\s*(?:higher|lower|better|worse|greater|less|more|shorter|longer)(?=\s(?:than|compared|while|when)|\s*$)"
)
_VAGUE_METRICS = frozenset(("performance", "efficiency", "score", "quality", "data"))
_TIME_METRICS = frozenset(
    ("time to first token", "time per output token", "training time", "latency", "runtime", "search cost")
)
_SIZE_METRICS = frozenset(("memory", "KV cache", "communication", "storage", "model size"))
_TIMES = frozenset(("ps", "ns", "µs", "ms", "s", "min", "h", "days", "weeks", "months", "years"))
_OF_UNIT = {
    "GPUs": "scale", "TPUs": "scale", "NPUs": "scale", "CPUs": "scale", "GCDs": "scale", "accelerators": "scale",
    "parameters": "model size", "bits": "precision", "FLOP/s": "throughput", "OP/s": "throughput", "FLOPs": "FLOPs",
    "MACs": "MACs", "W": "power", "J": "energy", "mJ": "energy", "kJ": "energy", "kWh": "energy",
}  # fmt: skip


def measure_of(before: str, after: str, unit: str, earlier: str = "") -> str | None:
    """What is measured, with "reduction" or "increase" where the figure is a change, or None.

    `before` and `after` are the sentence's words up to the figures on either side, `earlier` those of the clauses before.
    """
    if unit in _OF_UNIT:
        return _OF_UNIT[unit]
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
        return (
            _named(behind, ahead, frozenset(("training cost", "search cost", "training time"))) or "compute"
        )
    if unit == "tokens":
        return _of_tokens(behind, ahead)
    if unit in _TIMES:
        return _named(behind, ahead, _TIME_METRICS) or "time"
    if unit.endswith("B") and len(unit) == 2:
        return _named(behind, ahead, _SIZE_METRICS) or "memory"
    if unit not in ("x", "%", "points", "", "dB", "orders"):
        return None
    return _of_ratio((earlier or before)[-200:], behind, ahead) or _on_metric(after)


def _of_ratio(before: str, behind: str, ahead: str) -> str | None:
    """The measure of a ratio, a share or a score: the metric in the same noun phrase, else the one before."""
    connected = bool(_BEHIND.search(behind))
    first, last = _first(ahead), _last(behind)
    if last and _RIVALRY.search(behind, last.end()):
        last = None
    by = bool(re.search(r"\bby\s*$", behind))
    way_before = _direction(behind) or (_direction(before) if by else "")
    far = first is not None and len(ahead[: first.start()].split()) > 3
    if first and not (connected and last and (far or _AMONG.match(ahead))):
        beside = f"{ahead[: first.start()]} {' '.join(ahead[first.end() :].split()[:2])}"
        way = _direction(beside) or (way_before if connected else "")
        won = "increase" if by or re.search(r"\bmargin of\s*$", behind) else ""
        level = not _direction(beside) and not won
        way = way or (won if _WINS.search(before) else "")
        return _put(_name(first), _meant(way, _name(first), f"{before} {beside}"), relative=not level)
    level = bool(_LEVEL.search(behind)) and not _direction(ahead)
    way = _direction(ahead) or way_before
    if last and connected and _BARE.match(ahead):
        return _put(_name(last), way, relative=True)
    if last and (connected or not behind[last.end() :].strip()) and not _direction(ahead):
        return _put(_name(last), _meant(way, _name(last), behind), relative=not level)
    if first:
        return _put(_name(first), way, relative=not level)
    if _RIVALRY.search(behind) and (on := _on_metric(f" on{ahead.partition(' on')[2]}")):
        return on
    return None if level or behind.endswith("(") else _without_metric(behind, ahead)


def _on_metric(after: str) -> str | None:
    """The metric of "by 52% on the test RMSE"; its direction isn't said."""
    metric = _METRIC.search(after, 0, 60)
    near = metric and re.match(
        r"\s(?:on|in terms of|in)\s(?:the\s)?(?:[\w-]+\s){0,3}$", after[: metric.start()]
    )
    return _name(metric) if metric and near else None


def _without_metric(behind: str, ahead: str) -> str | None:
    """The measure of a change whose metric isn't said: its grammatical object, or what the comparative implies."""
    word = _COMPARATIVE.match(ahead)
    if word:
        way = "increase" if word[1] in ("larger", "bigger", "more") else "reduction"
        noun = " ".join(one for one in word.groups()[1:] if one)
        return f"{noun or 'size'} {way}"
    found = _OBJECT.search(behind)
    if found and found[1].strip():
        way = "reduction" if _DOWN.match(found[0]) else "increase"
        return f"{found[1].strip()} {way}"
    won = re.search(r"\b(?:by|of|with)\s*$", behind) and _WINS.search(behind)
    return (
        "performance increase" if won or re.match(r"\s*(?:better|improvement|gain|higher)", ahead) else None
    )


def _name(match: re.Match[str]) -> str:
    return _NAMES[match.lastgroup or "m0"]


def _first(ahead: str) -> re.Match[str] | None:
    """The first metric behind the figure, or the word that it only describes ("wall clock time speedup")."""
    found = _METRIC.search(ahead)
    following = _METRIC.match(ahead, found.end() + 1) if found else None
    return following if following and _name(following) in _HEADS else found


def _last(behind: str) -> re.Match[str] | None:
    """The last metric before the figure; a vague one doesn't displace a plain one, nothing an acceleration."""
    found = None
    for match in _METRIC.finditer(behind):
        sped = found and _name(found) == "speedup" and not _direction(behind[found.end() : match.start()])
        if sped and _name(match) not in _WAITS:
            continue
        near = len(behind[match.end() :].split()) < 3
        if not (found and not near and _name(match) in _VAGUE_METRICS and _name(found) not in _VAGUE_METRICS):
            found = match
    return found


def _direction(words: str) -> str:
    """ "reduction" or "increase", whichever word stands last; "" without one."""
    down = max((match.start() for match in _DOWN.finditer(words)), default=-1)
    up = max((match.start() for match in _UP.finditer(words)), default=-1)
    return "" if down == up else "reduction" if down > up else "increase"


def _meant(way: str, name: str, words: str) -> str:
    """The direction meant: latency that is improved goes down."""
    if name in _WAITS and _ACCELERATED.search(words):
        return "reduction"
    last = None
    for last in _UP.finditer(words):
        pass
    bettered = last is not None and _BETTERED.match(last[0])
    return "reduction" if way == "increase" and name in _LESS_IS_BETTER and bettered else way


def _put(name: str, way: str, *, relative: bool) -> str:
    if name in ("speedup", "slowdown"):
        return "slowdown" if name == "speedup" and way == "reduction" and relative else name
    if name == "compression":
        return name
    return f"{name} {way}" if way and relative else name


def _named(behind: str, ahead: str, allowed: frozenset[str]) -> str | None:
    """The nearest of the allowed metrics: the first ahead, else the last behind."""
    names = [_name(match) for match in _METRIC.finditer(ahead)]
    names += [_name(match) for match in _METRIC.finditer(behind)][::-1]
    return next((name for name in names if name in allowed), None)


def _of_tokens(behind: str, ahead: str) -> str | None:
    if re.search(
        r"\b(?:context|sequence|window|input|prompt|long)\w*\b", behind[-40:] + " " + ahead[:40], re.I
    ):
        return "context length"
    return None
