"""An answer's Markdown as safe HTML, its markers handed out one by one."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from ui.formulas import formula_at, formula_html

Chip = Callable[[int, int], str]
"""HTML of a marker, from its number and its place (from 0) among all markers of the text."""

# Links and images of a model or an abstract are shown as the text they are: the only links in an answer are
# its markers. Indented code and underlined headings would eat ordinary text.
_OFF = ("link", "image", "autolink", "html_inline", "html_block", "reference", "code", "lheading", "entity")
_MARKER = re.compile(r"\[(\d{1,4})\]")
_TABLE_OPEN = '<div class="table-scroll" role="region" aria-label="Table" tabindex="0"><table>'


@dataclass(frozen=True)
class Prose:
    """A parsed Markdown text and the numbers of its markers in order."""

    tokens: tuple[Token, ...]
    markers: tuple[int, ...]

    def html(self, chip: Chip, table: str | None = None) -> str:
        """The text as HTML; `table` (HTML) stands in for its first Markdown table, or at its end."""
        tokens = list(self.tokens) if table is None else _with_table(self.tokens, table)
        parser = _parser()
        rendered = parser.renderer.render(tokens, parser.options, {"chip": chip})
        return str(rendered)


def read_prose(text: str) -> Prose:
    """The Markdown text, parsed: paragraphs, emphasis, lists, headings, code and tables."""
    tokens = _parser().parse(text)
    found = [child for token in tokens for child in token.children or () if child.type == "marker"]
    for token in tokens:
        _hold_on(token.children or [])
    for place, token in enumerate(found):
        token.meta["place"] = place
    return Prose(tuple(tokens), tuple(token.meta["number"] for token in found))


def _hold_on(line: list[Token]) -> None:
    """Markers tied to the word before them: a line never begins with one."""
    for before, token in pairwise(line):
        if token.type == "marker" and before.type == "text" and before.content.endswith(" "):
            before.content = before.content.rstrip(" ") + "\u00a0"


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable("table").disable(_OFF)
    parser.inline.ruler.before("escape", "marker", _marker)
    parser.inline.ruler.before("escape", "formula", _formula)
    parser.add_render_rule("marker", _render_marker)
    parser.add_render_rule("formula", _render_formula)
    parser.add_render_rule("table_open", lambda *_: _TABLE_OPEN)
    parser.add_render_rule("table_close", lambda *_: "</table></div>")
    return parser


def _marker(state: StateInline, silent: bool) -> bool:
    match = _MARKER.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    if not silent:
        token = state.push("marker", "", 0)
        token.content = match.group()
        token.meta["number"] = int(match.group(1))
    state.pos = match.end()
    return True


def _formula(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] not in "$\\":
        return False
    end = formula_at(state.src, state.pos, state.posMax)
    if end is None:
        return False
    if not silent:
        state.push("formula", "", 0).content = state.src[state.pos : end]
    state.pos = end
    return True


def _render_formula(
    _self: RendererHTML, tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType
) -> str:
    return formula_html(tokens[index].content)


def _render_marker(
    _self: RendererHTML, tokens: Sequence[Token], index: int, _options: OptionsDict, env: EnvType
) -> str:
    token = tokens[index]
    html: str = env["chip"](token.meta["number"], token.meta["place"])
    return html or escape(token.content)


def _with_table(tokens: Sequence[Token], table: str) -> list[Token]:
    """The tokens with the first table replaced by ready HTML."""
    block = Token("html_block", "", 0, content=table)
    kinds = [token.type for token in tokens]
    if "table_open" not in kinds:
        return [*tokens, block]
    first, last = kinds.index("table_open"), kinds.index("table_close")
    return [*tokens[:first], block, *tokens[last + 1 :]]
