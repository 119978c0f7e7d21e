"""From a record as it stood in a file to a clean Paper: what is shown, quoted and searched."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import fields

from corpus.identifiers import find_identifiers
from corpus.labels import find_label
from corpus.latex import held_braces, plain_text, shown_braces
from corpus.markup import headed, unescaped, without_tags
from corpus.papers import Paper, Source, new_id
from corpus.people import clean_names
from corpus.placeholders import real_abstract
from corpus.readers.own import stated_sources
from corpus.readers.records import Record, Rejected
from corpus.residue import mend_residue
from corpus.short import shortened
from corpus.years import clean_year

_UNSEEN = re.compile(
    r"[\u0000-\u0008\u000e-\u001b\u007f-\u0084\u0086-\u009f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064"
    r"\ue000\ue002\ue003\ue010\ue011\ufeff\ufff9-\ufffb]"
)
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_URL = re.compile(r"https?://(?:[^\s{}<>\"\\^`|]|\\[_%#&~])+", re.I)
_BROKEN_URL = re.compile(r"(https?://[\w.-]+/) (?=[\w.-]+/[\w.-]+)")
_LINK_TEXT = re.compile(r"(\ue010\d+\ue011)\}*\{([^{}]{0,80})\}")
_NO_NAME = re.compile(
    r"(?:this |the )?(?:https? )?(?:url|link|page|here|code|website)|\W*|\ue010\d+\ue011", re.I
)
_NO_TITLE = re.compile(r"\W*(?:\[?no title(?: available)?\]?|untitled|n/a|none|null|not available)\W*", re.I)
# "well-" at a line's end and "trained" on the next are one word; "short-" and "and long-term" are two.
_HYPHEN = re.compile(
    r"(?<=[^\W\d_])-[ \t]*\r?\n\s*(?=[^\W\d_])(?!(?:and|or|to|versus|vs|und|oder|et|y|e)\b)", re.I
)
_LATEX_TAG = re.compile(
    r"\{?\\textless(?:\{\})?\}?\s?(/?[a-z][\w:-]*/?)\s?\{?\\textgreater(?:\{\})?\}?", re.I
)
_MAIL = re.compile(r"[\s,;(]*(?:electronic address:?|e-?mail:?)?\s*[\w.+-]+@[\w-]+(?:\.[\w-]+)+\)?\.?", re.I)
_MEMBERS = re.compile(r"\[[^\[\]]*\]\s*")
_STAR = re.compile(r"^\*|(?<=/)\*|(?<=\w{3})\*(?=/|$)")
_CLOSING = ".,;:!?'*’”»]"
_PAPER_FIELDS = {field.name for field in fields(Paper)} - {"sources"}
_HELD = re.compile(r"\ue010(\d+)\ue011")


def clean_text(raw: str) -> str:
    """The text in its own words, without LaTeX, tags, entities and stray braces, on one line."""
    text = _SURROGATE.sub("\ufffd", raw)
    text = without_tags(unescaped(_LATEX_TAG.sub(r"<\1>", _HYPHEN.sub("-", text))))
    text = _UNSEEN.sub("", unicodedata.normalize("NFC", text))
    text = _BROKEN_URL.sub(r"\1", " ".join(text.split()))
    # Addresses are held out: an underscore or a tilde in them is no LaTeX.
    urls = [match[0] for match in _URL.finditer(text)]
    held = iter(range(len(urls)))
    text = held_braces(_URL.sub(lambda match: f"\ue010{next(held)}\ue011{_tail(match[0])}", text))
    text = shown_braces(mend_residue(_LINK_TEXT.sub(_named_link, plain_text(text))))
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
    title, abstract = _title(record.fields.get("title")), clean_abstract(record.fields.get("abstract"))
    if not (title or abstract):
        return Rejected(file, record.number, "has neither a title nor an abstract", "add one of them")
    return _paper(record, file, title, abstract)


def _paper(record: Record, file: str, title: str | None, abstract: str | None) -> Paper:
    field = record.fields.get
    urls = find_urls(abstract or "")
    url = _web_address(field("url"))
    known = find_identifiers(
        doi=field("doi"), arxiv_id=field("arxiv_id"), pmid=field("pmid"), url=url or field("url")
    )
    return Paper(
        id=_given_id(field("id")) or new_id(abstract or title or ""),
        label=shortened(_text(field("label")) or find_label(title, abstract)),
        abstract=abstract,
        title=title,
        authors=clean_names(field("authors"), clean_text),
        organisations=_organisations(field("organisations")),
        year=clean_year(field("year")),
        venue=_text(field("venue")),
        doi=known.doi,
        arxiv_id=known.arxiv_id,
        url=url or (urls[0] if len(urls) == 1 else None),
        keywords=_keywords(field("keywords")),
        sources=tuple(dict.fromkeys((Source(file, record.number), *stated_sources(field("sources"))))),
        aliases=tuple(alias for alias in _texts(field("aliases")) if _given_id(alias)),
        pmid=known.pmid,
        other_ids=tuple(
            dict.fromkeys(
                [
                    *([f"arxiv:{known.arxiv_version}"] if known.arxiv_version else []),
                    *_texts(field("other_ids")),
                ]
            )
        ),
    )


def clean_abstract(value: object) -> str | None:
    """The abstract's text, sections headed "METHODS:"; None for a note that there is none."""
    if not isinstance(value, str):
        return None
    return real_abstract(clean_text(headed(value)))


def unused_fields(record: Record, paper: Paper) -> list[str]:
    """What of the record couldn't be used in the paper made of it, in words; the raw record keeps it."""
    lost = []
    for name, given in record.fields.items():
        if given in (None, "", [], ()) or name not in _PAPER_FIELDS or name in ("title", "abstract"):
            continue
        if not getattr(paper, name) or (name == "id" and paper.id != given):
            lost.append(f"{name} {shortened(repr(given))} can't be used and was left out")
    return lost


def _given_id(value: object) -> str | None:
    """An id that the record brings, where commands can take it: no spaces, no commas, no leading dash."""
    found = re.fullmatch(r"[\w][\w.:/+@-]{0,127}", value) if isinstance(value, str) else None
    return found[0] if found else None


def _text(value: object) -> str | None:
    return (clean_text(value) or None) if isinstance(value, str) else None


def _title(value: object) -> str | None:
    """A title, None for what stands where there is none."""
    text = _text(value)
    return None if text and _NO_TITLE.fullmatch(text) else text


def _keywords(value: object) -> tuple[str, ...]:
    """Keywords, each once whatever its case; a text is cut at semicolons, line ends, bars, else at commas."""
    items: list[object] = (
        [value] if isinstance(value, str) else list(value) if isinstance(value, list | tuple) else []
    )
    words: dict[str, str] = {}
    for item in items:
        if isinstance(item, str):
            cut = _cut(unescaped(item), alone=isinstance(value, str) or len(items) == 1)
            for word in cut:
                if text := _STAR.sub("", clean_text(word)).strip(" ,;."):
                    words.setdefault(text.casefold(), text)
    return tuple(words.values())


def _cut(text: str, *, alone: bool) -> list[str]:
    strong = [part for part in re.split(r"\s*(?:;|\n|\||·|•|\\sep\b)\s*", text) if part.strip()]
    if len(strong) > 1 or not alone or text.count(",") < 2:
        return strong
    return re.split(r"\s*,\s*", text)


def _texts(value: object) -> tuple[str, ...]:
    """A list of texts, cleaned, each once; one text with semicolons counts as a list."""
    items = value.split(";") if isinstance(value, str) else value if isinstance(value, list | tuple) else []
    return tuple(dict.fromkeys(text for item in items if (text := _text(item))))


def _organisations(value: object) -> tuple[str, ...]:
    """Organisations without the people in front of them and the addresses behind them."""
    items = [value] if isinstance(value, str) else value if isinstance(value, list | tuple) else []
    bare = [_MAIL.sub("", _MEMBERS.sub("", item)) for item in items if isinstance(item, str)]
    return _texts(bare[0] if isinstance(value, str) and bare else bare)


def _web_address(value: object) -> str | None:
    found = _URL.fullmatch(value.strip()) if isinstance(value, str) else None
    return found[0].replace("\\", "") if found else None
