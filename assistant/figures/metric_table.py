"""The words for what is measured, and for its going up or down."""

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
        r"(?<!ONNX )(?:execution|run|running|wall[\s-]?clock|processing|computation|compute|"
        r"completion|computing|"
        r"iteration|step)[\s-]?times?|(?<!ONNX )runtimes?",
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
        r"energy(?: footprint)?|power(?: (?:consumption|draw|usage))?|joules|carbon(?: emissions?|"
        r" footprint)?|emissions",
    ),
    ("bandwidth", r"bandwidths?"),
    (
        "communication",
        r"communicat\w+(?: (?:costs?|volumes?|overheads?|times?))?|(?:network |all-to-all )traffic|"
        r"data (?:transfer|movement)s?",
    ),
    ("KV cache", r"(?:KV|key[\s-]value|Key-Value)[\s-]?[Cc]aches?"),
    ("fragmentation", r"fragmentation"),
    ("memory", r"memory|memories|VRAM|DRAM|(?:memory )?footprints?"),
    ("sparsity", r"sparsity|sparsities|sparse ratios?|pruning (?:rates?|ratios?)"),
    ("compression", r"compress(?:ion|es|ed|ing)?(?: (?:ratios?|rates?))?"),
    (
        "model size",
        r"model (?:sizes?|scales?)|(?:trainable |tunable |learnable |active )?param(?:eter)?s?(?: counts?|"
        r" sizes?)?|size of (?:the )?models?",
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
        r"speed[\s-]?ups?|speed(?:s|ing)?(?: up)?|sped up|accelerat(?:e|es|ed|ing|ions?)|faster|quicker|"
        r"as fast|FPS|frame rates?",
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
_WHOLE = r"(?!\w|-(?:sensitive|bound|aware|constrained|limited|intensive|optimal|free|friendly|hungry)\b)"
METRIC = re.compile(
    r"(?<!\w)(?<!high-)(?<!low-)(?<!large-)(?<!top-)(?:"
    + "|".join(rf"(?P<m{i}>(?:{pattern}){_WHOLE})" for i, (_, pattern) in enumerate(_METRICS))
    + ")",
    re.I,
)
METRIC_NAMES = {f"m{i}": name for i, (name, _) in enumerate(_METRICS)}
DOWN = re.compile(
    r"\b(?:reduc\w+|decreas\w+|lower(?:s|ed|ing)?|less|fewer|smaller|shorter|cheaper|sav(?:e|es|ed|ing|"
    r"ings)|cut(?:s|ting)?|"
    r"drop(?:s|ped|ping)?|fall(?:s|en|ing)?|fell|degrad\w+|shr(?:ink|inks|inking|unk)|compress(?:es|ed|ing)?|loss(?:es)?|halv\w+|"
    r"slash\w*|"
    r"minimi[sz]\w+|declin\w+|mitigat\w+|shorten\w*|prun(?:e|es|ed)|eliminat\w+|diminish\w*|down)\b",
    re.I,
)
UP = re.compile(
    r"\b(?:increas\w+|improv\w+|gains?|gained|higher|more|larger|bigger|longer|boost\w*|enhanc\w+|better|"
    r"greater|superior|rais\w+|ris(?:e|es|en|ing)|rose|"
    r"outperform\w*|surpass\w*|exceed(?:s|ed)|grow\w*|grew|lift\w*|uplift|doubl\w+|tripl\w+|beat(?:s|ing)?|"
    r"elevat\w+|additional|extra)\b",
    re.I,
)
BETTERED = re.compile(r"improv|better|enhanc|gain|outperform|surpass", re.I)
ACCELERATED = re.compile(r"\b(?:sped|speed|accelerat)", re.I)
LESS_IS_BETTER = frozenset(
    "latency memory energy cost communication perplexity error FID overhead runtime fragmentation "
    "slowdown".split()
) | {
    "time to first token",
    "time per output token",
    "training time",
    "training cost",
    "search cost",
    "KV cache",
}
VAGUE_METRICS = frozenset(("performance", "efficiency", "score", "quality", "data", "size"))
HEADS = frozenset(("speedup", "slowdown", "overhead", "utilization", "efficiency"))
NEW_PHRASE = re.compile(r",|\b(?:with|and|over|than|compared|at|while)\b")
WAITS = frozenset(("time to first token", "time per output token"))
TIME_METRICS = frozenset(
    ("time to first token", "time per output token", "training time", "latency", "runtime", "search cost")
)
SIZE_METRICS = frozenset(("memory", "KV cache", "communication", "storage", "model size"))
TIMES = frozenset(("ps", "ns", "µs", "ms", "s", "min", "h", "days", "weeks", "months", "years"))
OF_UNIT = {
    **dict.fromkeys(("GPUs", "TPUs", "NPUs", "CPUs", "GCDs", "accelerators"), "scale"),
    **dict.fromkeys(("FLOP/s", "OP/s"), "throughput"),
    **dict.fromkeys(("J", "mJ", "kJ", "kWh"), "energy"),
    "W": "power",
    "parameters": "model size",
    "bits": "precision",
    "FLOPs": "FLOPs",
    "MACs": "MACs",
}
"""What is measured by figures in these units, whatever stands beside them."""
