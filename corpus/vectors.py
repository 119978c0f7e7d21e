"""The vector index of a collection's passages; the one door to Chroma."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from corpus.errors import InputError, StoreError
from corpus.hits import Hit
from corpus.remedies import remedy_for

_EXPORTER = "opentelemetry.exporter.otlp.proto.grpc.trace_exporter"
_COMMAND_LINE = "httpx._main"
# ef_search bounds how many neighbours a query can find; 100 papers may have several passages each.
_HNSW = {"hnsw": {"space": "cosine", "ef_construction": 200, "ef_search": 300, "max_neighbors": 16}}


@dataclass(frozen=True)
class Place:
    """Where an index lies: a folder, or with `url` a Chroma server, and the collection's name there."""

    folder: Path
    name: str
    url: str | None = None


class VectorIndex:
    """Passage vectors by paper; a paper's passages have the ids "<paper id>#0", "<paper id>#1", ..."""

    def __init__(self, place: Place, *, create: bool = False) -> None:
        if not create and place.url is None and not place.folder.is_dir():
            raise StoreError(f"The vector index {str(place.folder)!r} is missing: run `assistant rebuild`.")
        with _translated(place):
            self._client = _client(place)
            # Chroma's own embedding function would be downloaded; with None it asks for vectors.
            if create:
                self._collection = self._client.get_or_create_collection(
                    place.name, embedding_function=None, configuration=_HNSW
                )
            else:
                self._collection = self._client.get_collection(place.name, embedding_function=None)
            self._at_once = int(self._client.get_max_batch_size())
        self._place = place

    def close(self) -> None:
        """Releases the store's files."""
        _close(self._client)

    def count(self) -> int:
        """The number of passages."""
        with _translated(self._place):
            return int(self._collection.count())

    def put(self, papers: Sequence[tuple[str, NDArray[np.float16]]]) -> None:
        """Writes the passages of papers, (id, one row a passage), in the place of those that were there."""
        ids = [f"{paper_id}#{row}" for paper_id, rows in papers for row in range(len(rows))]
        if not ids:
            return
        vectors = np.concatenate([rows for _, rows in papers]).astype(np.float32)
        with _translated(self._place):
            for first in range(0, len(ids), self._at_once):
                part = slice(first, first + self._at_once)
                self._collection.upsert(ids=ids[part], embeddings=vectors[part])

    def delete(self, ids: Sequence[str]) -> None:
        """Removes passages; ids that aren't there are nothing."""
        with _translated(self._place):
            for first in range(0, len(ids), self._at_once):
                self._collection.delete(ids=list(ids[first : first + self._at_once]))

    def passages(self) -> dict[str, NDArray[np.float32]]:
        """All passages by id; for checks of small collections."""
        with _translated(self._place):
            held = self._collection.get(include=["embeddings"])
        return dict(zip(held["ids"], np.asarray(held["embeddings"], dtype=np.float32), strict=True))

    def nearest(self, vector: NDArray[np.float32], top_k: int) -> list[Hit]:
        """The papers whose best passage is nearest to `vector`, best first, with that passage's cosine."""
        wanted = top_k
        while True:
            with _translated(self._place):
                found = self._collection.query(
                    query_embeddings=[vector], n_results=wanted, include=["distances"]
                )
            ids, distances = found["ids"][0], found["distances"][0]
            best: dict[str, float] = {}
            for passage_id, distance in zip(ids, distances, strict=True):
                best.setdefault(passage_id.rpartition("#")[0], 1.0 - float(distance))
            if len(best) >= top_k or len(ids) < wanted:
                return [Hit(paper_id, score) for paper_id, score in list(best.items())[:top_k]]
            wanted *= 4


def drop_index(place: Place) -> None:
    """Removes an index from a Chroma server; nothing where there is none (folders are removed as folders)."""
    _load_chromadb()
    from chromadb.errors import NotFoundError

    with _translated(place):
        client = _client(place)
        try:
            client.delete_collection(place.name)
        except NotFoundError:
            return
        finally:
            _close(client)


@contextmanager
def _translated(place: Place) -> Iterator[None]:
    """Nothing; Chroma's errors come out as StoreError with the remedy."""
    _load_chromadb()
    from chromadb.errors import ChromaError

    where = place.url or str(place.folder)
    remedy = "check that the server runs" if place.url else "run `assistant rebuild`"
    try:
        yield
    # The Rust part raises InternalError (a ChromaError) and, for a server that can't be reached, ValueError.
    except (ChromaError, ValueError, OSError) as error:
        remedy = remedy_for(error, remedy)
        raise StoreError(f"Chroma at {where!r} can't be used: {error}; {remedy}.") from error


def _load_chromadb() -> None:
    """Nothing; chromadb is loaded, without what it loads and never uses here: a quarter of its time.

    That is the exporter of traces with all of gRPC, and the command line of httpx with all of rich; httpx
    does without where that isn't installed.
    """
    if "chromadb" in sys.modules:
        return
    exporter = ModuleType(_EXPORTER)
    exporter.__dict__["OTLPSpanExporter"] = None
    stand_ins: dict[str, Any] = {_EXPORTER: exporter, _COMMAND_LINE: None}
    missing = {name: module for name, module in stand_ins.items() if name not in sys.modules}
    sys.modules.update(missing)
    try:
        import chromadb  # noqa: F401
    finally:
        for name in missing:
            sys.modules.pop(name, None)


def _client(place: Place) -> Any:
    os.environ.setdefault("ANONYMIZED_TELEMETRY", "False")
    import chromadb
    from chromadb.config import Settings

    settings = Settings(anonymized_telemetry=False)
    if place.url is None:
        return chromadb.PersistentClient(path=_spelling(place.folder), settings=settings)
    address = urlsplit(place.url)
    if address.scheme not in ("http", "https") or not address.hostname:
        raise InputError(
            f"ASSISTANT_CHROMA_URL is {place.url!r}: give the server's address as http://HOST:PORT."
        )
    secure = address.scheme == "https"
    port = address.port or (443 if secure else 8000)
    return chromadb.HttpClient(host=address.hostname, port=port, ssl=secure, settings=settings)


def _spelling(folder: Path) -> str:
    """The folder's path, spelt differently every time; the slashes and dots mean nothing to the system.

    Within a process Chroma shares one opened store among all clients whose paths are spelt alike. Such a
    store never sees what another process has written since, and two threads can't open it at once.
    """
    return str(folder) + "".join("/." if bit == "1" else "/" for bit in f"{secrets.randbits(32):b}")


def _close(client: Any) -> None:
    client.close()
    # Chroma leaves the connections of an HTTP client open until they are collected.
    for part in (client, getattr(client, "_admin_client", None)):
        session = getattr(getattr(part, "_server", None), "_session", None)
        if session is not None:
            session.close()
