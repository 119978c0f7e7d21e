r"""Formulas in a text, $...$ and \(...\), told from prices; the page draws them with the KaTeX of Gradio."""

from __future__ import annotations

import re
from functools import cache
from html import escape
from importlib.resources import files

_FORMULA = re.compile(
    r"\\\((?:(?!\\[()])[^\n]){1,400}?\\\)"
    r"|(?<![\w$\\])\$(?! )(?:[^$\n]{0,399}[^\s$\\])\$(?![\w$])"
)
_MATHEMATICAL = re.compile(r"[\\^_{}=<>+*/|]")
_SHORT = re.compile(r"[^\W\d_]{1,3}|[\d.,]+|[^\W\d_]\([^\s()]{1,12}\)[!']?")
_COMMAND = re.compile(
    r"\\(?:text|textbf|textit|textrm|mathrm|mathbf|mathit|operatorname|mbox)\s*\{[^{}]*\}|\\[A-Za-z]+"
)
_TWO_WORDS = re.compile(r"[^\W\d_]{3,},?\s+[^\W\d_]{2,}|[^\W\d_]{2,},?\s+[^\W\d_]{3,}")
_PRICE = re.compile(r"\d[\d.,]*[KMB]?\b(?!\s*[\\^_=<>+*{}])")


def formula_spans(text: str) -> list[tuple[int, int]]:
    """Where the text has formulas, their delimiters included."""
    return [found.span() for found in _FORMULA.finditer(text) if is_formula(found[0])]


def formula_at(text: str, start: int, end: int) -> int | None:
    """Where the formula ends that begins at `start`; None where there is none before `end`."""
    found = _FORMULA.match(text, start, end)
    return found.end() if found and is_formula(found[0]) else None


def is_formula(source: str) -> bool:
    r"""Whether text in delimiters is mathematics: \(...\) always, $...$ not where words or prices are.

    "$5 and $6", "$HOME/bin:$PATH" and "from $5/day to US$" stay text.
    """
    if not source.startswith("$"):
        return True
    tex = source[1:-1].strip()
    if not _MATHEMATICAL.search(tex):
        return bool(_SHORT.fullmatch(tex))
    bare = _COMMAND.sub(" ", tex)
    return not _TWO_WORDS.search(bare) and not (_PRICE.match(tex) and re.search(r"[^\W\d_]{2,}", bare))


def formula_html(source: str) -> str:
    """A formula as the page looks for it; without a script it is its source."""
    return f'<span class="formula">{escape(source)}</span>'


def with_formulas(
    text: str, start: int = 0, end: int | None = None, spans: list[tuple[int, int]] | None = None
) -> str:
    """The text from `start` to `end` as HTML, formulas of `spans` that lie wholly inside marked as such."""
    end = len(text) if end is None else end
    parts, place = [], start
    for first, last in formula_spans(text) if spans is None else spans:
        if place <= first and last <= end:
            parts += [escape(text[place:first]), formula_html(text[first:last])]
            place = last
    return "".join([*parts, escape(text[place:end])])


@cache
def katex() -> tuple[str, str] | None:
    """Paths of KaTeX's script and style on our own server, below its root; None in a Gradio without them."""
    assets = files("gradio") / "templates" / "frontend" / "assets"
    names = sorted(item.name for item in assets.iterdir()) if assets.is_dir() else []
    scripts = [name for name in names if re.fullmatch(r"katex-[\w-]+\.js", name)]
    styles = [name for name in names if re.fullmatch(r"katex-[\w-]+\.css", name)]
    return (f"assets/{scripts[0]}", f"assets/{styles[0]}") if scripts and styles else None
