"""Readers of XML exports: PubMed, EndNote, MODS, Atom, OAI-PMH, and what can be wrong with XML."""

# ruff: noqa: E501 - records stand on one line, as in the files
from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.cleaning import paper_from
from corpus.readers import FORMATS, Record, Rejected, read_stream
from corpus.readers.elements import joined_abstracts, parse, words
from corpus.readers.names import split_authors
from corpus.readers.pieces import read_pieces

XML = ("pubmed", "endnote-xml", "mods", "atom", "oai")
EXPORTS = Path(__file__).parents[2] / "shared" / "exports"
FOLDERS = ("arxiv", "endnote_xml", "mods", "pubmed_xml")


def _read(text: str | bytes, kind: str | None = None) -> list[Record | Rejected]:
    data = text.encode() if isinstance(text, str) else text
    return list(read_stream(io.BytesIO(data), "a.xml", format=kind))


def _record(text: str | bytes) -> Record:
    [record] = _read(text)
    assert isinstance(record, Record), record
    return record


def _article(body: str, outside: str = "") -> str:
    return (
        "<?xml version='1.0'?>\n<!DOCTYPE PubmedArticleSet PUBLIC '-//NLM//DTD' 'https://dtd.nlm.nih.gov/p.dtd'>\n"
        f"<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>101</PMID><Article>{body}</Article>{outside}"
        "</MedlineCitation></PubmedArticle></PubmedArticleSet>"
    )


ARTICLE = """<Journal><JournalIssue><PubDate><MedlineDate>2019 Mar-Apr</MedlineDate></PubDate></JournalIssue>
<Title>Journal of Bees</Title></Journal><ArticleTitle>Bees in <i>Salix</i> at 10<sup>5</sup> m<sup/></ArticleTitle>
<ELocationID EIdType="doi" ValidYN="N">10.1000/wrong</ELocationID>
<ELocationID EIdType="doi" ValidYN="Y">10.1000/bees.1</ELocationID>
<Abstract><AbstractText Label="AIMS" NlmCategory="OBJECTIVE">To count.</AbstractText>
<AbstractText Label="RESULTS:">H<sub>2</sub>O, p &lt; .01.</AbstractText><AbstractText Label="UNLABELLED">End.</AbstractText>
<CopyrightInformation>© 2019 The Hive.</CopyrightInformation></Abstract>
<AuthorList CompleteYN="N"><Author><LastName>Imker</LastName><ForeName>Ada B</ForeName><Suffix>Jr</Suffix>
<AffiliationInfo><Affiliation>Hive Institute, Bern. ada@hive.example</Affiliation></AffiliationInfo></Author>
<Author ValidYN="N"><LastName>Inker</LastName></Author><Author><CollectiveName>The Bee Group</CollectiveName></Author></AuthorList>"""


def test_a_pubmed_article() -> None:
    outside = (
        "<MeshHeadingList><MeshHeading><DescriptorName>Bees</DescriptorName><QualifierName>genetics</QualifierName>"
        "</MeshHeading></MeshHeadingList><KeywordList><Keyword>hives</Keyword></KeywordList>"
        "<OtherAbstract Language='fre'><AbstractText>Autre.</AbstractText></OtherAbstract>"
    )
    text = _article(ARTICLE, outside).replace(
        "</MedlineCitation>",
        "</MedlineCitation><PubmedData><ReferenceList><Reference><Citation>Old one</Citation><ArticleIdList>"
        "<ArticleId IdType='doi'>10.1000/other</ArticleId></ArticleIdList></Reference></ReferenceList></PubmedData>",
    )
    record = _record(text)
    assert record.fields == {
        "title": "Bees in Salix at 10^5 m",
        "abstract": "AIMS: To count. RESULTS: H2O, p < .01. End.",
        "authors": ["Imker, Jr, Ada B", "The Bee Group", "et al."],
        "organisations": ["Hive Institute, Bern"],
        "year": "2019 Mar-Apr",
        "venue": "Journal of Bees",
        "doi": "10.1000/bees.1",
        "pmid": "101",
        "url": "https://pubmed.ncbi.nlm.nih.gov/101/",
        "keywords": ["hives", "Bees"],
    }
    assert record.raw.startswith("<PubmedArticle>")
    assert record.raw.endswith("</PubmedArticle>")


def test_another_abstract_stands_in_for_a_missing_one_only() -> None:
    other = (
        "<OtherAbstract Type='plain-language-summary' Language='eng'><AbstractText>Simply.</AbstractText></OtherAbstract>"
        "<OtherAbstract Language='spa'><AbstractText>En breve.</AbstractText></OtherAbstract>"
        "<OtherAbstract Language='eng'><AbstractText>Shortly.</AbstractText></OtherAbstract>"
    )
    title = "<ArticleTitle>[Not Available].</ArticleTitle><VernacularTitle>Abejas.</VernacularTitle>"
    record = _record(_article(title + "<ArticleDate><Year>2001</Year></ArticleDate>", other))
    assert record.fields["abstract"] == "Shortly."
    assert (record.fields["title"], record.fields["year"]) == ("Abejas.", "2001")


def test_a_chapter_and_an_empty_set() -> None:
    record = _record(
        "<PubmedArticleSet><PubmedBookArticle><BookDocument><PMID>7</PMID><Book><BookTitle>The Hive</BookTitle>"
        "<PubDate><Year>1999</Year></PubDate><AuthorList Type='editors'><Author><LastName>Ed</LastName></Author>"
        "</AuthorList></Book><ArticleTitle>Wax</ArticleTitle><AuthorList Type='authors'><Author><LastName>Imker"
        "</LastName><Initials>A</Initials></Author></AuthorList><Abstract><AbstractText>On wax.</AbstractText>"
        "</Abstract></BookDocument></PubmedBookArticle></PubmedArticleSet>"
    )
    assert {key: record.fields[key] for key in ("title", "venue", "authors", "abstract", "year")} == {
        "title": "Wax", "venue": "The Hive", "authors": ["Imker, A"], "abstract": "On wax.", "year": "1999",
    }  # fmt: skip
    [empty] = _read("<?xml version='1.0'?><PubmedArticleSet>\n</PubmedArticleSet>")
    assert isinstance(empty, Rejected)
    assert empty.reason == "holds no paper (read as PubMed XML)"


@pytest.mark.parametrize(
    ("maths", "text"),
    [
        ("<msubsup><mi>η</mi><mi>p</mi><mn>2</mn></msubsup>", "η_p^2"),
        ("<mfrac><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow><mi>b</mi></mfrac>", "(a+1)/b"),
        ("<msqrt><mi>x</mi></msqrt><mo>=</mo><mroot><mi>y</mi><mn>3</mn></mroot>", "√x = ³√y"),
        ("<mfenced open='[' separators=';'><mi>a</mi><mi>b</mi></mfenced>", "[a;b)"),
        ("<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd></mtr></mtable>", "[1, 2; 3]"),
        ("<semantics><mi>R</mi><annotation encoding='application/x-tex'>\\R</annotation></semantics>", "R"),
        ("<mover><mi>x</mi><mo>¯</mo></mover>", "x"),
        ("<infinity/>", "∞"),
        ("<msup/><mfrac/><mroot/>", "/√"),
    ],
)  # fmt: skip
def test_maths_as_text(maths: str, text: str) -> None:
    assert words(
        parse(f"<a>So <mml:math>{maths.replace('<', '<mml:').replace('<mml:/', '</mml:')}</mml:math>.</a>")
    ) == (f"So {text}.")


ENDNOTE = """<?xml version="1.0" encoding="UTF-8"?><xml><records><record><database name="a">a</database>
<ref-type name="Journal Article">17</ref-type><contributors><authors><author><style face="normal">Imker, Ada</style>
</author><author>World Bee Union,</author></authors></contributors><titles><title><style face="normal">Wax in </style>
<style face="italic">Apis</style><style face="superscript" font="default">2</style></title>
<secondary-title>Bee World</secondary-title></titles><dates><year>2011</year></dates><keywords><keyword>wax</keyword>
</keywords><abstract>Wax &amp; more.</abstract><electronic-resource-num>https://doi.org/10.1000/w</electronic-resource-num>
<accession-num>123</accession-num><remote-database-name>PubMed</remote-database-name>
<urls><related-urls><url>internal-pdf://x.pdf</url><url>https://arxiv.org/abs/2301.00001v2</url></related-urls></urls>
</record></records></xml>"""


def test_endnote_xml() -> None:
    record = _record(ENDNOTE)
    assert record.fields == {
        "title": "Wax in Apis^2", "abstract": "Wax & more.", "authors": ["Imker, Ada", "World Bee Union"],
        "year": "2011", "venue": "Bee World", "doi": "https://doi.org/10.1000/w", "pmid": "123", "keywords": ["wax"],
        "arxiv_id": "arxiv.org/abs/2301.00001v2", "url": "https://arxiv.org/abs/2301.00001v2",
    }  # fmt: skip
    old = _record(
        "<XML><RECORDS><RECORD><REFERENCE_TYPE>0</REFERENCE_TYPE><AUTHORS><AUTHOR>Imker, A.</AUTHOR></AUTHORS>"
        "<YEAR>1998</YEAR><TITLE>Old wax</TITLE><SECONDARY_TITLE>Bee World</SECONDARY_TITLE></RECORD></RECORDS></XML>"
    )
    assert (old.fields["title"], old.fields["authors"], old.fields["venue"]) == (
        "Old wax", ["Imker, A."], "Bee World",
    )  # fmt: skip


def test_mods() -> None:
    record = _record(
        '<m:modsCollection xmlns:m="http://www.loc.gov/mods/v3"><m:mods><m:titleInfo type="abbreviated"><m:title>W.</m:title>'
        "</m:titleInfo><m:titleInfo><m:nonSort>The</m:nonSort><m:title>wax</m:title><m:subTitle>a study</m:subTitle>"
        '</m:titleInfo><m:name><m:namePart type="family">Imker</m:namePart><m:namePart type="given">Ada</m:namePart>'
        "</m:name><m:name><m:namePart>Ed Itor</m:namePart><m:role><m:roleTerm>editor</m:roleTerm></m:role></m:name>"
        '<m:abstract xml:lang="de">Vom Wachs.</m:abstract><m:abstract xml:lang="en">On wax.</m:abstract>'
        '<m:relatedItem type="host"><m:titleInfo><m:title>Bee World</m:title></m:titleInfo><m:originInfo><m:dateIssued>2010'
        "</m:dateIssued></m:originInfo></m:relatedItem><m:identifier type='doi'>10.1000/w</m:identifier>"
        "<m:subject><m:topic>wax</m:topic></m:subject></m:mods></m:modsCollection>"
    )
    assert record.fields == {
        "title": "The wax: a study", "abstract": "On wax.", "authors": ["Imker, Ada"], "year": "2010",
        "venue": "Bee World", "doi": "10.1000/w", "keywords": ["wax"],
    }  # fmt: skip


def _feed(*entries: str) -> str:
    head = '<feed xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns="http://www.w3.org/2005/Atom"><title>Query</title>'
    return head + "".join(f"<entry>{entry}</entry>" for entry in entries) + "</feed>"


def test_atom() -> None:
    record = _record(
        _feed(
            "<id>http://arxiv.org/abs/cs/9901001v2</id><title>Bees\n  fly</title><summary>They\n do.</summary>"
            "<published>1999-01-01T00:00:00Z</published><author><name>Ada Imker</name><arxiv:affiliation>Hive"
            "</arxiv:affiliation></author><arxiv:doi>10.1000/b</arxiv:doi><arxiv:journal_ref>Bee World 3</arxiv:journal_ref>"
            '<category term="cs.BE"/><link href="http://arxiv.org/abs/cs/9901001v2" rel="alternate"/>'
        )
    )
    assert record.fields == {
        "title": "Bees fly", "abstract": "They do.", "authors": ["Ada Imker"], "organisations": ["Hive"],
        "year": "1999-01-01T00:00:00Z", "venue": "Bee World 3", "doi": "10.1000/b", "arxiv_id": "cs/9901001v2",
        "url": "http://arxiv.org/abs/cs/9901001v2", "keywords": ["cs.BE"],
    }  # fmt: skip
    [error] = _read(
        _feed("<id>http://arxiv.org/api/errors#x</id><title>Error</title><summary>bad id</summary>")
    )
    assert isinstance(error, Rejected)
    assert (error.record, error.reason) == (None, "holds no paper but an error message of arXiv: 'bad id'")


def _oai(*records: str) -> str:
    body = "".join(f"<record>{record}</record>" for record in records)
    return (
        f'<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><ListRecords>{body}</ListRecords></OAI-PMH>'
    )


def test_oai() -> None:
    header = "<header><identifier>oai:arXiv.org:0704.0001</identifier></header>"
    text = _oai(
        f"{header}<metadata><oai_dc:dc><dc:title>Bees</dc:title><dc:creator>Imker, A.</dc:creator><dc:description>They fly."
        "</dc:description><dc:description>Comment: 3 pages</dc:description><dc:date>2007-05-02</dc:date><dc:date>2007-04-01"
        "</dc:date><dc:identifier>http://arxiv.org/abs/0704.0001</dc:identifier><dc:identifier>doi:10.1000/b"
        "</dc:identifier></oai_dc:dc></metadata>",
        "<header status='deleted'><identifier>oai:x:2</identifier></header>",
        f"{header}<metadata><arXivRaw><id>0704.0001</id><version version='v1'><date>Mon, 2 Apr 2007 19:18:42 GMT</date>"
        "</version><title>Bees</title><authors>A. Imker (1), B. Ee, Jr. and C. Dee ((1) Hive)</authors><categories>cs.BE "
        "q-bio</categories><abstract>They fly.</abstract></arXivRaw></metadata>",
        f"{header}<metadata><arXiv><id>0704.0001</id><created>2007-04-02</created><authors><author><keyname>Imker</keyname>"
        "<forenames>Ada</forenames></author></authors><title>Bees</title><journal-ref>Bee World 1</journal-ref></arXiv></metadata>",
        f"{header}<metadata><marc><record><title>no</title></record></marc></metadata>",
    )
    core, deleted, raw, short, marc = _read(text)
    assert isinstance(core, Record)
    assert core.fields == {
        "title": "Bees", "abstract": "They fly.", "authors": ["Imker, A."], "year": "2007-04-01",
        "doi": "doi:10.1000/b", "arxiv_id": "0704.0001", "url": "http://arxiv.org/abs/0704.0001",
    }  # fmt: skip
    assert isinstance(deleted, Rejected)
    assert (deleted.record, deleted.reason) == (2, "oai:x:2 is marked as deleted: there is no paper any more")
    assert isinstance(raw, Record)
    assert (raw.number, raw.fields["year"], raw.fields["keywords"]) == (3, "2007", ["cs.BE", "q-bio"])
    assert raw.fields["authors"] == ["A. Imker", "B. Ee Jr.", "C. Dee"]
    assert isinstance(short, Record)
    assert (short.fields["authors"], short.fields["venue"]) == (["Imker, Ada"], "Bee World 1")
    assert isinstance(marc, Rejected)
    assert "metadata in the form 'marc'" in marc.reason
    [error] = _read('<OAI-PMH><error code="noRecordsMatch">nothing there</error></OAI-PMH>')
    assert isinstance(error, Rejected)
    assert "'noRecordsMatch: nothing there'" in error.reason


def _mods(title: str) -> str:
    return f"<mods><titleInfo><title>{title}</title></titleInfo></mods>"


def test_a_broken_record_costs_itself_only() -> None:
    records = [_mods("One"), "<mods>\n<titleInfo><title>Two</titleInfo></mods>", _mods("Three"), "<mods><titleInfo>", _mods("Five"), "<mods/>", _mods("Seven"), "<mods><titleInfo><title>Eight"]  # fmt: skip
    items = _read("<modsCollection>\n" + "\n".join(records))
    assert [item.number for item in items if isinstance(item, Record)] == [1, 3, 5, 7]
    reasons = {item.record: item.reason for item in items if isinstance(item, Rejected)}
    assert reasons == {
        2: "isn't well-formed XML: mismatched tag (line 4)",
        4: "the record that begins on line 6 is cut off: its end tag is missing",
        6: "has neither a title nor an abstract (line 8)",
        8: "the record that begins on line 10 is cut off: its end tag is missing",
    }


@pytest.mark.parametrize(
    ("title", "read"),
    [
        ("Bees & wax", "Bees & wax"),
        ("p < 0.05 &amp; q", "p < 0.05 & q"),
        ("M&uuml;ller &nosuch; &#0; \x0b", "Müller &nosuch;"),
        ("<![CDATA[a <mods> & b]]>", "a <mods> & b"),
        ("a<!-- <mods> </mods> -->b", "ab"),
        ("a<?pi </mods> ?>b", "ab"),
        ("<x:i xml:lang='en' y:z='1'>a</x:i>", "a"),
    ],
)
def test_what_is_nearly_xml_is_mended(title: str, read: str) -> None:
    assert _record(f"<modsCollection>{_mods(title)}</modsCollection>").fields["title"] == read


@pytest.mark.parametrize(
    ("declared", "encoding"),
    [("UTF-8", "cp1252"), ("ISO-8859-1", "utf-8"), ("windows-1251", "windows-1251"), ("GBK", "gbk"), ("nonsense", "cp1252"), ("UTF-16", "utf-16"), ("utf-8", "utf-8-sig"), ("unicode_escape", "cp1252")],
)  # fmt: skip
def test_encodings_and_files_that_lie_about_them(declared: str, encoding: str) -> None:
    title = {"windows-1251": "Пчёлы", "gbk": "蜜蜂研究"}.get(encoding, "Müller’s bees")
    data = f'<?xml version="1.0" encoding="{declared}"?>\r\n<modsCollection>{_mods(title)}</modsCollection>'
    [record] = _read(data.encode(encoding), "mods")
    assert isinstance(record, Record)
    assert record.fields["title"] == title


@pytest.mark.parametrize(
    "entity",
    ['<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">', '<!ENTITY a SYSTEM "file:///etc/passwd">', '<!ENTITY % a SYSTEM "http://x/">'],
)  # fmt: skip
def test_files_with_entities_of_their_own_are_refused(entity: str) -> None:
    [bad] = _read(
        f"<?xml version='1.0'?><!DOCTYPE m [{entity}]><modsCollection>{_mods('&a;')}</modsCollection>"
    )
    assert isinstance(bad, Rejected)
    assert (bad.record, bad.reason.partition(";")[0]) == (
        None,
        "can't be read as MODS XML: it declares entities of its own (<!ENTITY), as no export does",
    )
    [inside] = _read(f"<modsCollection><mods><!DOCTYPE m [{entity}]>x</mods></modsCollection>")
    assert isinstance(inside, Rejected)
    assert inside.record == 1


def test_deep_and_large_records_are_refused() -> None:
    deep = _mods("<a>" * 5000 + "</a>" * 5000)
    large = _mods("x" * 9_000_000)
    bad, big, good = _read(f"<modsCollection>{deep}{large}{_mods('Good')}</modsCollection>")
    assert isinstance(bad, Rejected)
    assert "nested more than 100 deep" in bad.reason
    assert isinstance(big, Rejected)
    assert "9 million characters long (the limit is 8)" in big.reason
    assert isinstance(good, Record)


def test_abstracts_in_several_languages() -> None:
    assert joined_abstracts([("Un.", "fr"), ("One.", "eng"), ("One.", ""), ("Two.", "")]) == "One.\n\nTwo."
    assert joined_abstracts([("Un.", "fr"), ("Eins.", "de")]) == "Un."
    assert joined_abstracts([]) == ""


def test_pieces_keep_their_own_text() -> None:
    text = "<r>\n<mods>1</mods>\r\n<x:mods a='b'>2</x:mods>junk<mods>3"
    pieces = list(read_pieces(io.BytesIO(text.encode()), r"(mods)(?:\s[^<>]*)?/?>"))
    assert [(one.number, one.text, one.line, one.closed) for one in pieces] == [
        (1, "<mods>1</mods>", 2, True),
        (2, "<x:mods a='b'>2</x:mods>", 3, True),
        (3, "<mods>3", 3, False),
    ]


def test_names_in_one_text() -> None:
    assert split_authors("A. Balázs (1,2), E. Berger, III and P. Nadolsky") == [
        "A. Balázs",
        "E. Berger III",
        "P. Nadolsky",
    ]
    assert split_authors("") == []


_BITS = st.sampled_from(
    ["<mods>", "</mods>", "<record>", "<header>", "</record>", "<entry>", "</entry>", "<title>", "</title>", "<titleInfo>",
     "</titleInfo>", "<PubmedArticle>", "</PubmedArticle>", "<!--", "-->", "<![CDATA[", "]]>", "<?", "?>", "&", "&#1;", "x", "<",
     ">", "é", "<mods", " a:b='", "/>", "\x00", "<math>", "<mfrac>", "<!ENTITY", "<metadata>", "<dc>"]
)  # fmt: skip


@settings(deadline=None)
@given(st.lists(_BITS, max_size=30), st.binary(max_size=20), st.sampled_from(XML))
def test_any_xml_is_read_or_rejected(bits: list[str], tail: bytes, kind: str) -> None:
    for item in _read("".join(bits).encode() + tail, kind):
        if isinstance(item, Record):
            paper_from(item, item.file)


def _exports() -> list[dict[str, object]]:
    if not (EXPORTS / "MANIFEST.json").is_file():
        return []
    rows = json.loads((EXPORTS / "MANIFEST.json").read_text())
    return [row for row in rows if str(row["file"]).partition("/")[0] in FOLDERS]


@pytest.mark.shared_data
@pytest.mark.parametrize("row", _exports(), ids=lambda row: str(row["file"]))
def test_exports(row: dict[str, object]) -> None:
    data = (EXPORTS / str(row["file"])).read_bytes()
    records = [item for item in _read(data) if isinstance(item, Record)]
    assert len(records) == row["records"]
    assert sum(bool(record.fields.get("abstract")) for record in records) == row["abstracts"]
    for cut in range(0, len(data), 997):
        assert _read(data[:cut])


def test_every_kind_has_a_reader() -> None:
    assert set(XML) <= {row.name for row in FORMATS if row.read}
