"""A process that holds a collection open sees on its next question what another process has written."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path

import made_up
import pytest
from made_up import HashEmbedder, abstract, record

from corpus.sync import ingest, rebuild, remove

_READER = """
import json, sys
from pathlib import Path
sys.path[:0] = [sys.argv[2], sys.argv[3]]
from made_up import HashEmbedder
from corpus.collection import open_collection
embedder = HashEmbedder()
collections = [open_collection(Path(sys.argv[1]), "mine", embedder) for _ in range(2)]
print("open", flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    collection = collections[asked["number"] % 2]
    moved = collection.refresh()
    vector = embedder.embed_query(asked["text"])
    print(json.dumps({
        "moved": moved, "size": collection.size,
        "lexical": [hit.paper_id for hit in collection.lexical(asked["word"], 3)],
        "nearest": [hit.paper_id for hit in collection.nearest(vector, 3)],
        "sentences": len(collection.sentences([asked["paper"]]).get(asked["paper"], [])),
    }), flush=True)
"""


class Reader:
    """A process that holds a collection open and answers questions about it."""

    def __init__(self, home: Path) -> None:
        tests = Path(made_up.__file__).parent
        command = [sys.executable, "-c", _READER, str(home), str(tests), str(tests.parent)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        # A reader that hangs must fail the test, not stop it.
        self._watch = threading.Timer(120, self.process.kill)
        self._watch.start()
        self._line()

    def ask(self, number: int) -> dict[str, object]:
        """What the reader finds for a made-up paper's own word and text."""
        assert self.process.stdin is not None
        asked = {"number": number, "paper": f"paper-{number}"}
        asked |= {"word": f"Paper{number}", "text": abstract(number)}
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        found: dict[str, object] = json.loads(self._line())
        return found

    def close(self) -> None:
        self._watch.cancel()
        self.process.kill()
        self.process.communicate()

    def _line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline()


@pytest.fixture
def reader(tmp_path: Path):  # type: ignore[no-untyped-def]
    """A reader that was started while there was no collection yet."""
    reader = Reader(tmp_path)
    yield reader
    reader.close()


def test_fifty_rounds_of_one_writing_and_the_other_reading(tmp_path: Path, reader: Reader) -> None:
    assert reader.ask(0)["size"] == 0
    for number in range(50):
        ingest(tmp_path, "mine", [record(number)], HashEmbedder())
        found = reader.ask(number)
        assert found["moved"]
        assert found["size"] == number + 1
        assert found["lexical"] == [f"paper-{number}"]
        assert found["nearest"][0] == f"paper-{number}"  # type: ignore[index]
        assert found["sentences"]


def test_a_removal_and_a_rebuild_are_seen_too(tmp_path: Path, reader: Reader) -> None:
    ingest(tmp_path, "mine", [record(number) for number in range(5)], HashEmbedder())
    for number in range(4):
        assert reader.ask(number)["nearest"][0] == f"paper-{number}"  # type: ignore[index]
        remove(tmp_path, "mine", [f"paper-{number}"], HashEmbedder())
        rebuild(tmp_path, "mine", HashEmbedder())
        found = reader.ask(number)
        assert found["size"] == 4 - number
        assert found["lexical"] == []
        assert f"paper-{number}" not in found["nearest"]  # type: ignore[operator]
