"""The kind of a question, by rules; what was tried beside them is in docs/questions.md."""

from __future__ import annotations

import re
from dataclasses import dataclass

from assistant.answer import Kind

_PAPERS = r"(?:papers|works|studies|articles|benchmarks|surveys|publications)"
_GROUP = rf"(?:{_PAPERS}|approaches|methods|techniques|systems|solvers?|schemes|frameworks|tools|models|ones)"
_ONE = (
    r"(?:paper|work|study|article|survey|reference|model|system|method|one|layer|library|framework|tool"
    r"|approach|benchmark|technique|algorithm)"
)
_MOST = (
    r"(?:largest|biggest|highest|longest|greatest|fastest|strongest|smallest|lowest|shortest|fewest"
    r"|slowest|cheapest|oldest|newest|earliest|most recent|most|least|maximum|minimum)"
)
_MEASURE = (
    r"(?:accuracy|throughput|latency|percent\w*|fraction|share|ratio|score|count|size|rate|mfu|gain"
    r"|reduction|saving|bandwidth|f1|bleu|perplexity|wer|improvement|overhead|speed-?up|average|peak|maximum)"
)
_SIZE = r"(?:many|much|fast|long|large|big|small|tiny|far|often|high|low|extreme|quick\w*|wide)"
_START = r"(?:^|[.,;:?!()]\s*|\b(?:and|but|so|ok|okay|then)\s+)"


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.I)


@dataclass(frozen=True)
class Rule:
    """A sign of a kind, for questions that name `least` to `most` papers; `unless` takes its force away."""

    kind: Kind
    sign: re.Pattern[str]
    least: int = 0
    most: int = 99
    unless: re.Pattern[str] | None = None

    def fits(self, text: str, sides: int) -> bool:
        """True where the question shows the sign."""
        return (
            self.least <= sides <= self.most
            and bool(self.sign.search(text))
            and not (self.unless and self.unless.search(text))
        )


_NUMBER = _any(
    rf"{_START}(?:by |to |over |up to |at |worst case, )?how {_SIZE}\b|\bhow (?:many|much|long|tiny|large) ",
    rf"\b(?:what|which)(?:'?s| is| are| was| were)? (?:the |its |their )?(?:[\w-]+ ){{0,3}}{_MEASURE}\b",
    r"\bspeed-?ups?\b|\btokens per second\b|\b(?:number|nr|no\.|percentage|rate|share) of\b|\bin percent\b",
    rf"\b(?:saved|cut|reduced|gained|lost) by\b|\bx faster\b|% of\b|\b{_MEASURE} (?:of|at|on|in)\b",
    r"\b(?:at|to|by|up to) (?:what|which) (?:factor|extent|level|margin|[\w-]+ does)\b",
    r"\b(?:accuracy|wer|epoch time|parameter count|mfu|saving|gain|drop|latency|energy)\b[^.;]*(?:\?|$)",
)
_OPENS_WITH_NUMBER = _any(
    rf"^(?:by |to |over |up to |at |worst case, )?how {_SIZE}\b",
    rf"^(?:what|which) {_MEASURE} (?:does|do|did|has|is|was)\b",
)
_ASKS_HOW = _any(rf"{_START}(?:why|explain|how (?:do|does|did))\b")
_VERSUS = r"\bvs\b|\bversus\b"
_CONTRAST = _any(
    r"\bcompar(?:e|es|ing|ison)\b|\bdiffer(?:s|ed|ent|ence|ences)?\b|\bcontrast(?:s|ed|ing)?\b|\bin common\b",
    r"\bdistinguish\w*|\bset apart\b|\bsame (?:verdict|conclusion|idea)\b|\b(?:do|does|did|for|in|of) each\b",
    r"\beach (?:one |of them )?(?:claim|show|get|save|rely|step|throw|use|do|decide|sync|give)",
    r"^(?:is|are|does|do) \S+ (?:any |really )?\w+er than\b|\bone (?:paper )?on\b.*\bone on\b",
    rf"\b(?:two|three|both) (?:\w+ ){{0,3}}{_GROUP}\b",
    r"\b(?:that|which) the first (?:one )?(?:did|could|does)n[o']t\b",
)
_BETWEEN_SIDES = _any(
    rf"{_VERSUS}|\bcompared (?:to|with)\b|\bor\b|\bwhich (?:one )?of (?:them|the two|these)\b",
    r"\b(?:more|less|\w+er) (?:\w+ )?th[ae]n\b|^(?:and |so )?which one (?:is|has|gets|gives|needs)\b",
    r"\bbetter\b|\bagree\b|\brelate\b|\bagainst\b",
    r"(?:/|,).*[:?-] *(?:which|who)\b|\bthe (?:first|second|former|latter)\b",
)
_EXPLAINS = _any(
    rf"{_START}(?:why|explain|how (?:do|does|did|can|is|are|was|were|come)|in what way"
    r"|what(?: is| are| does| do| did|'?s)|tell me about)\b",
    r"^(?:is|are|does|do|can|given)\b|\bwhat does\b|\bdescribe\b",
    r"[:;,] *(?:which|what) (?:two|three|four|five|\d)\b",
    r"\b(?:idea|intuition|reasoning) behind\b|\bgist of\b|\bmechanism\b",
    r"\bin (?:simple|plain) (?:words|terms)\b|\bwalk me\b",
)
_ASKS_FOR_PAPERS = _any(
    rf"\b(?:which|what|list|give me|show me|find|find me|name|all|several|any)\b"
    rf"(?: [\w-]+){{0,4}} {_PAPERS}\b",
    rf"^(?:[\w-]+ ){{0,3}}{_PAPERS} (?:on|about|for|that|which|using|with|from|by|in"
    r"|published|since|before|after|between|until)\b",
    rf"^[\w\s-]+ {_PAPERS}\W*$",
    rf"\b(?:which|what) {_PAPERS}\b|\brelated[- ]work\b|\bliterature\b",
)
_ASKS_FOR_MANY = _any(
    rf"\b(?:which|what|list|give me|show me|find|find me|name)(?: all| some| any)?(?: of (?:the|these|them))?"
    rf"(?: [\w-]+){{0,2}} {_GROUP}\b",
    r"^list\b|\blist *$|\b(?:everything|everybody|anything and everything) (?:by|on|about|that|who)\b",
    r"\ball of (?:it|them)\b",
    r"\bwho (?:actually |all |else |here )?(?:deals?|shows?|works?|handles?)\b",
    r"\bwhat (?:have|do) we (?:got|have)\b",
    r"^who (?:all |else |here )?(?!is\b|was\b|has\b|does\b)\w+s\b",
    r"^who has (?:all )?(?:worked|written|published)\b",
    r"\bwhere is \w+ (?:used|applied)\b|^(?:models|methods|systems|tools) (?:built|that|which|for|on|with)\b",
    r"\boverview of\b",
)
_LOOKS_FOR_ONE = _any(
    rf"\bwhich (?:[\w-]+ ){{0,3}}{_ONE}\b|\b(?:paper|work|study|reference|one)s? (?:in which|where|called)\b",
    rf"\b(?:an?|the|that|any|some) (?:[\w-]+ )?{_ONE} (?:that|which|about|on|for|with)\b",
    rf"\bname of the {_ONE}\b|\bcalled\W*$",
    r"\bwho (?:did|does|solve[sd]?|settled|tweaks|has|have|made|proposed|built|wrote|came|found|put"
    r"|\w+ed)\b|\bwho\s*\??$|\bname\s*\??$",
    r"\bis there (?:a|an|any)|\bany(?:body|one)\b|\bsome(?:body|one)\b|\bsmth\b",
    r"\banything (?:that|which|on|about|for|to|like)\b|^(?:anything|something)\b",
    r"\bdoable\b",
    r"\bwhat (?:did|has|have) .{3,40} (?:publish|put out|write|written|done)\b|\bany \w+ (?:which|that|on)\b",
    r"^(?:looking for|find me|do you (?:know|remember)|i (?:need|remember|am looking|'m looking))\b",
    r"\b(?:which|what) paper\b",
)

RULES: tuple[Rule, ...] = (
    # Of several named papers.
    Rule("compare", _BETWEEN_SIDES, least=2),
    Rule("compare", _CONTRAST, least=2),
    Rule("compare", _CONTRAST, most=0),
    Rule("compare", _CONTRAST, unless=_NUMBER),
    Rule("compare", _any(_VERSUS), unless=_NUMBER),
    # Of many papers: how many, which goes farthest, in what order.
    Rule(
        "aggregate",
        _any(
            rf"\bhow many (?:of (?:the|these|those|them)\b|(?:\w+ ){{0,2}}{_PAPERS}\b)|\bin how many\b",
            r"^count\b",
            rf"^how many (?:[\w-]+ ){{0,3}}{_GROUP}\b",
            rf"\b(?:number|share|percentage|fraction) of (?:\w+ )?{_PAPERS}\b",
        ),
    ),
    Rule(
        "aggregate",
        _any(
            rf"\b{_MOST}\b.*\b(?:any(?:body|one)?|among|in these|across|whose|papers?|collection"
            r"|comes with|overall|here|reported|anywhere)\b",
            rf"\b(?:which|whose|who|among)\b.*\b{_MOST}\b",
            r"\b(?:sort|rank|order)(?:ed)? (?:\w+ ){0,6}by\b|^(?:sort|rank)\b|^top \d+\b",
            r"\b(?:on average|averaged) across\b",
            rf"^(?:the )?(?:average|mean|median|total)\b.*\b{_GROUP}\b",
        ),
    ),
    Rule(
        "aggregate",
        _any(
            rf"^(?:the |what(?:'?s| is| was| are| were) the |who (?:has|had|gets|reports"
            rf"|reaches) the )?(?:{_MOST}|max|min)\b",
            r"\b(?:of all|out of (?:all|the)|among(?:st)?)\b.*\b(?:best|worst|most|least|\w+est)\b",
            r"^(?:what(?:'?s| is) the )?(?:average|mean|median|total)\b",
        ),
        most=0,
    ),
    Rule("list", _ASKS_FOR_PAPERS),
    Rule("list", _ASKS_FOR_MANY, most=0),
    # Of one paper.
    Rule("lookup", _any(rf"^(?:an? |the |some )?{_ONE} (?:that|which|to|for|where)\b")),
    Rule("lookup", _any(rf"(?:\b(?:which|what) {_ONE}|[,.?-] ?(?:who|name|paper))\W*$")),
    Rule("lookup", _LOOKS_FOR_ONE, most=0, unless=_any(_OPENS_WITH_NUMBER.pattern, _ASKS_HOW.pattern)),
    Rule("number", _NUMBER, unless=_any(r"^(?:why|how do|how does|explain)\b")),
    Rule("compare", _any(r"\bcompared (?:to|with)\b"), least=1),
    Rule("explain", _EXPLAINS),
    Rule("explain", _any("."), least=1),
)
"""The first that fits decides."""


def kind_of(text: str, sides: int = 0, *, default: Kind = "lookup") -> Kind:
    """The kind of a question; `sides` is how many papers it names, `default` where no rule fits."""
    return next((rule.kind for rule in RULES if rule.fits(text, sides)), default)
