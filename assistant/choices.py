"""What a reader may choose for their own questions, within what the settings allow."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Choices:
    """How one reader's questions are answered; what isn't chosen is as in the settings.

    `model`: False for answers in the abstracts' own words, though a language model is set. `unsupported` is
    "show" or "drop". `sources` is how many papers a language model is shown at most.
    """

    model: bool = True
    unsupported: str | None = None
    sources: int | None = None
