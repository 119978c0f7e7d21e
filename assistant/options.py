"""What the options of the command line take; ArgumentTypeError, which is wrong usage, for anything else."""

from __future__ import annotations

import argparse
import re

from corpus.errors import InputError


def count(text: str) -> int:
    """A number from 1 to 10,000."""
    return _number(text, 1, 10_000)


def seed(text: str) -> int:
    """A number that a draw of chance begins with."""
    return _number(text, 0, 1_000_000)


def port(text: str) -> int:
    """A port's number."""
    return _number(text, 1, 65_535)


def _number(text: str, low: int, high: int) -> int:
    if not text.isascii() or not text.isdigit() or not low <= int(text) <= high:
        raise argparse.ArgumentTypeError(f"{text!r} isn't a number from {low} to {high}")
    return int(text)


def years(text: str) -> tuple[int, int]:
    """The first and the last year of "2024" or "2023-2025"."""
    first, _, last = text.partition("-")
    years = _number(first, 1000, 2999), _number(last or first, 1000, 2999)
    if years[0] > years[1]:
        raise argparse.ArgumentTypeError(f"{text!r} ends before it begins")
    return years


def refs(text: str) -> tuple[str, ...]:
    """The references of a list with commas; one at least."""
    refs = tuple(ref.strip() for ref in text.split(",") if ref.strip())
    if not refs:
        raise argparse.ArgumentTypeError(f"{text!r} names no paper")
    return refs


def words(text: str) -> str:
    """The text, which says something."""
    if not text.strip():
        raise argparse.ArgumentTypeError(f"{text!r} says nothing")
    return text


def seconds(text: str) -> float:
    """A number of whole seconds."""
    return float(_number(text, 0, 1_000_000))


def file_format(text: str) -> str:
    """The name of a format that can be read."""
    from corpus.readers import readable

    if text not in readable():
        raise argparse.ArgumentTypeError(f"no format is called {text!r}; use one of: {', '.join(readable())}")
    return text


def export_format(text: str) -> str:
    """The name of a format that papers can be exported to."""
    from corpus.exporters.formats import EXPORTERS

    names = [row.name for row in EXPORTERS]
    if text not in names:
        raise argparse.ArgumentTypeError(f"no format is called {text!r}; use one of: {', '.join(names)}")
    return text


def judge_model(text: str) -> str:
    """The name of a model that can judge; "" for that of the settings."""
    if text and not re.fullmatch(r"openai:\S+|gguf:.+", text):
        raise argparse.ArgumentTypeError(
            f"{text!r} is no model: give openai:MODEL or gguf:FILE, or --judge alone after the test set"
        )
    return text


def repeats(text: str) -> int:
    """A number from 1 to 100."""
    return _number(text, 1, 100)


def limit(text: str) -> str:
    """The text of a limit that `evaluate` understands."""
    from assistant.evaluation.comparison import parse_limit

    try:
        parse_limit(text)
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return text
