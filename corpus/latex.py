"""LaTeX turned into plain text that a person can read."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

from corpus.latex_signs import ACCENTS, SIGNS

Replacement = str | Callable[[re.Match[str]], str]

ARGUMENT = r"\s?\{([^{}]*)\}"
# Fonts and boxes: the command goes, its argument stays.
WRAPPERS = (
    "mathcal|mathbb|mathbf|mathrm|mathit|mathsf|mathfrak|mathscr|boldsymbol|operatorname|textbf|textit|textrm|"
    "texttt|textsc|textsf|textnormal|textsubscript|textsuperscript|emph|underline|mbox|hbox|ensuremath|widetilde|"
    "tilde|hat|bar|overline|vec"
)
# The same, but told only by their backslash: their bare names are words.
_BOXES = (
    "text|textup|textsl|textmd|bm|pmb|mathtt|mathnormal|lowercase|uppercase|MakeUppercase|MakeLowercase|"
    "NoCaseChange|mkbibemph|mkbibitalic|mkbibbold|textgreek|textcyrillic|uline|ul|underbar|nolinkurl|path|fbox"
)
_SWITCHES = {
    "bf", "it", "sf", "rm", "tt", "sc", "em", "cal", "small", "footnotesize", "scriptsize", "normalsize",
    "large", "displaystyle", "textstyle", "left", "right", "mathcal", "mathbb", "mathbf", "mathrm", "begin",
    "end", "footnotesizeblue", "relax", "par", "noindent", "newline", "linebreak", "protect", "xspace",
    "bfseries", "itshape", "scshape", "rmfamily", "sffamily", "ttfamily", "upshape", "mdseries", "allowbreak",
}  # fmt: skip
_OPEN, _CLOSE = "\ue002", "\ue003"  # stand for braces that are content
_ESCAPED = re.compile(r"(?<!\\)\\([{}])")
_ITEM = r"(?:[^\W_]{1,2}|[−-]?\d+(?:\.\d+)?|\\?[cl]?dots|…|\.\.\.)"
_SET = re.compile(
    rf"(?<![\w^_}}\\])\{{(?!\d{{1,3}},\d{{3}}\}})(\s*{_ITEM}(?:\s*,\s*{_ITEM})+\s*|\s*\"[^\"{{}}]{{0,80}}\"\s*:[^{{}}]{{0,400}})\}}"
)
_DOLLAR = "\ue000"  # stands for a dollar of money while those of formulas are taken out


def plain_text(text: str) -> str:
    """The text with its LaTeX commands replaced: "43\\%" is "43%", "\\textbf{fast}" is "fast"."""
    if "\\" not in text and "$" not in text:
        return text
    for _ in range(4):  # innermost braces first, so nested commands take a round each
        before = text
        for pattern, replacement in _RULES:
            text = pattern.sub(replacement, text)
        if text == before:
            break
    text = _COMMAND.sub(_symbol, text).replace(_DOLLAR, "$")
    return re.sub(r"\\(?=[{}])", "", text)


def held_braces(text: str) -> str:
    """The text with braces that are content held apart from those of LaTeX: "\\{0,1\\}", "{a, b, c}"."""
    if "{" not in text and "}" not in text:
        return text
    text = _ESCAPED.sub(lambda match: _OPEN if match[1] == "{" else _CLOSE, text)
    return _SET.sub(rf"{_OPEN}\1{_CLOSE}", text)


def shown_braces(text: str) -> str:
    """The text with the held braces as they are."""
    return text.replace(_OPEN, "{").replace(_CLOSE, "}")


def _accented(match: re.Match[str]) -> str:
    return unicodedata.normalize("NFC", match[2].removeprefix("\\") + ACCENTS[match[1]])


def _formula(match: re.Match[str]) -> str:
    """The inside of a pair of dollars, where it looks like a formula and not like two sums of money."""
    inner = match[1] or match[2]
    if match[1]:  # of a formula of its own
        return inner
    if "\\" in inner:
        return inner
    next_is_digit = match.string[match.end() : match.end() + 1].isdigit()
    is_formula = (" " not in inner or re.search(r"[\^_=<>{}+]", inner)) and not next_is_digit
    return inner if is_formula else match[0]


def fraction(match: re.Match[str]) -> str:
    """The two groups of the match as "top/bottom", with brackets where a side has more than one word."""
    return "/".join(part if re.fullmatch(r"[\w.]+", part) else f"({part})" for part in match.groups())


def _symbol(match: re.Match[str]) -> str:
    """The sign of a known command, the bare name of an unknown one: \\ours stands for a word."""
    name = match[1]
    return SIGNS.get(name, "" if name in _SWITCHES else name)


_TABLE: tuple[tuple[str, Replacement], ...] = (
    (r"\\(['`^\"~=.])\s*\{?(\\[ij]|[A-Za-z])(?:(?<=\{.)\}|(?<=\{\\.)\})?", _accented),
    (r"\\([cvuHkrdb])(?:\{|\s+\{?)(\\[ij]|[A-Za-z])(?:(?<=\{.)\}|(?<=\{\\.)\})?", _accented),
    (
        r"\{\\(['`^\"~=.])\s?\{?([^\W\d_])\}?\}",
        lambda match: unicodedata.normalize("NFC", match[2] + ACCENTS[match[1]]),
    ),
    (
        r"\\(['`^\"~=.])\s?\{([^\x00-\x7f])\}",
        lambda match: unicodedata.normalize("NFC", match[2] + ACCENTS[match[1]]),
    ),
    (r"\\(ss|aa|AA|ae|AE|oe|OE|o|O|l|L|dh|th|dj|i|j)(?:\s+|\{\})(?=[^\W\d_])", lambda match: SIGNS[match[1]]),
    (r"\\\$", _DOLLAR),
    (r"\\([%&#_])", r"\1"),
    (r"\\(?:[,;:! ]|\\)", " "),
    (r"\\[()\[\]]", ""),
    (r"\\\|", "‖"),
    (r"(?<=\w)\$(?=[\^_\\<>=])([^$]{1,400}?)\$", r"\1"),
    (r"(?<![$\w])\$\$\s*([^$]{1,400}?)\s*\$\$|(?<![$\w])\$\$?(?=\S)([^$]{1,400}?)(?<=\S)\$?\$", _formula),
    (r"\^\{?\\circ\}?", "°"),
    (rf"\\[dt]?frac{ARGUMENT}{ARGUMENT}", fraction),
    (rf"\\sqrt{ARGUMENT}", r"√(\1)"),
    (rf"\\href{ARGUMENT}{ARGUMENT}", r"\1{\2}"),
    (rf"\\(?:textcolor|colorbox){ARGUMENT}{ARGUMENT}", r"\2"),
    (rf"\\(?:cite|ref|label)[a-z]*\*?(?:\s?\[[^\[\]]{{0,120}}\]){{0,2}}{ARGUMENT}", r"[\1]"),
    (r"\\textsuperscript\s?\{([-−+]?\d[^{}]*|[-−+])\}", r"^{\1}"),
    (rf"\\(?:{WRAPPERS}|{_BOXES}|url){ARGUMENT}", r"\1"),
    (rf"\\(?:enquote|mkbibquote|textquote){ARGUMENT}", r"“\1”"),
    (r"\{\\[a-z]+ ([^{}]*)\}", r"\1"),
)
_RULES = tuple((re.compile(pattern), replacement) for pattern, replacement in _TABLE)
_COMMAND = re.compile(r"\\([A-Za-z]+)")
