"""Any order of ingests and removals leaves three stores that agree, and the records' papers in them."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from made_up import HashEmbedder, abstract, record
from snapshot import snapshot

from corpus.collection import open_collection
from corpus.readers.records import Record
from corpus.sync import ingest, remove

_RECORDS = st.builds(
    lambda number, text, file, doi: record(
        number, file=file, abstract=abstract(text), doi=f"10.1000/{doi}" if doi else None
    ),
    st.integers(0, 5),
    st.integers(0, 4),
    st.sampled_from(["a.jsonl", "b.jsonl"]),
    st.integers(0, 3),
)
_FILES = st.lists(_RECORDS, min_size=1, max_size=5, unique_by=lambda one: (one.file, one.number))
_STEPS = st.lists(st.one_of(_FILES, st.integers(0, 9)), max_size=5)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(_STEPS)
def test_the_stores_agree_after_any_steps(steps: list[list[Record] | int]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        ingest(home, "mine", [], HashEmbedder())
        for step in steps:
            papers = open_collection(home, "mine", HashEmbedder()).papers()
            if isinstance(step, int):
                if papers:
                    remove(home, "mine", [papers[step % len(papers)].id], HashEmbedder())
                continue
            report = ingest(home, "mine", step, HashEmbedder())
            assert report.added + report.updated + report.unchanged + report.merged == len(step)
            again = ingest(home, "mine", step, HashEmbedder())
            assert (again.added, again.embedded) == (0, 0)
        if any(isinstance(step, list) for step in steps):
            now = snapshot(home)
            assert now.words == sorted(now.ids)
            assert {key.partition("#")[0] for key in now.passages} == set(now.ids)
            assert {name for _, name in now.tables["identities"]} == set(now.ids)
            papers = open_collection(home, "mine", HashEmbedder()).papers()
            aliases = [alias for paper in papers for alias in paper.aliases]
            assert not set(aliases) & set(now.ids)
            assert len(set(aliases)) == len(aliases)
            assert len({paper.label for paper in papers}) == len(papers)
