"""Formulas told from prices, and left whole on their way to the page."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_render import safe, words_of

from ui.formulas import formula_spans, katex, with_formulas
from ui.prose import read_prose


def found(text: str) -> list[str]:
    return [text[start:end] for start, end in formula_spans(text)]


@pytest.mark.parametrize(
    "text",
    [
        "It costs $5 and $6.",
        "from $5/day to US$ 6",
        "pay $5, $6, and $7.",
        "$5-$10 or $5M to $6M",
        "US$5 and CA$6 and A$7",
        "between $3/h and 4$.",
        "$HOME/bin:$PATH and $HOME",
        "a \\$5 bill and a 6$ one",
        "the $ sign = a $ sign",
        "${window.hit=3} {{value}} $",
        "an \\( that never ends, and \\(\\(",
        "$cheap models = better models$ they say",
    ],
)
def test_prices_and_variables_are_text(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "formulas"),
    [
        ("for $x$ in $O(n \\log n)$ steps", ["$x$", "$O(n \\log n)$"]),
        ("\\(a + b\\), \\(words of any kind\\)", ["\\(a + b\\)", "\\(words of any kind\\)"]),
        ("$n$-gram, ($k = 3$)", ["$n$", "$k = 3$"]),
        ("$2\\times$ faster at $10^5$ and $0.5$", ["$2\\times$", "$10^5$", "$0.5$"]),
        ("costs $5 and $6 for $x_i$", ["$x_i$"]),
        ("$\\text{loss of the teacher} = 3$", ["$\\text{loss of the teacher} = 3$"]),
    ],
)
def test_formulas_are_found(text: str, formulas: list[str]) -> None:
    assert found(text) == formulas


def test_a_formula_is_not_read_as_markdown() -> None:
    html = read_prose("so \\(a*b*c_i\\) and $x_i$, *but* `$y$` [1]").html(lambda *_: "")
    assert '<span class="formula">\\(a*b*c_i\\)</span>' in html
    assert '<span class="formula">$x_i$</span>' in html
    assert "<em>but</em>" in html
    assert "<code>$y$</code>" in html


def test_a_formula_cut_by_a_quote_stays_text() -> None:
    text = "so $x = 1$ holds"
    assert "formula" not in with_formulas(text, 0, 6) + with_formulas(text, 6)
    assert "formula" in with_formulas(text, 3, 12)


@given(st.text(alphabet="$\\()[]{}<>&\"' ab5^_=\n", max_size=60))
def test_no_character_is_lost(text: str) -> None:
    html = with_formulas(text)
    assert safe(html)
    assert words_of(html) == text


def test_gradio_brings_katex_along() -> None:
    paths = katex()
    assert paths is not None
    assert [path.rpartition(".")[2] for path in paths] == ["js", "css"]
