"""The door to Chroma: real stores in folders and on a server."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from made_up import HashEmbedder, records

from corpus.collection import open_collection
from corpus.errors import InputError, StoreError
from corpus.sync import ingest, rebuild, remove
from corpus.vectors import Place, VectorIndex


def rows(*values: list[float]) -> np.ndarray:
    return np.array(values, dtype=np.float16)


@pytest.fixture
def index(tmp_path: Path) -> Iterator[VectorIndex]:
    index = VectorIndex(Place(tmp_path / "vectors", "abstracts-mine"), create=True)
    index.put([("a", rows([1, 0, 0])), ("b#1", rows([0, 1, 0], [0, 0.6, 0.8])), ("c", rows([0.8, 0.6, 0]))])
    yield index
    index.close()


def test_a_paper_scores_as_its_best_passage(index: VectorIndex) -> None:
    hits = index.nearest(np.array([0, 0, 1], dtype=np.float32), 3)
    assert hits[0].paper_id == "b#1"
    assert hits[0].score == pytest.approx(0.8, abs=1e-3)
    assert len(hits) == 3


def test_passages_of_one_paper_do_not_crowd_out_others(index: VectorIndex) -> None:
    index.put([("many", np.tile(rows([0, 0, 1]), (40, 1)))])
    hits = index.nearest(np.array([0, 0, 1], dtype=np.float32), 3)
    assert [hit.paper_id for hit in hits][:2] == ["many", "b#1"]
    assert len(hits) == 3


def test_put_replaces_and_delete_removes(index: VectorIndex) -> None:
    index.put([("a", rows([0, 0, 1]))])
    index.delete(["b#1#0", "b#1#1", "nobody#0"])
    assert index.count() == 2
    assert index.nearest(np.array([0, 0, 1], dtype=np.float32), 1)[0].paper_id == "a"
    index.delete([])
    index.put([])
    assert sorted(index.passages()) == ["a#0", "c#0"]


def test_an_index_that_is_missing_is_an_error_with_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"missing: run `assistant rebuild`"):
        VectorIndex(Place(tmp_path / "vectors", "abstracts-mine"))
    assert not (tmp_path / "vectors").exists()


def test_a_damaged_index_is_an_error_with_the_remedy(tmp_path: Path) -> None:
    (tmp_path / "vectors").mkdir()
    (tmp_path / "vectors" / "chroma.sqlite3").write_bytes(b"no database at all" * 100)
    with pytest.raises(StoreError, match="run `assistant rebuild`"):
        VectorIndex(Place(tmp_path / "vectors", "abstracts-mine"))


@pytest.mark.parametrize("url", ["localhost:8000", "ftp://localhost", "http://", "chroma"])
def test_a_server_address_that_is_none_is_refused(tmp_path: Path, url: str) -> None:
    with pytest.raises(InputError, match=re.escape(repr(url))):
        VectorIndex(Place(tmp_path, "abstracts-mine", url))


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def test_a_server_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    url = f"http://127.0.0.1:{free_port()}"
    with pytest.raises(StoreError, match=f"{url}.*check that the server runs"):
        ingest(tmp_path, "mine", records(range(2)), HashEmbedder(), chroma_url=url)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """The address of a real Chroma server."""
    port = free_port()
    code = "from chromadb.cli.cli import app; import sys; sys.argv[0] = 'chroma'; app()"
    arguments = ["run", "--path", str(tmp_path / "server"), "--host", "127.0.0.1", "--port", str(port)]
    running = subprocess.Popen(
        [sys.executable, "-c", code, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    for _ in range(300):
        with socket.socket() as one:
            if one.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.1)
    yield f"http://127.0.0.1:{port}"
    running.kill()
    running.wait()


def test_a_collection_on_a_server(tmp_path: Path, server: str) -> None:
    embedder = HashEmbedder()
    ingest(tmp_path / "one", "mine", records(range(5)), embedder, chroma_url=server)
    ingest(tmp_path / "two", "mine", records(range(5, 7)), embedder, chroma_url=server)
    collection = open_collection(tmp_path / "one", "mine", embedder, chroma_url=server)
    query = embedder.embed_query("We present Paper3")
    assert len(collection.nearest(query, 50)) == 5
    ingest(tmp_path / "one", "mine", records(range(8)), embedder, chroma_url=server)
    remove(tmp_path / "one", "mine", ["paper-0"], embedder, chroma_url=server)
    assert collection.refresh()
    assert len(collection.nearest(query, 50)) == 7
    rebuild(tmp_path / "one", "mine", embedder, chroma_url=server)
    assert collection.refresh()
    assert len(collection.nearest(query, 50)) == 7
    assert not (tmp_path / "one" / "mine" / "vectors-1").exists()


_OPEN = """
import sys
from pathlib import Path
from corpus.vectors import Place, VectorIndex
VectorIndex(Place(Path(sys.argv[1]), "mine"), create=True).close()
print(*sorted({"rich", "grpc", "posthog", "llama_index"} & set(sys.modules)), file=sys.stderr)
from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
print(OTLPSpanExporter.__name__)
"""


def test_chroma_is_loaded_without_what_it_never_uses_here(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _OPEN, str(tmp_path / "vectors")],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert (done.stderr.strip(), done.stdout.strip()) == ("", "OTLPSpanExporter")
