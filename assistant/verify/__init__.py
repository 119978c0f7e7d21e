"""Checks whether cited abstracts support a text, sentence by sentence."""

from assistant.verify.verifier import Ground as Ground
from assistant.verify.verifier import Verdict as Verdict
from assistant.verify.verifier import Verifier as Verifier
