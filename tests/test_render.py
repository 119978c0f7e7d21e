"""The pure half of the page: Markdown, markers, quotes and sources as HTML."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from browser import HOSTILE, PIT, SCALER, cite, quote, related
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.answer import Cell, Citation, Mark, Quote, Row, Statement, Table
from assistant.references import address_of
from corpus.papers import Paper
from ui.prose import read_prose
from ui.render import answer_html, fault_html, partial_html, question_html
from ui.sources import highlighted, sources_html
from ui.welcome import example_questions, header_html, welcome_html

OURS = {
    "a",
    "article",
    "aside",
    "blockquote",
    "br",
    "code",
    "details",
    "div",
    "em",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
}
OURS |= {
    "button",
    "input",
    "label",
    "h6",
    "header",
    "hr",
    "li",
    "mark",
    "ol",
    "p",
    "pre",
    "q",
    "section",
    "span",
    "strong",
    "summary",
}
OURS |= {"table", "tbody", "td", "th", "thead", "tr", "ul"}
ATTRIBUTES = {
    "aria-busy",
    "aria-label",
    "aria-labelledby",
    "class",
    "data-quotes",
    "data-turn",
    "href",
    "id",
    "rel",
}
ATTRIBUTES |= {"aria-expanded", "aria-haspopup", "data-do", "data-label", "data-paper", "data-support"}
ATTRIBUTES |= {"data-year", "type"}
ATTRIBUTES |= {"role", "scope", "start", "tabindex", "target", "title"}


class _Reader(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.words: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def words_of(html: str) -> str:
    """What a reader sees."""
    return "".join(_Reader(html).words).replace("\u00a0", " ")


def safe(html: str) -> bool:
    """Whether the HTML holds only elements that the page makes, without handlers or foreign addresses."""
    for tag, attributes in _Reader(html).elements:
        if tag not in OURS or not attributes.keys() <= ATTRIBUTES:
            return False
        if not re.match(r"#|https?://|$", attributes.get("href", "")):
            return False
    return True


def shown(html: str) -> str:
    return html.replace("\u00a0", "&nbsp;")


def prose(text: str) -> str:
    return read_prose(text).html(lambda number, place: f"<a>{number}@{place}</a>")


def test_markers_are_handed_out_in_order_of_the_text() -> None:
    parsed = read_prose("**2.43x** on average [1], more [2][1].\n\n- and [3]")
    assert parsed.markers == (1, 2, 1, 3)
    html = parsed.html(lambda number, place: f"<a>{number}@{place}</a>")
    assert "<strong>2.43x</strong> on average&nbsp;<a>1@0</a>, more&nbsp;<a>2@1</a><a>1@2</a>" in shown(html)
    assert "<li>and&nbsp;<a>3@3</a></li>" in shown(html)


def test_a_marker_in_code_or_behind_a_backslash_is_text() -> None:
    assert read_prose("`a[1]` and \\[1]").markers == ()


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[a](javascript:alert(1))",
        "![i](http://192.0.2.1/x.png)",
        "<http://192.0.2.1>",
        "[x]: http://192.0.2.1",
        "costs $5 and $6, \\(x\\) and $$y$$",
        "&lt;b&gt; and &amp;",
        "${1+1} {{value}}",
    ],
)
def test_what_is_not_ours_is_shown_as_text(text: str) -> None:
    html = prose(text)
    assert safe(html)
    assert words_of(html).strip() == text


@settings(deadline=None)
@given(st.text(alphabet="<>&\"'[]()!`*_|-\n\\ a1:/#=$~", max_size=60))
def test_no_text_makes_an_element_of_its_own(text: str) -> None:
    paper = replace(PIT, label=text, title=text, venue=text, url=f"https://example.org/{text}")
    answer = cite(text, f"{text} [1]", [(paper, "5.9x")], related=related(paper), status="not_found")
    assert safe(answer_html(answer, 1))
    assert safe(sources_html(answer, {"p1": paper}, 1))
    assert safe(partial_html(text) + question_html(text) + fault_html(text))


def test_a_marker_is_a_link_to_its_source_with_the_quotes_it_stands_on() -> None:
    answer = cite("q", "It reaches **5.9x** [1].", [(PIT, "speedups against state-of-the-art compilers")])
    links = [attributes for tag, attributes in _Reader(answer_html(answer, 3)).elements if tag == "a"]
    assert len(links) == 1
    assert links[0]["href"] == "#source-3-1"
    assert links[0]["data-quotes"] == "0"
    assert links[0]["aria-label"] == "Source 1: PIT"
    assert 'id="source-3-1"' in sources_html(answer, {"p1": PIT}, 3)
    assert "reaches 5.9x [1]." in words_of(answer_html(answer, 3))


def test_markers_out_of_step_with_the_statements_point_to_the_whole_source() -> None:
    answer = replace(cite("q", "One [1] and again [1].", [(PIT, "5.9x")]))
    assert answer_html(answer, 1).count('data-quotes=""') == 2


def test_a_marker_without_a_citation_stays_text() -> None:
    html = answer_html(cite("q", "See [1] and [7].", [(PIT, "5.9x")]), 1)
    assert html.count("<a ") == 1
    assert "and [7]." in words_of(html)


def test_the_contract_table_takes_the_place_of_the_markdown_one() -> None:
    cells = (Cell("Reaches **5.9x**.", (Mark(1, (1,)),)), None)
    quotes = (quote(PIT, "PIT is a compiler"), quote(PIT, "5.9x"))
    answer = replace(
        cite("q", "First [1].\n\n| | PIT | B |\n|---|---|---|\n| Results | Reaches [1] | - |\n\nLast.", []),
        citations=(Citation(1, "p1", "PIT", quotes),),
        sentences=(
            Statement("First", (Mark(1, (0,)),), "verbatim", 1.0),
            Statement("Reaches", (Mark(1, (1,)),), "verbatim", 1.0),
        ),
        table=Table(("PIT", "B"), (Row("Results", cells),)),
    )
    html = answer_html(answer, 1)
    assert html.count("<table>") == 1
    assert '<th scope="row">Results</th><td>Reaches <strong>5.9x</strong>.' in html
    assert "not stated in the abstract" in html
    assert re.findall('data-quotes="([^"]*)"', html) == ["0", "1"]
    assert html.index("First") < html.index("<table>") < html.index("Last.")


def test_a_table_without_its_markdown_stands_at_the_end() -> None:
    answer = replace(cite("q", "Words.", []), table=Table(("A",), (Row("Problem", (None,)),)))
    html = answer_html(answer, 1)
    assert html.index("Words.") < html.index("<table>")


def test_the_standalone_question_is_shown_only_where_it_differs() -> None:
    same = cite("What  speedup?", "Two [1].", [(PIT, "5.9x")], standalone_question="what speedup?")
    assert "understood as" not in answer_html(same, 1)
    other = replace(same, standalone_question="What speedup does <PIT> reach?")
    assert "understood as What speedup does <PIT> reach?" in words_of(answer_html(other, 1))
    assert "A figure" in words_of(answer_html(other, 1))


def test_not_found_says_so_and_offers_the_nearest() -> None:
    answer = cite("q", "The abstract gives no MFU.", [], status="not_found", related=related(PIT, SCALER))
    html = answer_html(answer, 2)
    assert 'class="answer not-found"' in html
    assert "Not in this collection" in html
    assert re.findall(r'href="(#related[^"]*)"', html) == ["#related-2-0", "#related-2-1"]
    panel = sources_html(answer, {"p1": PIT, "p2": SCALER}, 2)
    assert 'id="related-2-1"' in panel
    assert "Nearest papers" in panel


def test_a_paper_that_is_here_but_silent_is_not_said_to_be_missing() -> None:
    answer = cite("q", "It gives no MFU. It says 5.9x [1].", [(PIT, "5.9x")], status="not_found")
    html = answer_html(answer, 1)
    assert "Not in these abstracts" in html
    assert "Not in this collection" not in html


def test_what_a_source_does_not_bear_out_is_named() -> None:
    statements = (
        Statement("Half right.", (Mark(1, (0,)),), "partly", 0.4),
        Statement("Made up.", (), "unsupported", 0.0),
    )
    words = words_of(answer_html(replace(cite("q", "x [1]", [(PIT, "5.9x")]), sentences=statements), 1))
    assert "Only partly supported by what it cites: Half right." in words
    assert "Not supported by the sources: Made up." in words


def test_an_error_is_one_plain_line() -> None:
    answer = cite("q", "", [], status="error", error="The endpoint\n refused <the> key.")
    assert answer_html(answer, 1) == (
        '<p class="fault" role="alert">The endpoint refused &lt;the&gt; key.</p>'
    )


def test_a_highlight_is_the_quote_itself() -> None:
    answer = cite(
        "q", "x [1]", [(PIT, "speedups against state-of-the-art compilers reach 5.9x and average 2.43x.")]
    )
    marks = re.findall("<mark[^>]*>(.*?)</mark>", sources_html(answer, {"p1": PIT}, 1))
    assert marks == [answer.citations[0].quotes[0].text]


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=5))
def test_highlights_keep_the_text_and_cover_each_quote(spans: list[tuple[int, int]]) -> None:
    text = "a <b> & c 𝒳 é “d” e=mc² 5×3 fin"
    quotes = [
        (number, Quote("abstract", start, end, text[start:end]))
        for number, (start, end) in enumerate(spans)
        if start < end <= len(text)
    ]
    html = highlighted(text, quotes)
    assert words_of(html) == text
    for number, held in quotes:
        pieces = re.findall(r'<mark data-quotes="([\d ]*)">(.*?)</mark>', html)
        assert (
            words_of("".join(piece for names, piece in pieces if str(number) in names.split())) == held.text
        )


def test_a_quote_of_another_field_is_marked_there() -> None:
    answer = replace(
        cite("q", "x [1]", []),
        citations=(
            Citation(1, "p1", "PIT", (quote(PIT, "Huiqiang Jiang", "authors"), quote(PIT, "2023", "year"))),
        ),
    )
    panel = sources_html(answer, {"p1": PIT}, 1)
    assert re.findall("<mark[^>]*>(.*?)</mark>", panel) == ["Huiqiang Jiang", "2023"]


def test_a_record_that_changed_is_never_marked_in_the_wrong_place() -> None:
    answer = cite("q", "x [1]", [(PIT, "average 2.43x")])
    panel = sources_html(answer, {"p1": replace(PIT, abstract="Other words.")}, 1)
    assert "<mark" not in panel
    assert "average 2.43x" in panel
    assert "average 2.43x" in sources_html(answer, {}, 1)


def test_hostile_fields_stay_text() -> None:
    answer = cite("q", "x [1]", [(HOSTILE, "Costs fall from $5 and $6")], related=related(HOSTILE))
    panel = sources_html(answer, {"p3": HOSTILE}, 1)
    assert safe(panel)
    assert safe(answer_html(answer, 1))
    assert "javascript" not in panel
    assert "<script>window.hit=2</script>" in words_of(panel)
    assert safe(header_html(HOSTILE.label, 3) + welcome_html(HOSTILE.label, 0))


@pytest.mark.parametrize(
    ("fields", "link"),
    [
        ({"url": "https://example.org/a?b=1"}, "https://example.org/a?b=1"),
        ({"url": " JavaScript:alert(1)"}, None),
        ({"url": "data:text/html,x"}, None),
        ({"url": "//example.org"}, None),
        ({"url": "http://[broken"}, None),
        ({"url": "file:///x", "doi": '10.1/a"b<c'}, "https://doi.org/10.1/a%22b%3Cc"),
        ({"arxiv_id": "2301.10936"}, "https://arxiv.org/abs/2301.10936"),
        ({}, None),
    ],
)
def test_only_web_addresses_become_links(fields: dict[str, str], link: str | None) -> None:
    assert address_of(Paper("p", "P", None, **fields)) == link


def test_a_long_byline_is_cut_unless_it_is_quoted() -> None:
    crowd = replace(PIT, authors=tuple(f"Author {n}" for n in range(30)))
    answer = cite("q", "x [1]", [(crowd, "5.9x")])
    assert "and 23 more" in sources_html(answer, {"p1": crowd}, 1)
    quoted = replace(answer, citations=(Citation(1, "p1", "PIT", (quote(crowd, "Author 29", "authors"),)),))
    assert "<mark" in sources_html(quoted, {"p1": crowd}, 1)


def test_examples_come_from_the_collection() -> None:
    assert example_questions("mine", [PIT, SCALER]) == ("What does PIT do?", "How does SuperScaler work?")
    assert example_questions("mine", [replace(PIT, label=PIT.title or "")]) == ()
    assert any("PIT" in question for question in example_questions("efficient-ml", []))


def test_the_welcome_says_which_collection_this_is() -> None:
    assert "built-in collection" in welcome_html("efficient-ml", 406)
    assert "built-in" not in welcome_html("mine", 3)
    assert "is empty" in welcome_html("mine", 0)
    assert "1,234 papers" in header_html("mine", 1234)
    assert "1 paper<" in header_html("mine", 1)
