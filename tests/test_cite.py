"""From what is said to a cited text: markers, numbers, quotes, tables."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.answer import Mark, Quote
from assistant.cite import NOT_STATED, Cited, Grid, Line, Said, bold_figures, cite
from assistant.markdown import bold, own_words, plain
from ui.prose import read_prose

ABSTRACT = "TileFlow is fast. It is 5.9x faster [1] than TVM. **It** needs nothing."
LABELS = {"a": "TileFlow", "b": "Lumen [2] *new*", "c": "x|y_"}


def quote(start: int, end: int) -> Quote:
    return Quote("abstract", start, end, ABSTRACT[start:end])


def said(text: str, *papers: str) -> Said:
    return Said(own_words(text), tuple((paper, quote(0, 17)) for paper in papers))


def markers(text: str) -> list[int]:
    """The markers as outside checks find them."""
    return [int(number) for number in re.findall(r"\[(\d+)\]", text)]


def check(cited: Cited) -> None:
    """What holds for every cited text."""
    shown = markers(cited.text)
    numbers = [citation.marker for citation in cited.citations]
    assert numbers == list(range(1, len(numbers) + 1))
    assert list(dict.fromkeys(shown)) == numbers
    assert shown == [mark.marker for statement in cited.sentences for mark in statement.citations]
    assert list(read_prose(cited.text).markers) == shown
    by_number = {citation.marker: citation for citation in cited.citations}
    for statement in cited.sentences:
        for mark in statement.citations:
            assert mark.quotes
            assert max(mark.quotes) < len(by_number[mark.marker].quotes)
    for citation in cited.citations:
        assert len(set(citation.quotes)) == len(citation.quotes) > 0
        for one in citation.quotes:
            assert ABSTRACT[one.start : one.end] == one.text


def test_markers_are_numbered_by_first_use() -> None:
    cited = cite(
        [
            Line((said("One.", "b"), said("Two.", "a")), lead="**Lead**: "),
            Line((said("Three.", "b", "c"),)),
        ],
        LABELS,
    )
    assert cited.text == "**Lead**: One. [1] Two. [2]\n\nThree. [1] [3]"
    assert [(one.marker, one.paper_id, one.label) for one in cited.citations] == [
        (1, "b", "Lumen [2] *new*"),
        (2, "a", "TileFlow"),
        (3, "c", "x|y_"),
    ]
    check(cited)


def test_a_paper_has_one_marker_and_its_quotes_each_once() -> None:
    first, second = quote(0, 17), quote(18, 50)
    cited = cite(
        [Line((Said("One.", (("a", first),)), Said("Two.", (("a", second), ("a", first)))))],
        LABELS,
    )
    assert cited.citations[0].quotes == (first, second)
    assert [one.citations for one in cited.sentences] == [(Mark(1, (0,)),), (Mark(1, (1, 0)),)]
    check(cited)


def test_bullets_stand_together_and_paragraphs_apart() -> None:
    lines = [
        Line((said("A."),)),
        Line((said("B.", "a"),), bullet=True),
        Line((said("C.", "b"),), bullet=True),
    ]
    assert cite([*lines, Line((said("D."),))], LABELS).text == "A.\n\n- B. [1]\n- C. [2]\n\nD."


def test_what_a_paper_holds_of_markers_and_markdown_is_text() -> None:
    sentence = ABSTRACT[18:49]
    cited = cite(
        [
            Line((Said(bold_figures(sentence), (("a", quote(18, 49)),)),), lead=f"{bold(LABELS['b'])}: "),
            Line((Said(bold_figures(ABSTRACT[50:]), (("a", quote(50, len(ABSTRACT))),)),)),
        ],
        LABELS,
    )
    assert markers(cited.text) == [1, 1]
    assert r"\[1\]" in cited.text
    assert r"\*\*It\*\* needs nothing." in cited.text
    assert [one.text for one in cited.sentences] == [sentence, ABSTRACT[50:]]
    assert cited.citations[0].quotes[0].text == sentence
    html = read_prose(cited.text).html(lambda number, _: f"<a>{number}</a>")
    assert "<strong>Lumen [2] *new*</strong>:" in html
    assert "faster [1] than" in html
    check(cited)


def test_a_paragraph_that_begins_like_a_heading_is_one_all_the_same() -> None:
    assert cite([Line((Said("# Title", (("a", quote(0, 17)),)),))], LABELS).text == r"\# Title [1]"
    assert cite([Line((Said("1. Title", ()),), bullet=True)], LABELS).text == r"- 1\. Title"


def test_a_table_is_cited_cell_by_cell() -> None:
    grid = Grid(
        ("TileFlow", "x|y_"),
        (
            ("Speed", ((said("Fast | good [9].", "a"),), ())),
            ("Cost", ((), (said("Low.", "c"), said("So.", "c")))),
        ),
    )
    cited = cite([Line((said("First.", "c"),)), grid], LABELS)
    check(cited)
    assert cited.table is not None
    assert cited.table.columns == ("TileFlow", "x|y_")
    speed, cost = cited.table.rows
    assert speed.cells[1] is None
    assert cost.cells[0] is None
    assert speed.cells[0] is not None
    assert speed.cells[0].text == "Fast | good [9]."
    assert speed.cells[0].citations == (Mark(2, (0,)),)
    assert cost.cells[1] is not None
    assert (cost.cells[1].text, cost.cells[1].citations) == ("Low. So.", (Mark(1, (0,)),))
    rows = cited.text.split("\n\n")[1].split("\n")
    assert rows[0] == r"| | TileFlow | x\|y\_ |"
    assert rows[2] == rf"| **Speed** | Fast \| good \[9\]. [2] | {NOT_STATED} |"
    html = read_prose(cited.text).html(lambda number, _: f"({number})")
    assert html.count("<tr>") == 3
    assert "Fast | good [9]. (2)" in html.replace("\u00a0", " ")


TEXTS = st.text(alphabet="ab 1[]*|_#\\`.", min_size=1, max_size=12)
SAIDS = st.builds(
    lambda text, papers: said(text, *papers), TEXTS, st.lists(st.sampled_from("abc"), max_size=3)
)
LINES = st.builds(
    lambda group, lead, bullet: Line(tuple(group), own_words(lead), bullet),
    st.lists(SAIDS, max_size=3),
    st.one_of(st.just(""), TEXTS),
    st.booleans(),
)
GRIDS = st.builds(
    lambda rows, columns: Grid(
        tuple(columns), tuple(("x", tuple(tuple(cell) for cell in row)) for row in rows)
    ),
    st.lists(st.tuples(st.lists(SAIDS, max_size=2), st.lists(SAIDS, max_size=2)), min_size=1, max_size=3),
    st.tuples(TEXTS, TEXTS),
)


@given(st.lists(LINES, max_size=4), st.one_of(st.none(), GRIDS))
def test_any_answer_keeps_the_contract(lines: list[Line], grid: Grid | None) -> None:
    check(cite([*lines, grid] if grid else lines, LABELS))


@pytest.mark.parametrize(
    ("sentence", "bold"),
    [
        ("It is 5.9x faster.", "It is **5.9x** faster."),
        ("Saves 12 % of 1,024 GPUs.", "Saves **12 %** of **1,024** GPUs."),
        ("From 3 to 4-5 ms", "From **3** to **4-5 ms**"),
        ("On A100 and iPhone 12, GPT-4", "On A100 and iPhone 12, GPT-4"),
        ("Steps: (1) read, (2) write", "Steps: (1) read, (2) write"),
        ("As shown in [12] and [1, 2-4].", "As shown in [12] and [1, 2-4]."),
        ("Over 16 GPUs", "Over **16** GPUs"),
        ("10-fold, ~2x, $5", "**10-fold**, **~2x**, **$5**"),
        ("S2FT and x86", "S2FT and x86"),
        ("No figure.", "No figure."),
    ],
)
def test_figures_are_bold_and_digits_of_names_are_not(sentence: str, bold: str) -> None:
    assert bold_figures(sentence) == bold


@given(st.text(max_size=80))
def test_bold_changes_no_word(sentence: str) -> None:
    assert plain(bold_figures(sentence)) == sentence
