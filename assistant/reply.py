"""An answer as it comes in: its text so far, and what is wrong with it."""

from __future__ import annotations

from assistant.address import Address
from assistant.faults import cut_off
from assistant.models import Completion
from assistant.repetition import repeated_phrase
from assistant.vendor import Piece
from corpus.errors import ModelError

_CHECK_EVERY = 160
_LETTERS_A_TOKEN = 16
_SHOWN = 60


class Reply:
    """Gathers the pieces of one answer; raises ModelError for an answer that is none."""

    def __init__(self, address: Address, max_tokens: int) -> None:
        self._address = address
        self._max_tokens = max_tokens
        self._parts: list[str] = []
        self._text = ""
        self._length = self._checked = 0
        self._refusal = ""
        self._usage: tuple[int, int] | None = None
        self.finish: str | None = None
        self.begun = False

    def add(self, piece: Piece) -> str:
        """The piece's text."""
        self._refusal += piece.refusal
        self._usage = piece.usage or self._usage
        self.finish = piece.finish or self.finish
        self.begun = self.begun or piece.alive
        if piece.text:
            self._parts.append(piece.text)
            self._length += len(piece.text)
            if self._length - self._checked >= _CHECK_EVERY:
                self._look()
        return piece.text

    def completion(self, counted: tuple[int, int], attempts: int) -> Completion:
        """The whole answer; `counted` are the tokens of prompt and answer as counted here."""
        self._join()
        if self._refusal or self.finish == "content_filter":
            said = self._address.cleaned(self._refusal) or "its content filter stopped the answer"
            raise ModelError(
                f"{self._address.shown} refuses to answer this: {said}; ask in other words", "refusal"
            )
        if self.finish is None:
            raise cut_off(self._address)
        if not self._text.strip():
            spent = f", though it wrote {self._usage[1]} tokens" if self._usage and self._usage[1] else ""
            remedy = "raise ASSISTANT_MAX_OUTPUT" if self.finish == "length" else "ask again"
            raise ModelError(f"{self._address.shown} sent an empty answer{spent}; {remedy}", "empty")
        prompt, answer = self._usage or counted
        finish = "length" if self.finish == "length" else "stop"
        return Completion(self._text, prompt, answer, finish, attempts)

    @property
    def text(self) -> str:
        """The text so far."""
        self._join()
        return self._text

    def _join(self) -> None:
        self._text += "".join(self._parts)
        self._parts.clear()

    def _look(self) -> None:
        self._join()
        self._checked = self._length
        if phrase := repeated_phrase(self._text):
            shown = self._address.cleaned(phrase[:_SHOWN])
            raise ModelError(
                f"{self._address.shown} repeats itself without end: {shown!r}; "
                "ask again, or choose another model",
                "repetition",
            )
        if self._length > self._max_tokens * _LETTERS_A_TOKEN + _CHECK_EVERY:
            raise ModelError(
                f"{self._address.shown} doesn't end: {self._length} letters where at most {self._max_tokens} "
                "tokens were asked for; choose another model",
                "repetition",
            )
