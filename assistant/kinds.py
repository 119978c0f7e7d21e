"""The kind of a question, by rules; what was tried is in docs/questions.md."""

from __future__ import annotations

import re

from assistant.answer import Kind

_SIDES = r"(?:papers|works|methods|approaches|systems|solvers?|ones|schemes|models)"
_COMPARE = re.compile(
    rf"\bcompar(?:e|ing|ison)\b|\bdiffer(?:s|ent|ence|ences)?\b|\bsame (?:verdict|conclusion|idea)\b"
    rf"|\b(?:do|does|did|for|in|of) each\b|\beach (?:one |of them )?"
    rf"(?:claim|show|get|save|rely|step|throw|use|do|decide|sync|give)|^(?:is|are|does|do) \S+ "
    rf"(?:any |really )?\w+er than\b"
    rf"|\b(?:two|three|both) (?:\w+ ){{0,3}}{_SIDES}\b|\bone (?:paper )?on\b.*\bone on\b|\b(?:that"
    rf"|which) the first (?:one )?(?:did|could|does)n[o']t\b",
    re.I,
)
_VERSUS = re.compile(r"\bvs\b|\bversus\b|\bcompared (?:to|with)\b|\bor\b", re.I)
_AGGREGATE = re.compile(
    r"\bhow many (?:of (?:the|these) )?(?:\w+ ){0,2}(?:papers|works|studies|abstracts|of them)\b"
    r"|\bin how many\b"
    r"|\b(?:largest|biggest|highest|longest|smallest|lowest|fastest|greatest|most"
    r"|least)\b.*\b(?:any(?:body|one)?|among|in these|across|whose|papers?|collection|comes with)\b"
    r"|\b(?:which|whose|who|among)\b.*\b(?:largest|biggest|highest|longest|smallest|lowest|greatest"
    r"|most)\b|\b(?:sort|rank|order) (?:\w+ ){0,3}by\b|\bon average across\b",
    re.I,
)
_THINGS = r"(?:papers|works|studies|articles|benchmarks|surveys|publications)"
_LIST = re.compile(
    rf"\b(?:which|what|list|give me|show me|find|name|all)\b(?: [\w-]+){{0,4}} {_THINGS}\b"
    rf"|^(?:[\w-]+ ){{0,3}}{_THINGS} (?:on|about|for|that|which)\b|^list\b|\beverything (?:by|on"
    rf"|about)\b"
    r"|\bwho (?:actually |all )?(?:deals?|shows?|works?|handles?)\b|\bwhat (?:have|do) we (?:got"
    r"|have)\b|\bwhere is \w+ (?:used|applied)\b|^(?:models|methods|systems|tools) (?:built|that"
    r"|which|for|on|with)\b",
    re.I,
)
_START = r"(?:^|[.,;:?!()]\s*|\b(?:and|but|so|ok|okay|then)\s+)"
_NUMBER = re.compile(
    rf"{_START}(?:by |to |over |worst case, )?how (?:many|much|fast|long|large|big|small|tiny|far"
    rf"|often|high|low|extreme|quick\w*|wide)\b|\bhow many times\b|\bhow (?:many|much|long|tiny"
    rf"|large) "
    r"|\b(?:what|which)(?:'s| is| are| was| were)? (?:the |its |their )?(?:[\w-]+ ){0,3}(?:accuracy"
    r"|throughput|latency|percent\w*|fraction|share|ratio|score|count|size|rate|mfu|gain|reduction"
    r"|saving"
    r"|bandwidth|f1|bleu|perplexity|wer|improvement|overhead|speed-?up)\b|\bspeed-?ups?\b|\btokens "
    r"per second\b|\b(?:number|nr|no\.|percentage|rate|share) of\b"
    r"|\b(?:accuracy|wer|epoch time|parameter count|mfu|saving|gain|drop|latency|energy)\b.*(?:\?|$)",
    re.I,
)
_EXPLAIN = re.compile(
    rf"{_START}(?:why|explain|how (?:do|does|did|can|is|are|was|were|come)|in what way|what (?:is|are"
    rf"|does|do|did|'s)|what's)\b|^(?:is|are|does|do|can|given)\b|\bwhat does\b|\bdescribe\b",
    re.I,
)
_LOOKUP = re.compile(
    r"\bwhich (?:[\w-]+ ){0,3}(?:paper|work|model|system|method|one|layer|library|framework|tool)\b"
    r"|\bwho (?:did|does|solve[sd]?|settled|tweaks|has|have|made|proposed|built|wrote)\b|\bwho\s*\??$"
    r"|\bname\s*\??$"
    r"|\bis there (?:a|an|any)|\banything\b|^something\b|\bany(?:body|one)\b|\bsome(?:body|one)\b"
    r"|\bdoable\b|\bwhat (?:did|has|have) .{3,40} (?:publish|put out|write|written|done)\b|\bany \w+ "
    r"(?:which|that)\b|\bsmth\b",
    re.I,
)


def kind_of(text: str, sides: int = 0, *, default: Kind = "lookup") -> Kind:
    """The kind of a question; `sides` is how many papers it names, `default` where nothing tells and it names none."""
    number = _NUMBER.search(text)
    if sides >= 2 and re.search(
        r"\bwhich (?:one )?of (?:them|the two|these)\b|\bcompar|\bdiffer", text, re.I
    ):
        return "compare"
    if (sides >= 2 and _VERSUS.search(text)) or (_COMPARE.search(text) and (sides != 1 or not number)):
        return "compare"
    if re.search(r"\bvs\b|\bversus\b", text, re.I) and not number:
        return "compare"
    if _AGGREGATE.search(text):
        return "aggregate"
    if _LIST.search(text) and (not sides or re.search(rf"\b{_THINGS}\b", text, re.I)):
        return "list"
    if not sides and _LOOKUP.search(text) and not (number and number.start() == 0):
        return "lookup"
    if number and not re.match(r"(?:why|how do|how does|explain)\b", text, re.I):
        return "number"
    if _EXPLAIN.search(text):
        return "explain"
    return "explain" if sides else default
