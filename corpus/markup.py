"""HTML, JATS, MathML and entities turned into plain text; headings of structured abstracts kept."""

from __future__ import annotations

import re
from html import unescape

_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_NAMES = (
    "p|i|b|u|em|strong|italic|bold|sub|sup|br|span|div|sec|title|tt|h[1-6]|ul|ol|li|dl|dt|dd|table"
    "|tbody|tr|td|th"
    "|big|small|font|center|strike|monospace|underline|inf|section|abstracttext|list-item|inline-formula"
    "|disp-formula|tex-math|tex|ext-link|xref|styled-content|named-content|math|mrow|mi|mo|mn|msub|msup|msubsup"
    "|mfrac|msqrt|mtext|mover|munder|mspace|mstyle|mfenced|semantics|alternatives"
)
_PREFIXED = r"(?:jats|mml|xhtml|html):"
_ATTRIBUTES = r"(?:\s[^<>=]*=[^<>]*)?\s*/?"
_TAG = re.compile(rf"<(/?)(?:{_PREFIXED}([a-z][a-z-]*[1-6]?)|({_NAMES})){_ATTRIBUTES}>", re.I)
_LINK = re.compile(r"</a\s*>|<a\s[^<>=]*=[^<>]*>", re.I)
_SHOWN = {
    "sup": "^",
    "msup": "",
    **dict.fromkeys(("p", "br", "div", "sec", "title", "li", "tr", "td", "th", "dt", "dd"), " "),
}
_SHOWN |= dict.fromkeys(
    ("section", "abstracttext", "list-item", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6"), " "
)
_ENDING = ("li", "list-item", "title", "td", "th", "dt", "dd", "h1", "h2", "h3", "h4", "h5", "h6")
_UNSEEN = re.compile(
    r"<!\[CDATA\[|\]\]>|<!--[^<>]{0,500}-->"
    r"|<(?:mml:)?annotation\b[^<>]*>[^<]*</(?:mml:)?annotation\s*>",
    re.I | re.S,
)

_SECTIONS = (
    "background|introduction|context|rationale|importance|objectives?|aims?|purpose|goals?"
    "|hypothes[ei]s|question"
    "|methods?|methodology|approach|design|setting|participants|patients|subjects|population|interventions?"
    "|materials?|procedures?|measurements?|measures|main outcome measures?|outcomes?|data sources?|data"
    "|study selection"
    "|data extraction|data synthesis|results?|findings|main results|key findings|discussion|conclusions?"
    "|interpretation|implications|significance|limitations?|originality|value|funding|trial registration"
    "|registration|summary|keywords?|statement of significance|novelty|evidence acquisition"
    "|evidence synthesis"
    "|search methods|selection criteria|data collection|author.?s.? conclusions"
    "|statistical analysis|case report"
)
_SECTION = re.compile(
    rf"(?:\W|\d|\b(?:{_SECTIONS}|and|of|the|study|main|research|practical|theoretical)\b)+", re.I
)
_TITLE = re.compile(
    rf"<(?:{_PREFIXED})?(title|h[1-6])(?:\s[^<>=]*=[^<>]*)?>\s*([^<>]{{1,80}}?)\s*</(?:{_PREFIXED})?\1\s*>",
    re.I,
)
_BOLD = re.compile(
    rf"<(?:{_PREFIXED})?(b|bold|strong|i|em|italic|u"
    rf"|underline)>\s*([^<>]{{1,60}}?)\s*</(?:{_PREFIXED})?\1\s*>(\s*[:.—–-])?",
    re.I,
)
_LABELLED = re.compile(r"<(?:AbstractText|section|sec)\s[^<>]*?\blabel=\"([^\"<>]{1,80})\"[^<>]*>", re.I)
_BEFORE = re.compile(r"(?:^|>|[.!?:;)\]]|\n)\s*$")


def unescaped(text: str) -> str:
    """The text with its entities replaced, those of entities too ("&amp;lt;" is "<")."""
    for _ in range(3):
        before, text = text, _ENTITY.sub(lambda match: unescape(match[0]), text)
        if text == before or "&" not in text:
            break
    return text


def without_tags(text: str) -> str:
    """The text of a piece of HTML, JATS or MathML; "a < b" and "<s>" stay."""
    if "<" not in text and "]]>" not in text:
        return text
    text = _LINK.sub("", _UNSEEN.sub("", text))
    return _TAG.sub(_shown, text)


def headed(text: str) -> str:
    """The abstract with the headings of its sections as "METHODS:", whatever tag they stood in."""
    text = unescaped(text)
    if "<" not in text:
        return text
    text = _LABELLED.sub(lambda match: f"\n{_heading(match[1])} ", text)
    text = _TITLE.sub(lambda match: f"\n{_heading(match[2])} ", text)
    return _BOLD.sub(_bold_heading, text)


def _heading(text: str) -> str:
    words = text.strip(" :.—–-\n")
    return "" if not words or words.lower() in ("abstract", "summary") else f"{words.upper()}:"


def _bold_heading(match: re.Match[str]) -> str:
    """A bold word that begins a paragraph or follows a sentence, if it names a section."""
    before = match.string[max(0, match.start() - 40) : match.start()]
    words = match[2].strip(" :.—–-")
    if not words or not _SECTION.fullmatch(words) or not words[0].isupper() or not _BEFORE.search(before):
        return match[0]
    ended = bool(match[3]) or match[2][-1] in ":."
    follows = match.string[match.end() : match.end() + 4].lstrip(" ")
    if not ended and match[1].lower() not in ("b", "bold", "strong") and not follows.startswith(("<", "\n")):
        return match[0]
    return f" {_heading(words)} "


def _shown(match: re.Match[str]) -> str:
    name = (match[2] or match[3]).lower()
    if match[1]:
        return " " if name in _ENDING else ""
    return _SHOWN.get(name, "")
