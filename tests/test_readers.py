"""Readers: pages of abstracts, JSON Lines, files of other kinds, and what can be wrong with a file."""

from __future__ import annotations

import io
import json
import os
import socket
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.errors import InputError
from corpus.readers import FORMATS, Record, Rejected, read_path, read_stream, readable
from corpus.readers.bylines import parse_byline
from corpus.readers.lines import MAX_BYTES

ONE = "Sparse attention keeps a few of the keys for each query and so saves most of the work. " * 4
TWO = "Pruning takes weights out of a trained network; what is left has to be tuned again. " * 4


def _write(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def _records(path: Path) -> list[Record]:
    items = list(read_path(path))
    assert all(isinstance(item, Record) for item in items), items
    return [item for item in items if isinstance(item, Record)]


def _rejected(path: Path) -> list[Rejected]:
    return [item for item in read_path(path) if isinstance(item, Rejected)]


def test_headings_are_no_abstracts(tmp_path: Path) -> None:
    page = _write(tmp_path, "page.txt", f"Daily Papers\n\nWeek 12, efficient training\n\n{ONE}\n\n \n{TWO}")
    records = _records(page)
    assert [record.fields["abstract"] for record in records] == [ONE.strip(), TWO.strip()]
    assert [record.number for record in records] == [1, 2]
    assert {record.file for record in records} == {"page.txt"}
    assert not any(record.fields.get("authors") for record in records)


@pytest.mark.parametrize(
    ("text", "abstracts"),
    [
        ("We present PIT, a compiler. It is 2.4x faster than others.", 1),
        (
            "We show that weight sharing in such a search works well on some spaces and fails on all others.",
            1,
        ),
        ("Papers of the week, collected by hand for the whole group.", 0),
        ("Updated daily. Kept by A. Smith.", 0),
        ("Efficient training of large models on many devices without any loss of accuracy", 0),
        ("我们提出了一种新的稀疏注意力方法。" * 20, 1),
    ],
)
def test_short_abstracts_and_long_headings(tmp_path: Path, text: str, abstracts: int) -> None:
    items = list(read_path(_write(tmp_path, "page.txt", f"{text}\n\n{ONE}")))
    assert len(items) == 1 + abstracts


def test_bylines_belong_to_the_abstract_below(tmp_path: Path) -> None:
    byline = "Ningxin Zheng, Huiqiang Jiang, Quanlu Zhang et al. · microsoft-research, tsinghua"
    page = _write(tmp_path, "page.txt", f"Quanlu Zhang\n\n{byline}\n\n{ONE}\n\n{TWO}\n\nYaming Yang\n\n{ONE}")
    first, second, third = _records(page)
    assert first.fields["authors"] == ["Ningxin Zheng", "Huiqiang Jiang", "Quanlu Zhang", "et al."]
    assert first.fields["organisations"] == ["microsoft-research", "tsinghua"]
    assert first.raw == f"{byline}\n\n{ONE.strip()}"
    assert "authors" not in second.fields
    assert third.fields["authors"] == ["Yaming Yang"]


def test_byline_on_the_line_above(tmp_path: Path) -> None:
    [record] = _records(_write(tmp_path, "page.txt", f"Li Dong, Yi Zhu et al.\r\n{ONE}\r\n"))
    assert record.fields["authors"] == ["Li Dong", "Yi Zhu", "et al."]
    assert str(record.fields["abstract"]).startswith("Sparse attention")


def test_broken_lines_are_one_abstract(tmp_path: Path) -> None:
    [record] = _records(_write(tmp_path, "page.txt", ONE.replace(" of ", "\nof ")))
    assert " ".join(str(record.fields["abstract"]).split()) == ONE.strip()


@pytest.mark.parametrize(
    "text",
    [
        "Daily Papers of 3 March",
        "12 papers · updated today",
        "we prune the weights",
        "arXiv",
        "Abstract",
        "2024",
        "",
    ],
)
def test_not_a_byline(text: str) -> None:
    found = parse_byline(text)
    assert found is None or not found.sure


@pytest.mark.parametrize(
    ("text", "authors"),
    [
        ("Li Lyna Zhang et al.", ("Li Lyna Zhang", "et al.")),
        ("By Guido van Rossum and José García-López", ("Guido van Rossum", "José García-López")),
        ("J. K. O'Neill, Ö. Çelik, and 王 小明", ("J. K. O'Neill", "Ö. Çelik", "王 小明")),
        ("Vincent de la Cruz; Ada Lovelace", ("Vincent de la Cruz", "Ada Lovelace")),
    ],
)
def test_bylines(text: str, authors: tuple[str, ...]) -> None:
    found = parse_byline(text)
    assert found is not None
    assert found.authors == authors


def test_json_lines_keep_their_line_numbers(tmp_path: Path) -> None:
    lines = [json.dumps({"title": "One"}), "", json.dumps({"title": "Twò"}, ensure_ascii=False)]
    records = _records(_write(tmp_path, "papers.txt", "\ufeff" + "\n".join(lines)))
    assert [(record.number, record.fields["title"]) for record in records] == [(1, "One"), (3, "Twò")]
    assert records[1].raw == lines[2]


def test_lines_of_a_beir_corpus_have_the_fields_of_papers(tmp_path: Path) -> None:
    lines: list[dict[str, object]] = [
        {"_id": "31715818", "title": "New", "text": "Words.", "metadata": {"a": 1}},
        {"_id": 7, "title": "", "text": "More words."},
        {"_id": "q", "text": "a question?"},
        {"_id": "x", "title": "Ours", "text": "not this", "abstract": "this"},
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    records = _records(_write(tmp_path, "corpus.jsonl", text))
    assert [dict(record.fields) for record in records] == [
        {"id": "31715818", "title": "New", "abstract": "Words.", "metadata": {"a": 1}},
        {"id": "7", "title": "", "abstract": "More words."},
        *lines[2:],
    ]
    assert records[0].raw == json.dumps(lines[0])


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"title": "x",}', "line 3 isn't JSON"),
        ("[1, 2]", "line 3 holds list"),
        ("null", "line 3 holds NoneType"),
        ("[" * 100_000, "line 3 isn't usable JSON"),
        ('{"year": ' + "9" * 5000 + "}", "line 3 isn't usable JSON"),
        ('{"title": "' + "x" * (MAX_BYTES + 10) + '"}', "line 3 is 8 MB long (the limit is 8 MB)"),
    ],
)
def test_a_bad_line_costs_itself_only(tmp_path: Path, line: str, reason: str) -> None:
    text = f'{{"title": "One"}}\n{{"title": "Two"}}\n{line}\n{{"title": "Four"}}\n'
    path = _write(tmp_path, "papers.jsonl", text.encode("utf-8", "surrogateescape"))
    items = list(read_path(path))
    assert [item.number for item in items if isinstance(item, Record)] == [1, 2, 4]
    [bad] = [item for item in items if isinstance(item, Rejected)]
    assert (bad.file, bad.record) == ("papers.jsonl", 3)
    assert bad.reason.startswith(reason)
    assert bad.remedy


def test_a_line_of_100_mb_costs_itself_only(tmp_path: Path) -> None:
    path = tmp_path / "papers.jsonl"
    with path.open("wb") as file:
        file.write(b'{"title": "One"}\n{"title": "')
        for _ in range(100):
            file.write(b"x" * 1_000_000)
        file.write(b'"}\n{"title": "Three"}\n')
    first, bad, third = read_path(path)
    assert isinstance(first, Record)
    assert isinstance(third, Record)
    assert third.number == 3
    assert isinstance(bad, Rejected)
    assert bad.reason == "line 2 is 100 MB long (the limit is 8 MB)"


def test_json_lines_are_streamed(tmp_path: Path) -> None:
    path = tmp_path / "papers.jsonl"
    with path.open("w") as file:
        file.writelines(
            json.dumps({"title": f"Paper {number}", "abstract": ONE}) + "\n" for number in range(30_000)
        )
    assert path.stat().st_size > 10_000_000
    tracemalloc.start()
    try:
        assert sum(isinstance(item, Record) for item in read_path(path)) == 30_000
        assert tracemalloc.get_traced_memory()[1] < 1_500_000
    finally:
        tracemalloc.stop()


def test_lines_of_windows_1252_are_read_beside_utf_8(tmp_path: Path) -> None:
    western = ONE.replace("few", "féw – “few”", 1)
    page = "Über ".encode() + ONE.encode() + b"\n\n" + western.encode("cp1252") + b"\n\n" + TWO.encode()
    first, second, third = read_path(_write(tmp_path, "page.txt", page))
    assert all(isinstance(one, Record) for one in (first, second, third))
    assert first.fields["abstract"] == f"Über {ONE}".strip()  # type: ignore[union-attr]
    assert second.fields["abstract"] == western.strip()  # type: ignore[union-attr]
    [line] = read_path(_write(tmp_path, "lines.jsonl", '{"title": "café"}'.encode("latin-1")))
    assert line.fields["title"] == "café"  # type: ignore[union-attr]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_pages_and_json_lines_in_utf_16_are_read(tmp_path: Path, encoding: str) -> None:
    _write(tmp_path, "a.txt", f"Li Dong, Yi Zhu et al.\n{ONE}\n\n{TWO}".encode(encoding))
    _write(tmp_path, "b.jsonl", '{"title": "Twò"}\n\n{"title": "Three"}\n'.encode(encoding))
    found = [(item.file, item.number) for item in read_path(tmp_path) if isinstance(item, Record)]
    assert found == [("a.txt", 1), ("a.txt", 2), ("b.jsonl", 1), ("b.jsonl", 3)]


def test_a_file_too_large_to_be_read_whole_is_rejected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("corpus.readers.encodings.MOST", 2**20)
    path = _write(tmp_path, "a.csv", "Title,Abstract\n" + "One,We prune.\n" * 100_000)
    [bad] = _rejected(path)
    assert (bad.file, bad.record) == ("a.csv", None)
    assert bad.reason.startswith("can't be read as a table (CSV): it is larger than 1 MB")


def test_a_page_without_a_blank_line_is_no_memory_hog(tmp_path: Path) -> None:
    lines = MAX_BYTES // len(ONE) + 2
    path = _write(tmp_path, "page.txt", f"{ONE}\n" * lines + f"\n{TWO}")
    bad, record = read_path(path)
    assert isinstance(bad, Rejected)
    assert "no blank line" in bad.reason
    assert isinstance(record, Record)


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("b.xml", b"<rows><row/></rows>", "XML"),
        ("a.html", b"<!DOCTYPE html><html></html>", "a web page"),
        ("a.tsv", b"query-id\tcorpus-id\tscore\n1\t2\t3\n", "a table of relevance judgements (qrels)"),
        ("a.pdf", b"%PDF-1.7\n", "PDF"),
        ("a.bin", bytes(range(256)), "a binary file"),
    ],
)
def test_other_kinds_are_named(tmp_path: Path, name: str, content: bytes, kind: str) -> None:
    [bad] = _rejected(_write(tmp_path, name, content))
    assert (bad.file, bad.record) == (name, None)
    assert bad.reason == f"is {kind}, which can't be read"
    assert bad.remedy


@pytest.mark.parametrize("content", [b"", b"\n \n", b"\xef\xbb\xbf"])
def test_empty_file(tmp_path: Path, content: bytes) -> None:
    [bad] = _rejected(_write(tmp_path, "empty.txt", content))
    assert (bad.file, bad.record, bad.reason) == ("empty.txt", None, "is empty")


def test_a_page_of_headings_holds_no_paper(tmp_path: Path) -> None:
    [bad] = _rejected(_write(tmp_path, "page.txt", "Daily Papers\n\nNothing today\n"))
    assert bad.reason == "holds no paper (read as a page of abstracts)"


def test_missing_and_unreadable_paths(tmp_path: Path) -> None:
    [bad] = _rejected(tmp_path / "nowhere.txt")
    assert "no such file" in bad.reason
    assert bad.file.endswith("nowhere.txt")
    [empty] = _rejected(tmp_path)
    assert "holds no file that can be read (it is empty)" in empty.reason
    _write(tmp_path, "a.pdf", b"%PDF-1.7")
    [pdf, folder] = _rejected(tmp_path)
    assert pdf.file == "a.pdf"
    assert folder.reason == "this folder holds no file that can be read (1 looked at)"


def test_folders_are_read_in_order_and_hidden_files_left_out(tmp_path: Path) -> None:
    (tmp_path / "b" / ".git").mkdir(parents=True)
    _write(tmp_path / "b", "two.txt", TWO)
    _write(tmp_path / "b" / ".git", "three.txt", ONE)
    _write(tmp_path, ".hidden", ONE)
    _write(tmp_path, "a.pdf", b"%PDF-1.7")
    _write(tmp_path, "one.txt", ONE)
    found = [(item.file, type(item).__name__) for item in read_path(tmp_path)]
    assert found == [("a.pdf", "Rejected"), ("one.txt", "Record"), ("b/two.txt", "Record")]


def test_what_is_no_file_is_said_and_never_waited_for(tmp_path: Path) -> None:
    _write(tmp_path, "one.txt", ONE)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "broken").symlink_to("nowhere")
    with socket.socket(socket.AF_UNIX) as listening:
        here = Path.cwd()
        os.chdir(tmp_path)  # a socket's path may have 107 characters at most
        listening.bind("socket")
        os.chdir(here)
        found = {item.file: item for item in read_path(tmp_path)}
        direct = {name: list(read_path(tmp_path / name)) for name in ("pipe", "socket", "broken")}
    assert isinstance(found.pop("one.txt"), Record)
    assert {name: item.reason for name, item in found.items() if isinstance(item, Rejected)} == {
        "pipe": "is a named pipe, not a file",
        "socket": "is a socket, not a file",
        "broken": "is a link to what isn't there",
    }
    for name, items in direct.items():
        assert [(type(item), item.reason) for item in items if isinstance(item, Rejected)] == [
            (Rejected, found[name].reason)  # type: ignore[union-attr]
        ]
    [device] = read_path(Path("/dev/zero"))
    assert isinstance(device, Rejected)
    assert device.reason == "is a device, not a file"


def test_a_file_whose_name_is_no_utf8_is_read(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"na\xffme.txt")
    try:
        path.write_text(ONE)
    except OSError:
        pytest.skip("this file system takes names in UTF-8 only")
    assert [item.file for item in read_path(path)] == ["na?me.txt"]
    assert [item.file for item in read_path(tmp_path)] == ["na?me.txt"]


def test_a_pipe_is_read(tmp_path: Path) -> None:
    read_end, write_end = os.pipe()
    os.write(write_end, ONE.encode())
    os.close(write_end)
    [record] = read_path(Path(f"/dev/fd/{read_end}"))
    os.close(read_end)
    assert isinstance(record, Record)


def test_a_forced_format(tmp_path: Path) -> None:
    path = _write(tmp_path, "page.txt", f'{{"title": "no JSON"}}\n\n{ONE}')
    assert [item.number for item in read_path(path, format="page")] == [1]  # type: ignore[union-attr]
    with pytest.raises(InputError, match=r"no format is called 'nonesuch'; use one of: .*jsonl, .*page"):
        list(read_path(path, format="nonesuch"))


def test_format_names_are_distinct() -> None:
    assert len({row.name for row in FORMATS}) == len(FORMATS)
    assert {"bibtex", "csl-json", "csl-yaml", "jsonl", "page"} <= set(readable())


@given(st.binary(max_size=400))
def test_any_bytes_are_read_or_rejected(content: bytes) -> None:
    items = list(read_stream(io.BytesIO(content), "-"))
    assert items
    assert all(item.file == "-" or item.file.startswith("-/") for item in items)


@given(
    st.lists(
        st.dictionaries(
            st.sampled_from(["title", "abstract", "year", "venue"]) | st.text(max_size=5).map("my {}".format),
            st.text(max_size=20) | st.none() | st.integers(),
        ),
        max_size=5,
    )
)
def test_json_lines_come_back_as_they_were(objects: list[dict[str, object]]) -> None:
    text = "".join(json.dumps(item) + "\n" for item in objects)
    records = [
        item
        for item in read_stream(io.BytesIO(text.encode()), "-", format="jsonl")
        if isinstance(item, Record)
    ]
    assert [dict(record.fields) for record in records] == objects
