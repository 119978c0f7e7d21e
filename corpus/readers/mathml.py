"""MathML in one line of text: "η_p^2", "(a+1)/b", "√(x+y)"."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from xml.etree.ElementTree import Element

_SIGNS = {
    "infinity": "∞", "in": "∈", "notin": "∉", "complexes": "ℂ", "reals": "ℝ", "integers": "ℤ",
    "naturalnumbers": "ℕ", "rationals": "ℚ", "primes": "ℙ", "emptyset": "∅", "pi": "π",
    "exponentiale": "e", "imaginaryi": "i", "plus": "+", "minus": "−", "times": "×", "divide": "/",
    "eq": "=", "neq": "≠", "lt": "<", "gt": ">", "leq": "≤", "geq": "≥", "approx": "≈",
    "power": "^", "root": "√", "sum": "∑", "product": "∏", "int": "∫", "union": "∪",
    "intersect": "∩", "subset": "⊂", "and": "∧", "or": "∨", "not": "¬", "forall": "∀",
    "exists": "∃", "sep": " ", "mspace": " ",
}  # fmt: skip
_UNSEEN = "\u2061\u2062\u2063\u2064"
_NOT_TEXT = {"annotation", "annotation-xml", "maligngroup", "malignmark", "mphantom"}
# Between two of these a space is needed: "5 mg", "sin x".
_SPACED = set("=≠<>≤≥≈∼≃≡∈∉⊂→←↔⇒±×·∧∨")


def math_text(element: Element) -> str:
    """The formula as text; what isn't known of MathML gives its own text."""
    write = _WRITERS.get(element.tag)
    if write:
        return write(element)
    if element.tag in _NOT_TEXT:
        return ""
    if element.tag in _SIGNS:
        return _SIGNS[element.tag]
    own = " ".join((element.text or "").split()).strip(_UNSEEN)
    if element.tag == "mo" and own in _SPACED:
        return f" {own} "
    apart = " " if element.tag in ("apply", "vector", "set", "list", "interval", "matrixrow") else ""
    return own + apart.join(_parts(element))


def _parts(element: Element) -> Iterator[str]:
    """The texts of the children, and of what stands between them."""
    for child in element:
        yield math_text(child)
        if child.tail and child.tail.strip():
            yield child.tail.strip()


def _child(element: Element, place: int) -> str:
    return math_text(element[place]).strip() if len(element) > place else ""


def _group(text: str) -> str:
    """The text in brackets where it is more than one sign or word."""
    return text if text.replace(".", "").isalnum() or len(text) < 2 else f"({text})"


def _scripts(marks: str) -> Callable[[Element], str]:
    def write(element: Element) -> str:
        scripts = (_child(element, place) for place in range(1, len(marks) + 1))
        return _child(element, 0) + "".join(
            mark + _group(text) for mark, text in zip(marks, scripts, strict=True) if text
        )

    return write


def _over(element: Element) -> str:
    """A sign set over another: an accent stays beside its letter."""
    above = _child(element, 1)
    return _child(element, 0) + (
        "" if above in ("¯", "‾", "_", "ˉ") else f"^{_group(above)}" if above else ""
    )


def _fraction(element: Element) -> str:
    return f"{_group(_child(element, 0))}/{_group(_child(element, 1))}"


def _root(element: Element) -> str:
    if element.tag == "msqrt":
        return "√" + _group("".join(_parts(element)).strip())
    return f"{_SMALL.get(_child(element, 1), '')}√{_group(_child(element, 0))}"


_SMALL = {"3": "³", "4": "⁴", "n": "ⁿ"}


def _fenced(element: Element) -> str:
    marks = "".join(element.get("separators", ",").split())
    inner = [math_text(child).strip() for child in element]
    between = [marks[min(place, len(marks) - 1)] if marks else "" for place in range(len(inner) - 1)]
    body = "".join(text + mark for text, mark in zip(inner, [*between, ""], strict=True))
    return f"{element.get('open', '(')}{body}{element.get('close', ')')}"


def _table(element: Element) -> str:
    rows = (", ".join(filter(None, (math_text(cell).strip() for cell in row))) for row in element)
    return f"[{'; '.join(filter(None, rows))}]"


def _chosen(element: Element) -> str:
    """The first of several forms of one formula."""
    return _child(element, 0)


_WRITERS: dict[str, Callable[[Element], str]] = {
    "msub": _scripts("_"),
    "msup": _scripts("^"),
    "msubsup": _scripts("_^"),
    "munder": _scripts("_"),
    "munderover": _scripts("_^"),
    "mover": _over,
    "mfrac": _fraction,
    "msqrt": _root,
    "mroot": _root,
    "mfenced": _fenced,
    "mtable": _table,
    "matrix": _table,
    "semantics": _chosen,
}
