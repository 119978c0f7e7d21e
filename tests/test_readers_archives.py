"""Archives: files inside of .zip and .gz; bombs, names that lead out, links and passwords are refused."""

from __future__ import annotations

import gzip
import io
import random
import stat
import struct
import tarfile
import zipfile
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.readers import Record, Rejected, archives, read_path, read_stream

CSV = b"Title,Abstract,Year\nOne,We prune weights.,2020\n"
JSONL = b'{"title": "Two"}\n{"title": "Three"}\n'
NO_EXPORT = "export the papers from your reference manager or database (RIS, BibTeX, CSV)"


def _zip(*members: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return out.getvalue()


def _read(content: bytes, name: str = "a.zip", *, format: str | None = None) -> list[Record | Rejected]:
    return list(read_stream(io.BytesIO(content), name, format=format))


def _titles(items: list[Record | Rejected]) -> list[tuple[str, object]]:
    assert all(isinstance(item, Record) for item in items), items
    return [(item.file, item.fields["title"]) for item in items if isinstance(item, Record)]


def _refusals(items: list[Record | Rejected]) -> list[tuple[str, str]]:
    return [(item.file, item.reason) for item in items if isinstance(item, Rejected)]


def test_the_files_of_a_zip_are_read_by_their_content(tmp_path: Path) -> None:
    content = _zip(
        ("b/refs.txt", JSONL),
        ("a.csv", CSV),
        ("b/", b""),
        ("__MACOSX/a.csv", b"\x00"),
        (".DS_Store", b"\x00"),
        ("b/.git/x", b"\x00"),
    )
    (tmp_path / "in.zip").write_bytes(content)
    expected = [("in.zip/b/refs.txt", "Two"), ("in.zip/b/refs.txt", "Three"), ("in.zip/a.csv", "One")]
    assert _titles(list(read_path(tmp_path / "in.zip"))) == expected
    assert _titles(list(read_path(tmp_path))) == expected
    assert _titles(_read(content, "in.zip")) == expected


def test_a_gzip_file_holds_one_file() -> None:
    assert _titles(_read(gzip.compress(CSV), "refs.csv.gz")) == [("refs.csv.gz/refs.csv", "One")]
    assert _titles(_read(gzip.compress(CSV), "refs")) == [("refs/content", "One")]
    twice = gzip.compress(JSONL[:18]) + gzip.compress(JSONL[18:])
    assert [title for _, title in _titles(_read(twice, "x.gz"))] == ["Two", "Three"]


def test_a_forced_format_is_that_of_the_files_inside() -> None:
    [item] = _read(_zip(("a.txt", b"abstract\nWe prune.\n")), format="csv")
    assert isinstance(item, Record)
    assert item.fields == {"abstract": "We prune."}


def test_an_archive_in_an_archive_but_no_deeper() -> None:
    inner = _zip(("a.csv", CSV))
    nested = _zip(("x.csv.gz", gzip.compress(CSV)), ("y.zip", inner))
    assert _titles(_read(nested)) == [("a.zip/x.csv.gz/x.csv", "One"), ("a.zip/y.zip/a.csv", "One")]
    refusals = _refusals(_read(_zip(("z.zip", nested))))
    assert refusals == [
        ("a.zip/z.zip/x.csv.gz", "is an archive inside of archives"),
        ("a.zip/z.zip/y.zip", "is an archive inside of archives"),
    ]


def test_tar_and_other_archives_are_named() -> None:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        info = tarfile.TarInfo("a.csv")
        info.size = len(CSV)
        tar.addfile(info, io.BytesIO(CSV))
    [bad] = _read(out.getvalue(), "refs.tar.gz")
    assert isinstance(bad, Rejected)
    assert (bad.file, bad.reason) == ("refs.tar.gz/refs.tar", "is a TAR archive, which can't be read")
    assert bad.remedy == "unpack it and ingest the folder"
    for magic in (
        b"7z\xbc\xaf\x27\x1c\x00",
        b"Rar!\x1a\x07\x00",
        b"\xfd7zXZ\x00",
        b"BZh91AY",
        b"\x28\xb5\x2f\xfd\x00",
    ):
        assert _refusals(_read(magic, "x")) == [
            ("x", "is an archive of another kind than ZIP, which can't be read")
        ]


@pytest.mark.parametrize(
    ("names", "kind", "remedy"),
    [
        (["[Content_Types].xml", "word/document.xml"], "a Word document", NO_EXPORT),
        (["[Content_Types].xml", "xl/workbook.xml"], "an Excel workbook", "save the sheet as CSV"),
        (["[Content_Types].xml", "ppt/presentation.xml"], "a PowerPoint presentation", NO_EXPORT),
        (["[Content_Types].xml", "3D/model"], "an Office document", NO_EXPORT),
        (["mimetype", "content.xml"], "an OpenDocument or EPUB file", "save the sheet as CSV"),
    ],
)
def test_office_files(names: list[str], kind: str, remedy: str) -> None:
    [bad] = _read(_zip(*((name, b"<x/>") for name in names)), "a.docx")
    assert isinstance(bad, Rejected)
    assert bad.reason == f"is {kind}, which can't be read"
    assert remedy in bad.remedy
    inside, record = _read(_zip(("a.docx", _zip(*((name, b"<x/>") for name in names))), ("a.csv", CSV)))
    assert isinstance(inside, Rejected)
    assert (inside.file, inside.reason) == ("a.zip/a.docx", bad.reason)
    assert isinstance(record, Record)


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"%PDF-1.7\n", "PDF"),
        (b"\xef\xbb\xbf<!DOCTYPE html><html></html>", "a web page"),
        (b"SQLite format 3\x00\x10", "an SQLite database"),
        (b"{\\rtf1 We prune.}", "RTF"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document"),
        (b"\x89PNG\r\n\x1a\n", "an image"),
        (bytes(range(256)), "a binary file"),
    ],
)
def test_wrong_files_are_told_what_to_do(content: bytes, kind: str) -> None:
    [bad] = _read(content, "x")
    assert isinstance(bad, Rejected)
    assert bad.reason == f"is {kind}, which can't be read"
    assert NO_EXPORT in bad.remedy


@pytest.mark.parametrize(
    "name", ["../a.csv", "b/../../a.csv", "/etc/a.csv", "..\\a.csv", "C:\\a.csv", "C:a.csv"]
)
def test_names_that_lead_out_are_refused(name: str, tmp_path: Path) -> None:
    items = _read(_zip((name, CSV), ("a.csv", CSV)))
    assert _refusals(items) == [(f"a.zip/{name}", "has a name that leads out of its archive")]
    assert isinstance(items[1], Record)


def test_links_passwords_and_rare_methods_are_refused() -> None:
    link = zipfile.ZipInfo("link.csv")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    content = bytearray(_zip((link, b"/etc/passwd"), ("a.csv", CSV), ("b.csv", CSV)))
    locals_ = [place for place in range(len(content)) if content[place : place + 4] == b"PK\x03\x04"]
    centrals = [place for place in range(len(content)) if content[place : place + 4] == b"PK\x01\x02"]
    content[locals_[1] + 6] |= 1
    content[centrals[1] + 8] |= 1
    content[locals_[2] + 8] = content[centrals[2] + 10] = 14
    assert _refusals(_read(bytes(content))) == [
        ("a.zip/link.csv", "is a link, not a file"),
        ("a.zip/a.csv", "is encrypted"),
        ("a.zip/b.csv", "is packed by ZIP's method 14, which isn't read"),
    ]


def test_an_empty_archive() -> None:
    assert _refusals(_read(_zip())) == [("a.zip", "is an archive without a file in it")]
    assert _refusals(_read(gzip.compress(b""), "a.gz")) == [("a.gz/a", "is empty")]


def test_bombs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "FREE", 100_000)
    zeros = bytes(3_000_000)
    [(file, reason)] = _refusals(_read(_zip(("a.txt", zeros))))
    assert (file, reason[:17]) == ("a.zip/a.txt", "unpacks to 3 MB (")
    [(file, reason)] = _refusals(_read(gzip.compress(zeros), "a.gz"))
    assert (file, reason[:38]) == ("a.gz/a", "unpacks to more than 200 times its siz")
    # Sizes that lie: the archive says that ten bytes come out of it.
    lying = bytearray(_zip(("a.txt", zeros)))
    central = bytes(lying).index(b"PK\x01\x02")
    lying[central + 24 : central + 28] = lying[22:26] = struct.pack("<I", 10)
    [(file, reason)] = _refusals(_read(bytes(lying)))
    assert file == "a.zip/a.txt"
    assert reason.startswith("is damaged")
    # Many files that share what is packed: each is small, all together aren't.
    monkeypatch.setattr(archives, "MEMBERS", 3)
    [(_, reason)] = _refusals(_read(_zip(*((f"{number}.csv", CSV) for number in range(4)))))
    assert reason == "holds 4 files (the limit is 3)"


def test_a_bomb_inside_of_an_archive_counts_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "FREE", 1_000_000)
    packed = gzip.compress(bytes(700_000))
    items = _read(_zip(*((f"{number}.txt.gz", packed) for number in range(6)), ("a.csv", CSV)))
    assert sum("unpacks to more than" in reason for _, reason in _refusals(items)) >= 1


def test_a_gzip_file_cut_off_gives_what_it_holds() -> None:
    dice = random.Random(3)
    lines = b"".join(
        b'{"title": "Paper %d %d"}\n' % (number, dice.randrange(10**9)) for number in range(4000)
    )
    packed = gzip.compress(lines)
    items = _read(packed[: len(packed) // 2], "a.jsonl.gz")
    assert sum(isinstance(item, Record) for item in items) > 1000
    last = items[-1]
    assert isinstance(last, Rejected)
    assert (last.file, last.record) == ("a.jsonl.gz/a.jsonl", None)
    assert last.reason.startswith("is damaged: Compressed file ended")
    wrong = bytearray(packed)
    wrong[-6] ^= 0xFF
    items = _read(bytes(wrong), "a.jsonl.gz")
    assert sum(isinstance(item, Record) for item in items) >= 3000
    assert isinstance(items[-1], Rejected)


def test_a_damaged_member_costs_itself_only() -> None:
    content = bytearray(_zip(("a.csv", CSV), ("b.csv", CSV)))
    packed = zlib.compressobj(wbits=-15)
    size = len(packed.compress(CSV) + packed.flush())
    start = 30 + len("a.csv")
    content[start + size // 2] ^= 0xFF
    bad, good = _read(bytes(content))
    assert isinstance(bad, Rejected)
    assert bad.file == "a.zip/a.csv"
    assert isinstance(good, Record)


def test_nothing_is_written_but_a_temporary_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    _read(_zip(("a.csv", CSV), ("../b.csv", CSV)))
    assert list(tmp_path.iterdir()) == []


_ZIP = _zip(("a.csv", CSV), ("b/c.jsonl", JSONL), ("d.gz", gzip.compress(CSV)))


@given(st.integers(0, len(_ZIP) - 1), st.binary(min_size=1, max_size=6))
def test_any_damage_to_a_zip_is_read_or_rejected(place: int, content: bytes) -> None:
    assert _read(_ZIP[:place] + content + _ZIP[place + len(content) :])


@given(st.integers(0, len(_ZIP) - 1))
def test_a_zip_cut_off_is_rejected(end: int) -> None:
    assert _read(_ZIP[:end])


@given(
    st.sampled_from([b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b", b"\x1f\x8b\x08\x1c"]), st.binary(max_size=200)
)
def test_any_bytes_that_begin_like_an_archive(magic: bytes, content: bytes) -> None:
    assert _read(magic + content)
