"""What a person calls a paper: the name of its system, and every other name it goes by."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from corpus.papers import Paper, text_key

# A name-like word: "PIT", "EfficientViT", "prima.cpp", "S2FT", "Q-Sparse", "Týr-the-Pruner", "M^3ViT".
_WORD = r"[A-Za-zÀ-ÿ0-9](?:[\w^+]|[-./&'](?=\w))*\+*"
_VERBS = (
    r"(?:present|propose|introduce|develop|design|describe|build|release|devise|create|implement|contribute"
    r"|offer|unveil|establish|deliver|construct|explore|study|challenge \w+ \w+ with|(?:put|bring) "
    r"forward|report on)(?:s|ed|d|ing|es)?"
)
_ACTORS = (
    r"(?:we|paper|work|report|article|study|authors?|survey|thesis|dissertation|introducing|proposing|presenting"
    r"|hence|here|thus|then|and|therefore|to|further|also|by)"
)
_INTRO = re.compile(rf"\b{_ACTORS}\b[^.;:]{{0,60}}?\b{_VERBS}\b\s+", re.I)
_CALLED = re.compile(
    r"\b(?:called|named|dubbed|termed|coined|namely|titled|(?:we|that we|which we) (?:term|call|name"
    r"|dub)|pronounced)\s+(?:as\s+)?"
    r"(?:the\s+|an?\s+)?[\"“']?",
    re.I,
)
_APPOSITIVE = re.compile(rf"\b({_WORD}(?: V?\d+| [A-Z]{_WORD})?),\s+(?:an?|the|our|which is)\s+(?=[a-z])")
_BRACKETED = re.compile(rf"\(({_WORD})(?:[,;][^)]*)?\)")
_DEFINED = re.compile(
    rf"(?:^|[.!?:] |, )(?:The |the )?({_WORD}(?: [A-Z0-9]{_WORD}){{0,2}}) is (?:an?|the|designed|our)\b"
)
_SURE = 1.5  # the weight from which a name is shown as a label
_NAME_START = re.compile(
    rf"(?:(?!\d)[a-z][a-z-]*\s+){{0,4}}?((?=\w*[A-Z0-9.]){_WORD}(?:[ -](?:V?\d[\w.]*|[A-Z][\w-]*)){{0,5}})"
)
_DOES = (
    r"(?:is|are|can|achieves?|reaches?|outperforms?|enables?|reduces?|uses?|improves?|consists?|delivers?|provides?|supports?|first"
    r"|leverages?|employs?|introduces?|accelerates?|shows?|demonstrates?|performs?|obtains?|yields?|surpass\w*|has|adds?|runs?|allows?)"
)
_SET_OFF = re.compile(
    rf"(\w+)(?:,|:)? (?:the |namely )?({_WORD}(?: V?\d)?)(?=[,:(]| \(|$| (?:to|that|which|for)\b)"
)
# A name behind one of these is somebody else's: "systems like DeepSpeed", "on ImageNet".
_BEFORE_OTHERS = frozenset(
    "like as over than and or to on in from for by using e g and vs versus against include including".split()
)
# A name that only describes what follows it: "a MoE architecture".
_ATTRIBUTE = re.compile(r"(?:-\w+)? (?!(?:to|that|which|as|for|with|in|on|and|by|using|is|can)\b)[a-z][\w-]+")
_INSERTED = re.compile(
    rf"\b(?:[Oo]ur|[Tt]he (?:resulting|proposed|new)|[Aa] new)(?: [\w-]+){{1,4}}, (?:the |called "
    rf"|namely )?({_WORD}),"
)
_CAPITALISED = re.compile(
    rf"\b(?:with|call|call it|of|as) the ([A-Z]{_WORD} [A-Z]{_WORD}(?: [A-Z]{_WORD})?)(?=[.,;]| \()"
)
_OWN = re.compile(rf"\b(?:our|the proposed|proposed)\s+(?:\w+ )?({_WORD})\b")

# Words with a name's shape that name a kind of thing, not a paper.
_GENERIC = {
    *(
        "AI ML DL RL NLP CV LLM LLMS MLLM MLLMS VLM LM LMS PLM SLM GPU GPUS CPU CPUS TPU NPU FPGA ASIC NN NNS DNN DNNS".split()
    ),
    *(
        "CNN CNNS RNN RNNS GNN GNNS GCN GAN VIT VITS BERT GPT MLP MLPS MOE MOES SMOE SAE SAES KV QA OCR ASR API URL PDF SOTA".split()
    ),
    *(
        "SGD ADAM ADAMW FL RLHF RLVR PEFT LORA NAS KD FLOPS FLOP MAC MACS MFU IO SSD RAM HPC CUDA ID IDS 2D 3D RGB VM US".split()
    ),
    *(
        "PP TP DP EP HE FHE TPS QOS SLO TTFT ANN DFL METL PETL FFN FFNS MHA SA HPO BNN DML RAG DIT DITS DST PTQ QAT".split()
    ),
    *(
        "PYTORCH TENSORFLOW JAX IMAGENET GITHUB LATEX NVIDIA AMD INTEL GOOGLE META MICROSOFT OPENAI HUGGINGFACE".split()
    ),
    *(
        "RESNET CIFAR IMAGENET IMAGENETK MOBILENET MOBILENETV MNIST GLUE SUPERGLUE COCO STL ARXIV PINTEREST GEMM SYCL AUTOML MIXTUREOFEXPERT".split()
    ),
    *(
        "MIXTUREOFEXPERTS RELU HBM PCIE NVLINK FRONTIER FP BF INT TF MPI SSL WIKITEXT SPMD TBASE TLARGE TXXL MOREOVER FURTHERMORE SPECIFICALLY".split()
    ),
    *(
        "RESNEXT VICUNAB LLAMAB MIXTRALXB CUBLAS CUTLASS FINETUNING PRETRAINING SPARSITY MDP IR PARTICULARLY TOPK KVCACHE".split()
    ),
    *("TRANSFORMER TRANSFORMERS MAMBA LLAMA QWEN MIXTRAL DEEPSEEK ROC AUC MAE MSE PSNR BLEU WER FID".split()),
}
_NOT_NAMES = {
    *(
        "a an the we our this that these those it its in on to for of and or with from by as at is are be two three new novel first".split()
    ),
    *("here there unlike existing recent large deep however such both several many some one simple".split()),
}


@dataclass(frozen=True)
class _Candidate:
    name: str
    weight: float


def find_label(title: str | None, abstract: str | None) -> str:
    """The system's name where the record gives one ("PIT"), else the title, else the abstract's first words."""
    head = re.match(rf"({_WORD}(?:[ -]{_WORD}){{0,2}}): \w", title or "")
    if head and _shape(head[1]) > 0:
        return head[1]
    ranked = rank_names(abstract or "")
    if (
        ranked
        and ranked[0][1] >= _SURE
        and (not title or text_key(ranked[0][0]) in text_key(title) or ranked[0][1] >= 3.5)
    ):
        return ranked[0][0]
    if title:
        return title
    words = (abstract or "").split()
    return " ".join(words[:8]).rstrip(".,;:") + ("…" if len(words) > 8 else "") if words else "untitled"


def rank_names(abstract: str) -> list[tuple[str, float]]:
    """Names that the abstract gives to its own system, best first, with their weights."""
    total: dict[str, float] = defaultdict(float)
    shown: dict[str, str] = {}
    for candidate in _with_families(_candidates(abstract)):
        name = _trim(candidate.name)
        if not name or name.lower() in _NOT_NAMES or _shape(name) <= -1 or _is_plain(name, abstract):
            continue
        key = _key(name)
        key = key[:-1] if key[:-1] in total and key.endswith("s") else key
        total[key] += candidate.weight
        shown.setdefault(key, name)
    begin = _contribution(abstract)
    scores = [
        (shown[key], weight + _shape(shown[key]) + _use(abstract, shown[key], begin))
        for key, weight in total.items()
    ]
    return sorted(scores, key=lambda pair: -pair[1])


def _contribution(abstract: str) -> int:
    """Where the abstract begins to speak of its own work (0 where it opens with it)."""
    intro = _INTRO.search(abstract)
    begin = intro.start() if intro else 0
    return max(abstract.rfind(". ", 0, begin) + 2, 0) if begin else 0


def _candidates(text: str) -> Iterable[_Candidate]:
    for intro in _INTRO.finditer(text):
        rest = text[intro.end() :]
        stop = re.search(r"[.;:](?:\s|$)", rest)
        yield from _in_clause(rest[: stop.start() if stop else 300])
    for called in _CALLED.finditer(text):
        found = _NAME_START.match(text[called.end() :])
        if found:
            yield _Candidate(found[1], 2.2 if _shape(found[1]) > 0 else 1.2)
        expanded = re.match(rf"[^.;:()]{{3,80}}\(({_WORD})\)", text[called.end() :])
        if expanded:
            yield _Candidate(expanded[1], 2.0)
    for found in _APPOSITIVE.finditer(text):
        if _shape(found[1]) > 0:
            yield _Candidate(found[1], 0.8)
    for pattern, weight in ((_INSERTED, 2.4), (_CAPITALISED, 1.6)):
        for found in pattern.finditer(text):
            yield _Candidate(found[1], weight)
    for found in _DEFINED.finditer(text):
        yield _Candidate(found[1], (1.6 if found.start() else 2.0) if _shape(found[1]) > 0 else 0.8)
    for found in _OWN.finditer(text):
        if _shape(found[1]) > 0:
            yield _Candidate(found[1], 0.9)
    for found in _BRACKETED.finditer(text):
        if _shape(found[1]) > 0 and _abbreviates(found[1], text[: found.start()]):
            yield _Candidate(found[1], 0.5)
    for found in re.finditer(rf"(?<![/\w]){_WORD}(?!/)", text):
        if _shape(found[0]) > 0.5 and "/" not in found[0]:
            yield _Candidate(found[0], 0.0)


def _with_families(candidates: Iterable[_Candidate]) -> Iterable[_Candidate]:
    """The candidates, and for "TinyNet-E" or "EfficientDets" also the family's name."""
    for candidate in candidates:
        yield candidate
        family = re.fullmatch(rf"({_WORD}?)(?:-(?!\d+$)[A-Z0-9][\w.-]*|(?<=[a-z])s)", candidate.name)
        if family and _shape(family[1]) > 0.5:
            yield _Candidate(family[1], candidate.weight + 0.1)


def _in_clause(clause: str) -> Iterable[_Candidate]:
    """Names in the words after "we propose": its head, in brackets what abbreviates it, set off by commas."""
    short = [
        found
        for found in _BRACKETED.finditer(clause[:200])
        if _abbreviates(found[1], clause[: found.start()])
    ]
    for found in short:
        yield _Candidate(found[1], 2.6)
    head = _NAME_START.match(clause)
    if head and short and head.start(1) < short[0].start():
        yield _Candidate(head[1], 0.6)
    elif head:
        after = clause[head.end() :]
        if _shape(head[1]) > 0:
            yield _Candidate(head[1], 1.3 if _ATTRIBUTE.match(after) else 2.4)
        elif head[1][0].isupper() and re.match(r"\s*(?:,|\(|:|[—–-]|to\b|that\b|which\b|$)", after):
            yield _Candidate(head[1], 1.4)
    for found in _SET_OFF.finditer(clause[:200]):
        if _shape(found[2]) > 0 and found[1].lower() not in _BEFORE_OTHERS:
            yield _Candidate(found[2], 1.4 if _shape(found[2]) > 0.5 else 0.8)


def _trim(name: str) -> str:
    """The name without what follows it in the sentence ("PIT The" -> "PIT")."""
    words = re.sub(r"'s$", "", name).split()
    while len(words) > 1 and (words[-1].lower() in _NOT_NAMES or words[-1].endswith("ly")):
        words.pop()
    while len(words) > 1 and words[0].islower() and words[0].isalpha():
        words.pop(0)
    return " ".join(words).rstrip("'-./&")


def _shape(word: str) -> float:
    """How much a word looks like a name: inner capitals, digits with capitals; -1 to 1.2."""
    bare = re.sub(r"[^A-Za-zÀ-ÿ0-9]", "", word)
    if (
        not bare
        or bare.isdigit()
        or re.fullmatch(r"[\d.,]+[A-Za-z%]{0,3}|[ivx]+|[ei]\.[eg]\.?", word)
        or _is_generic(word)
    ):
        return -2.0
    inner = sum(char.isupper() for char in bare[1:])
    if len(bare) == 1:
        return -2.0
    if inner and not bare.isupper():
        return 1.2 if not re.fullmatch(r"(?:[A-Z][a-z]+[ -])+[A-Z]?[a-z]+", word) else 0.3
    if bare.isupper():
        return 0.8 if len(bare) >= 3 else 0.3
    if bare[0].isupper():
        return 0.1
    return 0.6 if re.search(r"[a-z]\.[a-z]{1,4}$", word) and "/" not in word else -0.6


def _is_generic(word: str) -> bool:
    """True for kinds of things, well-known data sets and models, and "GPU-based" words."""
    letters = re.sub(r"[^A-Z]", "", word.upper())
    return (
        word.upper() in _GENERIC
        or letters in _GENERIC
        or letters.rstrip("S") in _GENERIC
        or bool(
            re.search(
                r"-(?:based|style|oriented|efficient|like|centric|aware|specific|level|only|driven|trained|guided)$",
                word,
            )
        )
    )


def _abbreviates(short: str, before: str) -> bool:
    """True where the words before a bracket spell the short form in it."""
    letters = [char.lower() for char in re.sub(r"[^A-Za-z0-9]", "", short)]
    if len(letters) < 2 or short.isdigit():
        return False
    words = re.findall(r"[A-Za-z0-9]+", before[-120:])[-(len(letters) + 5) :]
    joined = "".join(words).lower()
    return (
        bool(words) and any(word[0].lower() == letters[0] for word in words) and _subsequence(letters, joined)
    )


def _subsequence(letters: Sequence[str], text: str) -> bool:
    place = iter(text)
    return all(letter in place for letter in letters)


def _key(name: str) -> str:
    """The name folded; "ZeRO++" isn't "ZeRO"."""
    return re.sub(r"[^\w+]", "", name.casefold())


def _is_plain(name: str, abstract: str) -> bool:
    """True for a common word, also where its capital is only that of a sentence ("Third", "Types")."""
    if " " in name or _shape(name) > 0.1:
        return False
    return (name.islower() and name.isalpha()) or not re.search(
        rf"[\w,)] [\"“(]?{re.escape(name)}(?!\w)", abstract
    )


def _use(abstract: str, name: str, begin: int) -> float:
    """Support from how the abstract uses the name: as a subject, how often, whether only once its own work begins."""
    mentions = [found.start() for found in re.finditer(rf"(?<!\w){re.escape(name)}(?![\w-])", abstract)]
    subject = re.search(rf"(?<!\w){re.escape(name)}(?:'s)?\s+{_DOES}\b", abstract[begin:])
    before = bool(mentions) and mentions[0] < begin
    return min(0.35 * (len(mentions) - 1), 1.4) + (1.0 if subject else 0.0) - (2.0 if before else 0.0)


def names_of(paper: Paper) -> list[str]:
    """Every name that a reader may use for the paper: its label, the title's head, its own systems' names; and,
    behind the word "author" or "organisation", who wrote it, in full and by the last word of the name.
    """
    names = [paper.label]
    if paper.title:
        names.append(paper.title)
        if ": " in paper.title:
            names.append(paper.title.split(": ")[0])
    names += [name for name, weight in rank_names(paper.abstract or "") if weight >= 2.0][:6]
    names += [part for part in re.split(r" / | and |, |\s*[()]\s*", paper.label) if _shape(part) > 0]
    for author in paper.authors:
        if author.lower() != "et al.":
            names += [f"author {author}", f"author {author.split()[-1]}"]
    names += [f"organisation {name}" for name in paper.organisations]
    seen: dict[str, str] = {}
    for name in names:
        if len(text_key(name)) >= 2:
            seen.setdefault(text_key(name), name)
    return list(seen.values())


def distinct_labels(papers: Sequence[Paper]) -> dict[str, str]:
    """Paper id -> label; papers of one name are told apart by what only each of them speaks of."""
    groups: dict[str, list[Paper]] = defaultdict(list)
    for paper in papers:
        groups[text_key(_bare(paper.label))].append(paper)
    labels = {}
    for group in groups.values():
        for paper in group:
            label = _bare(paper.label)
            labels[paper.id] = label if len(group) == 1 else f"{label} ({_topic(paper, group)})"
    return labels


def _bare(label: str) -> str:
    return re.sub(r" \([^()]{3,40}\)$", "", label)


def _topic(paper: Paper, group: Sequence[Paper]) -> str:
    """Two words of the paper that the others of its name don't have, as they stand side by side in it."""
    others = {word for other in group if other.id != paper.id for word in _content(other)}
    text = f"{paper.title or ''} {' '.join(paper.keywords)} {paper.abstract or ''}".lower()
    own = Counter(word for word in _content(paper) if word not in others)
    pairs = Counter(
        f"{one} {two}"
        for one, two in re.findall(r"(?=\b([a-z][a-z-]{3,}) ([a-z][a-z-]{3,})\b)", text)
        if own[one] and own[two] and one != two
    )
    if pairs:
        return max(
            pairs,
            key=lambda pair: (pairs[pair] * 2 + sum(own[word] for word in pair.split()), -text.index(pair)),
        )
    return own.most_common(1)[0][0] if own else paper.id


_FILLER = set(
    "this that these those with from have been which while where their there they than then thus "
    "such each also more most very over into"
    " between across paper work propose proposed present method methods approach based using used results show shows model models however".split()
)


def _content(paper: Paper) -> list[str]:
    text = f"{paper.title or ''} {' '.join(paper.keywords)} {paper.abstract or ''}".lower()
    return [word for word in re.findall(r"[a-z][a-z-]{3,}", text) if word not in _FILLER]
