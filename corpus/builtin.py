"""The built-in collection: it comes with its vectors, so that its first start embeds nothing.

`python -m corpus.builtin` makes the vectors anew, after a change of the papers, their cleaning or the model.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from pathlib import Path

from corpus.catalogue import Catalogue
from corpus.cleaning import paper_from
from corpus.collection import Collection, open_collection
from corpus.embedder import LocalEmbedder
from corpus.errors import StoreError
from corpus.layout import BUILT_IN, FEEDBACK, Layout
from corpus.packed import PackedVectors, pack
from corpus.papers import Paper
from corpus.passages import Passage, passage_of
from corpus.readers import read_path
from corpus.readers.records import Record
from corpus.remedies import can_write, remedy_for
from corpus.sync import ingest

FOLDER = Path(__file__).parent / "collections" / BUILT_IN
PAPERS = FOLDER / "papers.jsonl"
QUESTIONS = FOLDER / "questions.jsonl"
VECTORS = FOLDER / "vectors.npz"


def open_builtin(home: Path, *, chroma_url: str | None = None) -> Collection:
    """The built-in collection in the data folder `home`, put there first where it is missing or outdated."""
    install(home, chroma_url=chroma_url)
    return open_collection(home, BUILT_IN, LocalEmbedder(), chroma_url=chroma_url)


def install(home: Path, *, chroma_url: str | None = None) -> None:
    """Nothing; puts the collection into `home` where it isn't there as this release has it.

    It is made aside and put in place in one step: no reader sees half of it, and of several processes that
    do this at once each ends with a whole one.
    """
    layout, origin = Layout(home, BUILT_IN), _origin()
    found = _installed(layout)
    # One of an earlier release still serves where nothing can be put in its place.
    if found == origin or (found and not can_write(home)):
        return
    try:
        home.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".making-", dir=home) as aside:
            ingest(
                *(Path(aside), BUILT_IN, read_path(PAPERS), PackedVectors(VECTORS)),
                chroma_url=chroma_url,
                origin=origin,
            )
            _put_in_place(Layout(Path(aside), BUILT_IN), layout, origin)
    except OSError as error:
        remedy = remedy_for(error, "check the path, its permissions and the disk")
        raise StoreError(
            f"The built-in collection can't be put into {str(home)!r}: {error.strerror or error}; {remedy}."
        ) from error


def _put_in_place(made: Layout, layout: Layout, origin: str) -> None:
    found = _installed(layout)
    if found == "":
        raise StoreError(
            f"{str(layout.folder)!r} holds a collection that isn't the built-in one: move it to another name."
        )
    if found != origin and layout.folder.exists():
        shutil.move(layout.folder, made.home / "outdated")
        said = made.home / "outdated" / FEEDBACK
        if said.exists():  # what people wrote isn't the release's to throw away
            shutil.copy2(said, made.folder)
    try:
        made.folder.rename(layout.folder)
    except OSError:
        # Another process was first, and put the same there.
        if _installed(layout) != origin:
            raise


def _installed(layout: Layout) -> str | None:
    """What the installed collection was made from, "" for a user's own, None where there is none."""
    if not layout.catalogue.is_file():
        return None
    catalogue = Catalogue(layout.catalogue)
    try:
        state = catalogue.state()
        return state.origin if state else None
    finally:
        catalogue.close()


def _origin() -> str:
    """The digest of the papers and vectors that came with this release."""
    return hashlib.sha256(PAPERS.read_bytes() + VECTORS.read_bytes()).hexdigest()[:16]


def passages() -> list[Passage]:
    """What of the built-in papers is embedded, in their order."""
    records = [one for one in read_path(PAPERS) if isinstance(one, Record)]
    papers = [paper_from(record, record.file) for record in records]
    return [passage_of(paper) for paper in papers if isinstance(paper, Paper)]


if __name__ == "__main__":
    pack(VECTORS, passages(), LocalEmbedder())
