"""The prompts for language models: Markdown files with {{variables}}, filled strictly, known by a hash."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from importlib.resources import files

_VARIABLE = re.compile(r"\{\{(\w+)\}\}")


@dataclass(frozen=True)
class Prompt:
    """A prompt file: its text, and a hash that names this version of it."""

    name: str
    text: str

    @property
    def hash(self) -> str:
        """The first 12 hexadecimal digits of the text's SHA-256."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:12]

    @property
    def variables(self) -> frozenset[str]:
        """The names between double braces."""
        return frozenset(_VARIABLE.findall(self.text))

    def fill(self, **values: str) -> str:
        """The text with each variable's value; what stands in a value is never taken for a variable.

        Raises ValueError for a variable without a value and for a value without a variable.
        """
        missing, unused = self.variables - set(values), set(values) - self.variables
        if missing or unused:
            what = ", ".join(
                [
                    *(f"no value for {one!r}" for one in sorted(missing)),
                    *(f"no place for {one!r}" for one in sorted(unused)),
                ]
            )
            raise ValueError(f"the prompt {self.name!r} can't be filled: {what}")
        return _VARIABLE.sub(lambda found: values[found[1]], self.text)


def load(name: str) -> Prompt:
    """The prompt of that name. Raises FileNotFoundError where there is none."""
    return Prompt(name, files(__package__).joinpath(f"{name}.md").read_text(encoding="utf-8").strip())
