"""Labels are cut between words, keep what tells them apart, and never grow past their size."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from made_up import HashEmbedder

from corpus.collection import open_collection
from corpus.readers.records import Record
from corpus.short import LABEL, shortened, told_apart
from corpus.sync import ingest


def test_a_text_is_cut_between_words() -> None:
    assert shortened("one two three", 13) == "one two three"
    assert shortened("one two three", 12) == "one two…"
    assert shortened("one, two three", 6) == "one…"
    assert shortened("a" * 20, 5) == "aaaa…"


def test_what_tells_labels_apart_stays() -> None:
    assert told_apart("PIT (sparse kernels)", "PIT") == "PIT (sparse kernels)"
    long = "word " * 15 + "end"
    assert told_apart(f"{long} (sparse kernels)", long).endswith("… (sparse kernels)")


@given(st.text(min_size=1, max_size=300), st.text(max_size=100))
def test_no_label_is_longer_than_its_size(given: str, topic: str) -> None:
    assert len(shortened(given)) <= LABEL
    assert len(told_apart(f"{shortened(given)} ({topic})", shortened(given))) <= LABEL


def test_huge_titles_and_words_make_short_labels_that_differ(tmp_path: Path) -> None:
    fields: list[dict[str, object]] = [
        {"title": "word " * 20_000, "authors": ["Ada Moreau"]},
        {"title": "word " * 20_000, "authors": ["Bo Ek"], "abstract": "One thing."},
        {"label": "x" * 100_000, "abstract": "Another thing there is."},
        {"label": "x" * 100_000, "abstract": "Yet another thing there is."},
        {"abstract": "a" * 20_000},
    ]
    records = [Record(number, one, json.dumps(one), "f") for number, one in enumerate(fields, 1)]
    assert ingest(tmp_path, "mine", records, HashEmbedder()).added == 5
    labels = [paper.label for paper in open_collection(tmp_path, "mine", HashEmbedder()).papers()]
    assert len(set(labels)) == 5
    assert max(map(len, labels)) <= LABEL
