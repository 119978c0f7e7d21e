"""What the catalogue stores, as values; vectors as half floats, which cost a cosine less than 0.001."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from corpus.dedupe import same_paper_key
from corpus.embedder import Embedded
from corpus.facts import Facts
from corpus.papers import Paper, text_key
from corpus.passages import Passage

Half = NDArray[np.float16]
_LATER = ("pmid", "other_ids")


@dataclass(frozen=True)
class State:
    """The catalogue's own facts.

    `change` counts every step that a reader must see, `version` names the content, `generation` says which
    folders hold the indexes, `origin` what the collection was built from if it isn't the user's own.
    """

    uid: str
    stamp: str
    dimension: int
    origin: str
    generation: int
    change: int
    version: str


@dataclass(frozen=True)
class RawRecord:
    """One record as it was read, and the digest of the paper that it made then."""

    file: str
    record: int
    digest: bytes
    raw: str


@dataclass(frozen=True)
class StoredVectors:
    """The vectors of one paper: a row for each window and for each sentence of the abstract."""

    digest: bytes
    passages: Half
    spans: tuple[tuple[int, int], ...]
    sentences: Half


@dataclass(frozen=True)
class Change:
    """A paper to be written: new or changed; `forms` are the acronyms that it explains (key, other form).

    `identities` are hashes of the ids that it goes by, `absorbs` the ids of papers that it takes in, `facts`
    what its new records say of the work, `departed` where in files it no longer has a record.
    """

    paper: Paper
    given: str
    names: tuple[str, ...]
    forms: tuple[tuple[str, str], ...]
    vectors: StoredVectors
    identities: tuple[bytes, ...]
    records: tuple[RawRecord, ...] = ()
    absorbs: tuple[str, ...] = field(default=())
    facts: tuple[Facts, ...] = ()
    departed: tuple[tuple[str, int], ...] = ()


def passage_digest(passage: Passage) -> bytes:
    """The digest of all that a paper's vectors are made of: equal digests have equal vectors."""
    return _digest(json.dumps([passage.text, passage.spans]).encode())


def paper_digest(paper: Paper) -> bytes:
    """The digest of the paper as it was read; fields that came later count only where they hold something."""
    plain = paper.to_dict()
    for name in _LATER:
        if not plain[name]:
            del plain[name]
    return _digest(json.dumps(plain, ensure_ascii=False).encode())


def identity_hashes(paper: Paper) -> list[bytes]:
    """Hashes of the paper's id and aliases."""
    return [id_hash(name) for name in (paper.id, *paper.aliases)]


def early_hashes(paper: Paper) -> list[bytes]:
    """Hashes that earlier releases kept among the identities: DOI, arXiv id, words of the abstract."""
    keys = [f"doi:{paper.doi}"] if paper.doi else []
    keys += [f"arxiv:{paper.arxiv_id.partition('v')[0]}"] if paper.arxiv_id else []
    if words := text_key(paper.abstract or ""):
        keys.append(f"text:{words}")
    return [_digest(key.encode(errors="surrogatepass")) for key in keys]


def clue_numbers(facts: Facts) -> list[int]:
    """The record's keys as numbers of 64 bits, signed, as SQLite keeps them."""
    digests = [_digest(key.encode(errors="surrogatepass")) for key in same_paper_key(facts)]
    return [int.from_bytes(digest[:8], "big", signed=True) for digest in digests]


def id_hash(paper_id: str) -> bytes:
    """The identity hash of a paper's id or alias."""
    return _digest(f"id:{paper_id}".encode(errors="surrogatepass"))


def dump_paper(paper: Paper) -> str:
    """The paper as JSON text."""
    return json.dumps(paper.to_dict(), ensure_ascii=False)


def load_paper(text: str) -> Paper:
    """The paper that `dump_paper` wrote."""
    return Paper.from_dict(json.loads(text))


def halve(digest: bytes, spans: Iterable[tuple[int, int]], embedded: Embedded) -> StoredVectors:
    """The vectors as they are stored."""
    return StoredVectors(
        digest, embedded.passages.astype(np.float16), tuple(spans), embedded.sentences.astype(np.float16)
    )


def blob(vectors: Half) -> bytes:
    """The vectors as bytes, little-endian."""
    return vectors.astype("<f2").tobytes()


def unblob(data: bytes, dimension: int) -> Half:
    """The vectors that `blob` wrote, one a row."""
    return np.frombuffer(data, dtype="<f2").reshape(-1, dimension)


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=16).digest()
