"""From a record as it stood in a file to a clean Paper: what is shown, quoted and searched."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import fields
from html import unescape

from corpus.labels import find_label
from corpus.latex import plain_text
from corpus.papers import Paper, Source, new_id
from corpus.readers.records import Record, Rejected
from corpus.residue import mend_residue
from corpus.short import shortened

_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_NAMES = "p|i|b|u|em|strong|italic|bold|sub|sup|br|span|div|sec|title|tt"
_TAG = re.compile(rf"<(/?)(?:jats:|mml:)?({_NAMES})(?:\s[^<>=]*=[^<>]*)?\s*/?>", re.I)
_SHOWN_TAGS = {"sup": "^", "p": " ", "br": " ", "div": " ", "sec": " "}
_UNSEEN = re.compile(
    r"[\u0000-\u0008\u000e-\u001b\u007f-\u0084\u0086-\u009f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064"
    r"\ue000\ue010\ue011\ufeff\ufff9-\ufffb]"
)
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_URL = re.compile(r"https?://(?:[^\s{}<>\"\\^`|]|\\[_%#&~])+", re.I)
_BROKEN_URL = re.compile(r"(https?://[\w.-]+/) (?=[\w.-]+/[\w.-]+)")
_LINK_TEXT = re.compile(r"(\ue010\d+\ue011)\}*\{([^{}]{0,80})\}")
_NO_NAME = re.compile(
    r"(?:this |the )?(?:https? )?(?:url|link|page|here|code|website)|\W*|\ue010\d+\ue011", re.I
)
_CLOSING = ".,;:!?'*’”»]"
_PAPER_FIELDS = {field.name for field in fields(Paper)} - {"sources"}
_HELD = re.compile(r"\ue010(\d+)\ue011")


def clean_text(raw: str) -> str:
    """The text in its own words, without LaTeX, tags, entities and stray braces, on one line."""
    text = _SURROGATE.sub("\ufffd", raw)
    text = _ENTITY.sub(lambda match: unescape(match[0]), text)
    text = _TAG.sub(lambda match: "" if match[1] else _SHOWN_TAGS.get(match[2].lower(), ""), text)
    text = _UNSEEN.sub("", unicodedata.normalize("NFC", text))
    text = _BROKEN_URL.sub(r"\1", " ".join(text.split()))
    # Addresses are held out: an underscore or a tilde in them is no LaTeX.
    urls = [match[0] for match in _URL.finditer(text)]
    held = iter(range(len(urls)))
    text = plain_text(_URL.sub(lambda match: f"\ue010{next(held)}\ue011{_tail(match[0])}", text))
    text = mend_residue(_LINK_TEXT.sub(_named_link, text))
    text = _HELD.sub(lambda match: _trim_url(urls[int(match[1])]), text)
    return " ".join(text.split())


def find_urls(text: str) -> list[str]:
    """The web addresses in a cleaned text, in their order, each once."""
    return list(dict.fromkeys(_trim_url(match[0]) for match in _URL.finditer(text)))


def _trim_url(url: str) -> str:
    """The address without the sentence's punctuation; a closing bracket stays where the address opens it."""
    end = len(url)
    surplus = url.count(")") - url.count("(")
    while end and (url[end - 1] in _CLOSING or (url[end - 1] == ")" and surplus > 0)):
        surplus -= url[end - 1] == ")"
        end -= 1
    return url[:end].replace("\\", "")


def _tail(url: str) -> str:
    """What follows the address in the matched run: the sentence's own punctuation."""
    bare = url.replace("\\", "")
    return bare[len(_trim_url(url)) :]


def _named_link(match: re.Match[str]) -> str:
    """An address and the words shown for it: "LOST Repo (https://...)"; "this url" says nothing."""
    return match[1] if _NO_NAME.fullmatch(match[2]) else f"{match[2]} ({match[1]})"


def paper_from(record: Record, file: str) -> Paper | Rejected:
    """The record as a clean Paper with this one source, or Rejected where it can't be one."""
    wrong = [name for name in ("title", "abstract") if not isinstance(record.fields.get(name), str | None)]
    if wrong:
        kind = type(record.fields[wrong[0]]).__name__
        return Rejected(file, record.number, f"{wrong[0]} is {kind}, not text", "mend the record")
    title, abstract = _text(record.fields.get("title")), _text(record.fields.get("abstract"))
    if not (title or abstract):
        return Rejected(file, record.number, "has neither a title nor an abstract", "add one of them")
    given = _given_id(record.fields.get("id"))
    urls = find_urls(abstract or "")
    return Paper(
        id=given or new_id(abstract or title or ""),
        label=shortened(_text(record.fields.get("label")) or find_label(title, abstract)),
        abstract=abstract,
        title=title,
        authors=_texts(record.fields.get("authors")),
        organisations=_texts(record.fields.get("organisations")),
        year=_year(record.fields.get("year")),
        venue=_text(record.fields.get("venue")),
        doi=clean_doi(record.fields.get("doi")),
        arxiv_id=clean_arxiv_id(record.fields.get("arxiv_id")),
        url=_web_address(record.fields.get("url")) or (urls[0] if len(urls) == 1 else None),
        keywords=_texts(record.fields.get("keywords")),
        sources=(Source(file, record.number),),
        aliases=tuple(alias for alias in _texts(record.fields.get("aliases")) if _given_id(alias)),
    )


def unused_fields(record: Record, paper: Paper) -> list[str]:
    """What of the record couldn't be used in the paper made of it, in words; the raw record keeps it."""
    lost = []
    for name, given in record.fields.items():
        if given in (None, "", [], ()) or name not in _PAPER_FIELDS:
            continue
        if not getattr(paper, name) or (name == "id" and paper.id != given):
            lost.append(f"{name} {shortened(repr(given))} can't be used and was left out")
    return lost


def clean_doi(value: object) -> str | None:
    """The bare DOI in lower case ("10.1145/3600006.3613139"), or None for what isn't one."""
    found = re.search(r"\b(10\.\d{4,9}/\S+)", str(value or ""))
    return found[1].rstrip(".,;").lower() if found else None


def clean_arxiv_id(value: object) -> str | None:
    """The bare arXiv id without its version ("2301.10936", "cs/9901001"), or None for what isn't one."""
    found = re.search(
        r"(?<![\d.])(\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?(?!\d)", str(value or "")
    )
    return found[1] if found else None


def _given_id(value: object) -> str | None:
    """An id that the record brings, where commands can take it: no spaces, no commas, no leading dash."""
    found = re.fullmatch(r"[\w][\w.:/+@-]{0,127}", value) if isinstance(value, str) else None
    return found[0] if found else None


def _text(value: object) -> str | None:
    return (clean_text(value) or None) if isinstance(value, str) else None


def _texts(value: object) -> tuple[str, ...]:
    """A list of texts, cleaned, each once; one text with semicolons counts as a list."""
    items = value.split(";") if isinstance(value, str) else value if isinstance(value, list | tuple) else []
    return tuple(dict.fromkeys(text for item in items if (text := _text(item))))


def _year(value: object) -> int | None:
    found = (
        re.fullmatch(r"\s*(1[5-9]\d\d|20\d\d|21\d\d)(?:\D.*)?", str(value))
        if isinstance(value, str | int)
        else None
    )
    return int(found[1]) if found else None


def _web_address(value: object) -> str | None:
    found = _URL.fullmatch(value.strip()) if isinstance(value, str) else None
    return found[0].replace("\\", "") if found else None
