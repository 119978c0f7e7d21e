"""What web pages leave of LaTeX when they drop its backslashes and dollars, made readable again."""

from __future__ import annotations

import re

from corpus.latex import ARGUMENT, WRAPPERS, Replacement, fraction


def mend_residue(text: str) -> str:
    """The text with such remains mended: "2.4times" is "2.4x", "10^{19}" is "10^19", "sim0.6" is "~0.6"."""
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    return text


def _script(match: re.Match[str]) -> str:
    """A super- or subscript: braces round one word go, round an expression they become brackets."""
    inner = re.sub(r"\b([A-Za-z])\s?(?:times\b|×)\s?", r"\1 × ", match[2].strip())
    return match[1] + (inner if re.fullmatch(r"\w*|[*+]", inner) else f"({inner})")


# In this order; each row with what it is for.
_TABLE: tuple[tuple[str, Replacement], ...] = (
    # fonts: mathcal{O}(n), {sf B}; a bare "mathcal P" stays, its words are how the abstract is referred to
    (rf"\b(?:{WRAPPERS}){ARGUMENT}", r"\1"),
    (r"\{(?:sf|bf|it|rm|tt|em|cal) ([^{}]*)\}", r"\1"),
    # products: 2.4times, 4timesRTX 3090, [m]times [n]; "5 times faster" and "sometimes" are words
    (r"(?<=\d)times(?=$|[^a-z])", "×"),
    (r"(?<=\])times (?=\[)", " × "),
    # about: sim0.6, 4.7 sim 71.3, sim!2
    (r"(?<=[\d%])\s*sim\s*(?=\d)", "~"),
    (r"(?<![A-Za-z])sim!?\s*(?=\d)", "~"),
    (r"\bapprox (?=\d)", "≈"),
    # relations: geq 81.3%, M geq d, chi_2leq chi, Omegasubseteq [m], Win R^n, Wotimes I
    (r"(?<![A-Za-z]) ?geq (?=[\w|])", " ≥ "),
    (r"(?<![A-Za-z]) ?leq ?(?=[\w|])", " ≤ "),
    (r"(?<=[a-z])subseteq (?=[\w\[])", " ⊆ "),
    (r"\b([A-Z])in (?=[A-Z]\^)", r"\1 ∈ "),
    (r"(?<=[A-Z)}])\s?otimes (?=[A-Z])", " ⊗ "),
    (r"(?<=\})cdot\b", " ·"),
    (r"\^top\b", "^T"),
    # names of signs that people search by: ell_2, CO_2, widetilde O, Llog L
    (r"\bell_(?=\d)", "l"),
    (r"\bCO_2\b", "CO2"),
    (r"\bwidetilde O\b", "Õ"),
    (r"\b([A-Z])log (?=\w)", r"\1 log "),
    # fractions: frac{L{mu}} was L over mu; 2{3}, 1{epsilon}, d^2{M} and sqrt{a}{b} lost their "frac{"
    (r"frac\{(\w+)\{([^{}]*)\}\}", r"(\1/\2)"),
    (r"\b(\d+)\{(\d+|\w|[a-z]{3,})\}", fraction),
    (r"(?<=\^\d)\{(\w)\}", r"/\1"),
    (r"sqrt\{([^{}]*)\}\{([^{}]*)\}", r"sqrt(\1)/(\2)"),
    (r"sqrt\{([^{}]*)\}", r"sqrt(\1)"),
    # scripts: 10^{19}, R^{ntimes n}, x_{max}
    (r"(\^|(?<=\w)_)\{([^{}]*)\}", _script),
    # a cross after a figure is an x, as people type it: 7x7, 4x RTX 3090, 2.4x
    (r"(?<=\d)\s?×\s?(?=\d)", "x"),
    (r"(?<=\d)\s?×(?=[A-Z])", "x "),
    (r"(?<=\d)\s?×", "x"),
    # ties and what followed them: "(~ 96%)", "Sanghavi~jns13", "optimized by~name"
    (r"~\s(?=\d)", "~"),
    (r"(?<=\w)~((?:[A-Za-z]+:)?[A-Za-z_]+\d{2,4}\w*(?:,(?:[A-Za-z]+:)?\w+)*)", r" [\1]"),
    (r"(?<=[A-Za-z.,;])~(?=[\w\[])", " "),
    # braces that held groups; quotes and dashes of TeX
    (r"[{}]", ""),
    (r"``|(?<!')''(?!')", '"'),
    (r"(?<=[\s(])`([^`'\n]{1,60})'(?!\w)", r"'\1'"),
    (r"(?<=\w)---(?=\w)|(?<=\s)---(?=\s)", "—"),
    (r"(?<=[\w%)])--(?=[\w(])|(?<=\s)--(?=\s)", "–"),
)
_RULES = tuple((re.compile(pattern), replacement) for pattern, replacement in _TABLE)
