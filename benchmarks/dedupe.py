"""Precision and recall of `same_work` on labelled pairs of records.

usage: python benchmarks/dedupe.py [--errors] [--exports FOLDER]

A pair counts as found where the two records share a key and are judged to be one paper, as in an ingest. Half
of the pairs were set aside by a random split before the rules were tuned; errors of that half aren't shown.
With --exports FOLDER the pairs count too that are named by file and record of the exports there.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from corpus.cleaning import paper_from
from corpus.dedupe import same_paper_key
from corpus.facts import Facts, facts_of, same_work
from corpus.papers import Paper
from corpus.readers import read_path
from corpus.readers.records import Record

Pair = dict[str, Any]
PAIRS = Path(__file__).parent / "dedupe.jsonl"


def main() -> None:
    """Prints a table; with --errors the pairs of the tuning half that are judged wrongly."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--errors", action="store_true")
    parser.add_argument("--exports", type=Path, metavar="FOLDER")
    given = parser.parse_args()
    show = given.errors
    pairs = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    pairs = with_exports(pairs, given.exports)
    write("| half | pairs | one paper | precision | recall |\n| --- | ---: | ---: | ---: | ---: |")
    for half in ("tuning", "held-out"):
        some = [pair for pair in pairs if pair["half"] == half]
        found = Counter((pair["same"], is_found(pair)) for pair in some)
        precision = found[True, True] / (found[True, True] + found[False, True])
        recall = found[True, True] / (found[True, True] + found[True, False])
        same = sum(pair["same"] for pair in some)
        write(f"| {half} | {len(some)} | {same} | {precision:.3f} | {recall:.3f} |")
    for pair in pairs if show else []:
        if pair["half"] == "tuning" and is_found(pair) != pair["same"]:
            write(f"\n{pair['id']} {pair['kind']} same={pair['same']}\n  {pair['a']}\n  {pair['b']}")


def with_exports(pairs: list[Pair], folder: Path | None) -> list[Pair]:
    """The pairs, those named by file and record with what is there; left out without the folder."""
    records: dict[tuple[str, int], Mapping[str, object]] = {}
    named = [side for pair in pairs for side in (pair["a"], pair["b"]) if "file" in side]
    for file in sorted({str(side["file"]) for side in named}) if folder else []:
        read = [one for one in read_path(folder / file) if isinstance(one, Record)]  # type: ignore[operator]
        records.update({(file, one.number): one.fields for one in read})
    known = []
    for pair in pairs:
        sides = [
            records.get((side["file"], side["record"])) if "file" in side else side
            for side in (pair["a"], pair["b"])
        ]
        if all(sides):
            known.append({**pair, "a": sides[0], "b": sides[1]})
    return known


def write(text: str) -> None:
    """Nothing; the text is on stdout."""
    sys.stdout.write(text + "\n")


def is_found(pair: Pair) -> bool:
    """Whether the two records would become one paper."""
    one, two = read(pair["a"]), read(pair["b"])
    return bool(set(same_paper_key(one)) & set(same_paper_key(two))) and same_work(one, two)


def read(fields: Mapping[str, object]) -> Facts:
    """What the record says, after cleaning."""
    paper = paper_from(Record(1, fields, ""), "")
    assert isinstance(paper, Paper), paper
    return facts_of(paper)


if __name__ == "__main__":
    main()
