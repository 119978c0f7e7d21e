"""Real exports: what is counted in them, and every reader on files that are cut off."""

from __future__ import annotations

import io
import json
from collections import Counter
from pathlib import Path

import pytest

from corpus.readers import Record, Rejected, read_path, read_stream

EXPORTS = Path(__file__).parents[2] / "shared" / "exports"
STEP = 997
MOST_CUTS = 60
# Where the manifest is wrong: records and abstracts in the file, by hand.
WRONG = {
    # ten of the fourteen rows have an abstract; the others have neither a title nor an abstract
    "csv/duplicates.csv": (14, 10),
    # six records, of which two have the type (%0) that the manifest counts; four have an abstract
    "endnote/ais_enl.txt": (6, 4),
    # one record, which has no TY
    "ris/jabref_corrupted_bom_no_TY.ris": (1, 0),
}
# Records with neither a title nor an abstract: 69 entries of journals' series, four rows, one null.
REJECTED = {
    "bibtex/bbt_plus_in_field_name_2660.bib": 69,
    "csv/duplicates.csv": 4,
    "semanticscholar/batch_with_null_record.json": 1,
}
# What holds no paper at all is rejected as a whole.
EMPTY = {"arxiv/atom_error.xml", "pubmed_xml/37909814_empty_set.xml"}


def _manifest() -> dict[str, tuple[int, int]]:
    if not EXPORTS.exists():
        return {}
    entries = json.loads((EXPORTS / "MANIFEST.json").read_text())
    return {one["file"]: (one["records"], one["abstracts"]) for one in entries}


@pytest.mark.shared_data
@pytest.mark.parametrize("file", sorted(_manifest()) or ["none"])
def test_every_record_is_read_or_rejected(file: str) -> None:
    if file == "none":
        pytest.skip("no shared exports")
    records, abstracts = WRONG.get(file) or _manifest()[file]
    items = list(read_path(EXPORTS / file))
    counted = Counter(type(item) for item in items)
    if file in EMPTY:
        assert counted == {Rejected: 1}
        return
    assert counted[Record] + counted[Rejected] == records
    assert sum(bool(item.fields.get("abstract")) for item in items if isinstance(item, Record)) == abstracts
    assert counted[Rejected] == REJECTED.get(file, 0)


@pytest.mark.shared_data
@pytest.mark.parametrize("file", sorted(_manifest()) or ["none"])
def test_files_that_are_cut_off_are_read_or_rejected(file: str) -> None:
    if file == "none":
        pytest.skip("no shared exports")
    data = (EXPORTS / file).read_bytes()
    cuts = range(STEP, len(data), STEP)
    for cut in cuts[:: max(1, -(-len(cuts) // MOST_CUTS))]:
        items = list(read_stream(io.BytesIO(data[:cut]), "cut"))
        assert items
        assert all(isinstance(item, Record | Rejected) for item in items)
