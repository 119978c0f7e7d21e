"""Checks whether cited abstracts support a text, sentence by sentence."""

from assistant.verify.finding import is_verbatim as is_verbatim
from assistant.verify.verifier import Ground as Ground
from assistant.verify.verifier import Verdict as Verdict
from assistant.verify.verifier import Verifier as Verifier
from assistant.verify.verifier import says_nothing as says_nothing
