"""How well unsupported sentences are told from supported ones, by kind of corruption.

usage: python benchmarks/verify.py [CLAIMS.jsonl]
CLAIMS has lines of `text`, `papers`, `truth`, `kind` and `half` ("tuning" or "held-out"); without it
verify.jsonl beside this file is used. The collection is the one that the settings name and has to hold the
papers. Beside the check: figures and names contained and a cosine of 0.5, the usual way. A sentence counts as
told where its support is anything but "supported"; precision and recall are of the corrupted ones.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from assistant.assistant import Assistant
from assistant.config import load_settings
from assistant.verify import Verifier
from assistant.verify.figures import fit_numbers
from assistant.verify.names import missing_names
from corpus.embedder import LocalEmbedder
from corpus.papers import Paper

CLAIMS = Path(__file__).with_suffix(".jsonl")
TRUE = ("light", "heavy", "merged", "short", "plain")
HALVES = ("tuning", "held-out")


@dataclass(frozen=True)
class Claim:
    """A sentence about papers, and whether they bear it out."""

    text: str
    papers: tuple[Paper, ...]
    truth: bool
    kind: str
    half: str


def read_claims(path: Path, papers: dict[str, Paper]) -> list[Claim]:
    """The claims whose papers the collection has."""
    claims = []
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if all(one in papers for one in row["papers"]):
            cited = tuple(papers[one] for one in row["papers"])
            claims.append(Claim(row["text"], cited, row["truth"], row["kind"], row["half"]))
    return claims


def naive(embedder: LocalEmbedder) -> Callable[[Claim], bool]:
    """Figures and names contained, and the abstract near: what other tools would do."""

    def told(claim: Claim) -> bool:
        text = " ".join(f"{paper.label} {paper.title or ''} {paper.abstract or ''}" for paper in claim.papers)
        lacking = any(fit.fault == "missing" for fit in fit_numbers(claim.text, text))
        far = float(embedder.embed_query(claim.text) @ embedder.embed_query(text)) < 0.5
        return lacking or far or bool(missing_names(claim.text, text))

    return told


def checked(verifier: Verifier) -> Callable[[Claim], bool]:
    """The check as answers get it."""
    return lambda claim: verifier.check(claim.text, claim.papers).support not in ("supported", "verbatim")


def table(claims: Sequence[Claim], told: Callable[[Claim], bool]) -> list[str]:
    """The lines of one way: precision and recall, then the share told of each kind, half by half."""
    found = {id(claim): told(claim) for claim in claims}
    lines = []
    for half in HALVES:
        mine = [claim for claim in claims if claim.half == half]
        hits = sum(found[id(claim)] for claim in mine if not claim.truth)
        alarms = sum(found[id(claim)] for claim in mine if claim.truth)
        wrong = sum(not claim.truth for claim in mine)
        precision, recall = hits / max(hits + alarms, 1), hits / max(wrong, 1)
        lines.append(f"  {half} ({len(mine)}): precision {precision:.3f}, recall {recall:.3f}")
        shares: dict[str, list[bool]] = defaultdict(list)
        for claim in mine:
            shares[claim.kind].append(found[id(claim)])
        order = sorted(shares, key=lambda kind: (kind in TRUE, kind))
        lines.append(
            "    " + ", ".join(f"{kind} {sum(shares[kind]) / len(shares[kind]):.2f}" for kind in order)
        )
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("claims", type=Path, nargs="?", default=CLAIMS)
    given = parser.parse_args()
    assistant = Assistant.open(load_settings(llm="none"))
    papers = {paper.id: paper for paper in assistant.collection.papers()}
    claims = read_claims(given.claims, papers)
    if not claims:
        sys.stderr.write(f"the collection {assistant.collection.name!r} holds none of these papers\n")
        return 1
    verifier = assistant.verifier()
    for name, told in (("figures, names, cosine", naive(LocalEmbedder())), ("the check", checked(verifier))):
        started = time.perf_counter()
        lines = table(claims, told)
        each = 1000 * (time.perf_counter() - started) / len(claims)
        sys.stdout.write("\n".join([f"{name} ({each:.0f} ms a sentence)", *lines, ""]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
