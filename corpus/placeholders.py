"""What stands where an abstract should: notes that there is none."""

from __future__ import annotations

import re

from corpus.rights import cut_front, cut_rights

_NONE = re.compile(
    r"[\W_]*(?:"
    r"(?:there is |this (?:article|paper|record|publication|work) "
    r"(?:has|have|contains?|does not have|doesn.t have) )?"
    r"(?:no|not?|an?|the)?\s*(?:abstract|summary|abstracts)\s*(?:text )?"
    r"(?:is |was |are )?(?:(?:currently |yet )?(?:not |un|is not |isn.t )?"
    r"(?:available|provided|supplied|given|found|present|included|exists?))?"
    r"(?: (?:for|in|from|of) (?:this|the) "
    r"(?:article|paper|record|item|publication|work|entry|source|database))?"
    r"|n\s*/?\s*a|none|null|nil|nan|undefined|unavailable|not available|unknown|missing|tbd|todo"
    r"|empty|no|abstract|summary"
    r"|not applicable|see (?:the )?(?:pdf|full text|article)|ohne abstract|kein abstract"
    r"|sans résumé|sin resumen"
    r"|an abstract is not available for this content.{0,80}|international audience|publisher(?:.?s)? summary"
    r"|\[figure:? see text\.?\]|see (?:the )?(?:pdf|full text|article|paper|publication)(?: for (?:the"
    r" )?abstract)?"
    r"|(?:abstract )?not (?:provided|supplied|given|present|found)|(?:does not|doesn.t) (?:contain|have"
    r"|include) an abstract"
    r"|(?:an )?abstract (?:is )?available (?:from|at|on) the (?:publisher|journal|author)s?(?:.s)?(?:"
    r" (?:web)?site)?"
    r"|0+|no description(?: available| provided)?|\.\.\."
    r")[\W_]*",
    re.I,
)
_NAMED = re.compile(
    r"no\b|not\b|international|publisher|figure|see |contain|^\W*0+\W*$|available|does|\bun|\bisn.t"
    r"|n.?a\b|none|null|nil|nan|^\W*(?:abstract|summary)\W*$|missing|empty",
    re.I,
)


def real_abstract(text: str) -> str | None:
    """The cleaned abstract without notices of rights, or None where nothing of an abstract is left."""
    text = cut_rights(cut_front(text))
    if not text or (len(text) < 120 and _NONE.fullmatch(text) and _NAMED.search(text)):
        return None
    return text if any(one.isalnum() for one in text) else None
