"""What reading costs beside the bare parser of the same file, and what memory it takes.

Usage: python benchmarks/reading.py [FILE...]   (default: a snapshot of 20,000 records, as JSON Lines and CSV)

Each file is read by `read_path` and by Python's own parser (json, csv) in turns in one process, the best of
each counts; records a second and the ratio of the two are shown, and the peak of Python's memory against the
file's size, measured in a reading of its own.
"""

from __future__ import annotations

import csv
import json
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from snapshot import lines

from corpus.readers import read_path

_TURNS = 3
_NUMBER = 20_000


def main(paths: list[Path]) -> None:
    """Nothing; writes a line a file to standard output."""
    sys.stdout.write(f"{'file':24}{'records':>10}{'records/s':>12}{'to bare parser':>16}{'peak/size':>12}\n")
    for path in paths:
        bare_parser = _csv if path.suffix in (".csv", ".tsv") else _json
        ours, bare = float("inf"), float("inf")
        for _ in range(_TURNS):
            bare = min(bare, _seconds(lambda path=path, parser=bare_parser: parser(path)))  # type: ignore[misc]
            ours = min(ours, _seconds(lambda path=path: _read(path)))  # type: ignore[misc]
        tracemalloc.start()
        number = _read(path)
        peak = tracemalloc.get_traced_memory()[1] / path.stat().st_size
        tracemalloc.stop()
        sys.stdout.write(f"{path.name:24}{number:10}{number / ours:12,.0f}{ours / bare:16.2f}{peak:12.2f}\n")


def _read(path: Path) -> int:
    return sum(1 for _ in read_path(path))


def _json(path: Path) -> int:
    with path.open("rb") as file:
        return sum(1 for line in file if json.loads(line))


def _csv(path: Path) -> int:
    with path.open(encoding="utf-8", newline="") as file:
        return sum(1 for _ in csv.reader(file))


def _seconds(call: Callable[[], int]) -> float:
    started = time.process_time()
    call()
    return time.process_time() - started


@contextmanager
def _made() -> Iterator[list[Path]]:
    """The same snapshot in both forms."""
    with tempfile.TemporaryDirectory() as folder:
        plain, table = Path(folder, "snapshot.jsonl"), Path(folder, "snapshot.csv")
        plain.write_text("".join(lines(_NUMBER)), encoding="utf-8")
        with table.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(("Title", "Abstract", "Authors", "Year", "Journal", "DOI", "Keywords"))
            for paper in map(json.loads, lines(_NUMBER)):
                values = ("; ".join(one) if isinstance(one, list) else one for one in paper.values())
                writer.writerow(values)
        yield [plain, table]


if __name__ == "__main__":
    if sys.argv[1:]:
        main([Path(name) for name in sys.argv[1:]])
    else:
        with _made() as made:
            main(made)
