"""Counting tokens: without the network, exactly where the encoding is known, rather too many elsewhere."""

from __future__ import annotations

import os

from hypothesis import given
from hypothesis import strategies as st

from assistant.models import Message
from assistant.tokens import count_text, count_tokens


def test_known_texts() -> None:
    assert count_text("hello world") == 2
    assert count_text("") == 0
    assert os.environ["TIKTOKEN_CACHE_DIR"].endswith("tiktoken_cache")


def test_marks_of_the_encoding_are_text() -> None:
    assert count_text("<|endoftext|>") > 1


def test_a_known_model_is_counted_with_its_frame() -> None:
    assert count_tokens("gpt-5.4-mini", [Message("user", "hello world")]) == 2 + 4 + 3
    assert count_tokens("gpt-4", [Message("user", "hello world")]) == 2 + 4 + 3


@given(st.lists(st.text(max_size=200), min_size=1, max_size=5))
def test_an_unknown_model_never_counts_less(texts: list[str]) -> None:
    messages = [Message("user", text) for text in texts]
    assert count_tokens("llama-3.gguf", messages) > count_tokens("gpt-4o", messages) * 1.15


def test_an_encoding_that_would_be_downloaded_is_not_used() -> None:
    messages = [Message("user", "hello world")]
    assert count_tokens("davinci", messages) == count_tokens("nobody's", messages)
