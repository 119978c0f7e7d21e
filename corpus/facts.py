"""What a record says of the work it describes, as far as it tells works apart; whether two say the same."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict, dataclass

from corpus.authorship import Agreement, agreement, fold
from corpus.papers import Paper, text_key
from corpus.people import ET_AL
from corpus.titles import content_words, like, parts_of, title_key

_PREPRINT = re.compile(
    r"10\.(?:48550|21203|26434|31234|31219|31235|31222|20944|2139|36227|22541|35542|33774|55458|32942|51094|12688"
    r"|14293|7287|3897|33767|31224|31223|31730|47340|5281|6084|17605)/"
    r"|10\.1101/(?:\d{4}\.\d\d\.\d\d\.\d+|\d{6})|10\.64898/"
)
_PREPRINT_VENUE = re.compile(
    r"\b(?:arxiv|biorxiv|medrxiv|chemrxiv|psyarxiv|socarxiv|ssrn|corr|research square|preprints?"
    r"|eartharxiv|techrxiv)\b|working paper",
    re.I,
)
_DOI_VERSION = re.compile(r"(?:[./-]?v\d{1,2}|/\d)$")
_BOOK_DOI = re.compile(r"/(?:b\d{4,6}|\d{3,5}|(?:[a-z]{2,5})?97[89]\d{10}|97[89][-\d]{14})$")
_ALIKE = ("same", "part", "near", "slip")
# What of a title, of a name and of a list of authors is compared: more has no real paper.
_TITLE, _NAME, _PEOPLE = 400, 120, 200
_GENERIC = frozenset(
    (
        "editorial|introduction|preface|foreword|letter|letters|letter to the editor|letters to the editor|"
        "reply|comment|comments|commentary|erratum|errata|correction|corrections|corrigendum|news|"
        "book review|book reviews|conclusion|conclusions|index|contents|table of contents|references|"
        "summary|response|authors reply|author response|in this issue|from the editor|editors note|"
        "editors introduction|acknowledgements|acknowledgments|obituary|in memoriam|abstracts|"
        "poster abstracts|discussion|overview|guest editorial|guest editors introduction|"
        "message from the chairs|prologue|epilogue|afterword|appendix|bibliography|glossary|front matter|"
        "back matter|cover|masthead|editorial board|announcement|announcements|highlights|perspective|"
        "viewpoint|correspondence|research highlights|calendar|reviewers|call for papers|welcome|"
        "about the authors|notes|note|abstract|review|opinion|interview|case report|"
        "images in clinical medicine|clinical case|welcome message|introductory remarks|general discussion|"
        "concluding remarks|special issue|introduction to the special issue|editorial introduction|"
        "program committee|proceedings|workshop summary|panel discussion|background|methods|results|"
        "literature review|new books|books received|in brief|world watch|this month|whats new|focus|"
        "spotlight|opening remarks|title page|copyright page|copyright notice|author index|subject index"
        "|committees|"
        "organizing committee|organising committee|technical program committee|conference committees|"
        "steering committee|conference program|technical program|program at a glance|list of reviewers|"
        "reviewer list|welcome from the chairs|welcome message from the chairs|"
        "message from the general chairs|message from the program chairs|message from the general chair|"
        "welcome to the conference|call for contributions|information for authors|instructions for authors|"
        "society information|publication information|keynotes|keynote|keynote speakers|invited talks"
        "|tutorials|"
        "workshops|sponsors|blank page|cover page|cover art|frontmatter|backmatter|advertisement|copyright|"
        "table of content|list of contents|conference information|editors page|officers and editorial board"
    ).split("|")
)


@dataclass(frozen=True)
class Facts:
    """A record's identifiers, title, people, year, venue and the words of its abstract (their digest).

    `also` are further identifiers ("doi:10.1101/1"), of records that were merged before they were exported.
    """

    title: str = ""
    people: tuple[str, ...] = ()
    year: int | None = None
    venue: str = ""
    doi: str = ""
    arxiv: str = ""
    pmid: str = ""
    text: str = ""
    words: int = 0
    also: tuple[str, ...] = ()

    def dump(self) -> str:
        """The facts as a line of JSON."""
        return json.dumps(list(asdict(self).values()), ensure_ascii=False)

    @classmethod
    def load(cls, line: str) -> Facts:
        """The facts that `dump` wrote."""
        title, people, *rest, also = json.loads(line)
        year, venue, doi, arxiv, pmid, text, words = rest
        return cls(title, tuple(people), year, venue, doi, arxiv, pmid, text, words, tuple(also))


def facts_of(paper: Paper) -> Facts:
    """The facts of a record as it was read."""
    people = tuple(dict.fromkeys(fold(name[:_NAME]) for name in paper.authors[:_PEOPLE] if name != ET_AL))
    arxiv = re.sub(r"v\d+$", "", paper.arxiv_id or "")
    doi = paper.doi or ""
    if not arxiv and doi.startswith("10.48550/arxiv."):
        arxiv = re.sub(r"v\d+$", "", doi.removeprefix("10.48550/arxiv."))
    words = text_key(paper.abstract or "")
    return Facts(
        title=(paper.title or "")[:_TITLE],
        people=tuple(name for name in people if name),
        year=paper.year,
        venue=paper.venue or "",
        doi=doi,
        arxiv=re.sub(r"\.[A-Z]{2}/", "/", arxiv),
        pmid=paper.pmid or "",
        text=_digest(words) if words else "",
        words=len((paper.abstract or "").split()),
        also=tuple(one for one in paper.other_ids if one.startswith(("doi:", "pmid:"))),
    )


def same_work(one: Facts, two: Facts) -> bool:
    """Whether the two records describe one paper; the same whichever comes first.

    An arXiv id or PubMed id in common decides; a DOI in common unless title and people say that it is the
    book's whose chapters they are; else equal words of the abstract; else title, people and year together,
    where no identifier speaks against it.
    """
    if one == two:
        return True
    people = agreement(one.people, two.people)
    if _shared(one.arxiv, two.arxiv) or _ids(one, "pmid:") & _ids(two, "pmid:"):
        return people != "no" or _near_years(one, two) or like(one.title, two.title) in _ALIKE
    by_doi, by_text = bool(_ids(one, "doi:") & _ids(two, "doi:")), _shared(one.text, two.text)
    if not (by_doi or by_text) and (people == "no" or _conflict(one, two)):
        return False  # spares the comparison of titles, which costs most
    titles = like(one.title, two.title) if one.title and two.title else None
    if by_doi:
        return _same_by_doi(one, two, titles, people)
    if by_text and titles != "clash" and not (titles == "other" and _is_boilerplate(one, two, people)):
        if min(one.words, two.words) >= 15 or titles is None:
            return True
        if titles != "other" and people != "no" and not _conflict(one, two):
            return True
    if titles in (None, "clash", "other") or people == "no" or _conflict(one, two):
        return False
    if titles == "slip" and one.text and two.text:
        return False  # "mediation" and "medication": both texts are there, and differ
    return _same_by_title(one, two, titles == "same", people)


def differ(one: Facts, two: Facts) -> bool:
    """Whether people, titles or identifiers say that these are two works."""
    clash = bool(one.title and two.title) and like(one.title, two.title) == "clash"
    return clash or _conflict(one, two) or agreement(one.people, two.people) == "no"


def is_generic(title: str) -> bool:
    """Whether many papers have such a title: "Editorial", "Introduction"."""
    pieces = parts_of(title)
    return (
        " ".join(fold(title).split()) in _GENERIC
        or not content_words(title)
        or (bool(pieces) and fold(pieces[0]) in _GENERIC and len(content_words(pieces[1])) < 3)
    )


def _is_boilerplate(one: Facts, two: Facts, people: Agreement) -> bool:
    """Whether a text that records of different titles share is one that many records have."""
    if is_generic(one.title) or is_generic(two.title) or _conflict(one, two):
        return True
    apart = bool(one.doi and two.doi) and is_preprint(one) == is_preprint(two)
    return people != "yes" and apart and bare_doi(one.doi) != bare_doi(two.doi)


def _near_years(one: Facts, two: Facts) -> bool:
    """Whether the years don't speak against one work: unknown, or next to each other."""
    return not (one.year and two.year) or abs(one.year - two.year) <= 1


def bare_doi(doi: str) -> str:
    """The DOI without a preprint's version: "10.21203/rs.3.rs-1/v2" is "10.21203/rs.3.rs-1"."""
    return _DOI_VERSION.sub("", doi) if _PREPRINT.match(doi) else doi


def is_preprint(facts: Facts) -> bool:
    """Whether the record is a preprint's."""
    if facts.doi:
        return bool(_PREPRINT.match(facts.doi))
    return bool(_PREPRINT_VENUE.search(facts.venue)) or (
        bool(facts.arxiv) and not facts.venue and not facts.pmid
    )


def _same_by_doi(one: Facts, two: Facts, titles: str | None, people: Agreement) -> bool:
    if titles is None or titles in _ALIKE:
        return titles != "same" or people != "no" or not is_generic(one.title)
    if titles == "clash":
        return False
    if _shared(one.text, two.text) and one.words >= 15:
        return True
    return people != "no" and not _BOOK_DOI.search(one.doi)


def _same_by_title(one: Facts, two: Facts, equal: bool, people: Agreement) -> bool:
    apart = abs(one.year - two.year) if one.year and two.year else None
    if is_generic(one.title):
        venue = bool(one.venue) and fold(one.venue) == fold(two.venue)
        return equal and people == "yes" and apart == 0 and venue
    size = min(len(content_words(one.title)), len(content_words(two.title)))
    if people == "yes":
        if apart is None or apart <= 1:
            return size >= 2 or (equal and apart in (0, None))
        preprint = is_preprint(one) != is_preprint(two)
        return preprint and apart <= 4 and size >= 4
    if not equal or len(title_key(one.title)) < 25:
        return False
    return size >= 4 if apart is not None and apart <= 1 else size >= 5 and apart is None


def _conflict(one: Facts, two: Facts) -> bool:
    """Whether identifiers say that these are two works: of a preprint and what became of it they don't."""
    if one.arxiv and two.arxiv and one.arxiv != two.arxiv:
        return True
    mixed = is_preprint(one) != is_preprint(two)
    if one.pmid and two.pmid and one.pmid != two.pmid and not mixed:
        return True
    if not (one.doi and two.doi) or mixed or bare_doi(one.doi) == bare_doi(two.doi):
        return False
    return one.doi.partition("/")[0] == two.doi.partition("/")[0]


def _ids(facts: Facts, kind: str) -> set[str]:
    """The record's DOIs or PubMed ids, the main one and the others."""
    main = f"doi:{bare_doi(facts.doi)}" if kind == "doi:" else f"pmid:{facts.pmid}"
    return ({main} if main != kind else set()) | {one for one in facts.also if one.startswith(kind)}


def _shared(one: str, two: str) -> bool:
    return bool(one) and one == two


def _digest(words: str) -> str:
    return hashlib.blake2b(words.encode("utf-8", "replace"), digest_size=12).hexdigest()
