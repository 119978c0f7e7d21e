"""Names of persons as "Given Family", whatever form a file has them in."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

ET_AL = "et al."
_OTHERS = re.compile(r"(?:and\s+)?(?:et\.?\s*al\.?|others|…|\.\.\.)", re.I)
_AND_OTHERS = re.compile(r",?\s+(?:et\.?\s+al\.?|(?:and|&)\s+others)\s*$", re.I)
_SUFFIX = re.compile(r"(?:jr|sr|junior|senior|i{2,3}|iv|2nd|3rd|4th)\.?", re.I)
_DEGREE = re.compile(
    r"(?:ph\.?\s?d|m\.?d|m\.?sc|b\.?sc|m\.?a|m\.?p\.?h|d\.?phil|dr\.?\s?med|r\.?n|m\.?b\.?a|f\.?r\.?c\.?p)\.?",
    re.I,
)
_INITIALS = re.compile(r"(?:[^\W\d_]\.?-?){1,4}")
_PARTICLE = "van|von|der|den|de|del|della|di|da|dos|du|la|le|zu|ter|ten|bin|ibn|al|el"
_NOISE = re.compile(
    r"\s*(?:<[^<>]*>|\[[^\[\]]*\]|\(?(?:https?://)?orcid[^\s)]*\)?|\(?[\w.+-]+@[\w.-]+\)?|[*†‡§¶]+|(?<=[^\W\d_])\s?\^?[(\[]?\d{1,2}(?:\s?,\s?\d{1,2})*[)\]]?"
    r"|(?<=[a-z.])\d+|\s0\d{3}|[¹²³⁰⁴-⁹](?:[,\s]*[¹²³⁰⁴-⁹])*|\(?(?:\d{4}-){3}\d{3}[\dX]\)?)[\s,]*$",
    re.I,
)
_NOBODY = re.compile(
    r"\W*(?:no authors?(?: names?)?(?: is| are)?(?: available| listed| given| provided| found)?|n/a"
    r"|(?:authors? )?(?:unknown|anonymous)(?: authors?)?|anon\.?|none|null|nan|not (?:available|given|listed)"
    r"|without author|no author id found)\W*|[\W\d_]*",
    re.I,
)
# What stands behind names in one text, which is then cut at commas.
_NUMBERS = re.compile(r"(?<=[^\W\d_])\s?(?:\d{1,2}|[¹²³⁰⁴-⁹])(?:\s?,\s?\d{1,2})*(?=\s*(?:,|$|\band\b|&))")
_GROUP = re.compile(
    r"\b(?:universit\w+|department|institut\w*|group|consortium|committee|collaboration|collaborat\w+|association"
    r"|society|organi[sz]ation|ministry|council|cent(?:er|re)|agency|foundation|inc|ltd|llc|gmbh|team|network"
    r"|initiative|project|investigators|trial|office|bureau|commission|federation|laborator\w+|corporation"
    r"|college|hospital|school|academy|programme|program|working|force|authors|researchers|company|press)\b",
    re.I,
)
_UNKNOWN = ("null", "None", "NULL", "n/a", "NA", "nan")
# Longer ones aren't names of persons.
_LONG = 200
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")


def clean_names(value: object, clean: Callable[[str], str]) -> tuple[str, ...]:
    """Each author once, in order, as "Given Family"; `clean` takes markup out of one name.

    "Family GA" (PubMed) becomes "GA Family" where most names of the list look so. "et al." comes last.
    """
    raw = _split(value) if isinstance(value, str) else value if isinstance(value, list | tuple) else []
    if len(raw) == 1 and isinstance(raw[0], str) and all(map(_initials_behind, raw[0].split(","))):
        raw = raw[0].split(",")  # "Roe A, Li CD"
    kept: list[tuple[str, bool]] = []
    more = False
    for item in raw:
        if not isinstance(item, str):
            continue
        name = clean(item)
        if _NOBODY.fullmatch(name):
            continue
        if len(name) > _LONG:
            kept.append((name, True))
            continue
        if _OTHERS.fullmatch(name):
            more = True
            continue
        bare = _AND_OTHERS.sub("", name)
        more = more or bare != name
        braced = item.strip().startswith("{") and item.strip().endswith("}") and item.count("{") == 1
        if bare := _bare(bare):
            kept.append((bare, braced))
    plain = [name for name, braced in kept if not braced and "," not in name]
    behind = 2 * sum(_initials_behind(name) for name in plain) >= len(plain) if plain else False
    names = [name if braced else clean_name(name, initials_behind=behind) for name, braced in kept]
    return (*dict.fromkeys(name for name in names if name), *([ET_AL] if more else []))


def clean_name(name: str, *, initials_behind: bool = True) -> str:
    """One name as "Given Family"; a group's name as it is."""
    if _GROUP.search(name):
        return name
    parts = [part.strip() for part in name.split(",") if part.strip() and part.strip() not in _UNKNOWN]
    if not parts:
        return ""
    while len(parts) > 1 and _DEGREE.fullmatch(parts[-1]):
        del parts[-1]
    if len(parts) == 1:
        return _turned(parts[0]) if initials_behind and _initials_behind(parts[0]) else parts[0]
    suffix = next((part for part in parts[1:] if _SUFFIX.fullmatch(part)), "")
    if suffix:
        parts.remove(suffix)
    if len(parts) > 2:
        return name
    family, given = parts[0], parts[1] if len(parts) == 2 else ""
    if given and _CJK.fullmatch(family) and _CJK.fullmatch(given):
        return family + given
    if given and _lowered(family) != family and len(given) > 3:
        given = _lowered(given)
    return " ".join(part for part in (given, _lowered(family) if given else family, suffix) if part)


def _split(text: str) -> Sequence[str]:
    """The names in one text: by semicolons, by "and" as BibTeX writes them, by commas where these part"
    " names."""
    if ";" in text:
        return text.split(";")
    if _GROUP.search(text):
        return [text]
    text = text if "{" in text or "@" in text or "orcid" in text.lower() else _NUMBERS.sub("", text)
    parts = [part.strip(" ,") for part in re.split(r"\s+(?:and|&)\s+|,\s*&\s*", text)]
    cut = [_between_commas(part) for part in parts]
    if len(parts) > 1 and any(len(names) == 1 and "," in names[0] for names in cut):
        return parts
    return [name for names in cut for name in names]


def _between_commas(text: str) -> list[str]:
    """The names that commas part: "Anna Roe, Chen Li", "Roe A, Li CD", "Roe, A., Li, C."; else the text"
    " as one."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    core = [part for part in parts if not (_SUFFIX.fullmatch(part) or _DEGREE.fullmatch(part))]
    if len(parts) < 2 or len(core) < len(parts) or "{" in text:
        return [text]
    if all(" " in part for part in parts) and not re.match(rf"(?:{_PARTICLE})\s", text):
        return parts
    if all(map(_initials_behind, parts)):
        return parts
    pairs = list(zip(parts[::2], parts[1::2], strict=False))
    if len(parts) >= 4 and len(parts) % 2 == 0 and all(_is_pair(*pair) for pair in pairs):
        return [f"{family}, {given}" for family, given in pairs]
    return [text]


def _is_pair(family: str, given: str) -> bool:
    """Whether the two are a family name and what goes before it."""
    initials = bool(_INITIALS.fullmatch(given.replace(" ", "")))
    return " " not in family.strip() or bool(re.match(rf"(?:{_PARTICLE})\s", family)) or initials


def _bare(name: str) -> str:
    """The name without notes behind it: an address, an ORCID, marks of footnotes."""
    if _GROUP.search(name):
        return name.strip(" ,;")
    for _ in range(4):
        shorter = _NOISE.sub("", name)
        if shorter == name or not shorter:
            break
        name = shorter
    return name.strip(" ,;")


def _initials_behind(name: str) -> bool:
    """Whether the name is like "Smith JA", "SMITH J." or "van der Berg GA Jr"."""
    words = _without_suffix(name.split())
    if len(words) < 2 or _GROUP.search(name):
        return False
    last = words[-1]
    return (
        bool(_INITIALS.fullmatch(last))
        and last == last.upper()
        and len(last.replace(".", "").replace("-", "")) <= (4 if "." in last else 3)
        and all(len(word.strip(".")) > 1 and "." not in word for word in words[:-1])
        and not _SUFFIX.fullmatch(last)
    )


def _without_suffix(words: list[str]) -> list[str]:
    return words[:-1] if len(words) > 2 and _SUFFIX.fullmatch(words[-1]) else words


def _turned(name: str) -> str:
    words = name.split()
    core = _without_suffix(words)
    return " ".join((core[-1], _lowered(" ".join(core[:-1])), *words[len(core) :]))


def _lowered(family: str) -> str:
    """A family name without shouting: "SMITH" is "Smith", "VAN DER BERG" is "van der Berg"."""
    letters = [one for one in family if one.isalpha()]
    if len(letters) < 3 or "." in family or family != family.upper() or family == family.lower():
        return family
    words = (word.lower() if re.fullmatch(_PARTICLE, word, re.I) else word.title() for word in family.split())
    return " ".join(words).replace("’S", "’s")
