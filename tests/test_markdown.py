"""Words as Markdown: whatever an abstract holds is shown as it stands, by the chat and on a terminal."""

from __future__ import annotations

import io
import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.markdown import at_line_start, bold, escaped, markdown, own_words, plain
from ui.prose import read_prose

TRAPS = [
    "As in [3], [1, 2] and [see](http://x.y).",
    "**bold** and *slanted* 2*3*4",
    "_a_ a_b_c __init__ _x",
    "`code` and ``more``",
    "a|b | c",
    r"\alpha \[3\] \* \\ \_",
    "<b>tag</b> <script>alert(1)</script> 1 < 2 <3",
    "&lt; &amp; AT&T &#65;",
    "~~gone~~ ~5",
    "![image](x) [ref]: y",
    "S^2FT & ZeRO++ = 5% #1",
    "**",
    "***",
    "[[1]]",
]


def shown_in_chat(text: str) -> str:
    html = read_prose(text).html(lambda *_: "MARKER")
    return unescape(re.sub(r"<[^>]+>", "", html)).strip()


def shown_on_terminal(text: str) -> str:
    from rich.console import Console
    from rich.markdown import Markdown

    out = io.StringIO()
    Console(file=out, width=300).print(Markdown(text, hyperlinks=False))
    return " ".join(out.getvalue().split())


@pytest.mark.parametrize("text", TRAPS)
def test_traps_are_shown_as_they_stand(text: str) -> None:
    assert shown_in_chat(escaped(text)) == text
    assert shown_on_terminal("In: " + escaped(text)) == "In: " + " ".join(text.split())


@given(st.text(alphabet="ab1 []()*_`|\\<>&;~#-+.!/=", max_size=30))
def test_any_signs_are_shown_as_they_stand(text: str) -> None:
    words = " ".join(f"x{text}x".split())
    assert shown_in_chat(escaped(words)) == words
    assert not re.search(r"\[(\d+)\]", escaped(words))


@given(st.text(max_size=60))
def test_own_words_come_back(text: str) -> None:
    assert plain(own_words(text)) == text
    assert markdown(own_words(text)) == escaped(text)


def test_only_paired_marks_make_bold() -> None:
    assert markdown("**TileFlow**: 5 * 3") == r"**TileFlow**: 5 \* 3"
    assert plain("**TileFlow**: 5 * 3") == "TileFlow: 5 * 3"
    assert markdown("A** search") == r"A\*\* search"
    assert plain("A** search") == "A** search"
    assert markdown(bold("A** search")) == r"**A\*\* search**"


@pytest.mark.parametrize(
    "line", ["# One", "- two", "+ three", "> four", "1. five", "12) six", "---", "===", "> "]
)
def test_lines_begin_no_blocks(line: str) -> None:
    html = read_prose(at_line_start(line)).html(lambda *_: "")
    assert re.fullmatch(r"<p>[^<]*</p>", html.strip())
    assert shown_in_chat(at_line_start(line)) == line.strip()


@pytest.mark.parametrize("line", ["**TileFlow**: x", "-5 % less", "2.4x", "#1 of all", "A - b"])
def test_other_lines_stay(line: str) -> None:
    assert at_line_start(line) == line


def test_line_breaks_become_spaces() -> None:
    assert markdown("one\n two\n\n# three") == "one two # three"
