"""Signs and letters that LaTeX names: the text for each command, without its backslash."""

from __future__ import annotations

_GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε", "zeta": "ζ",
    "eta": "η", "theta": "θ", "vartheta": "ϑ", "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ",
    "nu": "ν", "xi": "ξ", "pi": "π", "varpi": "ϖ", "rho": "ρ", "varrho": "ϱ", "sigma": "σ", "varsigma": "ς",
    "tau": "τ", "upsilon": "υ", "phi": "φ", "varphi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω",
    "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ",
    "Upsilon": "Υ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
}  # fmt: skip
_MATHS = {
    "times": "×", "cdot": "·", "sim": "~", "approx": "≈", "simeq": "≃", "cong": "≅", "leq": "≤", "le": "≤",
    "leqslant": "≤", "geq": "≥", "ge": "≥", "geqslant": "≥", "lesssim": "≲", "gtrsim": "≳", "neq": "≠",
    "ne": "≠", "lt": "<", "gt": ">", "ll": "≪", "gg": "≫", "pm": "±", "mp": "∓", "div": "÷", "ast": "*",
    "star": "⋆", "bullet": "•", "in": "∈", "notin": "∉", "ni": "∋", "subseteq": "⊆", "subset": "⊂",
    "supseteq": "⊇", "supset": "⊃", "cup": "∪", "cap": "∩", "setminus": "∖", "emptyset": "∅",
    "varnothing": "∅", "otimes": "⊗", "oplus": "⊕", "to": "→", "rightarrow": "→", "longrightarrow": "→",
    "leftarrow": "←", "leftrightarrow": "↔", "uparrow": "↑", "downarrow": "↓", "mapsto": "↦",
    "Rightarrow": "⇒", "Leftarrow": "⇐", "Leftrightarrow": "⇔", "rightleftharpoons": "⇌", "infty": "∞",
    "ell": "l", "hbar": "ħ", "partial": "∂", "nabla": "∇", "sum": "∑", "prod": "∏", "int": "∫",
    "forall": "∀", "exists": "∃", "neg": "¬", "wedge": "∧", "vee": "∨", "equiv": "≡", "propto": "∝",
    "parallel": "∥", "perp": "⊥", "angle": "∠", "langle": "⟨", "rangle": "⟩", "mid": "|", "lbrace": "{",
    "rbrace": "}", "ldots": "…", "dots": "…", "cdots": "…", "circ": "°", "degree": "°", "prime": "′",
    "dagger": "†", "ddagger": "‡", "odot": "⊙", "sun": "☉", "Re": "ℜ", "Im": "ℑ", "aleph": "ℵ", "top": "T",
    "quad": " ", "qquad": " ", "copyright": "©", "pounds": "£", "checkmark": "✓",
}  # fmt: skip
_TEXT = {
    "pm": "±", "times": "×", "div": "÷", "endash": "–", "emdash": "—", "quotesingle": "'", "quotedbl": '"',
    "quotedblleft": "“", "quotedblright": "”", "quoteleft": "‘", "quoteright": "’", "quotedblbase": "„",
    "asciitilde": "~", "asciicircum": "^", "asciigrave": "`", "backslash": "\\", "less": "<",
    "greater": ">", "bar": "|", "underscore": "_", "dollar": "$", "percent": "%", "ampersand": "&",
    "hash": "#", "bullet": "•", "ellipsis": "…", "registered": "®", "trademark": "™", "copyright": "©",
    "degree": "°", "celsius": "°C", "mu": "µ", "ohm": "Ω", "section": "§", "paragraph": "¶", "dagger": "†",
    "daggerdbl": "‡", "euro": "€", "sterling": "£", "yen": "¥", "cent": "¢", "exclamdown": "¡",
    "questiondown": "¿", "ordfeminine": "ª", "ordmasculine": "º", "onehalf": "½", "onequarter": "¼",
    "threequarters": "¾", "onesuperior": "¹", "twosuperior": "²", "threesuperior": "³",
    "periodcentered": "·", "minus": "−", "perthousand": "‰", "numero": "№", "rightarrow": "→",
    "leftarrow": "←", "surd": "√", "lnot": "¬", "braceleft": "{", "braceright": "}", "space": " ",
    "nobreakspace": " ",
}  # fmt: skip
_LETTERS = {
    "ss": "ß", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ", "AE": "Æ", "aa": "å", "AA": "Å",
    "oe": "œ", "OE": "Œ", "i": "ı", "j": "ȷ", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ", "dj": "đ",
    "DJ": "Đ", "ng": "ŋ", "NG": "Ŋ", "guillemotleft": "«", "guillemotright": "»", "guillemetleft": "«",
    "guillemetright": "»", "glqq": "„", "grqq": "“", "flqq": "«", "frqq": "»", "lq": "‘", "rq": "’",
    "slash": "/", "textvisiblespace": "␣", "S": "§", "P": "¶", "euro": "€", "LaTeX": "LaTeX", "TeX": "TeX",
    "BibTeX": "BibTeX",
}  # fmt: skip
SIGNS = _GREEK | _MATHS | {f"text{name}": sign for name, sign in _TEXT.items()} | _LETTERS
ACCENTS = {
    "'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304", ".": "\u0307",
    "c": "\u0327", "v": "\u030c", "u": "\u0306", "H": "\u030b", "k": "\u0328", "r": "\u030a", "d": "\u0323",
    "b": "\u0331",
}  # fmt: skip
