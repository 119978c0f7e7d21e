"""Tagged exports: RIS in its dialects, MEDLINE, Web of Science, EndNote, RefWorks and Ovid."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from corpus.readers import FORMATS, Record, Rejected, read_path, read_stream
from corpus.readers import taglines as taglines_module
from corpus.readers.formats import recognise

EXPORTS = Path(__file__).parents[2] / "shared" / "exports"
TAGGED = ("ovid", "nbib", "ris", "wos", "refworks", "endnote")
PROSE = "Sparse attention keeps a few of the keys for each query and so saves most of the work. " * 3


def _read(text: str | bytes, format: str | None = None) -> list[Record | Rejected]:
    data = text.encode() if isinstance(text, str) else text
    return list(read_stream(io.BytesIO(data), "-", format=format))


def _records(text: str | bytes, format: str | None = None) -> list[Record]:
    items = _read(text, format)
    assert all(isinstance(item, Record) for item in items), items
    return [item for item in items if isinstance(item, Record)]


def _one(text: str | bytes, format: str | None = None) -> Mapping[str, object]:
    [record] = _records(text, format)
    return record.fields


ZOTERO = """TY  - JOUR
TI  - Pruning as a search for wiring
AU  - van den Berg, Åsa
AU  - Okafor, Chi N.
T2  - Journal of Small Models
AB  - We prune. It works.
DA  - 2021/02/01/
PY  - 2021
DO  - 10.1234/jsm.2021.7
UR  - https://example.org/7
KW  - pruning
KW  - wiring; search
N1  - <p>read</p>
ER  - 
"""
MENDELEY = """TY  - JOUR
AB  - First finding.
 • A bullet on a line of its own.
T2-weighted images were taken as well.
CT - guided work, and C1 - C4 chains.
ER-positive cells too, and
ER then a second line
AU  - Lund, Ida
TI  - Lines in abstracts
ER  -
TY  - JOUR
TI  - No blank line before
ER  -
"""
COCHRANE = """Record #3 of 18
Provider: John Wiley & Sons, Ltd.
Content: text/plain; charset="UTF-8"

TY  -  JOUR
AN  -  CN-00000001
A1  -  Byrd, T
A1  -  Hale, J
T1  -  A trial of naps
JA  -  Trials
PY  -  2011
C3  -  PUBMED 21314913,EMBASE 51
KW  -  *Sleep
N2  -  BACKGROUND: naps. RESULTS: more naps.
ER  -  


Record #4 of 18
Provider: John Wiley & Sons, Ltd.
Content: text/plain; charset="UTF-8"

TY  -  JOUR
T1  -  A second trial
ER  -  
"""
EBSCO = """TY  - JOUR
AU  - Ruiz, Eva
T1  - Growth of trees.
JO  - PLoS ONE
JF  - PLoS ONE
Y1  - 2024/04/03/
AB  - Trees grow, and this is how fast they do.
AB  - Copyright of PLoS ONE is the property of somebody and its content may not be copied. However, users may.
L3  - 10.1371/journal.pone.0000001
UR  - https://search.example.com/login.aspx?AN=1
ER  - 
"""


def test_ris_of_zotero() -> None:
    [record] = _records(ZOTERO)
    assert record.number == 1
    assert record.raw == ZOTERO.rstrip("\n")
    assert record.fields == {
        "title": "Pruning as a search for wiring",
        "abstract": "We prune. It works.",
        "authors": ["van den Berg, Åsa", "Okafor, Chi N."],
        "year": "2021",
        "venue": "Journal of Small Models",
        "doi": "10.1234/jsm.2021.7",
        "url": "https://example.org/7",
        "keywords": ["pruning", "wiring", "search"],
    }


def test_lines_of_an_abstract_are_no_tags() -> None:
    first, second = _records(MENDELEY)
    assert str(first.fields["abstract"]).endswith(
        "as well.\nCT - guided work, and C1 - C4 chains.\nER-positive cells too, and\nER then a second line"
    )
    assert first.fields["authors"] == ["Lund, Ida"]
    assert second.fields == {"title": "No blank line before"}


def test_ris_of_cochrane() -> None:
    first, second = _records(COCHRANE)
    assert first.fields["title"] == "A trial of naps"
    assert first.fields["authors"] == ["Byrd, T", "Hale, J"]
    assert first.fields["pmid"] == "21314913"
    assert first.fields["venue"] == "Trials"
    assert first.fields["keywords"] == ["Sleep"]
    assert first.fields["abstract"] == "BACKGROUND: naps. RESULTS: more naps."
    assert second.fields == {"title": "A second trial"}
    assert second.raw == "TY  -  JOUR\nT1  -  A second trial\nER  -  "  # without the heading


def test_a_copyright_notice_is_no_second_abstract() -> None:
    fields = _one(EBSCO)
    assert fields["abstract"] == "Trees grow, and this is how fast they do."
    assert fields["doi"] == "10.1371/journal.pone.0000001"


@pytest.mark.parametrize(
    ("lines", "abstract"),
    [
        ("AB  - One.\nN2  - One.", "One."),
        ("AB  - One.\nN2  - one", "One."),
        ("N2  - One.\nAB  - One. And two.", "One. And two."),
        ("AB  - One.\nAB  - Two.", "One.\n\nTwo."),
        ("AB  -\nN2  - Two.", "Two."),
        (f"AB  - {PROSE}\nAB  - {'Wir zeigen, dass wenige Schlüssel genügen. ' * 6}", PROSE.strip()),
        (
            f"AB  - {'Wir zeigen, dass wenige Schlüssel genügen. ' * 6}",
            ("Wir zeigen, dass wenige Schlüssel genügen. " * 6).strip(),
        ),
    ],
)
def test_several_abstracts(lines: str, abstract: str) -> None:
    assert _one(f"TY  - JOUR\n{lines}\nER  - \n")["abstract"] == abstract


@pytest.mark.parametrize(
    "text",
    [
        ZOTERO.replace("\n", "\r\n"),
        ZOTERO.replace("\n", "\r"),
        ZOTERO.replace("\n", "\r\r\n"),
        "\ufeff" + ZOTERO,
        "\n\n\n" + ZOTERO,
        ZOTERO.replace("ER  - ", "ER  -"),
        ZOTERO.replace("ER  - ", "ER"),
        ZOTERO.replace("ER  - ", ""),
        ZOTERO.replace("TY  - JOUR\n", ""),
        ZOTERO.replace("TY  - JOUR\n", "TY  -JOUR\n"),
        ZOTERO.replace("TY  - JOUR\n", "TY - JOUR\n"),
        ZOTERO.replace("  - ", " - "),
        ZOTERO.replace("  - ", "  – "),
        ZOTERO.replace("  - ", "  -\t"),
        ZOTERO.replace("  - ", "\u00a0\u00a0-\u00a0"),
        ZOTERO.replace("TY  - ", "  TY  - "),
        "1.\n" + ZOTERO,
        "ID  - 7\n" + ZOTERO,
    ],
)
def test_spellings_of_one_ris_record(text: str) -> None:
    for several in (text, text + "\n" + text):
        items = _records(several, "ris")
        assert [item.fields for item in items] == [_one(ZOTERO)] * (1 if several is text else 2)


def test_joined_files_with_a_mark_each() -> None:
    for text, name in ((ZOTERO, "ris"), (NBIB, "nbib"), (WOS, "wos")):
        one = _records(text, name)
        two = _records(f"\ufeff{text}\n\ufeff{text.lstrip()}", name)
        assert [item.fields for item in two] == [item.fields for item in one] * 2
        assert [item.raw for item in two] == [item.raw for item in one] * 2


def test_another_spacing_within_a_file() -> None:
    first, second = _records(ZOTERO.replace("AB  - ", "AB - ") + ZOTERO.replace("  - ", " - "))
    assert first.fields == second.fields == _one(ZOTERO)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "cp1252", "utf-8-sig", "utf-32"])
def test_encodings(encoding: str) -> None:
    assert _one(ZOTERO.encode(encoding), "ris") == _one(ZOTERO)


def test_a_lost_line_end_between_two_records() -> None:
    first, second = _records(ZOTERO.rstrip("\n") + ZOTERO)
    assert first.fields == second.fields == _one(ZOTERO)


def test_a_record_without_its_end_costs_no_other() -> None:
    cut = "TY  - JOUR\nAU  - Cut, Off\n"
    items = _read(cut + ZOTERO + cut)
    assert [item.number for item in items if isinstance(item, Record)] == [2]
    first, last = (item for item in items if isinstance(item, Rejected))
    assert (first.record, last.record) == (1, 3)
    assert first.reason == "the record at line 1 has neither a title nor an abstract"
    assert first.remedy == "add a title (TI) or leave it out"
    assert last.reason.startswith("the record at line 17 ")


def test_text_between_records_is_said() -> None:
    heading, rejected, record = "Exported today by the library", PROSE, ZOTERO
    bad, good = _read(f"{heading}\n\n{rejected}\n\n{record}", "ris")
    assert isinstance(bad, Rejected)
    assert bad.reason == "line 3 is text without a tag"
    assert isinstance(good, Record)
    assert good.number == 2


def test_too_many_tags(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(taglines_module, "MOST_LINES", 20)
    bad, good = _read("TY  - JOUR\nTI  - Long\n" + "KW  - a\n" * 30 + "ER  - \n" + ZOTERO)
    assert isinstance(bad, Rejected)
    assert bad.reason == "line 1 begins a record of more than 20 tagged lines"
    assert isinstance(good, Record)


def test_blank_lines_alone_between_ris_records() -> None:
    text = f"AU  - Lee, An\nTI  - One\nAB  - {PROSE}\n\nMore of it.\n\nAU  - Poe, Bo\nTI  - Two\nPY  - 2020\n"
    first, second = _records(text)
    assert str(first.fields["abstract"]).endswith("work.\n\nMore of it.")
    assert second.fields == {"title": "Two", "authors": ["Poe, Bo"], "year": "2020"}


@pytest.mark.parametrize(
    ("lines", "field", "value"),
    [
        ("KW  - Care\nHome, Old\nER\nAge", "keywords", ["Care", "Home, Old", "ER", "Age"]),
        ("KW  - deep learning, pruning, search", "keywords", ["deep learning", "pruning", "search"]),
        ("KW  - Health, public", "keywords", ["Health, public"]),
        ("AU  - Lee, An; Poe, Bo", "authors", ["Lee, An", "Poe, Bo"]),
        ("A1  - Lee, An\nAU  - Poe, Bo\nAU  - Lee, An", "authors", ["Lee, An", "Poe, Bo"]),
        ("A2  - Editor, E.", "authors", None),
        ("AD  - Univ A, City\nAD  - Univ B", "organisations", ["Univ A, City", "Univ B"]),
        ("JO  - J. S.\nJF  - Journal of S", "venue", "Journal of S"),
        ("JA  - J. S.", "venue", "J. S."),
        ("BT  - A book", "venue", "A book"),
        ("T2  - A title", "venue", None),
        ("PY  - Start date: 20170812", "year", "Start date: 20170812"),
        ("PY  - in press\nY1  - 2014//", "year", "2014//"),
        ("PY  - 10 15", "year", "10 15"),
        ("DA  - 2019 Mar 5", "year", "2019 Mar 5"),
        ("DO  - https://dx.doi.org/10.1/x\nM3  - doi: 10.1063/1.5", "doi", "10.1063/1.5"),
        ("DO  - https://doi.org/10.1063/1.5", "doi", "10.1063/1.5"),
        ("L2  - http://dx.doi.org/10.1007%2Fs1-2", "doi", "10.1007/s1-2"),
        ("UR  - https://a.example/b https://doi.org/10.1002/ar.1", "doi", "10.1002/ar.1"),
        ("UR  - https://journal.example/doi/10.1002/ar.1/full", "doi", None),
        ("N1  - See also 10.1002/other.1", "doi", None),
        ("UR  - <Go to ISI>://WOS:1\nUR  - https://b.example/", "url", "https://b.example/"),
        ("UR  - https://a.example/\nhttps://pubmed.ncbi.nlm.nih.gov/22752652/", "pmid", "22752652"),
        ("U1  - 30922926[pmid]", "pmid", "30922926"),
        ("UR  - https://www.ncbi.nlm.nih.gov/pmc/articles/PMC7458053", "pmid", None),
        ("JO  - arXiv preprint arXiv:1706.03762", "arxiv_id", "1706.03762"),
        ("UR  - http://arxiv.org/abs/2005.14165v4", "arxiv_id", "2005.14165v4"),
        ("DO  - 10.48550/arXiv.2005.14165", "arxiv_id", "2005.14165"),
        ("AN  - arXiv:hep-th/9901001", "arxiv_id", "hep-th/9901001"),
    ],
)  # fmt: skip
def test_ris_fields(lines: str, field: str, value: object) -> None:
    assert _one(f"TY  - JOUR\nTI  - A title\n{lines}\nER  - \n").get(field) == value


@pytest.mark.parametrize("tag", ["TI", "T1", "CT", "BT", "ST"])
def test_titles_of_ris(tag: str) -> None:
    assert (
        _one(f"TY  - BOOK\n{tag}  - A title\n  on two lines\nPY  - 2020\nER  - ")["title"]
        == "A title on two lines"
    )


NBIB = """
PMID- 30000001
OWN - NLM
DP  - 2020 Feb
TI  - Time lapse: a glimpse into
      old genomes.
LID - S1-2 [pii]
LID - 10.1016/j.x.2019.03.004 [doi]
AB  - We look at karyotypes
      AB - and at chromosomes.
OAB - Miramos los cariotipos.
CI  - Copyright (c) 2019 Nobody.
FAU - Griffin, Dara K
AU  - Griffin DK
AD  - School of Cells, Kent,
      UK.
AU  - Larkin DM
CN  - The Karyotype Group
JT  - European journal of cells
TA  - Eur J Cells
MH  - *Birds/genetics
MH  - Evolution,
      Molecular
OT  - genome evolution
AID - 10.9999/other [doi]
SO  - Eur J Cells. 2020 Feb. doi: 10.1016/j.x.2019.03.004.

PMID- 30000002
TI  - Without an abstract
OAB - Miramos los cariotipos.
"""


def test_nbib() -> None:
    first, second = _records(NBIB)
    assert first.fields == {
        "title": "Time lapse: a glimpse into old genomes.",
        "abstract": "We look at karyotypes AB - and at chromosomes.",
        "authors": ["Griffin, Dara K", "Larkin DM", "The Karyotype Group"],
        "organisations": ["School of Cells, Kent, UK."],
        "year": "2020 Feb",
        "venue": "European journal of cells",
        "doi": "10.1016/j.x.2019.03.004",
        "pmid": "30000001",
        "keywords": ["Birds/genetics", "Evolution, Molecular", "genome evolution"],
    }
    assert second.fields["abstract"] == "Miramos los cariotipos."
    assert second.raw.startswith("PMID- 30000002\n")


def test_nbib_without_spaces_and_with_empty_tags() -> None:
    text = "PMC -22664230\nTI-\nFAU -\nAB  - Old\nAB  - New\nDP  - 2013 06 10\n\nA line of nobody's.\n\n"
    text += "PMID-22664238\nTI  - Two\n"
    first, second = _records(text)
    assert first.fields == {"abstract": "Old\n\nNew", "year": "2013 06 10"}
    assert (second.fields["title"], second.fields["pmid"]) == ("Two", "22664238")
    bad, *_ = _read("PMID- 1\nPT  - Editorial\n\n" + text)
    assert isinstance(bad, Rejected)


def test_nbib_keeps_an_abstract_with_blank_lines_in_one_piece() -> None:
    fields = _one("PMID- 12345\nTI  - One\nAB  - First.\n\n      Second.\n\nFAU - Lee, An\n")
    assert fields["abstract"] == "First. Second."
    assert fields["authors"] == ["Lee, An"]


WOS = """FN Clarivate Analytics Web of Science
VR 1.0
PT J
AU Gamer, RV
   Gnat, YP
AF Gamer, Rosa V.
   Gnat, Yuri P.
TI Optical spectroscopy of
   UV crystals
SO JOURNAL OF CRYSTALS
DE ferroelectrics; phase
   conjugation
ID ELECTRIC-FIELD; MODES
AB Crystals were lit.
   UV light was seen.
C1 [Gamer, RV; Gnat, YP] NAS Ukraine, Inst Phys, Kiev, Ukraine.
   [Gnat, YP] Lviv Natl Univ, Lvov, Ukraine.
CR BERCHA DM, 1997, FIZ TVERD TELA, V39, P1219
   ER DM, 1998, X
PD JUN 14
PY 2006
DI 10.1088/0953-8984
UT WOS:000238592600006
PM 16842170
ER

PT J
AU One, A; Two, B
TI Second
SO MENOPAUSE
UT MEDLINE:16735938
ER

EF
"""


def test_wos() -> None:
    first, second = _records(WOS)
    assert first.fields == {
        "title": "Optical spectroscopy of UV crystals",
        "abstract": "Crystals were lit. UV light was seen.",
        "authors": ["Gamer, Rosa V.", "Gnat, Yuri P."],
        "organisations": ["NAS Ukraine, Inst Phys, Kiev, Ukraine.", "Lviv Natl Univ, Lvov, Ukraine."],
        "year": "2006",
        "venue": "JOURNAL OF CRYSTALS",
        "doi": "10.1088/0953-8984",
        "pmid": "16842170",
        "keywords": ["ferroelectrics", "phase conjugation", "ELECTRIC-FIELD", "MODES"],
    }
    assert second.fields["authors"] == ["One, A", "Two, B"]
    assert second.fields["pmid"] == "16735938"
    assert second.raw.endswith("ER")


@pytest.mark.parametrize(
    "text",
    [
        WOS.partition("VR 1.0\n")[2],
        WOS.replace("ER\n\n", "\n"),
        WOS + WOS.partition("PT J")[0],
        "\ufeff" + WOS,
        WOS.replace("\n", "\r\n"),
    ],
)
def test_spellings_of_wos(text: str) -> None:
    assert [item.fields for item in _records(text)] == [item.fields for item in _records(WOS)]


def test_endnote() -> None:
    text = """%T How trust leads to commitment
%0 Journal Article
%A Guo, Wen
%A Straub, Dee
%B Quarterly
%D 2021
%8 September  1, 2021
%R https://doi.org/10.1234/q.5
%U https://example.org/13
%K trust
commitment
%X First paragraph.

Second paragraph.
% of it is here.

%U https://example.org/14


%T Table of contents
%B Quarterly


%0 Journal Article
%A Lee, An
%T Attention
%J arXiv preprint arXiv:1706.03762
"""
    first, second, third = _records(text)
    assert first.fields == {
        "title": "How trust leads to commitment",
        "abstract": "First paragraph.\n\nSecond paragraph.\n% of it is here.",
        "authors": ["Guo, Wen", "Straub, Dee"],
        "year": "2021",
        "venue": "Quarterly",
        "doi": "10.1234/q.5",
        "url": "https://example.org/13",
        "keywords": ["trust", "commitment"],
    }
    assert second.fields == {"title": "Table of contents", "venue": "Quarterly"}
    assert third.fields["arxiv_id"] == "1706.03762"
    dense = "\n".join(line for line in text.splitlines() if line)
    assert len(_records(dense)) == 3


@pytest.mark.parametrize(
    "text",
    [
        "%0 Journal Article\n\n%T One\n%A Lee, An\n\n%U https://a.example/\n\n%X Text.\n\n%T Two\n",
        "%A Lee, An\n%T One\n%X Text.\n%U https://a.example/\n\n%A Poe, Bo\n%T Two\n",
        "%0 Journal Article\n%T One\n%A Lee, An\n%X Text.\n%U https://a.example/\n%0 Book\n%T Two\n",
    ],
)
def test_bounds_of_endnote_records(text: str) -> None:
    first, second = _records(text, "endnote")
    assert first.fields == {
        "title": "One",
        "abstract": "Text.",
        "authors": ["Lee, An"],
        "url": "https://a.example/",
    }
    assert second.fields["title"] == "Two"


def test_refworks() -> None:
    text = """RT Journal Article
SR Electronic
ID 12
A1 Hou,Jie
A1 Adhikari,Badri
T1 Mapping sequences to folds
JF Bioinformatics
YR 2017
AB Folds are found.

They are many.
K1 folds;proteins
DO 10.1093/bioinformatics/btx780
UL https://example.org/780

RT Book, Whole
T1 A book
"""
    first, second = _records(text)
    assert first.fields == {
        "title": "Mapping sequences to folds",
        "abstract": "Folds are found.\n\nThey are many.",
        "authors": ["Hou,Jie", "Adhikari,Badri"],
        "year": "2017",
        "venue": "Bioinformatics",
        "doi": "10.1093/bioinformatics/btx780",
        "url": "https://example.org/780",
        "keywords": ["folds", "proteins"],
    }
    assert second.fields == {"title": "A book"}


OVID_WORDS = """<8>
Score
  *****
Accession Number
  01445406-201509000-00006.
Author
  Kohler, Lars 1;  Leuschner, Christoph MD;  Hauck, M. [Author]
Institution
  (1) Plant Ecology, Gottingen, Germany
Title
  Cloud water differs.[Article]
Source
  Ecohydrology.   8(6):1048-1064, September 2015.
Abstract
  Water was caught.

  It differed.
Author Keywords
  treeline;  canopy
References
  Aber JD. 1989. Nitrogen saturation. Bioscience 39: 378-386.

  Acker K. 1998. Investigations. Abstract 61: 59-64.

<9>
Title
  The second one
"""
OVID_TAGS = """<3001. >
VN  - Ovid Technologies
DB  - Ovid MEDLINE(R)
UI  - 21381829
TI  - Quality of life: a review.
SO  - BMC Proceedings. Conference: 2nd Conference. Spain. 12 (Supplement 3) (no pagination), 2018.
AU  - Behan L.
AU  - Rubbo B.
IN  - (Behan) Southampton
      (Rubbo) Cork
MH  - *quality of life
AB  - Background: little is known.
Method(s): We searched.
DO  - http://dx.doi.org/10.1186/s12919-018-0099-8
YR  - 2018

<3002. >
VN  - Ovid Technologies
TI  - Second
"""


def test_ovid_with_names_in_words() -> None:
    first, second = _records(OVID_WORDS)
    assert first.fields == {
        "title": "Cloud water differs.",
        "abstract": "Water was caught.\n\nIt differed.",
        "authors": ["Kohler, Lars", "Leuschner, Christoph", "Hauck, M."],
        "organisations": ["(1) Plant Ecology, Gottingen, Germany"],
        "year": "2015",
        "venue": "Ecohydrology",
        "keywords": ["treeline", "canopy"],
    }
    assert first.raw.startswith("<8>\nScore")
    assert second.fields == {"title": "The second one"}


def test_ovid_with_tags() -> None:
    first, second = _records(OVID_TAGS)
    assert first.fields == {
        "title": "Quality of life: a review.",
        "abstract": "Background: little is known.\nMethod(s): We searched.",
        "authors": ["Behan L.", "Rubbo B."],
        "organisations": ["(Behan) Southampton", "(Rubbo) Cork"],
        "year": "2018",
        "venue": "BMC Proceedings",
        "doi": "10.1186/s12919-018-0099-8",
        "pmid": "21381829",
        "keywords": ["quality of life"],
    }
    assert second.fields == {"title": "Second"}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (ZOTERO, "ris"),
        (MENDELEY, "ris"),
        (COCHRANE, "ris"),
        (ZOTERO.replace("\n", "\r"), "ris"),
        ("\n\n" + ZOTERO.replace("TY  - JOUR\n", ""), "ris"),
        (NBIB, "nbib"),
        ("OWN - NLM\nTI  - A title\nFAU - Lee, An\nAU  - Lee A\n", "nbib"),
        (WOS, "wos"),
        ("PT J\nAU Lee, A\nTI A title\nER\n", "wos"),
        ("%0 Journal Article\n%T A title\n", "endnote"),
        ("%A Lee, An\n%T A title\n", "endnote"),
        ("RT Journal Article\nSR Print\nT1 A title\n", "refworks"),
        (OVID_WORDS, "ovid"),
        (OVID_TAGS, "ovid"),
        (OVID_TAGS.partition("\n")[2], "ovid"),
        (PROSE, "page"),
        (f"{PROSE}\n\nAB  - is a tag of RIS, as TY  - is one.\n\n{PROSE}", "page"),
        (f"PT J\n\n{PROSE}\n\n<1>\n\n{PROSE}\n\n%0 is one as well", "page"),
        (f"RT is short for real time.\n\n{PROSE}", "page"),
        (f"100% of it\n50% of it\n\n{PROSE}", "page"),
        ("% A comment\n@article{key, title={A title}}\n", "bibtex"),
    ],
)
def test_recognised_by_content(text: str, name: str) -> None:
    found = recognise(text.encode())
    assert found is not None
    assert found.name == name


def test_a_forced_format_on_prose_says_what_it_is() -> None:
    for name in TAGGED:
        [bad] = _read(PROSE, name)
        assert isinstance(bad, Rejected)
        assert bad.reason == "line 1 is text without a tag"
        [empty] = _read("", name)
        assert isinstance(empty, Rejected)


_STARTS = (
    "TY  - |ER  -|AB  - |TI  - |PMID- |PT J\n|TI |%0 |%T |RT |<1>\n|Title\n  |T1 |10.1234/|arXiv:|[doi]|word "
)
_PIECES = st.sampled_from([*"\n\n\n \t-%<>;,\r\ufeff\x00\u2028é", *_STARTS.split("|")])


@given(st.lists(_PIECES | st.text(max_size=5), max_size=40), st.sampled_from(TAGGED))
@example(["ER  -", "TY  - "], "ris")
def test_anything_is_read_or_rejected(pieces: list[str], name: str) -> None:
    items = _read("".join(pieces), name)
    assert items
    numbers = [item.number if isinstance(item, Record) else item.record for item in items]
    assert numbers in (list(range(1, len(items) + 1)), [None])
    for item in items:
        if isinstance(item, Record):
            assert item.fields.get("title") or item.fields.get("abstract")
            assert item.raw.strip()


@given(st.binary(max_size=300), st.sampled_from(TAGGED))
def test_any_bytes(data: bytes, name: str) -> None:
    assert _read(data, name)


_WORDS = st.lists(st.from_regex(r"[a-z]{1,9}", fullmatch=True), min_size=1, max_size=12).map(" ".join)


@given(
    st.lists(st.tuples(_WORDS, _WORDS), min_size=1, max_size=6),
    st.sampled_from(["ris", "nbib", "wos", "endnote", "refworks"]),
)
def test_records_come_back_as_written(papers: list[tuple[str, str]], name: str) -> None:
    form = {
        "ris": "TY  - JOUR\nTI  - {}\nAB  - {}\nER  - \n\n",
        "nbib": "PMID- 123456\nTI  - {}\nAB  - {}\n\n",
        "wos": "PT J\nTI {}\nAB {}\nER\n\n",
        "endnote": "%0 Journal Article\n%T {}\n%X {}\n\n",
        "refworks": "RT Journal Article\nT1 {}\nAB {}\n\n",
    }[name]
    found = _records("".join(form.format(*paper) for paper in papers), name)
    assert [(item.fields["title"], item.fields["abstract"]) for item in found] == papers


@pytest.mark.parametrize(
    ("piece", "name"),
    [
        (" ", "ris"), ("ER  - ", "ris"), ("\n", "ris"), (",", "ris"), ("[", "ovid"), ("1*,+ ", "ovid"),
        ("A", "ovid"), ("Title\n", "ovid"), ("arxiv.org/abs/", "ris"), ("doi:10.", "endnote"), ("- ", "nbib"),
    ],
)  # fmt: skip
def test_long_runs_are_no_hang(piece: str, name: str) -> None:
    start = {"ris": "TY  - JOUR\nTI  - A\nUR  - ", "ovid": "<1>\nAuthor\n  ", "endnote": "%0 A\n%R "}.get(
        name, "PMID- 1\nTI  - "
    )
    assert _read(start + piece * (300_000 // len(piece)), name)  # quadratic work would take minutes


def _manifest() -> list[dict[str, object]]:
    path = EXPORTS / "MANIFEST.json"
    rows = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    return [row for row in rows if str(row["file"]).split("/")[0] in ("ris", "nbib", "wos", "endnote")]


# Where the list of exports is wrong: records without %0, and one without TY.
_MORE = {"endnote/ais_enl.txt": (6, 4), "ris/jabref_corrupted_bom_no_TY.ris": (1, 0)}


@pytest.mark.shared_data
@pytest.mark.parametrize("row", _manifest(), ids=lambda row: str(row["file"]))
def test_exports(row: dict[str, object]) -> None:
    file = str(row["file"])
    records = [item for item in read_path(EXPORTS / file) if isinstance(item, Record)]
    counts = (len(records), sum("abstract" in record.fields for record in records))
    assert counts == _MORE.get(file, (row["records"], row["abstracts"]))


@pytest.mark.shared_data
@pytest.mark.parametrize("row", _manifest(), ids=lambda row: str(row["file"]))
def test_exports_cut_off_at_every_997th_byte(row: dict[str, object]) -> None:
    data = (EXPORTS / str(row["file"])).read_bytes()
    for name in TAGGED if len(data) < 30_000 else ("ris",):
        before = 0
        for end in range(997, len(data), 997):
            items = _read(data[:end], name)
            assert items
            if name == "ris" and str(row["file"]).startswith("ris/"):
                assert len(items) >= before  # what was whole stays
                before = len(items)


def test_rows_of_the_table() -> None:
    names = [row.name for row in FORMATS]
    assert all(names.index(name) < names.index("page") for name in TAGGED)
    assert all(row.read for row in FORMATS if row.name in TAGGED)
