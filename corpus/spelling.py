"""Words spelt in two ways, and words that differ by a slip; words of opposite parts are neither."""

from __future__ import annotations

import re
from functools import lru_cache

from rapidfuzz.distance import OSA

# British endings and stems, and the American ones for them.
_TABLE = (
    (r"(col|hum|tum|vap|behavi|flav|fav|hon|lab|neighb|harb|rum|arm|sav|endeav|od|rig)our", r"\1or"),
    (r"([a-z]{3})is(?=(?:e|es|ed|ing|er|ers|ation|ations)$)", r"\1iz"),
    (r"(al|ol|ar)ys(?=(?:e|es|ed|ing|er|ers)$)", r"\1yz"),
    (r"^anaem", "anem"),
    (r"(glyc|isch|leuk|vol|xic|kal|atr|cem|rem|lip)aem", r"\1em"),
    (r"haem", "hem"),
    (r"paed", "ped"),
    (r"oesoph", "esoph"),
    (r"^oest", "est"),
    (r"^foet", "fet"),
    (r"oedem", "edem"),
    (r"caec", "cec"),
    (r"aesth", "esth"),
    (r"gynaec", "gynec"),
    (r"^aeti", "eti"),
    (r"oenol", "enol"),
    (r"rrhoea", "rrhea"),
    (r"^sulph", "sulf"),
    (r"aluminium", "aluminum"),
    (r"^grey", "gray"),
    (r"(program|kilogram)me(?=s?$)", r"\1"),
    (r"(cent|fib|met|lit|theat)re(?=s?$)", r"\1er"),
    (r"(catal|dial|anal|monol)ogue(?=s?$)", r"\1og"),
    (r"(def|off|lic)ence", r"\1ense"),
    (r"([a-z]{3}[aeiou])ll(?=(?:ing|ed|er|ers)$)", r"\1l"),
    (r"(fulfi|enro|skillfu|wi)l(?=$|ment|ful)", r"\1ll"),
    (r"^plough", "plow"),
    (r"^mould", "mold"),
    (r"(jud|acknowled)gement", r"\1gment"),
    (r"^ageing", "aging"),
    (r"^artefact", "artifact"),
    (r"^disc(?=s?$)", "disk"),
)  # fmt: skip
_RULES = tuple((re.compile(pattern), other) for pattern, other in _TABLE)
# Parts of which one in the place of the other makes another word.
_OPPOSITES = tuple(
    frozenset(pair.split("/"))
    for pair in (
        "hypo/hyper inter/intra pre/post micro/macro over/under endo/exo mono/poly ante/anti pre/pro"
        " inter/intro "
        "intra/intro uni/multi uni/bi homo/hetero hypo/hypno ortho/meta ortho/para meta/para up/down in/out "
        "ab/ad af/ef in/de im/ex in/ex pro/anti iso/aniso eu/dys brady/tachy supra/infra super/sub a/an "
        "ate/ite ane/ene ane/yne ene/yne ose/ase ose/ol in/ase ide/ate"
    ).split()
)


@lru_cache(maxsize=65536)
def american(word: str) -> str:
    """The folded word in American spelling: "tumour" is "tumor", "analyse" is "analyze"."""
    for pattern, other in _RULES:
        word = pattern.sub(other, word)
    return word


def one_word(one: str, two: str) -> bool:
    """Whether two folded words are one, by another spelling or a plural."""
    one, two = american(one), american(two)
    if one == two or min(len(one), len(two)) < 4:
        return one == two
    short, long = sorted((one, two), key=len)
    return long in (f"{short}s", f"{short}es")


def is_slip(one: str, two: str) -> bool:
    """Whether one long word may be the other with one letter wrong, missing, too many or out of place."""
    if min(len(one), len(two)) < 6 or one[:3] != two[:3] or OSA.distance(one, two, score_cutoff=1) > 1:
        return False
    return not _opposite(one, two)


def _opposite(one: str, two: str) -> bool:
    for pair in _OPPOSITES:
        first, second = sorted(pair)
        for part, other in ((first, second), (second, first)):
            if part in one and two in (one.replace(part, other, 1), other.join(one.rsplit(part, 1))):
                return True
    return False
