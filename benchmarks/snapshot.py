"""Writes a snapshot of made-up papers as JSON Lines, the same for the same number.

Usage: python benchmarks/snapshot.py FILE [NUMBER]   (default: 200000 records, about 260 MB)
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path

_NUMBER = 200_000
_SYLLABLES = "ra ke lo mi tu ves nor pal din ser gom bik tha quo zen".split()
_GIVEN = "Anna Chen Jan Ravi Mei Olga Pedro Sade Yuki Zoe".split()
_FAMILY = "Roe Li Berg Rao Wu Ivanova Silva Bello Sato Marsh".split()


def main(path: Path, number: int) -> None:
    """Nothing; the file holds that many records, one a line."""
    with path.open("w", encoding="utf-8") as file:
        file.writelines(lines(number))


def lines(number: int) -> Iterator[str]:
    """The snapshot's lines: papers of 80 to 220 words in sentences, with all fields that a snapshot has."""
    dice = random.Random(7)
    words = ["".join(dice.choices(_SYLLABLES, k=dice.randint(1, 4))) for _ in range(4000)]
    for place in range(number):
        abstract = " ".join(_sentence(dice, words) for _ in range(dice.randint(5, 11)))
        paper = {
            "title": f"{' '.join(dice.choices(words, k=8)).capitalize()} {place}",
            "abstract": f"{abstract} It is paper {place}.",
            "authors": [f"{dice.choice(_GIVEN)} {dice.choice(_FAMILY)}" for _ in range(dice.randint(1, 6))],
            "year": dice.randint(1990, 2025),
            "venue": f"Journal of {dice.choice(words)}",
            "doi": f"10.5555/made.{place}",
            "keywords": dice.choices(words, k=4),
        }
        yield json.dumps(paper) + "\n"


def _sentence(dice: random.Random, words: list[str]) -> str:
    return " ".join(dice.choices(words, k=dice.randint(12, 22))).capitalize() + "."


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else _NUMBER)
