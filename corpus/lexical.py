"""The word index of a collection's papers; the one door to tantivy."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import tantivy

from corpus.errors import StoreError
from corpus.hits import Hit
from corpus.papers import Paper, storable
from corpus.remedies import remedy_for

# Fields: `text` is all of a paper, stemmed; `name` its label and title, stemmed; `words` all, unstemmed;
# `grams` the groups of letters of its words.
_WEIGHTS = {"text": 1.0, "name": 0.5}
_WORD = re.compile(r"[^\W_]+")
# Past this many different words a query only gets slower.
_QUERY_WORDS = 256
_HEAP = 64_000_000
_GROUP = 4


class LexicalIndex:
    """BM25 over papers, stemmed and folded; counts and neighbours of single words, unstemmed."""

    def __init__(self, folder: Path, *, create: bool = False) -> None:
        try:
            if create:
                folder.mkdir(parents=True, exist_ok=True)
                self._index = tantivy.Index(_schema(), path=str(folder))
            else:
                self._index = tantivy.Index.open(str(folder))
        # tantivy raises ValueError for a folder that holds no index and for files it can't read.
        except (ValueError, OSError) as error:
            raise _fault(folder, "opened", error) from error
        # An index doesn't keep its analysers; without them the fields can't be searched.
        for name, stemmed in (("stemmed", True), ("unstemmed", False)):
            self._index.register_tokenizer(name, _analyser(stemmed=stemmed))
        spaced = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
        self._index.register_tokenizer("spaced", spaced)
        self._schema = self._index.schema
        self._folder = folder
        self._searcher = self._index.searcher()

    def count(self) -> int:
        """The number of papers."""
        return int(self._searcher.num_docs)

    def write(self, papers: Sequence[Paper], removed: Sequence[str] = ()) -> None:
        """Writes papers, replacing what was there under their ids, and removes others."""
        try:
            writer = self._index.writer(heap_size=_HEAP, num_threads=1)
            # A writer that was killed leaves files whose names the next one would give its own.
            writer.garbage_collect_files()
            for paper_id in [*removed, *(paper.id for paper in papers)]:
                writer.delete_documents_by_term("id", paper_id)
            for paper in papers:
                writer.add_document(_document(paper))
            writer.commit()
            writer.wait_merging_threads()
            self._index.reload()
        except (ValueError, OSError) as error:
            raise _fault(self._folder, "written", error) from error
        self._searcher = self._index.searcher()

    def ids(self) -> list[str]:
        """The ids of all papers, sorted; for checks of small collections."""
        return sorted(hit.paper_id for hit in self._search(tantivy.Query.all_query(), max(self.count(), 1)))

    def search(self, query: str, top_k: int, *, every: bool = False) -> list[Hit]:
        """The papers that match the words of `query` best, best first; its punctuation means nothing.

        With `every` only those that hold all of the words.
        """
        words = list(dict.fromkeys(_WORD.findall(query.lower())))[:_QUERY_WORDS]
        if not words or top_k < 1:
            return []
        parsed, _ = self._index.parse_query_lenient(
            " ".join(words),
            default_field_names=list(_WEIGHTS),
            field_boosts=_WEIGHTS,
            conjunction_by_default=every,
        )
        return self._search(parsed, top_k)

    def spelled(self, query: str, top_k: int) -> list[Hit]:
        """The papers that share most groups of four letters with the words of `query`, best first."""
        groups = list(dict.fromkeys(letter_groups(query)))[:_QUERY_WORDS]
        if not groups or top_k < 1:
            return []
        terms = [tantivy.Query.term_query(self._schema, "grams", group, "freq") for group in groups]
        return self._search(
            tantivy.Query.boolean_query([(tantivy.Occur.Should, term) for term in terms]), top_k
        )

    def doc_freq(self, term: str) -> int:
        """The number of papers that hold the term, unstemmed; several words must stand side by side."""
        words = fold_words(term)
        if not words:
            return 0
        if len(words) == 1:
            query = tantivy.Query.term_query(self._schema, "words", words[0])
        else:
            query = tantivy.Query.phrase_query(self._schema, "words", list(words))
        # tantivy's own doc_freq counts removed papers until segments are merged.
        with self._reading():
            return int(self._searcher.search(query, 1, count=True).count)  # type: ignore[attr-defined]

    def near(self, word: str, distance: int, limit: int) -> list[str]:
        """Ids of papers that hold a word within an edit distance (1 or 2) of `word`."""
        query = tantivy.Query.fuzzy_term_query(self._schema, "words", word, distance)
        return [hit.paper_id for hit in self._search(query, limit)]

    def _search(self, query: tantivy.Query, top_k: int) -> list[Hit]:
        searcher = self._searcher
        with self._reading():
            found = searcher.search(query, top_k, count=False).hits
            return [Hit(str(searcher.doc(place).get_first("id")), float(score)) for score, place in found]

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Nothing; what damaged files make of a search comes out as StoreError."""
        try:
            yield
        except (ValueError, OSError) as error:
            raise _fault(self._folder, "read", error) from error
        except BaseException as error:
            # What the Rust part stumbles over is no Exception, and its class can't be imported.
            if type(error).__name__ != "PanicException":
                raise
            raise _fault(self._folder, "read", RuntimeError(str(error))) from error


def _fault(folder: Path, what: str, error: Exception) -> StoreError:
    remedy = remedy_for(error, "run `assistant rebuild`")
    return StoreError(f"The word index {str(folder)!r} can't be {what}: {error}; {remedy}.")


def fold_words(text: str) -> list[str]:
    """The words of a text as the field `words` holds them: lower case, without accents."""
    return _unstemmed().analyze(storable(text))


def letter_groups(text: str) -> list[str]:
    """The groups of four letters of a text's words, marked at their ends: "gpu" gives "^gpu", "gpu$"."""
    marked = (f"^{word}$" for word in fold_words(text))
    return [word[at : at + _GROUP] for word in marked for at in range(max(len(word) - _GROUP + 1, 1))]


def searchable(paper: Paper) -> str:
    """All of a paper that can be searched, as one text."""
    fields = ("title", "abstract", "authors", "organisations", "keywords", "venue", "year")
    return "\n".join([_name(paper), *(value for name in fields if (value := paper.field(name)))])


def _name(paper: Paper) -> str:
    """The label; the title where that is only shortened in it."""
    title = paper.title or ""
    cut = paper.label.endswith("…") and title.startswith(paper.label[:-1])
    return title if cut else paper.label


def _document(paper: Paper) -> tantivy.Document:
    text = searchable(paper)
    document = tantivy.Document()
    document.add_text("id", paper.id)
    document.add_text("name", f"{_name(paper)}\n{paper.title or ''}")
    document.add_text("text", text)
    document.add_text("words", text)
    document.add_text("grams", " ".join(letter_groups(text)))
    return document


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("id", stored=True, tokenizer_name="raw", index_option="basic")
    for name in _WEIGHTS:
        builder.add_text_field(name, tokenizer_name="stemmed", index_option="freq")
    builder.add_text_field("grams", tokenizer_name="spaced", index_option="freq")
    builder.add_text_field("words", tokenizer_name="unstemmed", index_option="position")
    return builder.build()


@cache
def _unstemmed() -> tantivy.TextAnalyzer:
    return _analyser(stemmed=False)


def _analyser(*, stemmed: bool) -> tantivy.TextAnalyzer:
    filters = [tantivy.Filter.remove_long(100), tantivy.Filter.lowercase(), tantivy.Filter.ascii_fold()]
    filters += [tantivy.Filter.stemmer("english")] if stemmed else []
    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
    for one in filters:
        builder = builder.filter(one)
    return builder.build()
