"""The command `verify`."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant.cited_text import Finder, read_cited
from assistant.commands.questions import open_assistant
from assistant.config import Settings
from assistant.console import note, show_progress, write, write_json
from assistant.lines import LinesError, json_lines, read_text
from corpus.errors import InputError

if TYPE_CHECKING:
    from assistant.assistant import Assistant
    from assistant.verify import Verdict, Verifier
    from corpus.papers import Paper

NEAREST = 10
"""Papers that a claim without any is looked for in."""
_SIGNS = {"verbatim": "=", "supported": "+", "partly": "~", "unsupported": "!"}


def verify(given: Namespace, settings: Settings) -> int:
    """The exit status; the verdicts are on stdout, or in the file `--out`."""
    if given.text.suffix.lower() in (".jsonl", ".ndjson"):
        if given.out is None:
            raise InputError(f"{str(given.text)!r} is a file of claims: name the file of verdicts with --out")
        return _verify_claims(given.text, given.out, open_assistant(settings))
    return _verify_text(given, open_assistant(settings))


@dataclass(frozen=True)
class Claim:
    """One line of a file of claims; `papers` are references, () where the whole collection is meant."""

    id: str
    text: str
    papers: tuple[str, ...]


def read_claims(path: Path) -> list[Claim]:
    """The claims of a JSON Lines file. Raises LinesError with a message for each faulty line."""
    problems, claims = list[str](), list[Claim]()
    for number, fields in json_lines(read_text(path), problems):
        text, refs = fields.get("text"), fields.get("papers", [])
        refs = [refs] if isinstance(refs, str) else refs
        if not isinstance(text, str) or not text.strip():
            problems.append(f"line {number}: text is {repr(text)[:60]}, not a sentence")
        elif not isinstance(refs, list) or not all(isinstance(one, str) and one.strip() for one in refs):
            problems.append(f"line {number}: papers is {repr(refs)[:60]}, not a list of references")
        else:
            claims.append(Claim(str(fields.get("id", number)), text.strip(), tuple(refs)))
    if problems:
        raise LinesError(path, problems)
    if not claims:
        raise InputError(
            f"{str(path)!r} holds no claim; give one JSON object a line with id, text and papers"
        )
    return claims


def _verify_claims(path: Path, out: Path, assistant: Assistant) -> int:
    claims = read_claims(path)
    if out.resolve() == path.resolve():
        raise InputError(f"--out is {str(out)!r}, the file of claims itself; name another file")
    verifier, finder = assistant.verifier(), Finder(assistant.collection.papers())
    with show_progress() as progress, out.open("w", encoding="utf-8", errors="backslashreplace") as file:
        for number, claim in enumerate(claims, 1):
            file.write(json.dumps(_judged(claim, verifier, finder, assistant), ensure_ascii=False) + "\n")
            if progress:
                progress("claims", number, len(claims))
    note(f"{len(claims)} verdicts in {str(out)!r}")
    return 0


def _judged(claim: Claim, verifier: Verifier, finder: Finder, assistant: Assistant) -> dict[str, Any]:
    found = [finder.find(ref) for ref in claim.papers]
    papers = [paper for paper in found if paper]
    strange = [ref for ref, paper in zip(claim.papers, found, strict=True) if paper is None]
    if claim.papers:
        verdict = verifier.check(claim.text, papers)
    else:
        hits = assistant.search(claim.text, top_k=NEAREST)
        verdict = verifier.check(
            claim.text, (), others=assistant.collection.papers([hit.paper_id for hit in hits])
        )
    return {"id": claim.id, **as_json(verdict, [f"{ref!r} isn't in this collection" for ref in strange])}


def as_json(verdict: Verdict, more: list[str] | None = None) -> dict[str, Any]:
    """The verdict as in the contract: its best quote, with its place in the abstract."""
    best = verdict.quotes[0] if verdict.quotes else None
    return {
        "support": verdict.support,
        "score": verdict.score,
        "reasons": [*verdict.reasons, *(more or [])],
        "paper_id": best.paper_id if best else None,
        "quote": best.quote.text if best else None,
        "start": best.quote.start if best else None,
        "end": best.quote.end if best else None,
    }


def _verify_text(given: Namespace, assistant: Assistant) -> int:
    cited = read_cited(read_text(given.text), assistant.collection.papers())
    for number, paper in cited.references.items():
        if paper is None:
            note(f"[{number}]: this reference isn't in the collection {assistant.collection.name!r}")
    verifier = assistant.verifier()
    rows = list(_sentences(cited.paragraphs, cited.references, verifier))
    if not rows:
        raise InputError(
            f"{str(given.text)!r} holds no sentence; give a text in Markdown with markers like [1]"
        )
    if given.json:
        write_json({"sentences": rows, "counts": _counts(rows)})
        return 0
    for row in rows:
        marks = " ".join(f"[{number}]" for number in row["markers"])
        write(f"{_SIGNS[row['support']]} {row['text']} {marks}".rstrip())
        if row["support"] in ("partly", "unsupported"):
            write(f"    {row['support']}: {'; '.join(row['reasons'])}")
        if row["quote"]:
            write(f"    “{row['quote']}”")
    note(", ".join(f"{count} {support}" for support, count in _counts(rows).items() if count))
    return 0


def _sentences(
    paragraphs: Any, references: dict[int, Paper | None], verifier: Verifier
) -> Iterator[dict[str, Any]]:
    known = [paper for paper in references.values() if paper]
    for paragraph in paragraphs:
        for sentence in paragraph.sentences:
            papers = [paper for number in sentence.markers if (paper := references.get(number))]
            strange = [number for number in sentence.markers if references.get(number) is None]
            others = () if sentence.markers else known
            verdict = verifier.check(sentence.text, papers, others=others)
            if not verdict.text:
                continue
            reasons = [f"[{number}] means no paper of this collection" for number in strange]
            yield {"text": sentence.text, "markers": list(sentence.markers), **as_json(verdict, reasons)}


def _counts(rows: list[dict[str, Any]]) -> dict[str, int]:
    return {support: sum(row["support"] == support for row in rows) for support in _SIGNS}
