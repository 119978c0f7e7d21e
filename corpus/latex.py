"""LaTeX turned into plain text that a person can read."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

Replacement = str | Callable[[re.Match[str]], str]

ARGUMENT = r"\s?\{([^{}]*)\}"
# Fonts and boxes: the command goes, its argument stays.
WRAPPERS = (
    "mathcal|mathbb|mathbf|mathrm|mathit|mathsf|mathfrak|mathscr|boldsymbol|operatorname|textbf|textit|textrm|"
    "texttt|textsc|textsf|textnormal|textsubscript|textsuperscript|emph|underline|mbox|hbox|ensuremath|widetilde|"
    "tilde|hat|bar|overline|vec"
)
_SWITCHES = {
    "bf", "it", "sf", "rm", "tt", "sc", "em", "cal", "small", "footnotesize", "scriptsize", "normalsize",
    "large", "displaystyle", "textstyle", "left", "right", "mathcal", "mathbb", "mathbf", "mathrm", "begin",
    "end", "footnotesizeblue",
}  # fmt: skip
_SYMBOLS = {
    "times": "×", "cdot": "·", "sim": "~", "approx": "≈", "leq": "≤", "le": "≤", "geq": "≥", "ge": "≥",
    "neq": "≠", "ll": "≪", "gg": "≫", "pm": "±", "in": "∈", "subseteq": "⊆", "subset": "⊂", "cup": "∪",
    "cap": "∩", "otimes": "⊗", "oplus": "⊕", "to": "→", "rightarrow": "→", "leftarrow": "←",
    "Rightarrow": "⇒", "infty": "∞", "ell": "l", "partial": "∂", "nabla": "∇", "sum": "∑", "prod": "∏",
    "forall": "∀", "exists": "∃", "equiv": "≡", "propto": "∝", "ldots": "…", "dots": "…", "cdots": "…",
    "circ": "°", "degree": "°", "top": "T", "quad": " ", "qquad": " ", "alpha": "α", "beta": "β",
    "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε", "zeta": "ζ", "eta": "η", "theta": "θ",
    "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ",
    "tau": "τ", "phi": "φ", "varphi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ",
    "Theta": "Θ", "Lambda": "Λ", "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω", "textpm": "±",
    "texttimes": "×", "textendash": "–", "textemdash": "—", "textquotesingle": "'", "textasciitilde": "~",
    "textbackslash": "\\", "ss": "ß", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ", "AE": "Æ",
    "aa": "å", "AA": "Å", "oe": "œ", "i": "ı",
}  # fmt: skip
_ACCENTS = {
    "'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304", ".": "\u0307",
    "c": "\u0327", "v": "\u030c", "u": "\u0306", "H": "\u030b", "k": "\u0328", "r": "\u030a", "d": "\u0323",
}  # fmt: skip
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
    return _COMMAND.sub(_symbol, text).replace(_DOLLAR, "$")


def _accented(match: re.Match[str]) -> str:
    return unicodedata.normalize("NFC", match[2].removeprefix("\\") + _ACCENTS[match[1]])


def _formula(match: re.Match[str]) -> str:
    """The inside of a pair of dollars, where it looks like a formula and not like two sums of money."""
    inner = match[1]
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
    return _SYMBOLS.get(name, "" if name in _SWITCHES else name)


_TABLE: tuple[tuple[str, Replacement], ...] = (
    (r"\\(['`^\"~=.])\s*\{?(\\[ij]|[A-Za-z])(?:(?<=\{.)\}|(?<=\{\\.)\})?", _accented),
    (r"\\([cvuHkrd])\{(\\[ij]|[A-Za-z])\}", _accented),
    (r"\\\$", _DOLLAR),
    (r"\\([%&#_])", r"\1"),
    (r"\\(?:[,;:! ]|\\)", " "),
    (r"\\[()\[\]]", ""),
    (r"(?<![$\w])\$\$?(?=\S)([^$]{1,400}?)(?<=\S)\$?\$", _formula),
    (r"\^\{?\\circ\}?", "°"),
    (rf"\\[dt]?frac{ARGUMENT}{ARGUMENT}", fraction),
    (rf"\\sqrt{ARGUMENT}", r"√(\1)"),
    (rf"\\href{ARGUMENT}{ARGUMENT}", r"\1{\2}"),
    (rf"\\(?:textcolor|colorbox){ARGUMENT}{ARGUMENT}", r"\2"),
    (rf"\\(?:cite|ref|label)[a-z]*\*?{ARGUMENT}", r"[\1]"),
    (rf"\\(?:{WRAPPERS}|url){ARGUMENT}", r"\1"),
    (r"\{\\[a-z]+ ([^{}]*)\}", r"\1"),
)
_RULES = tuple((re.compile(pattern), replacement) for pattern, replacement in _TABLE)
_COMMAND = re.compile(r"\\([A-Za-z]+)")
