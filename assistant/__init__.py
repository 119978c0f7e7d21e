"""Read side: from a question to an answer with a checked citation behind every sentence."""

__version__ = "0.1.0"
